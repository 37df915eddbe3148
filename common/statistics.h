// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// Where a set of samples lies: the Hodges-Lehmann estimate (median of the averages of all pairs,
/// each sample with itself included) and the interval that Wilcoxon's signed-rank test does not
/// reject (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 2014, sections 3.2 and
/// 3.3). Exact for any symmetric distribution; an outlier moves neither far.
struct Location {
    double value = 0;
    Interval interval;
    double confidence =
        0;  ///< of the interval: 95 % or a little more, 1 - 2^(1 - n) below 6 samples
};

/// NaN throughout when there is no sample or one is not finite.
Location locate(std::span<const double> samples);

/// So many samples make a 95 % interval possible.
inline constexpr std::size_t kFewestSamples = 6;

struct Ratio {
    double value = 0;  ///< baseline / candidate: above 1, candidate is faster
    Interval interval;
    std::size_t pairs = 0;
};

/// The location of the logarithms of baseline[i] / candidate[i], which are of the same round. NaN
/// when a time is not positive. Needs equal, non-zero counts (std::invalid_argument otherwise).
Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate);

/// Half the width of the 95 % interval, relative to the value; infinity below kFewestSamples.
double relativeNoise(const Ratio& ratio);
/// The same for the location of one variant's times.
double relativeNoise(std::span<const double> times);

/// What a comparison says. SAME: the interval of the ratio lies within ± `equivalence`; AMBIGUOUS:
/// it straddles 1 and is wider than that, or there are fewer than kFewestSamples pairs; INVALID:
/// a side has no valid samples or failed parity.
enum class Verdict { Faster, Slower, Same, Ambiguous, Invalid };

std::string_view name(Verdict verdict);
Verdict judge(const Ratio& ratio, double equivalence);

}  // namespace aether
