// SPDX-License-Identifier: MIT
#include "common/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "common/philox.h"

namespace aether {
namespace {

using Samples = std::vector<double>;

TEST(Summary, MatchesType7Quartiles) {
    const Summary summary = summarise(Samples{7, 1, 3, 5});  // numpy.percentile: 2.5, 4, 5.5
    EXPECT_EQ(summary.n, 4U);
    EXPECT_DOUBLE_EQ(summary.lowerQuartile, 2.5);
    EXPECT_DOUBLE_EQ(summary.median, 4);
    EXPECT_DOUBLE_EQ(summary.upperQuartile, 5.5);
    EXPECT_DOUBLE_EQ(summary.min, 1);
    EXPECT_DOUBLE_EQ(summary.max, 7);
}

TEST(Summary, OfNothingIsZero) {
    EXPECT_EQ(summarise({}).n, 0U);
}

TEST(Location, MatchesTheTable) {
    // n = 10: 25 of 1024 sets of ranks sum to 8 or less, 35 to 9 or less, so eight averages are cut
    // off on each side: 1, 1.5, 2, 2, 2.5, 2.5, 3, 3.
    const Location where = locate(Samples{10, 2, 3, 4, 5, 6, 7, 8, 9, 1});
    EXPECT_DOUBLE_EQ(where.value, 5.5);
    EXPECT_DOUBLE_EQ(where.interval.low, 3);
    EXPECT_DOUBLE_EQ(where.interval.high, 8);
    EXPECT_DOUBLE_EQ(where.confidence, 1 - 2 * 25.0 / 1024);
}

TEST(Location, OfFewSamplesSpansThemAndSaysHowLittleThatMeans) {
    const Location three = locate(Samples{3, 1, 2});
    EXPECT_DOUBLE_EQ(three.interval.low, 1);
    EXPECT_DOUBLE_EQ(three.interval.high, 3);
    EXPECT_DOUBLE_EQ(three.confidence, 0.75);
    EXPECT_DOUBLE_EQ(locate(Samples{5}).confidence, 0);
    EXPECT_LT(locate(Samples(kFewestSamples - 1, 1.0)).confidence, 0.95);
    EXPECT_GE(locate(Samples(kFewestSamples, 1.0)).confidence, 0.95);
}

TEST(Location, IsNotMovedFarByOneOutlier) {
    Samples samples;
    for (int i = 1; i <= 14; ++i)
        samples.push_back(i);
    samples.push_back(1e9);
    const Location where = locate(samples);
    EXPECT_LE(where.value, 9);
    EXPECT_LE(where.interval.high, 14);
}

TEST(Location, OfSomethingNotFiniteIsNotANumber) {
    EXPECT_TRUE(std::isnan(locate({}).value));
    EXPECT_TRUE(std::isnan(locate(Samples{1, NAN, 2}).interval.low));
    EXPECT_TRUE(std::isnan(locate(Samples{1, INFINITY}).interval.high));
}

class Coverage : public testing::TestWithParam<std::size_t> {};

TEST_P(Coverage, HoldsTheTruthAsOftenAsItSays) {
    // Symmetric with a heavy tail: nine in ten uniform within ± 1, the tenth within ± 20.
    constexpr int kTrials = 2000;
    int held = 0;
    double confidence = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        Samples samples(GetParam());
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto words = philox4x32(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(trial), 0, 0}, {7, 0});
            const double unit = words[0] / 4294967296.0 * 2 - 1;
            samples[i] = unit * (words[1] % 10 == 0 ? 20 : 1);
        }
        const Location where = locate(samples);
        held += where.interval.low <= 0 && 0 <= where.interval.high;
        confidence = where.confidence;
    }
    EXPECT_NEAR(static_cast<double>(held) / kTrials, confidence, 0.015);  // three deviations
}

INSTANTIATE_TEST_SUITE_P(Sizes, Coverage, testing::Values(3, 6, 7, 20, 50, 51, 90));

TEST(PairedRatio, RemovesWhatBothSidesShare) {
    // The second round is twice as slow for both; the ratio stays exactly 2.
    const Ratio ratio = pairedRatio(Samples{20, 40, 22}, Samples{10, 20, 11});
    EXPECT_DOUBLE_EQ(ratio.value, 2);
    EXPECT_DOUBLE_EQ(ratio.interval.low, 2);
    EXPECT_DOUBLE_EQ(ratio.interval.high, 2);
    EXPECT_EQ(ratio.pairs, 3U);
}

TEST(PairedRatio, TurnsOverWithItsSides) {
    const Samples a{10, 11, 12, 13, 14, 15, 16}, b{9, 10, 11, 10, 12, 10, 9};
    const Ratio there = pairedRatio(a, b), back = pairedRatio(b, a);
    EXPECT_DOUBLE_EQ(there.value * back.value, 1);
    EXPECT_DOUBLE_EQ(there.interval.low * back.interval.high, 1);
}

TEST(PairedRatio, NeedsPairsAndTimes) {
    EXPECT_THROW(pairedRatio(Samples{1, 2}, Samples{1}), std::invalid_argument);
    EXPECT_THROW(pairedRatio({}, {}), std::invalid_argument);
    EXPECT_TRUE(std::isnan(pairedRatio(Samples{1, 2}, Samples{1, 0}).value));
    EXPECT_TRUE(std::isnan(pairedRatio(Samples{1, -2}, Samples{1, 1}).value));
}

TEST(Judge, KnowsFourAnswersAndInvalid) {
    const auto of = [](double low, double high) {
        return judge({(low + high) / 2, {low, high}, kFewestSamples}, 0.02);
    };
    EXPECT_EQ(of(1.52, 1.60), Verdict::Faster);
    EXPECT_EQ(of(0.70, 0.80), Verdict::Slower);
    EXPECT_EQ(of(0.99, 1.01), Verdict::Same);
    EXPECT_EQ(of(0.90, 1.10), Verdict::Ambiguous);
    EXPECT_EQ(of(NAN, 1.10), Verdict::Invalid);
    EXPECT_EQ(of(0, 0), Verdict::Invalid);
    EXPECT_EQ(judge({2, {1.9, 2.1}, kFewestSamples - 1}, 0.02), Verdict::Ambiguous);
}

TEST(RelativeNoise, ShrinksWithAgreement) {
    EXPECT_TRUE(std::isinf(relativeNoise(Samples{5, 5, 5})));
    EXPECT_DOUBLE_EQ(relativeNoise(Samples{5, 5, 5, 5, 5, 5}), 0);
    EXPECT_DOUBLE_EQ(relativeNoise(Samples{4, 5, 5, 5, 5, 6}), 0.2);
    EXPECT_NEAR(relativeNoise(Ratio{2, {1.9, 2.1}, 8}), 0.05, 1e-12);
    EXPECT_TRUE(std::isinf(relativeNoise(Ratio{2, {1.9, 2.1}, 5})));
}

}  // namespace
}  // namespace aether
