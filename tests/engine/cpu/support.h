// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "common/workload.h"
#include "engine/cpu/fused/network.h"
#include "engine/cpu/reference/network.h"

namespace aether::engine::cpu::test {

/// The tables this processor can run, and the emulated 16-wide one where it has AVX2.
std::vector<const KernelTable*> runnableTables();
/// All tables that exist; null entries never.
std::vector<const KernelTable*> allTables();
bool isRunnable(const KernelTable& table);
std::string tableName(const testing::TestParamInfo<const KernelTable*>& info);

inline constexpr ConvolutionMethod kMethods[] = {ConvolutionMethod::Direct,
                                                 ConvolutionMethod::Winograd};
/// A way to compute a step: instruction set and convolutions.
using Way = std::tuple<const KernelTable*, ConvolutionMethod>;
std::string wayName(const testing::TestParamInfo<Way>& info);

/// ‖a − b‖ / ‖b‖; the norm of a where b is zero.
double relativeDistance(const std::vector<double>& a, const std::vector<double>& b);

/// A workload file around these layers.
Workload workloadOf(const std::string& layers, int height, int width, int channels, int classes,
                    int batch);
Workload publishedWorkload(const std::string& name);

/// Seeded images and labels.
struct Images {
    std::vector<std::uint8_t> pixels;
    std::vector<std::int32_t> labels;
    Batch batch(std::int64_t images) const { return {pixels.data(), labels.data(), images}; }
};
Images randomImages(const Workload& workload, std::int64_t count, unsigned seed);

std::vector<float> randomFloats(std::int64_t count, unsigned seed, float low = -1, float high = 1);

/// The workload's initial weights; biases, scales and shifts away from 0 and 1, so that a forgotten
/// one shows.
void setTestParameters(Generation& generation, const Workload& workload, unsigned seed = 7);

}  // namespace aether::engine::cpu::test
