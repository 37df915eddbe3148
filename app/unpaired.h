// SPDX-License-Identifier: GPL-3.0-only
// Two runs that were not measured in the same rounds: of two sessions, or of two published tables.
#pragma once

#include <optional>
#include <string>

#include "common/result.h"

namespace aether::app {

struct UnpairedRatio {
    double value = 0;  ///< of the medians, baseline / candidate: above 1, the candidate is faster
    /// Of the ratio, 95 % (common/two_sample.h, on logarithms); none for so few samples.
    std::optional<Interval> interval;
    std::size_t baselineSamples = 0, candidateSamples = 0;
    Verdict verdict = Verdict::Invalid;  ///< AMBIGUOUS without an interval
    std::string reason;                  ///< why INVALID
};

UnpairedRatio compareUnpaired(const Run& baseline, const Run& candidate);

/// "B is 1.05 × [1.02, 1.08] faster than A (unpaired)"
std::string unpairedSentence(const std::string& candidate, const std::string& baseline,
                             const UnpairedRatio& ratio);

/// What compareRuns finds, with every ratio as of runs that share no rounds.
std::vector<Comparison> compareRunsUnpaired(const Result& result);

}  // namespace aether::app
