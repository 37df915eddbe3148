// SPDX-License-Identifier: MIT
// Winograd wgrad: u += (Bᵀ x B) ⊙ (A dy Aᵀ), summed over tiles, in planes; Gᵀ u G once per chunk of
// images. The product of a block of tiles holds R input channels × 2 vectors of output channels in
// registers and sums over the tiles, two at a time where products are bfloat16 dot products.
#pragma once

#include "engine/cpu/kernels/winograd_convolution.h"

namespace aether::engine::cpu {

/// sum[r][v] += Σ_t in[t][r] · dy[t][v], R rows r × `Vectors` vectors, t counting cells.
template <class V, class M, int Vectors, int R>
AETHER_INLINE void outerTile(const typename M::Cell* in, std::int64_t inputs,
                             const typename M::Cell* dy, std::int64_t outputs, std::int64_t tiles,
                             float* sums) {
    typename V::F sum[R][Vectors];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            sum[r][v] = V::load(sums + (r * Vectors + v) * V::kWidth);
    }
#pragma GCC unroll 2
    for (std::int64_t t = 0; t < tiles; ++t) {
        typename M::Cells gradient[Vectors];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            gradient[v] = M::load(dy + v * V::kWidth);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
            const typename M::Cells value = M::set1(in[r]);
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v)
                sum[r][v] = M::multiplyAdd(value, gradient[v], sum[r][v]);
        }
        in += inputs;
        dy += outputs;
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            V::store(sums + (r * Vectors + v) * V::kWidth, sum[r][v]);
    }
}

/// All input channels of one plane and one block of output channels. Channels are a multiple of the
/// vector width, hence of four: the large tiles where the rest allows, else tiles of four.
template <class V, class M, int Vectors>
void outerBlock(const typename M::Cell* in, std::int64_t inputs, const typename M::Cell* dy,
                std::int64_t outputs, std::int64_t tiles, float* sums, Fetcher& fetcher) {
    constexpr int kTile = V::kPixelTile;
    std::int64_t r = 0;
    while (r < inputs) {
        const std::int64_t rest = inputs - r;
        fetchShare(fetcher);
        if (rest % kTile == 0 || rest > 2 * kTile) {
            outerTile<V, M, Vectors, kTile>(in + r, inputs, dy, outputs, tiles, sums);
            r += kTile;
            sums += kTile * Vectors * V::kWidth;
        } else if (rest >= 4) {
            outerTile<V, M, Vectors, 4>(in + r, inputs, dy, outputs, tiles, sums);
            r += 4;
            sums += 4 * Vectors * V::kWidth;
        } else {
            outerTile<V, M, Vectors, 1>(in + r, inputs, dy, outputs, tiles, sums);
            ++r;
            sums += Vectors * V::kWidth;
        }
    }
}

template <class V, class M>
AETHER_INLINE void outer(const typename M::Cell* in, std::int64_t inputs,
                         const typename M::Cell* dy, std::int64_t outputs, std::int64_t tiles,
                         float* sums, Fetcher& fetcher) {
    if constexpr (kMatrixProducts<V, M>) {
        fetchShare(fetcher);
        matrixOuter<V>(in, inputs, dy, outputs, tiles, sums);
    } else {
        std::int64_t channel = 0;
        for (; channel + 2 * V::kWidth <= outputs; channel += 2 * V::kWidth) {
            outerBlock<V, M, 2>(in, inputs, dy + channel, outputs, tiles, sums + channel * inputs,
                                fetcher);
        }
        if (channel < outputs) {
            outerBlock<V, M, 1>(in, inputs, dy + channel, outputs, tiles, sums + channel * inputs,
                                fetcher);
        }
    }
}

/// A: how scratch is stored; M: how planes are multiplied.
template <class V, class A, class M>
void winogradWeightGradient(const WeightGradientArguments& a) {
    using Scratch = typename A::Scratch;
    using Cell = typename M::Cell;
    constexpr int kTiles = M::kPerCell;
    const ConvolutionShape& s = a.shape;
    const WinogradGeometry g = WinogradGeometry::of(s);
    const std::int64_t tiles = a.images * g.imageTiles;
    const std::int64_t block = winogradBlockTiles<V, M>(s, tiles);
    const auto w = WinogradWorkspace<V, A, M, M>::at(a.workspace, s, block);
    const std::int64_t sumPlane = winogradPlane<V, Fp32Arithmetic<V>>(s.inputs, s.outputs);
    const std::int64_t groups =
        kMatrixProducts<V, M>
            ? 1
            : outputBlocks<V>(s) * ((s.inputs + V::kPixelTile - 1) / V::kPixelTile);
    Fetcher fetcher =
        startFetching(a.ahead, (tiles + block - 1) / block * kWinogradProducts * groups);
    MatrixRegisters<V, M> registers;
    for (std::int64_t first = 0; first < tiles; first += block) {
        const std::int64_t count = tiles - first < block ? tiles - first : block;
        winogradPlanes<V, M, kWinogradTile, kTiles>(g, static_cast<const Scratch*>(a.input),
                                                    s.inputs, first, count, w.inputs, w.inputPlane,
                                                    w.patch);
        winogradPlanes<V, M, kWinogradOutputs, kTiles>(g, static_cast<const Scratch*>(a.gradient),
                                                       s.outputs, first, count, w.outputs,
                                                       w.outputPlane, w.patch);
        registers.forOuter((count + kTiles - 1) / kTiles);
        for (std::int64_t k = 0; k < kWinogradProducts; ++k) {
            outer<V, M>(reinterpret_cast<const Cell*>(w.inputs + k * w.inputPlane), s.inputs,
                        reinterpret_cast<const Cell*>(w.outputs + k * w.outputPlane), s.outputs,
                        (count + kTiles - 1) / kTiles, a.sum + k * sumPlane, fetcher);
        }
    }
}

}  // namespace aether::engine::cpu
