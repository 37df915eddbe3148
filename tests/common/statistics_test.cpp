// SPDX-License-Identifier: MIT
#include "common/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

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

TEST(PairedRatio, RemovesWhatBothSidesShare) {
    // The second round is twice as slow for both; the ratio stays exactly 2.
    const Ratio ratio = pairedRatio(Samples{20, 40, 22}, Samples{10, 20, 11}, 1);
    EXPECT_DOUBLE_EQ(ratio.value, 2);
    EXPECT_DOUBLE_EQ(ratio.interval.low, 2);
    EXPECT_DOUBLE_EQ(ratio.interval.high, 2);
    EXPECT_EQ(ratio.pairs, 3U);
}

TEST(PairedRatio, IntervalHoldsTheMedianAndIsReproducible) {
    const Samples baseline{10, 11, 12, 13, 14, 15, 16};
    const Samples candidate{10, 10, 10, 10, 10, 10, 10};
    const Ratio ratio = pairedRatio(baseline, candidate, 42);
    EXPECT_DOUBLE_EQ(ratio.value, 1.3);
    EXPECT_LE(ratio.interval.low, 1.2);
    EXPECT_GE(ratio.interval.low, 1.0);
    EXPECT_GE(ratio.interval.high, 1.4);
    EXPECT_LE(ratio.interval.high, 1.6);
    EXPECT_EQ(ratio.interval.low, pairedRatio(baseline, candidate, 42).interval.low);
}

TEST(PairedRatio, NeedsPairs) {
    EXPECT_THROW(pairedRatio(Samples{1, 2}, Samples{1}, 1), std::invalid_argument);
    EXPECT_THROW(pairedRatio({}, {}, 1), std::invalid_argument);
}

TEST(Judge, KnowsFourAnswersAndInvalid) {
    const auto of = [](double low, double high) {
        return judge({(low + high) / 2, {low, high}, 3}, 0.02);
    };
    EXPECT_EQ(of(1.52, 1.60), Verdict::Faster);
    EXPECT_EQ(of(0.70, 0.80), Verdict::Slower);
    EXPECT_EQ(of(0.99, 1.01), Verdict::Same);
    EXPECT_EQ(of(0.90, 1.10), Verdict::Ambiguous);
    EXPECT_EQ(of(NAN, 1.10), Verdict::Invalid);
    EXPECT_EQ(of(0, 0), Verdict::Invalid);
}

TEST(RelativeNoise, ShrinksWithAgreement) {
    EXPECT_TRUE(std::isinf(relativeNoise(Samples{1}, 1)));
    EXPECT_DOUBLE_EQ(relativeNoise(Samples{5, 5, 5}, 1), 0);
    EXPECT_GT(relativeNoise(Samples{5, 6, 7}, 1), 0.05);
}

}  // namespace
}  // namespace aether
