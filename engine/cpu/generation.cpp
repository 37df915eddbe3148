// SPDX-License-Identifier: MIT
#include "engine/cpu/generation.h"

#include <chrono>

namespace aether::engine::cpu {
namespace {
std::int64_t steadyNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
}  // namespace

void StageClock::start(std::size_t stages) {
    nanoseconds_.assign(stages, 0);
    running_ = true;
}

void StageClock::begin() {
    if (running_) last_ = steadyNs();
}

void StageClock::mark(std::size_t stage) {
    if (!running_) return;
    const std::int64_t now = steadyNs();
    nanoseconds_[stage] += now - last_;
    last_ = now;
}

}  // namespace aether::engine::cpu
