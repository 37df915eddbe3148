// SPDX-License-Identifier: MIT
// The oracle itself: gradients of the reference generation in double against central differences of
// its own loss.
#include <cmath>

#include "tests/engine/cpu/workloads.h"

namespace aether::engine::cpu::test {
namespace {

double lossAfterNudge(const Workload& workload, const Images& images, std::size_t parameter,
                      std::size_t element, double by) {
    ReferenceNetwork<double> network(workload, workload.batch, 42);
    setTestParameters(network, workload);
    network.nudge(parameter, element, by);
    return network.step(images.batch(workload.batch), 0).loss;
}

TEST(Reference, GradientsAreTheLossesSlopes) {
    for (const NamedWorkload& named : oddWorkloads()) {
        SCOPED_TRACE(named.name);
        const Workload& workload = named.workload;
        const Images images = randomImages(workload, workload.batch, 11);
        ReferenceNetwork<double> network(workload, workload.batch, 42);
        setTestParameters(network, workload);
        network.step(images.batch(workload.batch), 0);
        for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
            const auto gradient = network.gradient(i);
            double largest = 1e-4;
            for (const double g : gradient)
                largest = std::max(largest, std::abs(g));
            // A few elements; a step so small that no ReLU or maximum changes sides.
            for (std::size_t j = 0; j < gradient.size(); j += 1 + gradient.size() / 5) {
                constexpr double kStep = 1e-6;
                const double up = lossAfterNudge(workload, images, i, j, kStep);
                const double down = lossAfterNudge(workload, images, i, j, -kStep);
                EXPECT_NEAR(gradient[j], (up - down) / (2 * kStep), 1e-5 * largest + 2e-9)
                    << workload.parameters[i].name << " element " << j;
            }
        }
    }
}

TEST(Reference, FloatAndDoubleTakeTheSameCourse) {
    const Workload workload = oddWorkloads()[0].workload;
    const Images images = randomImages(workload, workload.batch, 11);
    ReferenceNetwork<double> wide(workload, workload.batch, 42);
    ReferenceNetwork<float> narrow(workload, workload.batch, 42);
    setTestParameters(wide, workload);
    setTestParameters(narrow, workload);
    for (int k = 0; k < 3; ++k) {
        const double expected = wide.step(images.batch(workload.batch), k).loss;
        EXPECT_NEAR(narrow.step(images.batch(workload.batch), k).loss, expected, 1e-5);
    }
}

TEST(Reference, RunningVarianceIsUnbiased) {
    const Workload workload = workloadOf(
        R"({"type": "dense", "name": "f", "units": 2}, {"type": "batch_norm", "name": "b", "epsilon": 1e-5, "momentum": 0.75})",
        1, 1, 1, 2, 2);
    ReferenceNetwork<double> network(workload, 2, 42);
    const std::vector<float> weight{1, 0}, zero{0, 0}, one{1, 1};
    network.setParameter(0, weight);
    network.setParameter(1, zero);
    network.setParameter(2, one);
    network.setParameter(3, zero);
    const std::uint8_t pixels[] = {0,
                                   255};  // standardised to -1 and 1: biased variance 1, unbiased 2
    const std::int32_t labels[] = {0, 1};
    network.step({pixels, labels, 2}, 0);
    EXPECT_NEAR(network.running(1).mean[0], 0, 1e-7);
    EXPECT_NEAR(network.running(1).variance[0], 0.75 + 0.25 * 2, 1e-6);
    FusedNetwork direct(workload, 2, 42, 1, *runnableTables()[0], Arithmetic::Fp32,
                        ConvolutionMethod::Direct);
    direct.setParameter(0, weight);
    direct.setParameter(1, zero);
    direct.setParameter(2, one);
    direct.setParameter(3, zero);
    direct.step({pixels, labels, 2}, 0);
    EXPECT_NEAR(direct.running(1).variance[0], 0.75 + 0.25 * 2, 1e-6);
}

}  // namespace
}  // namespace aether::engine::cpu::test
