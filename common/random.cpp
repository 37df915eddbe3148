// SPDX-License-Identifier: MIT
#include "common/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/philox.h"

namespace aether {
namespace {

std::array<std::uint32_t, 4> block(std::uint64_t index, std::uint32_t a, std::uint32_t b,
                                   Purpose purpose, std::uint64_t seed) {
    return philox4x32(
        {static_cast<std::uint32_t>(index), a, b, static_cast<std::uint32_t>(purpose)},
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

/// Sum of twelve 24-bit uniforms, centred: variance 1, the same bits everywhere (docs/workload.md).
double irwinHall(std::uint64_t element, std::uint32_t parameter, std::uint64_t seed) {
    std::int64_t sum = 6;
    for (std::uint64_t i = 0; i < 3; ++i) {
        for (const std::uint32_t word :
             block(3 * element + i, 0, parameter, Purpose::Weight, seed)) {
            sum += word >> 8;
        }
    }
    return static_cast<double>(sum) * 0x1p-24 - 6.0;
}

}  // namespace

void philoxWords(std::span<std::uint32_t> out, std::uint32_t a, std::uint32_t b, Purpose purpose,
                 std::uint64_t seed) {
    for (std::size_t first = 0; first < out.size(); first += 4) {
        const auto words = block(first / 4, a, b, purpose, seed);
        std::copy_n(words.begin(), std::min<std::size_t>(4, out.size() - first),
                    out.begin() + static_cast<long>(first));
    }
}

std::vector<float> initialParameter(const Workload& workload, std::size_t index,
                                    std::uint64_t seed) {
    const Parameter& parameter = workload.parameters.at(index);
    std::vector<float> values(static_cast<std::size_t>(parameter.elements()),
                              parameter.role == ParameterRole::Scale ? 1.0F : 0.0F);
    if (parameter.role != ParameterRole::Weight) return values;
    const double deviation = std::sqrt(2.0 / static_cast<double>(parameter.fanIn));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] =
            static_cast<float>(irwinHall(i, static_cast<std::uint32_t>(index), seed) * deviation);
    }
    return values;
}

std::vector<std::uint32_t> epochOrder(std::size_t images, std::uint64_t seed, std::uint32_t epoch) {
    std::vector<std::uint32_t> keys(images);
    philoxWords(keys, epoch, 0, Purpose::Order, seed);
    std::vector<std::uint32_t> order(images);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
        return keys[left] < keys[right];
    });
    return order;
}

std::uint32_t dropThreshold(double rate) {
    return static_cast<std::uint32_t>(std::floor(rate * 0x1p32));
}

void dropoutMask(std::span<float> out, std::uint64_t first, double rate, std::uint64_t seed,
                 std::uint32_t step, std::uint32_t layer) {
    const std::uint32_t threshold = dropThreshold(rate);
    for (std::size_t i = 0; i < out.size(); i += 4) {
        const auto words = block((first + i) / 4, step, layer, Purpose::Mask, seed);
        for (std::size_t j = 0; j < 4 && i + j < out.size(); ++j) {
            out[i + j] = words[j] >= threshold ? 1.0F : 0.0F;
        }
    }
}

std::int64_t maskElements(const Layer& layer) {
    return layer.type == LayerType::SpatialDropout ? layer.input.channels : layer.input.elements();
}

}  // namespace aether
