// SPDX-License-Identifier: MIT
// Builds the kernel table of a vector type; included by one source file per instruction set.
#pragma once

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
            .blocks = directBlocks<V>,
            .pack = directPack<V, A>,
            .forward = directForward<V, A>,
            .inputGradient = directInputGradient<V, A>,
            .weightGradient = directWeightGradient<V, A>,
            .finish = nullptr,
            .reduce = directReduce<V>};
}

template <class V, class A>
constexpr ConvolutionKernels winogradKernels() {
    return {.fits = winogradFits<V>,
            .imagesAtOnce = winogradImages<V>,
            .packedBytes = winogradPackedBytes<V>,
            .gradientFloats = directGradientFloats<V>,
            .accumulatorFloats = winogradAccumulatorFloats<V>,
            .workspaceBytes = winogradWorkspaceBytes<V>,
            .blocks = directBlocks<V>,
            .pack = winogradPack<V, A>,
            .forward = winogradForward<V, A>,
            .inputGradient = winogradInputGradient<V, A>,
            .weightGradient = winogradWeightGradient<V>,
            .finish = winogradFinish<V>,
            .reduce = directReduce<V>};
}

template <class V, class A>
constexpr ArithmeticKernels arithmeticKernels() {
    ArithmeticKernels kernels{.storedBytes = sizeof(typename A::Stored),
                              .scratchBytes = sizeof(typename A::Scratch),
                              .inputMultiple = A::kPerCell,
                              .direct = directKernels<V, A>(),
                              .winograd = {},
                              .load = load<V, A>,
                              .loadGradient = loadGradient<V, A>,
                              .store = store<V, A>,
                              .storeGradient = storeGradient<V, A>,
                              .loadBytes = loadBytes<V, A>};
    if constexpr (sizeof(typename A::Scratch) == sizeof(float)) {
        kernels.winograd = winogradKernels<V, A>();
    }
    return kernels;
}

template <class V>
constexpr KernelTable kernelTable(const char* name) {
    KernelTable table{.name = name,
                      .width = V::kWidth,
                      .fp32 = arithmeticKernels<V, Fp32Arithmetic<V>>(),
                      .bf16Wide = arithmeticKernels<V, Bf16WideArithmetic<V>>(),
                      .bf16Dot = {},
                      .hasDot = V::kHasDot,
                      .denseForward = denseForward<V>,
                      .denseInputGradient = denseInputGradient<V>,
                      .denseWeightGradient = denseWeightGradient<V>,
                      .adamW = adamW<V>,
                      .roundBf16 = roundBf16All<V>};
    if constexpr (V::kHasDot) table.bf16Dot = arithmeticKernels<V, Bf16DotArithmetic<V>>();
    return table;
}

}  // namespace aether::engine::cpu
