// SPDX-License-Identifier: MIT
#include "common/rank_cut.h"

#include <algorithm>
#include <cmath>

namespace aether {
namespace {

constexpr double kTail = 0.025;               // of a 95 % interval, on each side
constexpr double kNormalQuantile = 1.959964;  // of 1 - kTail

}  // namespace

std::optional<RankCut> exactRankCut(std::span<const double> probability) {
    RankCut cut{0, probability[0]};
    if (cut.tail > kTail) return std::nullopt;
    while (cut.tail + probability[cut.outside + 1] <= kTail)
        cut.tail += probability[++cut.outside];
    return cut;
}

std::optional<RankCut> normalRankCut(double mean, double deviation) {
    const double outside = std::floor(mean - kNormalQuantile * deviation - 0.5);
    if (outside < 0) return std::nullopt;
    return RankCut{static_cast<std::size_t>(outside), kTail};
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> out(values.size());
    std::transform(values.begin(), values.end(), out.begin(), [](double v) { return std::log(v); });
    return out;
}

}  // namespace aether
