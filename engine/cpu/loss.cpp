// SPDX-License-Identifier: MIT
#include "engine/cpu/loss.h"

#include <algorithm>
#include <cmath>

namespace aether::engine::cpu {

ByteSums sumBytes(const std::uint8_t* bytes, std::int64_t count) {
    ByteSums total;
    constexpr std::int64_t kBlock = 65536;  // 65536 · 255² < 2³²
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        std::uint32_t sum = 0, squares = 0;
        for (std::int64_t i = begin; i < std::min(begin + kBlock, count); ++i) {
            const std::uint32_t v = bytes[i];
            sum += v;
            squares += v * v;
        }
        total.sum += sum;
        total.squares += squares;
    }
    return total;
}

std::array<double, 256> standardisedValues(const ByteSums& sums, std::int64_t count) {
    const auto n = static_cast<double>(count);
    const double mean = static_cast<double>(sums.sum) / n;
    // n Σb² − (Σb)² in integers has no cancellation; it fits for batches below 2²⁴ images of CIFAR
    // size.
    const auto spread = static_cast<long double>(sums.squares) * static_cast<long double>(count) -
                        static_cast<long double>(sums.sum) * static_cast<long double>(sums.sum);
    const double deviation = static_cast<double>(std::sqrt(std::max(spread, 0.0L))) / n / 255.0;
    std::array<double, 256> values{};
    for (std::size_t b = 0; b < values.size(); ++b) {
        values[b] = (static_cast<double>(b) - mean) / 255.0 / (deviation + 1e-8);
    }
    return values;
}

template <class Real>
ImageLoss crossEntropy(std::span<const Real> logits, std::int32_t label, double smoothing,
                       double scale, std::span<Real> dlogits) {
    const auto largest = std::max_element(logits.begin(), logits.end());
    const double top = *largest;
    double sum = 0;
    for (const Real v : logits)
        sum += std::exp(static_cast<double>(v) - top);
    const double logSum = top + std::log(sum);
    const double background = smoothing / static_cast<double>(logits.size());
    ImageLoss result;
    for (std::size_t j = 0; j < logits.size(); ++j) {
        const double q =
            background + (static_cast<std::int32_t>(j) == label ? 1.0 - smoothing : 0.0);
        const double logP = static_cast<double>(logits[j]) - logSum;
        result.loss -= q * logP;
        dlogits[j] = static_cast<Real>((std::exp(logP) - q) * scale);
    }
    result.correct = largest - logits.begin() == label;
    return result;
}

template ImageLoss crossEntropy(std::span<const float>, std::int32_t, double, double,
                                std::span<float>);
template ImageLoss crossEntropy(std::span<const double>, std::int32_t, double, double,
                                std::span<double>);

}  // namespace aether::engine::cpu
