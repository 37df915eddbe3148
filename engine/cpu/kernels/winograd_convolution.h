// SPDX-License-Identifier: MIT
// Winograd convolution, forward and dgrad: the same kernel with other weights and another epilogue.
//
// For every block of tiles: Bᵀ d B of the 6 × 6 inputs of each tile into 36 planes; a product of
// each plane [T][C] with its transformed weights [C][K]; Aᵀ m A of the 36 results of each tile and
// channel, straight into the epilogue. The product holds P tiles × 2 vectors of output channels in
// registers and reads packed weights [plane][block][C][vectors of the block]. Where products are
// bfloat16 dot products, two neighbouring input channels share a cell of planes and weights, and
// the matrix registers multiply them if there are any.
#pragma once

#include "engine/cpu/kernels/epilogue.h"
#include "engine/cpu/kernels/fetcher.h"
#include "engine/cpu/kernels/matrix_product.h"
#include "engine/cpu/kernels/winograd_tiles.h"

namespace aether::engine::cpu {

/// Where the rows of a tile's Edge × Edge pixels lie, and how far apart.
template <class T>
struct WinogradPatch {
    const T* from;
    std::int64_t row;
};

/// Edge × Edge pixels of `channels` values into `patch`, `pixelsDown` × `pixelsRight` of which
/// exist; the others are zero.
template <class V, int Edge, class T>
WinogradPatch<T> copiedPatch(const WinogradPatch<T>& source, std::int64_t pixelsDown,
                             std::int64_t pixelsRight, std::int64_t channels, T* patch) {
    for (std::int64_t y = 0; y < Edge; ++y) {
        for (std::int64_t x = 0; x < Edge; ++x) {
            T* const to = patch + (y * Edge + x) * channels;
            const bool exists = y < pixelsDown && x < pixelsRight;
            for (std::int64_t c = 0; c < channels; ++c)
                to[c] = exists ? source.from[y * source.row + x * channels + c] : T{};
        }
    }
    return {patch, Edge * channels};
}

/// One vector of channels of `Tiles` tiles through a transform from Edge to 6, along both axes,
/// into the planes: Bᵀ d B of 6 × 6 inputs or A dy Aᵀ of 4 × 4 output gradients. Two tiles meet in
/// the pairs of a dot product.
template <class V, class M, int Edge, int Tiles, class T>
AETHER_INLINE void spreadTiles(const WinogradPatch<T>* patches, std::int64_t channels,
                               typename M::Scratch* to, std::int64_t plane) {
    using F = typename V::F;
    const auto transform =
        [](const F(&d)[Edge], F(&o)[kWinogradTile]) __attribute__((always_inline)) {
        if constexpr (Edge == kWinogradTile) {
            WinogradTransform<V>::input(d, o);
        } else {
            WinogradTransform<V>::outputGradient(d, o);
        }
    };
    F columns[Tiles][kWinogradTile][Edge];
#pragma GCC unroll 2
    for (int t = 0; t < Tiles; ++t) {
#pragma GCC unroll 6
        for (int x = 0; x < Edge; ++x) {
            F values[Edge], transformed[kWinogradTile];
#pragma GCC unroll 6
            for (int y = 0; y < Edge; ++y)
                values[y] = V::load(patches[t].from + y * patches[t].row + x * channels);
            transform(values, transformed);
#pragma GCC unroll 6
            for (int y = 0; y < kWinogradTile; ++y)
                columns[t][y][x] = transformed[y];
        }
    }
#pragma GCC unroll 6
    for (int y = 0; y < kWinogradTile; ++y) {
        F transformed[Tiles][kWinogradTile];
#pragma GCC unroll 2
        for (int t = 0; t < Tiles; ++t)
            transform(columns[t][y], transformed[t]);
#pragma GCC unroll 6
        for (int x = 0; x < kWinogradTile; ++x) {
            F values[Tiles];
#pragma GCC unroll 2
            for (int t = 0; t < Tiles; ++t)
                values[t] = transformed[t][x];
            storeCells<V, M>(to + (y * kWinogradTile + x) * plane, channels * Tiles, values);
        }
    }
}

/// Tiles [first, first + count) of images in scratch [n][H + 2][W + 2][channels] into planes,
/// [count][parts][channels], or [⌈count / 2⌉][parts][channels][2] where tiles are paired: the
/// inputs of a tile, or its output gradients, which lie within the border.
template <class V, class M, int Edge, int Tiles, class T>
void winogradPlanes(const WinogradGeometry& g, const T* images, std::int64_t channels,
                    std::int64_t first, std::int64_t count, typename M::Scratch* planes,
                    std::int64_t plane, T* patch) {
    constexpr std::int64_t kBorder = (kWinogradTile - Edge) / 2;
    const std::int64_t row = (g.width + 2) * channels, image = (g.height + 2) * row;
    const std::int64_t height = g.height + 2 - 2 * kBorder, width = g.width + 2 - 2 * kBorder;
    for (std::int64_t t = 0; t < count; t += Tiles) {
        WinogradPatch<T> patches[Tiles];
        for (std::int64_t i = 0; i < Tiles; ++i) {
            const WinogradTile tile = g.tile(first + t + i);
            const bool exists = t + i < count;
            patches[i] = {images + tile.image * image + (tile.y + kBorder) * row +
                              (tile.x + kBorder) * channels,
                          row};
            if (!exists || !tile.whole) {
                patches[i] =
                    copiedPatch<V, Edge>(patches[i], exists ? height - tile.y : 0, width - tile.x,
                                         channels, patch + i * Edge * Edge * channels);
            }
        }
        for (std::int64_t c = 0; c < channels; c += V::kWidth) {
            spreadTiles<V, M, Edge, Tiles>(patches, channels,
                                           planes + t * channels * M::kParts + c * Tiles, plane);
            for (WinogradPatch<T>& p : patches)
                p.from += V::kWidth;
        }
    }
}

/// P tiles × `Vectors` vectors of one plane: out[p][v] = Σ_c in[p][c] · weights[c][v], c counting
/// cells of the products' arithmetic M.
template <class V, class M, int Vectors, int P>
AETHER_INLINE void productTile(const typename M::Cell* in, std::int64_t inputs,
                               const typename M::Cell* packed, float* out, std::int64_t outputs) {
    typename V::F sum[P][Vectors];
#pragma GCC unroll 16
    for (int p = 0; p < P; ++p) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            sum[p][v] = V::zero();
    }
#pragma GCC unroll 2
    for (std::int64_t c = 0; c < inputs; ++c) {
        typename M::Cells weight[Vectors];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            weight[v] = M::load(packed + v * V::kWidth);
#pragma GCC unroll 16
        for (int p = 0; p < P; ++p) {
            const typename M::Cells value = M::set1(in[p * inputs + c]);
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v)
                sum[p][v] = M::multiplyAdd(value, weight[v], sum[p][v]);
        }
        packed += Vectors * V::kWidth;
    }
#pragma GCC unroll 16
    for (int p = 0; p < P; ++p) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            V::store(out + p * outputs + v * V::kWidth, sum[p][v]);
    }
}

/// Runs productTile with the run-time number of tiles p ≤ P.
template <class V, class M, int Vectors, int P>
AETHER_INLINE void productTileOf(std::int64_t p, const typename M::Cell* in, std::int64_t inputs,
                                 const typename M::Cell* packed, float* out, std::int64_t outputs) {
    if constexpr (P > 1) {
        if (p < P) return productTileOf<V, M, Vectors, P - 1>(p, in, inputs, packed, out, outputs);
    }
    productTile<V, M, Vectors, P>(in, inputs, packed, out, outputs);
}

/// All tiles of a plane and one block of output channels. The tiles are dealt out evenly: 16 are
/// 6 + 5 + 5, since few tiles at once leave too few sums to hide the latency of a multiply-add.
template <class V, class M, int Vectors>
void productBlock(const typename M::Cell* in, std::int64_t tiles, std::int64_t inputs,
                  const typename M::Cell* packed, float* out, std::int64_t outputs,
                  Fetcher& fetcher) {
    if constexpr (kMatrixProducts<V, M>) {
        fetchShare(fetcher);
        matrixProduct<V, M, Vectors>(in, tiles, inputs, packed, out, outputs);
    } else {
        std::int64_t groups = (tiles + V::kPixelTile - 1) / V::kPixelTile;
        for (std::int64_t t = 0; t < tiles; --groups) {
            const std::int64_t p = (tiles - t + groups - 1) / groups;
            fetchShare(fetcher);
            productTileOf<V, M, Vectors, V::kPixelTile>(p, in + t * inputs, inputs, packed,
                                                        out + t * outputs, outputs);
            t += p;
        }
    }
}

template <class V, class M>
AETHER_INLINE void product(const typename M::Cell* in, std::int64_t tiles, std::int64_t inputs,
                           const typename M::Cell* packed, float* out, std::int64_t outputs,
                           Fetcher& fetcher) {
    std::int64_t channel = 0;
    for (; channel + 2 * V::kWidth <= outputs; channel += 2 * V::kWidth) {
        productBlock<V, M, 2>(in, tiles, inputs, packed + channel * inputs * M::kParts,
                              out + channel, outputs, fetcher);
    }
    if (channel < outputs) {
        productBlock<V, M, 1>(in, tiles, inputs, packed + channel * inputs * M::kParts,
                              out + channel, outputs, fetcher);
    }
}

/// Aᵀ m A of one tile and `Vectors` vectors of channels, its existing pixels into the columns. The
/// vectors take turns row by row, so that a line written past the caches is written whole.
template <class V, int Vectors, class Column>
AETHER_INLINE void gatherTile(const float* from, std::int64_t plane, const WinogradGeometry& g,
                              const WinogradTile& tile, Column* columns) {
    using F = typename V::F;
    F half[Vectors][kWinogradOutputs][kWinogradTile];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
#pragma GCC unroll 6
        for (int x = 0; x < kWinogradTile; ++x) {
            F values[kWinogradTile], transformed[kWinogradOutputs];
#pragma GCC unroll 6
            for (int y = 0; y < kWinogradTile; ++y)
                values[y] = V::load(from + v * V::kWidth + (y * kWinogradTile + x) * plane);
            WinogradTransform<V>::output(values, transformed);
#pragma GCC unroll 4
            for (int y = 0; y < kWinogradOutputs; ++y)
                half[v][y][x] = transformed[y];
        }
    }
    const std::int64_t pixel = tile.y * g.width + tile.x;
    const std::int64_t rest = g.height - tile.y;
    const std::int64_t rows = rest < kWinogradOutputs ? rest : kWinogradOutputs;
    for (std::int64_t y = 0; y < rows; ++y) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) {
            F results[kWinogradOutputs];
            WinogradTransform<V>::output(half[v][y], results);
            if (tile.whole) {
                columns[v].template take<kWinogradOutputs>(
                    pixel + y * g.width, [&](int x)
                                             __attribute__((always_inline)) { return results[x]; });
                continue;
            }
            for (int x = 0; x < kWinogradOutputs && tile.x + x < g.width; ++x) {
                columns[v].template take<1>(
                    pixel + y * g.width + x, [&](int) __attribute__((always_inline)) {
                        return results[x];
                    });
            }
        }
    }
}

/// Tiles [first, first + count) from planes into the epilogues of their images.
template <class V, class Column, class Epilogue>
void winogradOutputs(const WinogradGeometry& g, const float* planes, std::int64_t plane,
                     std::int64_t outputs, std::int64_t first, std::int64_t count,
                     const Epilogue* epilogues) {
    for (std::int64_t begin = 0; begin < count;) {
        const std::int64_t image = (first + begin) / g.imageTiles;
        const std::int64_t imageEnd = (image + 1) * g.imageTiles - first;
        const std::int64_t end = imageEnd < count ? imageEnd : count;
        const bool resumes = (first + begin) % g.imageTiles != 0;
        const auto gather = [&]<int Vectors>(std::int64_t c) {
            Column columns[2] = {Column(epilogues[image], c, outputs),
                                 Column(epilogues[image], c + (Vectors - 1) * V::kWidth, outputs)};
            for (int v = 0; v < Vectors && resumes; ++v)
                columns[v].resume();
            for (std::int64_t t = begin; t < end; ++t) {
                gatherTile<V, Vectors>(planes + t * outputs + c, plane, g, g.tile(first + t),
                                       columns);
            }
            for (int v = 0; v < Vectors; ++v)
                columns[v].finish();
        };
        std::int64_t c = 0;
        for (; c + 2 * V::kWidth <= outputs; c += 2 * V::kWidth)
            gather.template operator()<2>(c);
        if (c < outputs) gather.template operator()<1>(c);
        begin = end;
    }
}

/// A: how scratch and results are stored; M: how planes are multiplied.
template <class V, class A, class M, class Column, class Epilogue>
void winogradConvolution(const ConvolutionArguments& a, const Epilogue* epilogues) {
    using Cell = typename M::Cell;
    const ConvolutionShape& s = a.shape;
    const WinogradGeometry g = WinogradGeometry::of(s);
    const std::int64_t tiles = a.images * g.imageTiles;
    const std::int64_t block = winogradBlockTiles<V, M>(s, tiles);
    const auto w = WinogradWorkspace<V, A, M, Fp32Arithmetic<V>>::at(a.workspace, s, block);
    const auto* const packed = static_cast<const typename M::Scratch*>(a.packed);
    const std::int64_t packedPlane = winogradPlane<V, M>(s.inputs, s.outputs);
    const std::int64_t groups =
        kMatrixProducts<V, M> ? 1 : (block + V::kPixelTile - 1) / V::kPixelTile;
    Fetcher fetcher = startFetching(
        a.ahead, (tiles + block - 1) / block * kWinogradProducts * outputBlocks<V>(s) * groups);
    MatrixRegisters<V, M> registers;
    for (std::int64_t first = 0; first < tiles; first += block) {
        const std::int64_t count = tiles - first < block ? tiles - first : block;
        winogradPlanes<V, M, kWinogradTile, 1>(g, static_cast<const typename A::Scratch*>(a.input),
                                               s.inputs, first, count, w.inputs, w.inputPlane,
                                               w.patch);
        registers.forProduct(count, s.inputs / M::kPerCell);
        for (std::int64_t k = 0; k < kWinogradProducts; ++k) {
            product<V, M>(reinterpret_cast<const Cell*>(w.inputs + k * w.inputPlane), count,
                          s.inputs / M::kPerCell,
                          reinterpret_cast<const Cell*>(packed + k * packedPlane),
                          w.outputs + k * w.outputPlane, s.outputs, fetcher);
        }
        winogradOutputs<V, Column>(g, w.outputs, w.outputPlane, s.outputs, first, count, epilogues);
    }
}

template <class V, class A, class M>
void winogradForward(const ConvolutionArguments& a, const StoreArguments* epilogues) {
    winogradConvolution<V, A, M, StoreColumn<V, A>>(a, epilogues);
}

template <class V, class A, class M>
void winogradInputGradient(const ConvolutionArguments& a, const GradientStoreArguments* epilogues) {
    winogradConvolution<V, A, M, GradientStoreColumn<V, A>>(a, epilogues);
}

}  // namespace aether::engine::cpu
