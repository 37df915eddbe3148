// SPDX-License-Identifier: MIT
// Whole steps of `direct` against the reference generation in double.
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

void expectSameCourse(const Workload& workload, const KernelTable& table, std::int64_t batch,
                      int steps, double gradientTolerance) {
    ReferenceNetwork<double> truth(workload, batch, 42);
    DirectNetwork direct(workload, batch, 42, 2, table, Arithmetic::Fp32);
    setTestParameters(truth, workload);
    setTestParameters(direct, workload);
    const Images images = randomImages(workload, batch * steps, 3);
    for (int k = 0; k < steps; ++k) {
        const Batch one{images.pixels.data() + k * batch * workload.input.elements(),
                        images.labels.data() + k * batch, batch};
        const StepResult expected = truth.step(one, k), actual = direct.step(one, k);
        EXPECT_NEAR(actual.loss, expected.loss, 1e-5 * expected.loss) << "step " << k;
        EXPECT_EQ(actual.accuracy, expected.accuracy) << "step " << k;
        if (k == 0) expectGradientsNear(direct, truth, workload, gradientTolerance);
    }
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        if (workload.layers[i].type != LayerType::BatchNorm) continue;
        EXPECT_LT(relativeDistance(direct.running(i).mean, truth.running(i).mean), 1e-4);
        EXPECT_LT(relativeDistance(direct.running(i).variance, truth.running(i).variance), 1e-4);
    }
    const StepResult expected = truth.evaluate(images.batch(batch));
    const StepResult actual = direct.evaluate(images.batch(batch));
    EXPECT_NEAR(actual.loss, expected.loss, 1e-4 * expected.loss);
}

class DirectStep : public testing::TestWithParam<const KernelTable*> {
  protected:
    void SetUp() override {
        if (!isRunnable(*GetParam())) {
            GTEST_SKIP() << "this processor lacks " << GetParam()->name;
        }
    }
};

TEST_P(DirectStep, OddNetworksMatchTheReference) {
    for (const NamedWorkload& odd : oddWorkloads()) {
        SCOPED_TRACE(odd.name);
        expectSameCourse(odd.workload, *GetParam(), odd.workload.batch, 3, 1e-5);
        // A batch norm over one or two values is so ill-conditioned that there is nothing to
        // compare.
        const std::int64_t smallest = odd.name == "unfused" ? 4 : 1;
        expectSameCourse(odd.workload, *GetParam(), smallest, 1, 1e-5);
    }
}

TEST_P(DirectStep, CifarV2MatchesTheReference) {
    expectSameCourse(publishedWorkload("cifar10-v2"), *GetParam(), 8, 2, 1e-5);
}

TEST_P(DirectStep, CifarV1GradientsMatchTheReference) {
    expectSameCourse(publishedWorkload("cifar10-v1"), *GetParam(), 8, 1, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Tables, DirectStep, testing::ValuesIn(allTables()), tableName);

}  // namespace
}  // namespace aether::engine::cpu::test
