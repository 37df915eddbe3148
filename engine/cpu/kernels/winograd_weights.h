// SPDX-License-Identifier: MIT
// Weights into the Winograd kernels' planes, and gradients of planes back to the nine taps.
#pragma once

#include "engine/cpu/kernels/direct_weights.h"
#include "engine/cpu/kernels/winograd_tiles.h"

namespace aether::engine::cpu {

template <class V>
std::int64_t winogradPackedBytes(const ConvolutionShape& s) {
    return kWinogradProducts * winogradPlane<V>(s.inputs, s.outputs) *
           static_cast<std::int64_t>(sizeof(float));
}

/// G g Gᵀ of every weight: [plane][block][C][vectors of the block].
template <class V, class A>
void winogradPack(const PackArguments& a) {
    using F = typename V::F;
    const ConvolutionShape& s = a.shape;
    const BlockChannels block = blockChannels<V>(s, a.block);
    const std::int64_t plane = winogradPlane<V>(s.inputs, s.outputs);
    float* to = static_cast<float*>(a.packed) + block.first * s.inputs;
    for (std::int64_t c = 0; c < s.inputs; ++c) {
        for (std::int64_t o = 0; o < block.count; o += V::kWidth, to += V::kWidth) {
            float taps[9][V::kWidth];
            for (std::int64_t t = 0; t < 9; ++t) {
                for (std::int64_t i = 0; i < V::kWidth; ++i) {
                    const float v = packedWeight(a, t, c, block.first + o + i);
                    taps[t][i] = A::kRounds ? fromBf16(toBf16(v)) : v;
                }
            }
            F columns[kWinogradTile][3];
            for (int x = 0; x < 3; ++x) {
                const F g[3] = {V::load(taps[x]), V::load(taps[3 + x]), V::load(taps[6 + x])};
                F u[kWinogradTile];
                WinogradTransform<V>::weight(g, u);
                for (int y = 0; y < kWinogradTile; ++y)
                    columns[y][x] = u[y];
            }
            for (int y = 0; y < kWinogradTile; ++y) {
                F u[kWinogradTile];
                WinogradTransform<V>::weight(columns[y], u);
                for (int x = 0; x < kWinogradTile; ++x)
                    V::store(to + (y * kWinogradTile + x) * plane, u[x]);
            }
        }
    }
}

template <class V>
std::int64_t winogradAccumulatorFloats(const ConvolutionShape& s) {
    return kWinogradProducts * winogradPlane<V>(s.inputs, s.outputs);
}

/// Gᵀ u G of every weight, from an accumulator to a partial sum in the direct kernels' order,
/// [block][3][3 · C][vectors of the block].
template <class V>
void winogradFinish(const FinishArguments& a) {
    using F = typename V::F;
    const ConvolutionShape& s = a.shape;
    const std::int64_t plane = winogradPlane<V>(s.inputs, s.outputs);
    for (std::int64_t b = 0; b < directBlocks<V>(s); ++b) {
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
