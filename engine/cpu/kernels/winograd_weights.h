// SPDX-License-Identifier: MIT
// Weights into the Winograd kernels' planes, and gradients of planes back to the nine taps.
#pragma once

#include "engine/cpu/kernels/direct_weights.h"
#include "engine/cpu/kernels/winograd_tiles.h"

namespace aether::engine::cpu {

/// Enough for weights of any arithmetic.
template <class V>
std::int64_t winogradPackedBytes(const ConvolutionShape& s) {
    return kWinogradProducts * winogradPlane<V, Fp32Arithmetic<V>>(s.inputs, s.outputs) *
           static_cast<std::int64_t>(sizeof(float));
}

/// u = G g Gᵀ of the weights from input c to a vector of outputs from `first` on.
template <class V, class A>
AETHER_INLINE void transformWeights(const PackArguments& a, std::int64_t c, std::int64_t first,
                                    typename V::F (&u)[kWinogradTile][kWinogradTile]) {
    using F = typename V::F;
    float taps[9][V::kWidth];
    for (std::int64_t t = 0; t < 9; ++t) {
        for (std::int64_t i = 0; i < V::kWidth; ++i) {
            const float v = packedWeight(a, t, c, first + i);
            taps[t][i] = A::kRounds ? fromBf16(toBf16(v)) : v;
        }
    }
    F columns[kWinogradTile][3];
    for (int x = 0; x < 3; ++x) {
        const F g[3] = {V::load(taps[x]), V::load(taps[3 + x]), V::load(taps[6 + x])};
        F transformed[kWinogradTile];
        WinogradTransform<V>::weight(g, transformed);
        for (int y = 0; y < kWinogradTile; ++y)
            columns[y][x] = transformed[y];
    }
    for (int y = 0; y < kWinogradTile; ++y)
        WinogradTransform<V>::weight(columns[y], u[y]);
}

/// Transformed weights for products in the arithmetic M: [plane][block][parts][cells of C][vectors
/// of the block].
template <class V, class A, class M>
void winogradPackFor(const PackArguments& a) {
    const ConvolutionShape& s = a.shape;
    const BlockChannels block = blockChannels<V>(s, a.block);
    const std::int64_t plane = winogradPlane<V, M>(s.inputs, s.outputs);
    auto* to = static_cast<typename M::Scratch*>(a.packed) + block.first * s.inputs * M::kParts;
    typename V::F u[M::kPerCell][kWinogradTile][kWinogradTile];
    for (std::int64_t c = 0; c < s.inputs; c += M::kPerCell) {
        for (std::int64_t o = 0; o < block.count; o += V::kWidth) {
            for (std::int64_t i = 0; i < M::kPerCell; ++i)
                transformWeights<V, A>(a, c + i, block.first + o, u[i]);
            for (int y = 0; y < kWinogradTile; ++y) {
                for (int x = 0; x < kWinogradTile; ++x) {
                    typename V::F values[M::kPerCell];
                    for (std::int64_t i = 0; i < M::kPerCell; ++i)
                        values[i] = u[i][y][x];
                    storeCells<V, M>(to + (y * kWinogradTile + x) * plane, s.inputs * block.count,
                                     values);
                }
            }
            to += V::kWidth * M::kPerCell;
        }
    }
}

/// For the forward products, or flipped for those of dgrad.
template <class V, class A, class Forward, class Backward>
void winogradPack(const PackArguments& a) {
    if (a.flipped) return winogradPackFor<V, A, Backward>(a);
    winogradPackFor<V, A, Forward>(a);
}

template <class V>
std::int64_t winogradAccumulatorFloats(const ConvolutionShape& s) {
    return kWinogradProducts * winogradPlane<V, Fp32Arithmetic<V>>(s.inputs, s.outputs);
}

/// Gᵀ u G of every weight, from an accumulator to a partial sum in the direct kernels' order,
/// [block][3][3 · C][vectors of the block].
template <class V>
void winogradFinish(const FinishArguments& a) {
    using F = typename V::F;
    const ConvolutionShape& s = a.shape;
    const std::int64_t plane = winogradPlane<V, Fp32Arithmetic<V>>(s.inputs, s.outputs);
    for (std::int64_t b = 0; b < outputBlocks<V>(s); ++b) {
        const BlockChannels block = blockChannels<V>(s, b);
        const float* from = a.accumulator + block.first * s.inputs;
        for (std::int64_t c = 0; c < s.inputs; ++c) {
            for (std::int64_t o = 0; o < block.count; o += V::kWidth, from += V::kWidth) {
                F columns[3][kWinogradTile];
                for (int x = 0; x < kWinogradTile; ++x) {
                    F u[kWinogradTile], g[3];
                    for (int y = 0; y < kWinogradTile; ++y)
                        u[y] = V::load(from + (y * kWinogradTile + x) * plane);
                    WinogradTransform<V>::weightGradient(u, g);
                    for (int y = 0; y < 3; ++y)
                        columns[y][x] = g[y];
                }
                for (int y = 0; y < 3; ++y) {
                    F g[3];
                    WinogradTransform<V>::weightGradient(columns[y], g);
                    for (int x = 0; x < 3; ++x) {
                        V::store(a.partial + block.first * 9 * s.inputs +
                                     ((y * 3 + x) * s.inputs + c) * block.count + o,
                                 g[x]);
                    }
                }
            }
        }
    }
}

}  // namespace aether::engine::cpu
