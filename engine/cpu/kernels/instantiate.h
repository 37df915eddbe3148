// SPDX-License-Identifier: MIT
// Builds the kernel table of a vector type; included by one source file per instruction set.
#pragma once

#include "engine/cpu/kernels/dense.h"
#include "engine/cpu/kernels/direct_weight_gradient.h"
#include "engine/cpu/kernels/direct_weights.h"
#include "engine/cpu/kernels/link.h"
#include "engine/cpu/kernels/table.h"

namespace aether::engine::cpu {

template <class V, class A>
constexpr ArithmeticKernels arithmeticKernels() {
    return {.storedBytes = sizeof(typename A::Stored),
            .scratchBytes = sizeof(typename A::Scratch),
            .inputMultiple = A::kPerCell,
            .direct = {.packedBytes = directPackedBytes<V, A>,
                       .gradientFloats = directGradientFloats<V>,
                       .workspaceBytes = directWorkspaceBytes<V, A>,
                       .blocks = directBlocks<V>,
                       .pack = directPack<V, A>,
                       .forward = directForward<V, A>,
                       .inputGradient = directInputGradient<V, A>,
                       .weightGradient = directWeightGradient<V, A>,
                       .reduce = directReduce<V>},
            .load = load<V, A>,
            .loadGradient = loadGradient<V, A>,
            .store = store<V, A>,
            .storeGradient = storeGradient<V, A>,
            .loadBytes = loadBytes<V, A>};
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
