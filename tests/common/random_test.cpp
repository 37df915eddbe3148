// SPDX-License-Identifier: MIT
#include "common/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/philox.h"
#include "tests/common/workloads.h"

namespace aether {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Random123 1.14, tests/kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, MatchesThePublishedVectors) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
              (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(
        philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
        (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(InitialParameter, IsHeNormal) {
    const Workload workload = v1();
    const std::vector<float> weights = initialParameter(workload, 16, 42);  // conv5.weight
    ASSERT_EQ(workload.parameters[16].name, "conv5.weight");
    ASSERT_EQ(weights.size(), 73728U);
    double mean = 0;
    double square = 0;
    for (const float w : weights) {
        mean += w;
        square += double{w} * w;
    }
    mean /= static_cast<double>(weights.size());
    square /= static_cast<double>(weights.size());
    const double deviation = std::sqrt(2.0 / 576);
    EXPECT_NEAR(mean, 0, 4 * deviation / std::sqrt(73728.0));
    EXPECT_NEAR(std::sqrt(square) / deviation, 1, 0.01);
}

TEST(InitialParameter, LeavesScaleOneAndShiftZero) {
    const Workload workload = v1();
    EXPECT_EQ(initialParameter(workload, 2, 42), std::vector<float>(32, 1.0F));
    EXPECT_EQ(initialParameter(workload, 3, 42), std::vector<float>(32, 0.0F));
}

TEST(EpochOrder, IsAPermutationThatChangesWithTheEpoch) {
    const auto first = epochOrder(1000, 42, 0);
    EXPECT_NE(first, epochOrder(1000, 42, 1));
    EXPECT_NE(first, epochOrder(1000, 43, 0));
    EXPECT_EQ(first, epochOrder(1000, 42, 0));
    auto sorted = first;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> expected(1000);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(sorted, expected);
}

TEST(DropoutMask, DropsItsShareAndCanBeMadeInPieces) {
    std::vector<float> whole(40'000);
    dropoutMask(whole, 0, 0.2, 42, 7, 20);
    const auto dropped = std::count(whole.begin(), whole.end(), 0.0F);
    EXPECT_NEAR(static_cast<double>(dropped) / 40'000, 0.2, 0.01);
    std::vector<float> piece(100);
    dropoutMask(piece, 8000, 0.2, 42, 7, 20);
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + 8000));
    std::vector<float> nextStep(40'000);
    dropoutMask(nextStep, 0, 0.2, 42, 8, 20);
    EXPECT_NE(whole, nextStep);
}

TEST(DropoutMask, RateZeroKeepsEverything) {
    std::vector<float> mask(64);
    dropoutMask(mask, 0, 0, 1, 1, 1);
    EXPECT_EQ(mask, std::vector<float>(64, 1.0F));
}

}  // namespace
}  // namespace aether
