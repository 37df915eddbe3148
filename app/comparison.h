// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <string>
#include <vector>

#include "common/result.h"

namespace aether::app {

/// The ratio counts as SAME when its interval lies within ± this.
inline constexpr double kEquivalence = 0.02;

/// Every engine run (framework "aether") against the fastest valid run of another framework on the
/// same device and in the same precision; in an A/A session copy 2 of every run against copy 1.
std::vector<Comparison> compareRuns(const Result& result);

/// Why a run can't take part in a verdict; empty when it can.
std::string whyNotValid(const Run& run);

/// "Aether direct fp32 NHWC is 1.56 × [1.52, 1.60] faster than PyTorch compiled fp32 NCHW".
std::string verdictSentence(const std::string& candidate, const std::string& baseline,
                            Verdict verdict, const Ratio& ratio, const std::string& reason);

}  // namespace aether::app
