// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QEventLoop>
#include <exception>

#include "app/async.h"

namespace aether::app::cli {

namespace detail {
inline Task<> store(Task<int> job, int& code, std::exception_ptr& error, QEventLoop& loop) {
    try {
        code = co_await job;
    } catch (...) {
        error = std::current_exception();
    }
    loop.quit();
}
}  // namespace detail

/// Runs a verb to its end on an event loop; what it throws comes out here.
inline int runOnEventLoop(Task<int> job) {
    QEventLoop loop;
    int code = 0;
    std::exception_ptr error;
    Task<> outer = detail::store(std::move(job), code, error, loop);
    outer.start();
    if (!outer.done()) loop.exec();
    if (error) std::rethrow_exception(error);
    return code;
}

/// Awaits a signal of an object, once: `co_await signalOf(&session, &Session::finished)`.
template <class Object, class... Arguments>
Completion<bool> signalOf(Object* object, void (Object::*signal)(Arguments...)) {
    Completion<bool> done;
    QObject::connect(object, signal, object, [done] { done.set(true); });
    return done;
}

}  // namespace aether::app::cli
