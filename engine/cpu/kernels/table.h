// SPDX-License-Identifier: MIT
// The kernels of one instruction set, as tables of functions.
#pragma once

#include "engine/cpu/kernels/arguments.h"

namespace aether::engine::cpu {

/// One way to convolve. The kernels decide their own layouts of packed weights and of gradients
/// that are still being summed.
struct ConvolutionKernels {
    bool (*fits)(const ConvolutionShape&);  ///< whether this way can take the shape, and pays
    std::int64_t (*imagesAtOnce)(const ConvolutionShape&);  ///< the most that one call takes
    std::int64_t (*packedBytes)(const ConvolutionShape&);
    std::int64_t (*gradientFloats)(const ConvolutionShape&);     ///< of a partial sum
    std::int64_t (*accumulatorFloats)(const ConvolutionShape&);  ///< of what weightGradient adds to
    std::int64_t (*workspaceBytes)(const ConvolutionShape&);
    std::int64_t (*blocks)(const ConvolutionShape&);
    void (*pack)(const PackArguments&);
    /// The epilogues: one per image.
    void (*forward)(const ConvolutionArguments&, const StoreArguments*);
    void (*inputGradient)(const ConvolutionArguments&, const GradientStoreArguments*);
    void (*weightGradient)(const WeightGradientArguments&);
    /// Null: an accumulator is a partial sum.
    void (*finish)(const FinishArguments&);
    void (*reduce)(const ReduceArguments&);
};

/// The kernels of one arithmetic.
struct ArithmeticKernels {
    std::int64_t storedBytes;   ///< per element of Stored
    std::int64_t scratchBytes;  ///< per element of Scratch
    ConvolutionKernels images;  ///< of the batch's images; their scratch is float
    ConvolutionKernels direct;
    ConvolutionKernels winograd;
    void (*load)(const LoadArguments&);
    void (*loadGradient)(const GradientLoadArguments&);
    void (*store)(const float* values, std::int64_t pixels, std::int64_t channels,
                  const StoreArguments&);
    void (*storeGradient)(const float* dx, std::int64_t pixels, std::int64_t channels,
                          const GradientStoreArguments&);
    /// Image bytes through a table of 256 values into scratch [H + 2 border][W + 2 border][stride].
    void (*loadBytes)(const std::uint8_t* bytes, const float* values, std::int64_t height,
                      std::int64_t width, std::int64_t channels, std::int64_t stride,
                      std::int64_t border, float* loaded);
};

struct KernelTable {
    const char* name;    ///< as in the protocol's instruction_sets
    std::int64_t width;  ///< floats in a vector
    ArithmeticKernels fp32;
    ArithmeticKernels bf16Wide;
    ArithmeticKernels bf16Dot;  ///< only where hasDot
    bool hasDot;
    void (*denseForward)(const DenseArguments&);
    void (*denseInputGradient)(const DenseArguments&);
    void (*denseWeightGradient)(const DenseGradientArguments&);
    void (*adamW)(const AdamWArguments&);
    void (*roundBf16)(float* values, std::int64_t count);  ///< count: a multiple of the width
};

}  // namespace aether::engine::cpu
