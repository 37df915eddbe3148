// SPDX-License-Identifier: MIT
// Builds the kernel table of a vector type; included by one source file per instruction set.
#pragma once

#include <type_traits>

#include "engine/cpu/kernels/dense.h"
#include "engine/cpu/kernels/direct_weight_gradient.h"
#include "engine/cpu/kernels/direct_weights.h"
#include "engine/cpu/kernels/link.h"
#include "engine/cpu/kernels/table.h"
#include "engine/cpu/kernels/winograd_weight_gradient.h"
#include "engine/cpu/kernels/winograd_weights.h"

namespace aether::engine::cpu {

template <class V, class A>
constexpr ConvolutionKernels directKernels() {
    return {.fits = directFits<V>,
            .imagesAtOnce = directImages<V>,
            .packedBytes = directPackedBytes<V, A>,
            .gradientFloats = directGradientFloats<V>,
            .accumulatorFloats = directGradientFloats<V>,
            .workspaceBytes = directWorkspaceBytes<V, A>,
            .blocks = outputBlocks<V>,
            .pack = directPack<V, A>,
            .forward = directForward<V, A>,
            .inputGradient = directInputGradient<V, A>,
            .weightGradient = directWeightGradient<V, A>,
            .finish = nullptr,
            .reduce = directReduce<V>};
}

/// A: how tensors are stored; Forward, Backward, Weights: how planes are multiplied in forward,
/// dgrad and wgrad.
template <class V, class A, class Forward, class Backward, class Weights>
constexpr ConvolutionKernels winogradKernels() {
    return {.fits = winogradFits<V>,
            .imagesAtOnce = winogradImages<V, Forward>,
            .packedBytes = winogradPackedBytes<V>,
            .gradientFloats = directGradientFloats<V>,
            .accumulatorFloats = winogradAccumulatorFloats<V>,
            .workspaceBytes = winogradWorkspaceBytes<V, Forward>,
            .blocks = outputBlocks<V>,
            .pack = winogradPack<V, A, Forward, Backward>,
            .forward = winogradForward<V, A, Forward>,
            .inputGradient = winogradInputGradient<V, A, Backward>,
            .weightGradient = winogradWeightGradient<V, A, Weights>,
            .finish = winogradFinish<V>,
            .reduce = directReduce<V>};
}

template <class V, class A, class Forward, class Backward, class Weights>
constexpr ArithmeticKernels arithmeticKernels() {
    // Few channels fill no pairs.
    using Images = std::conditional_t<A::kPerCell == 2, Bf16WideArithmetic<V>, A>;
    return {.storedBytes = sizeof(typename A::Stored),
            .scratchBytes = sizeof(typename A::Scratch),
            .images = directKernels<V, Images>(),
            .direct = directKernels<V, A>(),
            .winograd = winogradKernels<V, A, Forward, Backward, Weights>(),
            .load = load<V, A>,
            .loadGradient = loadGradient<V, A>,
            .store = store<V, A>,
            .storeGradient = storeGradient<V, A>,
            .loadBytes = loadBytes<V, A>};
}

template <class V>
constexpr KernelTable kernelTable(const char* name) {
    using Fp32 = Fp32Arithmetic<V>;
    KernelTable table{.name = name,
                      .width = V::kWidth,
                      .fp32 = arithmeticKernels<V, Fp32, Fp32, Fp32, Fp32>(),
                      .bf16Wide = arithmeticKernels<V, Bf16WideArithmetic<V>, Fp32, Fp32, Fp32>(),
                      .bf16Dot = {},
                      .hasDot = V::kHasDot,
                      .denseForward = denseForward<V>,
                      .denseInputGradient = denseInputGradient<V>,
                      .denseWeightGradient = denseWeightGradient<V>,
                      .adamW = adamW<V>,
                      .roundBf16 = roundBf16All<V>};
    if constexpr (V::kHasDot) {
        using Dot = Bf16DotArithmetic<V>;
        // Transformed inputs lose too much in one bfloat16 to be passed on from layer to layer. Two
        // are three products, which only matrix registers compute faster than that of floats.
        using Forward = std::conditional_t<V::kHasMatrixTiles, Bf16PartsArithmetic<V, 2>, Fp32>;
        table.bf16Dot = arithmeticKernels<V, Dot, Forward, Dot, Dot>();
    }
    return table;
}

}  // namespace aether::engine::cpu
