// SPDX-License-Identifier: MIT
#include "common/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "common/philox.h"

namespace aether {
namespace {

constexpr int kResamples = 4000;
constexpr double kTail = 0.025;  // of a 95 % interval

double quantileOfSorted(std::span<const double> sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Percentile bootstrap of the median (Efron and Tibshirani, 1993, chapter 13).
Interval bootstrapMedian(std::span<const double> values, std::uint64_t seed) {
    std::vector<double> medians(kResamples);
    std::vector<double> resample(values.size());
    const std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(seed),
                                           static_cast<std::uint32_t>(seed >> 32)};
    for (int round = 0; round < kResamples; ++round) {
        for (std::size_t i = 0; i < resample.size(); ++i) {
            const auto word = philox4x32(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(round), 0, 0}, key)[0];
            resample[i] = values[(std::uint64_t{word} * values.size()) >> 32];
        }
        medians[static_cast<std::size_t>(round)] = median(resample);
    }
    std::sort(medians.begin(), medians.end());
    return {quantileOfSorted(medians, kTail), quantileOfSorted(medians, 1 - kTail)};
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

Ratio pairedRatio(std::span<const double> baseline, std::span<const double> candidate,
                  std::uint64_t seed) {
    if (baseline.empty() || baseline.size() != candidate.size()) {
        throw std::invalid_argument(
            "a ratio needs as many baseline as candidate samples, at least one");
    }
    std::vector<double> ratios(baseline.size());
    std::transform(baseline.begin(), baseline.end(), candidate.begin(), ratios.begin(),
                   std::divides<>());
    return {median(ratios), bootstrapMedian(ratios, seed), ratios.size()};
}

double relativeNoise(std::span<const double> samples, std::uint64_t seed) {
    if (samples.size() < 2) return std::numeric_limits<double>::infinity();
    const Interval interval = bootstrapMedian(samples, seed);
    return (interval.high - interval.low) / 2 / median(samples);
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
    if (low >= 1 - equivalence && high <= 1 + equivalence) return Verdict::Same;
    if (low > 1) return Verdict::Faster;
    if (high < 1) return Verdict::Slower;
    return Verdict::Ambiguous;
}

}  // namespace aether
