// SPDX-License-Identifier: MIT
// Whole steps of `direct` and `winograd` against the reference generation in double.
#include "tests/engine/cpu/workloads.h"

namespace aether::engine::cpu::test {
namespace {

/// Worst relative distance of any gradient and what it belongs to.
void expectGradientsNear(const Generation& candidate, const Generation& truth,
                         const Workload& workload, double tolerance) {
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const auto exact = truth.gradient(i);
        double norm = 0;
        for (const double g : exact)
            norm += g * g;
        // A bias in front of a batch norm has the gradient zero; what a sum leaves of it is
        // rounding.
        const auto mine = candidate.gradient(i);
        if (std::sqrt(norm) < 1e-12) {
            EXPECT_LT(relativeDistance(mine, std::vector<double>(mine.size(), 0.0)), 1e-8)
                << workload.parameters[i].name;
            continue;
        }
        EXPECT_LT(relativeDistance(mine, exact), tolerance) << workload.parameters[i].name;
    }
}

void expectSameCourse(const Workload& workload, const Way& way, std::int64_t batch, int steps,
                      double gradientTolerance) {
    const auto& [table, method] = way;
    ReferenceNetwork<double> truth(workload, batch, 42);
    FusedNetwork fused(workload, batch, 42, 2, *table, Arithmetic::Fp32, method);
    setTestParameters(truth, workload);
    setTestParameters(fused, workload);
    const Images images = randomImages(workload, batch * steps, 3);
    for (int k = 0; k < steps; ++k) {
        const Batch one{images.pixels.data() + k * batch * workload.input.elements(),
                        images.labels.data() + k * batch, batch};
        const StepResult expected = truth.step(one, k), actual = fused.step(one, k);
        EXPECT_NEAR(actual.loss, expected.loss, 1e-5 * expected.loss) << "step " << k;
        EXPECT_EQ(actual.accuracy, expected.accuracy) << "step " << k;
        if (k == 0) expectGradientsNear(fused, truth, workload, gradientTolerance);
    }
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        if (workload.layers[i].type != LayerType::BatchNorm) continue;
        EXPECT_LT(relativeDistance(fused.running(i).mean, truth.running(i).mean), 1e-4);
        EXPECT_LT(relativeDistance(fused.running(i).variance, truth.running(i).variance), 1e-4);
    }
    const StepResult expected = truth.evaluate(images.batch(batch));
    const StepResult actual = fused.evaluate(images.batch(batch));
    EXPECT_NEAR(actual.loss, expected.loss, 1e-4 * expected.loss);
}

class FusedStep : public testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        const KernelTable& table = *std::get<0>(GetParam());
        if (!isRunnable(table)) GTEST_SKIP() << "this processor lacks " << table.name;
    }
};

TEST_P(FusedStep, OddNetworksMatchTheReference) {
    for (const NamedWorkload& odd : oddWorkloads()) {
        SCOPED_TRACE(odd.name);
        expectSameCourse(odd.workload, GetParam(), odd.workload.batch, 3, 1e-5);
        // A batch norm over one or two values is so ill-conditioned that there is nothing to
        // compare.
        const std::int64_t smallest = odd.name == "unfused" ? 4 : 1;
        expectSameCourse(odd.workload, GetParam(), smallest, 1, 1e-5);
    }
}

TEST_P(FusedStep, CifarV2MatchesTheReference) {
    expectSameCourse(publishedWorkload("cifar10-v2"), GetParam(), 8, 2, 1e-5);
}

TEST_P(FusedStep, CifarV1GradientsMatchTheReference) {
    expectSameCourse(publishedWorkload("cifar10-v1"), GetParam(), 8, 1, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Ways, FusedStep,
                         testing::Combine(testing::ValuesIn(allTables()),
                                          testing::ValuesIn(kMethods)),
                         wayName);

}  // namespace
}  // namespace aether::engine::cpu::test
