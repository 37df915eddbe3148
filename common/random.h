// SPDX-License-Identifier: MIT
// The randomness that docs/workload.md defines: the same bits in every runner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/workload.h"

namespace aether {

enum class Purpose : std::uint32_t { Weight = 1, Order = 2, Image = 3, Label = 4, Mask = 5 };

/// He-normal initial values of parameter `index` of the workload: weights random, scales 1, bias
/// and shift 0.
std::vector<float> initialParameter(const Workload& workload, std::size_t index,
                                    std::uint64_t seed);

/// Image numbers in the order in which `train` visits them in that epoch (from 0).
std::vector<std::uint32_t> epochOrder(std::size_t images, std::uint64_t seed, std::uint32_t epoch);

/// A word below this drops its element: floor(rate · 2³²).
std::uint32_t dropThreshold(double rate);

/// Writes 1 (kept) or 0 (dropped) for elements first … first + out.size() − 1 of the mask of one
/// layer and step. `first` must be a multiple of four. Element order: N, C for spatial dropout; N,
/// H, W, C for dropout.
void dropoutMask(std::span<float> out, std::uint64_t first, double rate, std::uint64_t seed,
                 std::uint32_t step, std::uint32_t layer);

/// Elements in one image's mask: channels for spatial dropout, all elements for dropout.
std::int64_t maskElements(const Layer& layer);

/// Raw words of one purpose: word i of counter (i / 4, a, b, purpose).
void philoxWords(std::span<std::uint32_t> out, std::uint32_t a, std::uint32_t b, Purpose purpose,
                 std::uint64_t seed);

}  // namespace aether
