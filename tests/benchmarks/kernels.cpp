// SPDX-License-Identifier: MIT
// Every convolution kernel of every instruction set this processor has, alone on one core with its
// data in the caches: GFLOP/s as the direct way counts them (Winograd multiplies a quarter of
// that).
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "engine/cpu/instruction_set.h"
#include "engine/cpu/kernels/table.h"

namespace aether::engine::cpu {
namespace {

struct Layer {
    const char* name;
    std::int64_t size, inputs, outputs;
};
/// The 3 × 3 convolutions of cifar10-v1.
constexpr Layer kLayers[] = {{"3to32at32", 32, 3, 32},
                             {"32to32at32", 32, 32, 32},
                             {"32to64at16", 16, 32, 64},
                             {"64to64at16", 16, 64, 64},
                             {"64to128at8", 8, 64, 128}};

/// Buffers of one call, filled with small numbers.
struct Call {
    ConvolutionShape shape;
    std::int64_t images;
    std::vector<float> input, gradient, output, packed, accumulator, partial, workspace, sums;
    std::vector<float> constants, weights;

    Call(const ConvolutionKernels& kernels, const ConvolutionShape& s)
        : shape(s), images(kernels.imagesAtOnce(s)) {
        const auto floats = [](std::int64_t count) {
            std::vector<float> values(static_cast<std::size_t>(count) + 16);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(i % 17) * 0.1F - 0.8F;
            return values;
        };
        const std::int64_t pixels = images * (s.height + 2) * (s.width + 2);
        input = floats(pixels * s.inputs);
        gradient = floats(pixels * s.outputs);
        output = floats(images * s.height * s.width * s.outputs);
        packed = floats(kernels.packedBytes(s) / 4);
        accumulator = floats(kernels.accumulatorFloats(s));
        partial = floats(kernels.gradientFloats(s));
        workspace = floats(kernels.workspaceBytes(s) / 4);
        sums = floats(images * 2 * s.outputs);
        constants = floats(s.outputs);
        weights = floats(9 * s.inputs * s.outputs);
    }
    double flops() const {
        return 18.0 * static_cast<double>(images * shape.height * shape.width * shape.inputs *
                                          shape.outputs);
    }
};

void count(benchmark::State& state, const Call& call) {
    state.counters["GFLOP/s"] =
        benchmark::Counter(call.flops() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void forward(benchmark::State& state, const ConvolutionKernels& kernels,
             const ConvolutionShape& shape) {
    Call call(kernels, shape);
    std::vector<StoreArguments> stores;
    for (std::int64_t i = 0; i < call.images; ++i) {
        stores.push_back({call.output.data() + i * shape.height * shape.width * shape.outputs,
                          call.constants.data(), call.sums.data() + i * 2 * shape.outputs, false});
    }
    for ([[maybe_unused]] auto _ : state) {
        kernels.forward(
            {shape, call.images, call.input.data(), call.packed.data(), call.workspace.data(), {}},
            stores.data());
    }
    count(state, call);
}

void inputGradient(benchmark::State& state, const ConvolutionKernels& kernels,
                   const ConvolutionShape& shape) {
    Call call(kernels, shape);
    const std::vector<float> at = call.output;
    std::vector<GradientStoreArguments> stores;
    const float* const c = call.constants.data();
    for (std::int64_t i = 0; i < call.images; ++i) {
        const std::int64_t first = i * shape.height * shape.width * shape.outputs;
        stores.push_back({call.output.data() + first, at.data() + first, c, c, c, 0.0F, c,
                          call.sums.data() + i * 2 * shape.outputs, false});
    }
    for ([[maybe_unused]] auto _ : state) {
        kernels.inputGradient(
            {shape, call.images, call.input.data(), call.packed.data(), call.workspace.data(), {}},
            stores.data());
    }
    count(state, call);
}

void weightGradient(benchmark::State& state, const ConvolutionKernels& kernels,
                    const ConvolutionShape& shape) {
    Call call(kernels, shape);
    for ([[maybe_unused]] auto _ : state) {
        kernels.weightGradient({shape,
                                call.images,
                                call.input.data(),
                                call.gradient.data(),
                                call.accumulator.data(),
                                call.workspace.data(),
                                {}});
    }
    count(state, call);
}

using Pass = void (*)(benchmark::State&, const ConvolutionKernels&, const ConvolutionShape&);

void registerPass(const std::string& prefix, const char* name, Pass pass,
                  const ConvolutionKernels& kernels, const ConvolutionShape& shape) {
    benchmark::RegisterBenchmark(
        (prefix + name).c_str(),
        [pass, kernels, shape](benchmark::State& state) { pass(state, kernels, shape); });
}

void registerTable(const KernelTable& table) {
    for (const Layer& layer : kLayers) {
        for (const bool winograd : {false, true}) {
            const ConvolutionKernels& kernels = winograd ? table.fp32.winograd : table.fp32.direct;
            const ConvolutionShape shape{layer.size, layer.size, 3, layer.inputs, layer.outputs};
            if (!kernels.fits(shape)) continue;
            const std::string prefix = std::string(table.name) + "/" +
                                       (winograd ? "winograd" : "direct") + "/" + layer.name + "/";
            registerPass(prefix, "forward", forward, kernels, shape);
            registerPass(prefix, "wgrad", weightGradient, kernels, shape);
            if (layer.inputs == 3) continue;  // images need no gradient
            const ConvolutionShape back{layer.size, layer.size, 3, layer.outputs, layer.inputs};
            registerPass(prefix, "dgrad", inputGradient, kernels, back);
        }
    }
}

}  // namespace
}  // namespace aether::engine::cpu

int main(int argc, char** argv) {
    using namespace aether::engine::cpu;
    for (const std::string& set : availableInstructionSets())
        registerTable(selectKernels(set));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
