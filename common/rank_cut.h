// SPDX-License-Identifier: MIT
// What the intervals of signed ranks (statistics.cpp) and of rank sums (two_sample.cpp) share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace aether {

/// Up to so many samples a side the null distribution is counted out, above it is taken for normal.
inline constexpr std::size_t kMostForExactRanks = 50;

/// How many of the smallest and of the largest averages or differences lie outside a 95 % interval,
/// and the probability of a statistic that small.
struct RankCut {
    std::size_t outside = 0;
    double tail = 0;
};

/// `probability[u]` of every value u of the statistic. None when even its smallest value is more
/// probable than one tail: then too few samples make no 95 % interval.
std::optional<RankCut> exactRankCut(std::span<const double> probability);
/// From mean and deviation of the statistic, with continuity correction; none when nothing can be
/// cut off.
std::optional<RankCut> normalRankCut(double mean, double deviation);

std::vector<double> logarithms(std::span<const double> values);

}  // namespace aether
