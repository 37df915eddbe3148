// SPDX-License-Identifier: MIT
#include <limits>

#include "common/failure.h"
#include "common/random.h"
#include "tests/engine/cpu/workloads.h"

namespace aether::engine::cpu::test {
namespace {

/// All parameters after some steps, the losses behind them.
std::vector<double> course(const Workload& workload, std::int64_t batch, int threads,
                           const Way& way, Arithmetic arithmetic, int steps) {
    const auto& [table, method] = way;
    FusedNetwork network(workload, batch, 42, threads, *table, arithmetic, method);
    setTestParameters(network, workload);
    const Images images = randomImages(workload, batch, 5);
    std::vector<double> values;
    for (int k = 0; k < steps; ++k)
        values.push_back(network.step(images.batch(batch), k).loss);
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        for (const double v : network.parameter(i))
            values.push_back(v);
    }
    return values;
}

TEST(Determinism, ThreadsAndRunsGiveTheSameBits) {
    std::vector<NamedWorkload> workloads = oddWorkloads();
    workloads.push_back({"v1", publishedWorkload("cifar10-v1")});
    for (const NamedWorkload& named : workloads) {
        SCOPED_TRACE(named.name);
        // Two images in a chunk, one in the last; a large network takes a sanitizer long enough.
        const bool large = named.name == "v1";
        const std::int64_t batch = large ? 33 : named.workload.batch;
        const int steps = large ? 1 : 2;
        for (const Arithmetic arithmetic : {Arithmetic::Fp32, Arithmetic::Bf16Wide}) {
            for (const ConvolutionMethod method : kMethods) {
                const Way way{runnableTables().back(), method};
                const auto once = course(named.workload, batch, 1, way, arithmetic, steps);
                for (const int threads : large ? std::vector{2, 5} : std::vector{1, 2, 5}) {
                    EXPECT_EQ(course(named.workload, batch, threads, way, arithmetic, steps), once)
                        << threads << " threads";
                }
            }
        }
    }
}

TEST(Step, ZeroScaleKeepsItsGradient) {
    const Workload workload = publishedWorkload("cifar10-v2");
    const Images images = randomImages(workload, 8, 3);
    ReferenceNetwork<double> truth(workload, 8, 42);
    FusedNetwork direct(workload, 8, 42, 2, *runnableTables().back(), Arithmetic::Fp32,
                        ConvolutionMethod::Direct);
    setTestParameters(truth, workload);
    setTestParameters(direct, workload);
    std::size_t scale = 0;
    while (workload.parameters[scale].name != "bn2.scale")
        ++scale;
    const std::vector<float> zeros(64, 0.0F);
    const std::vector<float> shift(64, 0.5F);
    for (Generation* network :
         {static_cast<Generation*>(&truth), static_cast<Generation*>(&direct)}) {
        network->setParameter(scale, zeros);
        network->setParameter(scale + 1, shift);
        network->step(images.batch(8), 0);
    }
    EXPECT_GT(relativeDistance(truth.gradient(scale), std::vector<double>(64, 0.0)), 1e-6);
    for (std::size_t i = scale; i < workload.parameters.size(); ++i) {
        if (workload.parameters[i].name == "conv3.bias") continue;  // zero before a batch norm
        EXPECT_LT(relativeDistance(direct.gradient(i), truth.gradient(i)), 1e-5)
            << workload.parameters[i].name;
    }
}

void expectSmallerBatchEqualsANetworkOfThatSize(const Workload& workload,
                                                ConvolutionMethod method) {
    const Images images = randomImages(workload, workload.batch, 3);
    FusedNetwork large(workload, 64, 42, 2, *runnableTables().back(), Arithmetic::Fp32, method);
    ReferenceNetwork<double> truth(workload, workload.batch, 42);
    setTestParameters(large, workload);
    setTestParameters(truth, workload);
    // A full batch first, so that leftovers of it would show.
    const Images full = randomImages(workload, 64, 9);
    large.step(full.batch(64), 1);
    setTestParameters(large, workload);
    large.step(images.batch(workload.batch), 0);
    truth.step(images.batch(workload.batch), 0);
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const auto exact = truth.gradient(i);
        if (relativeDistance(exact, std::vector<double>(exact.size())) < 1e-12) continue;
        EXPECT_LT(relativeDistance(large.gradient(i), exact), 1e-5) << workload.parameters[i].name;
    }
}

TEST(Step, SmallerLastBatchEqualsANetworkOfThatSize) {
    for (const NamedWorkload& named : oddWorkloads()) {
        SCOPED_TRACE(named.name);
        for (const ConvolutionMethod method : kMethods) {
            expectSmallerBatchEqualsANetworkOfThatSize(named.workload, method);
        }
    }
}

TEST(Step, MasksAreTheWorkloadsBits) {
    std::vector<NamedWorkload> workloads = oddWorkloads();
    workloads.push_back({"v1", publishedWorkload("cifar10-v1")});
    for (const NamedWorkload& named : workloads) {
        SCOPED_TRACE(named.name);
        const Workload& workload = named.workload;
        const std::int64_t batch = std::min<std::int64_t>(workload.batch, 7);
        FusedNetwork network(workload, batch, 99, 2, *runnableTables().back(), Arithmetic::Fp32,
                             ConvolutionMethod::Winograd);
        setTestParameters(network, workload);
        const Images images = randomImages(workload, batch, 3);
        for (const std::uint32_t step : {0U, 5U}) {
            network.step(images.batch(batch), step);
            for (std::size_t i = 0; i < workload.layers.size(); ++i) {
                const Layer& layer = workload.layers[i];
                if (layer.type != LayerType::Dropout && layer.type != LayerType::SpatialDropout)
                    continue;
                std::vector<float> mask(static_cast<std::size_t>(batch * maskElements(layer)));
                dropoutMask(mask, 0, layer.rate, 99, step, static_cast<std::uint32_t>(i));
                EXPECT_EQ(network.mask(i), mask) << layer.name;
            }
        }
    }
}

TEST(Step, LossThatIsNotFiniteIsAFailure) {
    const Workload workload = oddWorkloads()[2].workload;
    const Images images = randomImages(workload, workload.batch, 3);
    FusedNetwork direct(workload, workload.batch, 42, 1, *runnableTables()[0], Arithmetic::Fp32,
                        ConvolutionMethod::Direct);
    ReferenceNetwork<float> plain(workload, workload.batch, 42);
    for (Generation* network :
         {static_cast<Generation*>(&direct), static_cast<Generation*>(&plain)}) {
        setTestParameters(*network, workload);
        network->setParameter(3, std::vector<float>(5, std::numeric_limits<float>::infinity()));
        try {
            network->step(images.batch(workload.batch), 0);
            ADD_FAILURE() << "no failure";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), FailureKind::Numerics);
        }
    }
}

}  // namespace
}  // namespace aether::engine::cpu::test
