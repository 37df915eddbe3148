// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "common/statistics.h"

namespace aether {

/// How far the samples x lie above the samples y, which were taken independently of each other.
struct Shift {
    /// Hodges-Lehmann: the median of all differences x[i] - y[j] (Hollander, Wolfe and Chicken,
    /// Nonparametric Statistical Methods, 2014, section 4.2).
    double value = 0;
    /// The shifts that the Wilcoxon rank-sum (Mann-Whitney) test does not reject at 5 % (section
    /// 4.3): exact up to 50 samples a side, by the normal approximation above that; with ties wider
    /// than need be. None when so few samples can't give 95 %: 4 + 4, 3 + 5 and 2 + 8 can, 3 + 4
    /// can't.
    std::optional<Interval> interval;
    double confidence = 0;  ///< of the interval: 95 % or more; 0 without one
};

/// NaN without an interval when a side is empty or holds something that is not finite.
Shift shiftBetween(std::span<const double> x, std::span<const double> y);

/// The probability under "no shift" that at most `u` of the n·m pairs have x[i] < y[j]: the exact
/// null distribution of the Mann-Whitney statistic (section 4.1, comment 8).
double mannWhitneyTail(std::size_t n, std::size_t m, std::size_t u);

}  // namespace aether
