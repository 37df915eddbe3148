// SPDX-License-Identifier: MIT
// What a kernel is given: plain structs (no member functions, see simd/inline.h).
//
// Dimensions: N images, H × W pixels, C input channels, K output channels (F is the kernel's edge).
// Channel counts in stored tensors and scratch are rounded up to the vector width; the added
// channels hold zeros. `Stored` is float or bfloat16 (in memory), `Scratch` what the convolution
// reads: float, or bfloat16 for the dot product.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aether::engine::cpu {

/// How numbers are stored and multiplied.
enum class Arithmetic {
    Fp32,      ///< float everywhere
    Bf16Wide,  ///< bfloat16 stored, values rounded to bfloat16 before float arithmetic
    Bf16Dot    ///< bfloat16 stored and multiplied in pairs by the processor's dot product
};

/// What lies between a stored tensor y and its reader, per image, channel and element:
/// z = (y − mean) · scale + shift, activation (z > 0 ? z : slope · z), maximum over pool × pool,
/// times drop. Identity: mean 0, scale 1, shift 0, slope 1, pool 1, drop 1.
struct LinkArguments {
    const void* stored;  ///< y of one image: Stored [height][width][channels]
    std::int64_t height, width, channels;
    const float* mean;   ///< [channels]
    const float* scale;  ///< [channels]
    const float* shift;  ///< [channels]
    float slope;
    std::int64_t pool;
    const float* drop;  ///< [channels]: mask / (1 − rate) of this image
};

/// Link applied on load: x of one image into scratch with a border of zeros.
struct LoadArguments {
    LinkArguments link;
    void* loaded;         ///< Scratch [h + 2 border][w + 2 border][channels], h = height / pool
    std::int64_t border;  ///< (F − 1) / 2
    void* maximum;        ///< Stored [h][w][channels]: y at each window's maximum; or null
    bool floatScratch;    ///< write floats even where Scratch is bfloat16
};

/// Gradient of a stored tensor, computed on load: dy = gain · dz (at each window's maximum) + slant
/// · (y − mean) + level.
struct GradientLoadArguments {
    LinkArguments link;
    const void* dz;      ///< Stored [h][w][channels]
    const float* gain;   ///< [channels]
    const float* slant;  ///< [channels]
    const float* level;  ///< [channels]
    void* loaded;        ///< Scratch [height + 2 border][width + 2 border][channels]
    std::int64_t border;
    bool floatScratch;
};

/// Behind a convolution or another producer of y: adds the bias, stores, sums.
struct StoreArguments {
    void* stored;       ///< y of one image: Stored [pixels][channels]
    const float* bias;  ///< [channels]
    float* sums;        ///< [2][channels]: Σ y, Σ y²; overwritten; or null
    bool stream;        ///< past the caches: the whole tensor is larger than they are
};

/// Behind dgrad: from dx to dz = dx · drop · (z > 0 ? 1 : slope), stored, and its sums.
struct GradientStoreArguments {
    void* dz;        ///< Stored [pixels][channels]
    const void* at;  ///< Stored [pixels][channels]: y itself, or y at each window's maximum
    const float* mean;
    const float* scale;
    const float* shift;
    float slope;
    const float* drop;
    float* sums;  ///< [2][channels]: Σ dz, Σ dz · (y − mean); overwritten
    bool stream;  ///< past the caches
};

/// A same-size convolution of images in scratch.
struct ConvolutionShape {
    std::int64_t height, width, kernel;
    std::int64_t inputs;   ///< channels of the scratch image
    std::int64_t outputs;  ///< channels of the result, a multiple of the vector width
};

/// Blocks of output channels: two vectors each, the last one where the rest is no more.
template <class V>
std::int64_t outputBlocks(const ConvolutionShape& s) {
    return (s.outputs + 2 * V::kWidth - 1) / (2 * V::kWidth);
}

/// Memory that the caller reads next; a kernel may fetch it into the second-level cache while it
/// computes.
struct Ahead {
    const void* begin;
    std::int64_t bytes;
};
inline constexpr int kAheads = 2;

/// No convolution takes more images in one call.
inline constexpr std::int64_t kMostImagesAtOnce = 16;

struct ConvolutionArguments {
    ConvolutionShape shape;
    std::int64_t images;
    const void* input;   ///< Scratch [images][H + F − 1][W + F − 1][inputs]
    const void* packed;  ///< weights as `pack` wrote them
    void* workspace;     ///< workspaceBytes(shape) bytes, for one call
    Ahead ahead[kAheads];
};

struct WeightGradientArguments {
    ConvolutionShape shape;
    std::int64_t images;
    const void* input;     ///< Scratch [images][H + F − 1][W + F − 1][inputs]
    const void* gradient;  ///< dy: Scratch [images][H + F − 1][W + F − 1][outputs]
    float* sum;            ///< accumulatorFloats(shape) floats, added to
    void* workspace;       ///< workspaceBytes(shape) bytes, for one call
    Ahead ahead[kAheads];
};

/// The sum of some images' weight gradients, as weightGradient left it, into a partial sum.
struct FinishArguments {
    ConvolutionShape shape;
    const float* accumulator;  ///< accumulatorFloats(shape)
    float* partial;            ///< gradientFloats(shape)
};

/// Weights from HWIO into a kernel's order; `blocks` of them can be packed independently.
struct PackArguments {
    ConvolutionShape shape;  ///< of the packed convolution: dgrad's inputs are the layer's outputs
    const float* weights;    ///< HWIO [F][F][C][K], real channel counts
    std::int64_t realInputs, realOutputs;  ///< the layer's C and K
    bool flipped;                          ///< for dgrad: taps mirrored, C and K exchanged
    void* packed;
    std::int64_t block;  ///< which block of output channels
};

/// Partial weight gradients of fixed chunks into the canonical order, summed in double in chunk
/// order.
struct ReduceArguments {
    ConvolutionShape shape;
    const float* partials;  ///< [chunks][gradientFloats]
    std::int64_t chunks, stride;
    float* gradient;  ///< HWIO [F][F][C][K]
    std::int64_t realInputs, realOutputs;
    std::int64_t block;  ///< which block of output channels
};

/// A dense layer of one image. Weights are padded: [inputs][outputs], outputs a multiple of the
/// vector width.
struct DenseArguments {
    const float* weights;
    std::int64_t inputs, outputs;
    const float* bias;  ///< [outputs]
    const float* x;     ///< [inputs]
    float* y;           ///< [outputs]
    const float* dy;    ///< [outputs]
    float* dx;          ///< [inputs]
};

/// dW rows first … last − 1 of a dense layer, summed over images in order.
struct DenseGradientArguments {
    const float* x;   ///< [images][inputStride]
    const float* dy;  ///< [images][outputs]
    std::int64_t images, inputs, inputStride, outputs, realOutputs;
    std::int64_t first, last;
    float* gradient;  ///< [inputs][realOutputs]
};

/// One AdamW step of consecutive elements (docs/workload.md).
struct AdamWArguments {
    float *weight, *gradient, *first, *second;
    std::int64_t count;  ///< a multiple of the vector width
    float beta1, beta2, oneMinusBeta1, oneMinusBeta2;
    float rate;         ///< lr / (1 − β₁ᵗ)
    float secondScale;  ///< 1 / (1 − β₂ᵗ)
    float epsilon;
    float decay;  ///< lr · weight decay; 0 where it does not apply
    float l2;     ///< 2 · l2, added to the gradient
};

}  // namespace aether::engine::cpu
