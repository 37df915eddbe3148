// SPDX-License-Identifier: GPL-3.0-only
#include "app/sample_check.h"

#include <gtest/gtest.h>

#include <cmath>

namespace aether::app {
namespace {

protocol::Sample sample(double stepMs) {
    protocol::Sample s;
    s.steps = 4;
    s.wallNs = static_cast<std::int64_t>(stepMs * 4e6);
    s.loss = 2.3;
    return s;
}

/// cifar10-v1 at batch 256 on two cores: 44.39 GFLOP / 4 at 640 GFLOP/s = 17.34 ms.
const SampleLimits kLimits{44.39e9, generousPeakFlops("cpu", "fp32", 2)};

TEST(SampleCheck, TakesAFastButPossibleSample) {
    EXPECT_TRUE(sampleFlags(sample(17.5), {}, kLimits, 0.0).empty());
}

TEST(SampleCheck, FlagsWhatNoHardwareCanDoWithBothFigures) {
    const auto flags = sampleFlags(sample(17.0), {}, kLimits, std::nullopt);
    ASSERT_EQ(flags.size(), 1u);
    EXPECT_EQ(flags[0],
              "implausible: 17.00 ms per step, but 44.39 GFLOP / 4 (Winograd) at 640 GFLOP/s take "
              "17.34 ms");
}

TEST(SampleCheck, AllowsTwiceThePeakInSixteenBit) {
    EXPECT_EQ(generousPeakFlops("cpu", "bf16", 2), 2 * generousPeakFlops("cpu", "fp32", 2));
    EXPECT_EQ(generousPeakFlops("gpu", "fp32", 2), 0);
    EXPECT_TRUE(sampleFlags(sample(0.001), {}, {44e9, 0}, std::nullopt).empty())
        << "no peak, no check";
}

TEST(SampleCheck, FlagsWhatIsNotFinite) {
    protocol::Sample s = sample(20);
    s.loss = std::nan("");
    EXPECT_EQ(sampleFlags(s, {}, kLimits, std::nullopt).at(0), "not finite: the loss");
    EXPECT_EQ(
        sampleFlags(sample(20), {"wall_ns is null (the clock broke)"}, kLimits, std::nullopt).at(0),
        "not finite: wall_ns is null (the clock broke)");
    EXPECT_EQ(sampleFlags(sample(0), {}, kLimits, std::nullopt).at(0),
              "not finite: 4 steps in 0 ns");
}

TEST(SampleCheck, FlagsThrottledAndBusy) {
    protocol::Sample s = sample(20);
    s.throttled = true;
    s.clockMhz = protocol::Maybe::of(800);
    EXPECT_EQ(sampleFlags(s, {}, kLimits, std::nullopt).at(0), "throttled: clock 800 MHz");
    EXPECT_EQ(sampleFlags(sample(20), {}, kLimits, 0.61).at(0),
              "busy: other processes took 61 % of the cores (limit 50 %)");
}

TEST(SampleCheck, OnlyWarnsOfALittleLoad) {
    EXPECT_TRUE(sampleFlags(sample(20), {}, kLimits, 0.3).empty());
    EXPECT_EQ(loadWarning(kLimits, 0.3, 2),
              "busy: other processes took 30 % of the cores in round 2");
    EXPECT_EQ(loadWarning(kLimits, 0.1, 2), "");
    EXPECT_EQ(loadWarning(kLimits, 0.6, 2), "") << "that is the sample's flag";
}

protocol::Stages stages(std::int64_t first, std::int64_t second, std::int64_t step) {
    protocol::Stages s;
    s.steps = 1;
    s.stepWallNs = step;
    s.stages = {{"conv1", "forward", first, std::nullopt, {}},
                {"adamw", "optimizer", second, std::nullopt, {}}};
    return s;
}

TEST(StageCheck, FlagsASumThatIsNotTheStep) {
    EXPECT_TRUE(stageFlags(stages(60, 35, 100)).empty());
    EXPECT_EQ(stageFlags(stages(50, 30, 100)).size(), 1u);
    EXPECT_EQ(stageFlags(stages(80, 35, 100)).size(), 1u);
}

TEST(StageCheck, FlagsChildrenThatOutlastTheirParentAndAStepOfOther) {
    protocol::Stages nested = stages(60, 40, 100);
    nested.stages[0].children = {{"gemm", "forward", 80, std::nullopt, {}}};
    EXPECT_EQ(stageFlags(nested).at(0), "stages: the children of conv1 take longer than itself");
    protocol::Stages other = stages(10, 90, 100);
    other.stages[1].phase = "other";
    EXPECT_EQ(stageFlags(other).at(0), "stages: 90 % is \"other\"; this is no breakdown");
}

}  // namespace
}  // namespace aether::app
