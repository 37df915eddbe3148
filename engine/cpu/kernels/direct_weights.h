// SPDX-License-Identifier: MIT
// Weights into the direct kernels' order, and partial weight gradients back out of it.
#pragma once

#include "engine/cpu/kernels/direct_convolution.h"

namespace aether::engine::cpu {

template <class V, class A>
std::int64_t directPackedBytes(const ConvolutionShape& s) {
    return s.kernel * s.kernel * s.inputs * s.outputs *
           static_cast<std::int64_t>(sizeof(typename A::Scratch));
}

template <class V>
std::int64_t directGradientFloats(const ConvolutionShape& s) {
    return s.kernel * s.kernel * s.inputs * s.outputs;
}

/// Output channels of a block: first, and how many.
struct BlockChannels {
    std::int64_t first, count;
};

template <class V>
AETHER_INLINE BlockChannels blockChannels(const ConvolutionShape& s, std::int64_t block) {
    const std::int64_t first = block * 2 * V::kWidth, rest = s.outputs - first;
    return {first, rest < 2 * V::kWidth ? rest : 2 * V::kWidth};
}

/// The weight from the convolution's input c to its output o at tap t; zero for the channels that
/// only pad.
AETHER_INLINE float packedWeight(const PackArguments& a, std::int64_t t, std::int64_t c,
                                 std::int64_t o) {
    if (a.flipped) {
        const std::int64_t last = a.shape.kernel * a.shape.kernel - 1;
        if (c >= a.realOutputs || o >= a.realInputs) return 0.0F;
        return a.weights[((last - t) * a.realInputs + o) * a.realOutputs + c];
    }
    if (c >= a.realInputs || o >= a.realOutputs) return 0.0F;
    return a.weights[(t * a.realInputs + c) * a.realOutputs + o];
}

template <class V, class A>
void directPack(const PackArguments& a) {
    using Scratch = typename A::Scratch;
    const ConvolutionShape& s = a.shape;
    const BlockChannels block = blockChannels<V>(s, a.block);
    const std::int64_t f = s.kernel;
    Scratch* to = static_cast<Scratch*>(a.packed) + block.first * f * f * s.inputs;
    for (std::int64_t t = 0; t < f * f; ++t) {
        for (std::int64_t c = 0; c < s.inputs; c += A::kPerCell) {
            for (std::int64_t o = block.first; o < block.first + block.count; ++o) {
                for (std::int64_t i = 0; i < A::kPerCell; ++i) {
                    const float v = packedWeight(a, t, c + i, o);
                    if constexpr (sizeof(Scratch) == 2) {
                        *to++ = toBf16(v);
                    } else {
                        *to++ = A::kRounds ? fromBf16(toBf16(v)) : v;
                    }
                }
            }
        }
    }
}

template <class V>
void directReduce(const ReduceArguments& a) {
    const ConvolutionShape& s = a.shape;
    const BlockChannels block = blockChannels<V>(s, a.block);
    const float* const from = a.partials + block.first * s.kernel * s.kernel * s.inputs;
    const std::int64_t real =
        block.first + block.count < a.realOutputs ? block.count : a.realOutputs - block.first;
    for (std::int64_t t = 0; t < s.kernel * s.kernel; ++t) {
        for (std::int64_t c = 0; c < a.realInputs; ++c) {
            double sum[2 * V::kWidth] = {};
            const float* partial = from + (t * s.inputs + c) * block.count;
            for (std::int64_t chunk = 0; chunk < a.chunks; ++chunk) {
                for (std::int64_t o = 0; o < block.count; ++o) {
                    sum[o] += static_cast<double>(partial[o]);
                }
                partial += a.stride;
            }
            float* const to = a.gradient + (t * a.realInputs + c) * a.realOutputs + block.first;
            for (std::int64_t o = 0; o < real; ++o)
                to[o] = static_cast<float>(sum[o]);
        }
    }
}

}  // namespace aether::engine::cpu
