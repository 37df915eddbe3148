// SPDX-License-Identifier: MIT
#include "common/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "common/rank_cut.h"

namespace aether {
namespace {

double quantileOfSorted(std::span<const double> sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Wilcoxon's statistic under the null hypothesis: every subset of the ranks 1 … n is equally
/// likely, the statistic is its sum.
std::vector<double> signedRankDistribution(std::size_t n) {
    std::vector<double> probability(n * (n + 1) / 2 + 1, 0.0);
    probability[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank) {
        for (std::size_t sum = probability.size(); sum-- > 0;) {
            const double with = sum >= rank ? probability[sum - rank] : 0;
            probability[sum] = (probability[sum] + with) / 2;
        }
    }
    return probability;
}

/// Of fewer samples than kFewestSamples the interval spans all of them, and its tail says how
/// little that means.
RankCut signedRankCut(std::size_t n) {
    if (n <= kMostForExactRanks) {
        const std::vector<double> probability = signedRankDistribution(n);
        return exactRankCut(probability).value_or(RankCut{0, probability[0]});
    }
    const auto count = static_cast<double>(n);
    const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
    return normalRankCut(count * (count + 1) / 4, deviation).value_or(RankCut{});
}

double nthSmallest(std::vector<double>& values, std::size_t n) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(n);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

double halfWidth(const Interval& interval, double value, std::size_t samples) {
    if (samples < kFewestSamples) return std::numeric_limits<double>::infinity();
    return (interval.high - interval.low) / 2 / value;
}

}  // namespace

double quantile(std::span<const double> samples, double q) {
    if (samples.empty()) return 0;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return quantileOfSorted(sorted, q);
}

double median(std::span<const double> samples) {
    return quantile(samples, 0.5);
}

Summary summarise(std::span<const double> samples) {
    if (samples.empty()) return {};
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return {sorted.size(), quantileOfSorted(sorted, 0.5),  sorted.front(),
            sorted.back(), quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.75)};
}

Location locate(std::span<const double> samples) {
    const bool finite = std::all_of(samples.begin(), samples.end(),
                                    [](double sample) { return std::isfinite(sample); });
    if (samples.empty() || !finite) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, {nan, nan}, 0};
    }
    const std::size_t n = samples.size();
    std::vector<double> averages;
    averages.reserve(n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j)
            averages.push_back((samples[i] + samples[j]) / 2);
    }
    const RankCut cut = signedRankCut(n);
    Location out;
    out.value = median(averages);
    out.interval.low = nthSmallest(averages, cut.outside);
    out.interval.high = nthSmallest(averages, averages.size() - 1 - cut.outside);
    out.confidence = 1 - 2 * cut.tail;
    return out;
}

Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate) {
    if (baseline.empty() || baseline.size() != candidate.size()) {
        throw std::invalid_argument(
            "a ratio needs as many baseline as candidate samples, at least one");
    }
    std::vector<double> ratios(baseline.size());
    std::transform(baseline.begin(), baseline.end(), candidate.begin(), ratios.begin(),
                   std::divides<>());
    const Location logs = locate(logarithms(ratios));
    return {std::exp(logs.value),
            {std::exp(logs.interval.low), std::exp(logs.interval.high)},
            ratios.size()};
}

double relativeNoise(const Ratio& ratio) {
    return halfWidth(ratio.interval, ratio.value, ratio.pairs);
}

double relativeNoise(std::span<const double> times) {
    const Location where = locate(times);
    return halfWidth(where.interval, where.value, times.size());
}

std::string_view name(Verdict verdict) {
    switch (verdict) {
        case Verdict::Faster:
            return "FASTER";
        case Verdict::Slower:
            return "SLOWER";
        case Verdict::Same:
            return "SAME";
        case Verdict::Ambiguous:
            return "AMBIGUOUS";
        case Verdict::Invalid:
            return "INVALID";
    }
    return "INVALID";
}

Verdict judge(const Ratio& ratio, double equivalence) {
    const auto [low, high] = ratio.interval;
    if (!std::isfinite(low) || !std::isfinite(high) || low <= 0) return Verdict::Invalid;
    if (ratio.pairs < kFewestSamples) return Verdict::Ambiguous;
    if (low >= 1 - equivalence && high <= 1 + equivalence) return Verdict::Same;
    if (low > 1) return Verdict::Faster;
    if (high < 1) return Verdict::Slower;
    return Verdict::Ambiguous;
}

}  // namespace aether
