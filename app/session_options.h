// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plan.h"

namespace aether::app {

/// No session takes more, however far from quiet its machine is.
inline constexpr int kMostRounds = 4000;

/// Everything a session is told; every default is what a first user should get.
struct SessionOptions {
    PlanOptions plan;
    std::filesystem::path workload;
    std::optional<std::filesystem::path> data;  ///< CIFAR-10 folder; none: synthetic images
    std::optional<std::int64_t> batch;          ///< none: the workload's
    std::optional<std::uint64_t> seed;          ///< none: the workload's; also orders the rounds
    std::vector<int> cores;                     ///< the same for every framework
    int threads = 1;

    int rounds = 6;  ///< the fewest with a 95 % interval
    /// Rounds go on until the 95 % interval of every ratio is within ± this share (with nothing to
    /// compare: of every variant's time). 0: `rounds` alone decides.
    double maxNoise = 0;
    /// Every runner is started anew after so many rounds, 0: never. Two processes of one program
    /// may differ by a per cent or two for as long as they live, by where they lie in memory; only
    /// other processes average that out.
    int relaunchEvery = 0;
    double timeoutSeconds = 0;  ///< of the rounds; 0: none (600 when maxNoise is set)
    double blockSeconds = 0.5;  ///< a timed block lasts about this long, at least one step
    std::chrono::milliseconds settle{250};
    std::chrono::milliseconds silence{300'000};  ///< no line at all for this long: hung
    /// Other processes' share of the chosen cores during a block: above the first a warning on the
    /// run, above the second the sample is not valid.
    double loadWarning = 0.15;
    double loadLimit = 0.50;

    bool verify = true;
    bool profile = true;
    std::filesystem::path resultFile;  ///< written after every round; empty: not written
    std::vector<std::string> argv;
};

}  // namespace aether::app
