// SPDX-License-Identifier: MIT
#include "common/two_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace aether {
namespace {

using Samples = std::vector<double>;

// Hollander, Wolfe and Chicken, table 4.1: permeability of the human chorioamnion at term and
// between the 12th and the 26th week.
const Samples kAtTerm{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
const Samples kEarlier{1.15, 0.88, 0.90, 0.74, 1.21};

TEST(MannWhitney, HasTheExactNullDistribution) {
    EXPECT_NEAR(mannWhitneyTail(10, 5, 15), 0.1272, 5e-5);  // the book's P for table 4.1
    EXPECT_DOUBLE_EQ(mannWhitneyTail(4, 4, 0), 1.0 / 70);
    EXPECT_DOUBLE_EQ(mannWhitneyTail(3, 5, 1), 2.0 / 56);
    EXPECT_NEAR(mannWhitneyTail(7, 9, 63), 1, 1e-12);
    EXPECT_DOUBLE_EQ(mannWhitneyTail(7, 9, 20), mannWhitneyTail(9, 7, 20));
}

TEST(Shift, MatchesTheBooksExample) {
    const Shift shift = shiftBetween(kAtTerm, kEarlier);
    EXPECT_NEAR(shift.value, 0.305, 1e-9);
    ASSERT_TRUE(shift.interval);
    EXPECT_NEAR(shift.interval->low, -0.15, 1e-9);
    EXPECT_NEAR(shift.interval->high, 0.76, 1e-9);
    EXPECT_NEAR(shift.confidence, 1 - 2 * mannWhitneyTail(10, 5, 8), 1e-12);
    const Shift back = shiftBetween(kEarlier, kAtTerm);
    EXPECT_NEAR(back.value, -shift.value, 1e-12);
    EXPECT_NEAR(back.interval->low, -shift.interval->high, 1e-12);
}

TEST(Shift, HasNoIntervalBelowTheFewestSamplesFor95Percent) {
    const auto has = [](std::size_t n, std::size_t m) {
        return shiftBetween(Samples(n, 2.0), Samples(m, 1.0)).interval.has_value();
    };
    EXPECT_TRUE(has(4, 4));
    EXPECT_TRUE(has(3, 5));
    EXPECT_TRUE(has(2, 8));
    EXPECT_FALSE(has(3, 4));
    EXPECT_FALSE(has(2, 7));
    EXPECT_FALSE(has(1, 1));
    EXPECT_DOUBLE_EQ(shiftBetween(Samples{5}, Samples{3}).value, 2);
    EXPECT_EQ(shiftBetween(Samples{5}, Samples{3}).confidence, 0);
}

TEST(Shift, FindsOrderStatisticsOfDifferencesWithoutStoringThem) {
    std::mt19937 random(7);
    std::lognormal_distribution<double> noise(0, 0.5);
    for (const auto& [n, m] : {std::pair{1, 2}, {5, 8}, {13, 4}, {51, 60}}) {
        Samples x, y, differences;
        for (int i = 0; i < n; ++i)
            x.push_back(noise(random));
        for (int j = 0; j < m; ++j)
            y.push_back(noise(random));
        for (const double a : x) {
            for (const double b : y)
                differences.push_back(a - b);
        }
        const Shift shift = shiftBetween(x, y);
        EXPECT_DOUBLE_EQ(shift.value, median(differences));
        std::sort(differences.begin(), differences.end());
        if (!shift.interval) continue;
        const auto low = std::find(differences.begin(), differences.end(), shift.interval->low);
        const auto high = std::find(differences.begin(), differences.end(), shift.interval->high);
        ASSERT_NE(low, differences.end());
        ASSERT_NE(high, differences.end());
        EXPECT_EQ(low - differences.begin(), differences.end() - 1 - high) << "as many outside";
    }
}

TEST(Shift, ApproximatesManySamplesAsTheExactTestWould) {
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 1);
    Samples x(51), y(51);
    for (double& value : x)
        value = noise(random) + 1;
    for (double& value : y)
        value = noise(random);
    const Shift shift = shiftBetween(x, y);
    ASSERT_TRUE(shift.interval);
    std::size_t outside = 0;
    for (const double a : x) {
        for (const double b : y)
            outside += a - b < shift.interval->low ? 1 : 0;
    }
    EXPECT_NEAR(mannWhitneyTail(51, 51, outside), 0.025, 0.0003);
}

TEST(Shift, CoversTheTrueShiftAsOftenAsItSays) {
    std::mt19937 random(11);
    std::cauchy_distribution<double> noise(0, 1);  // heavy tails: no assumption about the shape
    int covered = 0;
    constexpr int kTrials = 2000;
    double confidence = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        Samples x(6), y(5);
        for (double& value : x)
            value = noise(random) + 0.5;
        for (double& value : y)
            value = noise(random);
        const Shift shift = shiftBetween(x, y);
        confidence = shift.confidence;
        covered += shift.interval->low <= 0.5 && 0.5 <= shift.interval->high ? 1 : 0;
    }
    EXPECT_GE(confidence, 0.95);
    EXPECT_NEAR(static_cast<double>(covered) / kTrials, confidence, 0.015);
}

TEST(Shift, IsNotANumberWhereASideHoldsNone) {
    EXPECT_TRUE(std::isnan(shiftBetween({}, Samples{1}).value));
    EXPECT_TRUE(std::isnan(shiftBetween(Samples{1, NAN}, Samples{1, 2}).value));
    EXPECT_FALSE(shiftBetween(Samples(9, INFINITY), Samples(9, 1.0)).interval);
}

}  // namespace
}  // namespace aether
