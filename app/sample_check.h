// SPDX-License-Identifier: GPL-3.0-only
// Can a sample be believed? Pure arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/protocol.h"
#include "common/result.h"

namespace aether::app {

struct SampleLimits {
    double flopsPerStep = 0;
    double peakFlops = 0;  ///< per second; 0: unknown, not checked
    double loadWarning = 0.15;
    double loadLimit = 0.50;
};

/// A peak no CPU of today reaches: cores × 5 GHz × 64 FLOP per cycle in fp32 (two 512-bit fused
/// multiply-adds), twice that in 16 bit, half of it in fp64. 0 for anything but a CPU.
double generousPeakFlops(const std::string& deviceKind, const std::string& precision, int cores);

/// Fast algorithms (Winograd F(4×4, 3×3)) need down to a quarter of the direct multiplications: a
/// step is implausible only below FLOPs / 4 / peak.
inline constexpr double kFewestMultiplications = 0.25;

/// The reasons why the sample is not valid, each with its figures: "not finite", "implausible",
/// "throttled", "busy". `unknown`: what the runner gave as null, with its reason. `otherShare`:
/// other processes' part of the cores.
std::vector<std::string> sampleFlags(const protocol::Sample& sample,
                                     const std::vector<std::string>& unknown,
                                     const SampleLimits& limits, std::optional<double> otherShare);

/// "busy: …" when the load is above the warning but within the limit; empty otherwise.
std::string loadWarning(const SampleLimits& limits, std::optional<double> otherShare, int round);

/// Flags a profile whose top-level stages differ from the step by more than 10 %, or whose children
/// outlast their parent, or that is mostly "other".
std::vector<std::string> stageFlags(const protocol::Stages& stages);

}  // namespace aether::app
