// SPDX-License-Identifier: GPL-3.0-only
// Coroutines on Qt's event loop, so that a session reads as its specification and nothing ever
// blocks.
//
// Task<T>       a coroutine; lazy; owned by whoever holds the object. Destroying it destroys the
// suspended frame. Completion<T> a value that arrives later, once. Whoever waits is resumed from
// the event loop, never from
//               inside set(), so the setter may be in the middle of its own work.
//
// One thread only: everything here runs on the thread whose event loop resumes it.
#pragma once

#include <QTimer>
#include <chrono>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace aether::app {

namespace detail {

struct PromiseBase {
    std::coroutine_handle<> continuation;
    std::exception_ptr error;

    struct FinalAwaiter {
        bool await_ready() noexcept { return false; }
        template <class P>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<P> done) noexcept {
            const std::coroutine_handle<> next = done.promise().continuation;
            return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };

    std::suspend_always initial_suspend() noexcept { return {}; }
    FinalAwaiter final_suspend() noexcept { return {}; }
    void unhandled_exception() { error = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    auto get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
    void return_value(T v) { value.emplace(std::move(v)); }
    T take() {
        if (error) std::rethrow_exception(error);
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    auto get_return_object() { return std::coroutine_handle<Promise>::from_promise(*this); }
    void return_void() {}
    void take() {
        if (error) std::rethrow_exception(error);
    }
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
  public:
    using promise_type = detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    Task(Handle handle) : handle_(handle) {}  // NOLINT: the promise's get_return_object converts
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        if (this != &other) {
            if (handle_) handle_.destroy();
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }
    Task(const Task&) = delete;
    ~Task() {
        if (handle_) handle_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        handle_.promise().continuation = waiter;
        return handle_;
    }
    T await_resume() { return handle_.promise().take(); }

    /// Runs a top-level task up to its first wait.
    void start() { handle_.resume(); }
    bool done() const { return handle_ && handle_.done(); }

  private:
    Handle handle_;
};

template <class T>
class Completion {
    struct State {
        std::optional<T> value;
        std::coroutine_handle<> waiter;
    };

  public:
    struct Awaiter {
        std::shared_ptr<State> state;
        explicit Awaiter(std::shared_ptr<State> s) : state(std::move(s)) {}
        Awaiter(const Awaiter&) = delete;
        ~Awaiter() { state->waiter = nullptr; }
        bool await_ready() const { return state->value.has_value(); }
        void await_suspend(std::coroutine_handle<> waiter) { state->waiter = waiter; }
        T await_resume() { return *state->value; }
    };

    /// The first value wins; a later one is refused with false.
    bool set(T value) const {
        if (state_->value) return false;
        state_->value.emplace(std::move(value));
        QTimer::singleShot(0, [state = state_] {
            if (state->waiter) std::exchange(state->waiter, nullptr).resume();
        });
        return true;
    }
    bool isSet() const { return state_->value.has_value(); }
    Awaiter operator co_await() const { return Awaiter(state_); }

  private:
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// `co_await sleepFor(250ms)`.
inline Completion<bool> sleepFor(std::chrono::milliseconds time) {
    Completion<bool> done;
    QTimer::singleShot(time, [done] { done.set(true); });
    return done;
}

}  // namespace aether::app
