// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "engine/cpu/kernels/arithmetic.h"
#include "tests/engine/cpu/workloads.h"

namespace aether::engine::cpu::test {
namespace {

/// Rounds by arithmetic on the value instead of its bits: 8 significant bits, ties to even.
float nearestBf16(float v) {
    int exponent = 0;
    (void)std::frexp(v, &exponent);
    const float unit = std::ldexp(1.0F, exponent - 8);
    return std::nearbyint(v / unit) * unit;
}

class Bf16 : public testing::TestWithParam<const KernelTable*> {
  protected:
    void SetUp() override {
        if (!isRunnable(*GetParam())) {
            GTEST_SKIP() << "this processor lacks " << GetParam()->name;
        }
    }
};

TEST_P(Bf16, RoundsToNearestEven) {
    std::vector<float> values{1.0F,        1.00390625F,  1.01171875F,
                              1.00390637F, -1.00390625F, 3.0e38F,
                              0.0F,        -0.0F,        std::bit_cast<float>(0x3F80FFFFU),
                              1e-30F,      65537.0F,     0.1F};
    for (const float v : randomFloats(52, 1, -10, 10))
        values.push_back(v);
    std::vector<float> rounded = values;
    GetParam()->roundBf16(rounded.data(), static_cast<std::int64_t>(rounded.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float expected = values[i] == 0 ? values[i] : nearestBf16(values[i]);
        EXPECT_EQ(rounded[i], expected) << values[i];
        EXPECT_EQ(fromBf16(toBf16(values[i])), expected) << values[i];
    }
}

TEST_P(Bf16, NotANumberStaysOne) {
    std::vector<float> values(static_cast<std::size_t>(GetParam()->width),
                              std::bit_cast<float>(0x7F800001U));
    GetParam()->roundBf16(values.data(), GetParam()->width);
    for (const float v : values)
        EXPECT_TRUE(std::isnan(v));
}

/// The two bfloat16 arithmetics round at the same places, so a step differs only by the order of
/// sums, and both stay as near to double as a format with eight significant bits can.
TEST_P(Bf16, StepStaysNearDouble) {
    std::vector<NamedWorkload> workloads = oddWorkloads();
    workloads.push_back({"v2", publishedWorkload("cifar10-v2")});
    for (const NamedWorkload& named : workloads) {
        SCOPED_TRACE(named.name);
        const Workload& workload = named.workload;
        const std::int64_t batch = std::min<std::int64_t>(workload.batch, 8);
        const Images images = randomImages(workload, batch, 3);
        ReferenceNetwork<double> truth(workload, batch, 42);
        setTestParameters(truth, workload);
        const double expected = truth.step(images.batch(batch), 0).loss;
        const std::pair<Arithmetic, ConvolutionMethod> ways[] = {
            {Arithmetic::Bf16Wide, ConvolutionMethod::Direct},
            {Arithmetic::Bf16Wide, ConvolutionMethod::Winograd},
            {Arithmetic::Bf16Dot, ConvolutionMethod::Direct},
            {Arithmetic::Bf16Dot, ConvolutionMethod::Winograd}};
        for (const auto& [arithmetic, method] : ways) {
            if (arithmetic == Arithmetic::Bf16Dot && !GetParam()->hasDot) continue;
            FusedNetwork fused(workload, batch, 42, 2, *GetParam(), arithmetic, method);
            setTestParameters(fused, workload);
            EXPECT_NEAR(fused.step(images.batch(batch), 0).loss, expected, 0.02 * expected);
            const std::size_t last = workload.parameters.size() - 2;  // the classifier's weight
            EXPECT_LT(relativeDistance(fused.gradient(last), truth.gradient(last)), 0.05);
        }
    }
}

TEST_P(Bf16, DotProductAgreesWithRoundedFloats) {
    if (!GetParam()->hasDot) GTEST_SKIP() << GetParam()->name << " has no bfloat16 dot product";
    for (const NamedWorkload& named : oddWorkloads()) {
        SCOPED_TRACE(named.name);
        const Workload& workload = named.workload;
        const Images images = randomImages(workload, workload.batch, 3);
        FusedNetwork wide(workload, workload.batch, 42, 1, *GetParam(), Arithmetic::Bf16Wide,
                          ConvolutionMethod::Direct);
        FusedNetwork dot(workload, workload.batch, 42, 1, *GetParam(), Arithmetic::Bf16Dot,
                         ConvolutionMethod::Direct);
        setTestParameters(wide, workload);
        setTestParameters(dot, workload);
        const double a = wide.step(images.batch(workload.batch), 0).loss;
        EXPECT_NEAR(dot.step(images.batch(workload.batch), 0).loss, a, 2e-3 * a);
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, Bf16, testing::ValuesIn(allTables()), tableName);

}  // namespace
}  // namespace aether::engine::cpu::test
