// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace aether::app::cli {
namespace {

int writeEnd = -1;  // a signal handler can reach nothing else

void onSignal(int number) {
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
    ::signal(number, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt(QObject* parent) : QObject(parent) {
    if (::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    writeEnd = pipe_[1];
    notifier_ = std::make_unique<QSocketNotifier>(pipe_[0], QSocketNotifier::Read);
    connect(notifier_.get(), &QSocketNotifier::activated, this, [this] {
        char bytes[16];
        while (::read(pipe_[0], bytes, sizeof bytes) > 0) {
        }
        seen_ = true;
        Q_EMIT raised();
    });
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        ::signal(number, onSignal);
}

Interrupt::~Interrupt() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        ::signal(number, SIG_DFL);
    notifier_.reset();
    writeEnd = -1;
    ::close(pipe_[0]);
    ::close(pipe_[1]);
}

}  // namespace aether::app::cli
