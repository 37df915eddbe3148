// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/text.h"

namespace aether::app::cli {
namespace {

int columnsOf(int descriptor, int otherwise) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return otherwise;
}

void put(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

Console::Console(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Console::clearStatus() {
    if (!shown_.empty()) put("\r\033[K");
    shown_.clear();
}

void Console::say(const std::string& line) {
    if (quiet_) return;
    error(line);
}

void Console::error(const std::string& line) {
    clearStatus();
    put(line + "\n");
}

void Console::rewrite(const std::string& line) {
    if (quiet_ || held_ || line == shown_) return;
    shown_ = elided(oneLine(line), std::max(20, columnsOf(STDERR_FILENO, 80) - 1));
    put("\r\033[K" + shown_);
}

void Console::status(const std::string& line) {
    if (line == last_) return;
    last_ = line;
    if (terminal_) {
        rewrite(line);
    } else {
        say(oneLine(line));
    }
}

void Console::progress(const std::string& line) {
    if (terminal_) rewrite(line);
}

int outputWidth() {
    return columnsOf(STDOUT_FILENO, 100);
}

}  // namespace aether::app::cli
