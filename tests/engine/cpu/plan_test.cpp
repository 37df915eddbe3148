// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/plan.h"

#include "common/failure.h"
#include "tests/engine/cpu/workloads.h"

namespace aether::engine::cpu::test {
namespace {

TEST(Plan, CifarV1IsFiveConvolutionsAndAHead) {
    const Workload workload = publishedWorkload("cifar10-v1");
    const Plan plan = planNetwork(workload);
    ASSERT_EQ(plan.stages.size(), 5U);
    for (const Stage& stage : plan.stages)
        EXPECT_EQ(stage.kind, StageKind::Convolution);
    ASSERT_EQ(plan.edges.size(), 6U);
    EXPECT_TRUE(plan.edges[0].bytes);
    EXPECT_FALSE(plan.edges[0].needsGradient);
    const Link& second = plan.edges[2].link;
    EXPECT_TRUE(second.norm && second.activation && second.pool && second.drop);
    EXPECT_EQ(second.slope, 0);
    EXPECT_EQ(plan.edges[2].loaded, (Shape{16, 16, 32}));
    EXPECT_EQ(plan.headInput, 5U);
    EXPECT_EQ(plan.head.size(), 2U);
}

TEST(Plan, LayersThatFitNoLinkBecomeStages) {
    const Plan plan = planNetwork(oddWorkloads()[1].workload);
    std::vector<std::string> names;
    for (const Stage& stage : plan.stages)
        names.push_back(stage.name);
    EXPECT_EQ(names, (std::vector<std::string>{"input", "before b0", "c1", "before b1", "d1", "c2",
                                               "before p2", "before l2", "g", "f1", "df"}));
    EXPECT_EQ(plan.head.size(), 1U);  // f2; the batch norm before it needs the whole batch
    EXPECT_FALSE(plan.edges[1].needsGradient);
    EXPECT_TRUE(plan.edges[2].needsGradient);
}

TEST(Plan, StagesCountTheWorkloadsFlops) {
    for (const char* name : {"cifar10-v1", "cifar10-v2"}) {
        const Workload workload = publishedWorkload(name);
        double flops = 0;
        for (const StageInfo& stage : describeStages(workload, planNetwork(workload), 256, 4)) {
            flops += stage.flops;
            EXPECT_FALSE(stage.name.empty());
        }
        EXPECT_DOUBLE_EQ(flops, workload.flopsPerStep(256));
    }
}

TEST(Plan, UnsupportedLayerIsNamed) {
    Workload workload = oddWorkloads()[0].workload;
    workload.layers[0].kernel = 4;
    try {
        planNetwork(workload);
        ADD_FAILURE() << "no failure";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), FailureKind::Unsupported);
        EXPECT_STREQ(failure.what(), "layer c1: kernel 4 is even (aether-engine)");
    }
}

}  // namespace
}  // namespace aether::engine::cpu::test
