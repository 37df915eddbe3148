// SPDX-License-Identifier: MIT
#include "reference/libtorch/layer_clock.h"

namespace aether::reference {

void LayerClock::start() {
    last_ = Clock::now();
}

void LayerClock::mark(const std::string& name, const std::string& phase) {
    const auto now = Clock::now();
    const auto [found, inserted] = index_.try_emplace({name, phase}, totals_.size());
    if (inserted) totals_.push_back({name, phase, 0, std::nullopt, {}});
    totals_[found->second].wallNs +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count();
    last_ = now;
}

std::vector<protocol::Stage> LayerClock::stages(std::int64_t steps) const {
    std::vector<protocol::Stage> means = totals_;
    for (protocol::Stage& stage : means)
        stage.wallNs /= steps;
    return means;
}

}  // namespace aether::reference
