// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace aether {

/// Of a set of samples; all zero when it is empty. Quartiles by linear interpolation between order
/// statistics (Hyndman and Fan, type 7).
struct Summary {
    std::size_t n = 0;
    double median = 0, min = 0, max = 0, lowerQuartile = 0, upperQuartile = 0;
};

Summary summarise(std::span<const double> samples);
double median(std::span<const double> samples);
/// Quantile q in [0, 1], type 7.
double quantile(std::span<const double> samples, double q);

struct Interval {
    double low = 0;
    double high = 0;
};

struct Ratio {
    double value =
        0;  ///< median of the paired ratios baseline / candidate: above 1, candidate is faster
    Interval interval;  ///< bootstrap percentile interval, 95 %
    std::size_t pairs = 0;
};

/// baseline[i] and candidate[i] are of the same round. Deterministic for a seed. Needs equal,
/// non-zero counts (std::invalid_argument otherwise). With one pair the interval is that value.
Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate,
                  std::uint64_t seed);

/// 95 % bootstrap interval of the median, as half width relative to the median; infinity below two
/// samples.
double relativeNoise(std::span<const double> samples, std::uint64_t seed);

/// What a comparison says. SAME: the interval of the ratio lies within ± `equivalence`; AMBIGUOUS:
/// it straddles 1 and is wider than that; INVALID: a side has no valid samples or failed parity.
enum class Verdict { Faster, Slower, Same, Ambiguous, Invalid };

std::string_view name(Verdict verdict);
Verdict judge(const Ratio& ratio, double equivalence);

}  // namespace aether
