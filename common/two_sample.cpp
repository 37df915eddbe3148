// SPDX-License-Identifier: MIT
#include "common/two_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "common/rank_cut.h"

namespace aether {
namespace {

/// P(U = u) for u = 0 … n·m. The largest of all n + m values is an x with probability n / (n + m),
/// and then lies above all m of y; otherwise it is a y and adds nothing.
std::vector<double> mannWhitneyDistribution(std::size_t n, std::size_t m) {
    // row[j] is the distribution for i of x and j of y; i grows.
    std::vector<std::vector<double>> row(m + 1, {1.0});
    for (std::size_t i = 1; i <= n; ++i) {
        for (std::size_t j = 1; j <= m; ++j) {
            const std::vector<double>& fewerX = row[j];
            const std::vector<double>& fewerY = row[j - 1];
            const double share = static_cast<double>(i) / static_cast<double>(i + j);
            std::vector<double> both(i * j + 1, 0.0);
            for (std::size_t u = 0; u < fewerX.size(); ++u)
                both[u + j] += share * fewerX[u];
            for (std::size_t u = 0; u < fewerY.size(); ++u)
                both[u] += (1 - share) * fewerY[u];
            row[j] = std::move(both);
        }
    }
    return row[m];
}

std::optional<RankCut> rankSumCut(std::size_t n, std::size_t m) {
    if (std::max(n, m) <= kMostForExactRanks) return exactRankCut(mannWhitneyDistribution(n, m));
    const auto x = static_cast<double>(n);
    const auto y = static_cast<double>(m);
    return normalRankCut(x * y / 2, std::sqrt(x * y * (x + y + 1) / 12));
}

/// The n-th smallest (from 0) of all x[i] - y[j], both sorted, without storing them: bisection over
/// the value until two neighbouring doubles enclose it.
double nthDifference(std::span<const double> x, std::span<const double> y, std::size_t n) {
    const auto countUpTo = [&](double limit) {
        std::size_t count = 0;
        std::size_t first = 0;  // the first j with value - y[j] <= limit; grows with the value
        for (const double value : x) {
            while (first < y.size() && value - y[first] > limit)
                ++first;
            count += y.size() - first;
        }
        return count;
    };
    double low = x.front() - y.back();
    double high = x.back() - y.front();
    if (countUpTo(low) > n) return low;
    for (;;) {
        const double middle = std::midpoint(low, high);
        if (middle <= low || middle >= high) return high;
        (countUpTo(middle) > n ? high : low) = middle;
    }
}

bool allFinite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> out(values.begin(), values.end());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

double mannWhitneyTail(std::size_t n, std::size_t m, std::size_t u) {
    const std::vector<double> probability = mannWhitneyDistribution(n, m);
    double tail = 0;
    for (std::size_t i = 0; i <= u && i < probability.size(); ++i)
        tail += probability[i];
    return tail;
}

Shift shiftBetween(std::span<const double> xIn, std::span<const double> yIn) {
    if (xIn.empty() || yIn.empty() || !allFinite(xIn) || !allFinite(yIn))
        return {std::numeric_limits<double>::quiet_NaN(), std::nullopt, 0};
    const std::vector<double> x = sorted(xIn);
    const std::vector<double> y = sorted(yIn);
    const std::size_t pairs = x.size() * y.size();
    Shift out;
    out.value = std::midpoint(nthDifference(x, y, (pairs - 1) / 2), nthDifference(x, y, pairs / 2));
    const std::optional<RankCut> cut = rankSumCut(x.size(), y.size());
    if (!cut) return out;
    out.interval = {nthDifference(x, y, cut->outside),
                    nthDifference(x, y, pairs - 1 - cut->outside)};
    out.confidence = 1 - 2 * cut->tail;
    return out;
}

}  // namespace aether
