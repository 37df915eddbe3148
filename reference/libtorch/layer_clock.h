// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/protocol.h"

namespace aether::reference {

/// Wall time per layer and phase, as the gaps between marks: on a CPU every operation ends before
/// the next begins.
class LayerClock {
  public:
    /// Starts counting; the time until the next mark belongs to that mark.
    void start();
    /// The time since the last mark (or start) belonged to `name` in `phase`.
    void mark(const std::string& name, const std::string& phase);
    /// Means over `steps`, in the order in which the stages first appeared.
    std::vector<protocol::Stage> stages(std::int64_t steps) const;

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_;
    std::vector<protocol::Stage> totals_;
    std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

}  // namespace aether::reference
