// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/axis.h"

#include <gtest/gtest.h>

namespace aether::ui {
namespace {

TEST(Axis, EndsJustBehindTheLongestBar) {
    const Axis axis = axisFor({4.86, 7.6, 10.2}, 5);
    EXPECT_NEAR(axis.max, 10.2 * 1.02, 1e-9);
    EXPECT_DOUBLE_EQ(axis.step, 5);
    EXPECT_EQ(axis.decimals, 0);
    EXPECT_FALSE(axis.cut);
}

TEST(Axis, TicksAreOneTwoOrFive) {
    EXPECT_DOUBLE_EQ(axisFor({0.9}, 5).step, 0.2);
    EXPECT_EQ(axisFor({0.9}, 5).decimals, 1);
    EXPECT_DOUBLE_EQ(axisFor({0.0009}, 5).step, 0.0002);
    EXPECT_EQ(axisFor({0.0009}, 5).decimals, 4);
    EXPECT_DOUBLE_EQ(axisFor({47}, 5).step, 10);
    EXPECT_DOUBLE_EQ(axisFor({12000}, 5).step, 5000);
}

TEST(Axis, CutsAFewFarLongerBars) {
    const Axis axis = axisFor({20, 21, 17, 700}, 5);
    EXPECT_TRUE(axis.cut);
    EXPECT_DOUBLE_EQ(axis.max, 21 * 1.35);
}

TEST(Axis, KeepsASpreadThatIsTheMessage) {
    EXPECT_FALSE(axisFor({1, 35}, 5).cut) << "one of two: that is the comparison itself";
    EXPECT_FALSE(axisFor({1, 35, 36}, 5).cut) << "most bars are long";
    EXPECT_FALSE(axisFor({20, 50, 17, 178.7}, 5).cut);
}

TEST(Axis, OfNothingIsStillAnAxis) {
    EXPECT_GT(axisFor({}, 5).max, 0);
    EXPECT_GT(axisFor({0}, 5).step, 0);
}

}  // namespace
}  // namespace aether::ui
