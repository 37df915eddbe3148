// SPDX-License-Identifier: MIT
// Direct convolution, forward and dgrad: the same kernel with other weights and another epilogue.
//
// A tile is P pixels × 2 vectors of output channels, held in registers. For one row of taps the sum
// runs over the F · C cells that lie consecutively in scratch: cell r of pixel p is input[p · C +
// r]. Packed weights are [block][F][F · C][vectors of the block], read once per tile. Pixels are
// counted through the whole image, so a tile may continue on the next row and no image size leaves
// half-filled tiles.
#pragma once

#include "engine/cpu/kernels/epilogue.h"
#include "engine/cpu/kernels/fetcher.h"

namespace aether::engine::cpu {

/// Geometry in cells.
struct DirectGeometry {
    std::int64_t pixels, width, taps;
    std::int64_t inputs;     ///< cells per scratch pixel
    std::int64_t rowCells;   ///< cells of a scratch row
    std::int64_t reduction;  ///< F · inputs: cells under one row of taps
};

template <std::int64_t PerCell>
AETHER_INLINE DirectGeometry directGeometry(const ConvolutionShape& s) {
    const std::int64_t inputs = s.inputs / PerCell;
    return {s.height * s.width, s.width, s.kernel, inputs, (s.width + s.kernel - 1) * inputs,
            s.kernel * inputs};
}

template <class V, class A, int Vectors, int P, class Column>
AETHER_INLINE void directTile(const DirectGeometry& g, const typename A::Cell* input,
                              const typename A::Cell* packed, std::int64_t pixel, Column* columns) {
    using Cell = typename A::Cell;
    typename V::F sum[P][Vectors];
    const Cell* from[P];
    std::int64_t row = pixel / g.width, x = pixel - row * g.width;
#pragma GCC unroll 16
    for (int p = 0; p < P; ++p) {
        from[p] = input + row * g.rowCells + x * g.inputs;
        if (++x == g.width) {
            x = 0;
            ++row;
        }
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v)
            sum[p][v] = V::zero();
    }
    for (std::int64_t ky = 0; ky < g.taps; ++ky) {
        const std::int64_t end = ky * g.rowCells + g.reduction;
#pragma GCC unroll 2
        for (std::int64_t r = ky * g.rowCells; r < end; ++r) {
            typename A::Cells weight[Vectors];
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v)
                weight[v] = A::load(packed + v * V::kWidth);
#pragma GCC unroll 16
            for (int p = 0; p < P; ++p) {
                const typename A::Cells value = A::set1(from[p][r]);
#pragma GCC unroll 2
                for (int v = 0; v < Vectors; ++v) {
                    sum[p][v] = A::multiplyAdd(value, weight[v], sum[p][v]);
                }
            }
            packed += Vectors * V::kWidth;
        }
    }
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
        columns[v].template take<P>(
            pixel, [&](int p) __attribute__((always_inline)) { return sum[p][v]; });
    }
}

/// All pixels of one block of output channels. Tiles of P − 1 first, until P divides the rest;
/// single pixels only where an image is smaller than that.
template <class V, class A, int Vectors, class Column, class Epilogue>
void directBlock(const DirectGeometry& g, const typename A::Cell* input,
                 const typename A::Cell* packed, std::int64_t channel, std::int64_t outputs,
                 const Epilogue& epilogue, Fetcher& fetcher) {
    constexpr int kTile = V::kPixelTile;
    // Not an array with a loop: a column must stay in registers.
    Column columns[2] = {Column(epilogue, channel, outputs),
                         Column(epilogue, channel + (Vectors - 1) * V::kWidth, outputs)};
    std::int64_t pixel = 0;
    while (pixel < g.pixels) {
        fetchShare(fetcher);
        const std::int64_t rest = g.pixels - pixel;
        if (rest % kTile == 0) {
            directTile<V, A, Vectors, kTile>(g, input, packed, pixel, columns);
            pixel += kTile;
        } else if (rest >= kTile - 1) {
            directTile<V, A, Vectors, kTile - 1>(g, input, packed, pixel, columns);
            pixel += kTile - 1;
        } else {
            directTile<V, A, Vectors, 1>(g, input, packed, pixel, columns);
            ++pixel;
        }
    }
    for (int v = 0; v < Vectors; ++v)
        columns[v].finish();
}

template <class V, class A, class Column, class Epilogue>
void directConvolution(const ConvolutionArguments& a, const Epilogue& epilogue) {
    using Cell = typename A::Cell;
    const ConvolutionShape& s = a.shape;
    const DirectGeometry g = directGeometry<A::kPerCell>(s);
    const Cell* const input = static_cast<const Cell*>(a.input);
    const Cell* packed = static_cast<const Cell*>(a.packed);
    Fetcher fetcher = startFetching(a.ahead, outputBlocks<V>(s) * g.pixels / V::kPixelTile + 1);
    std::int64_t channel = 0;
    for (; channel + 2 * V::kWidth <= s.outputs; channel += 2 * V::kWidth) {
        directBlock<V, A, 2, Column>(g, input, packed, channel, s.outputs, epilogue, fetcher);
        packed += g.taps * g.reduction * 2 * V::kWidth;
    }
    if (channel < s.outputs) {
        directBlock<V, A, 1, Column>(g, input, packed, channel, s.outputs, epilogue, fetcher);
    }
}

template <class V>
bool directFits(const ConvolutionShape&) {
    return true;
}

template <class V>
std::int64_t directImages(const ConvolutionShape&) {
    return 1;
}

template <class V, class A>
void directForward(const ConvolutionArguments& a, const StoreArguments* epilogue) {
    directConvolution<V, A, StoreColumn<V, A>>(a, *epilogue);
}

template <class V, class A>
void directInputGradient(const ConvolutionArguments& a, const GradientStoreArguments* epilogue) {
    directConvolution<V, A, GradientStoreColumn<V, A>>(a, *epilogue);
}

}  // namespace aether::engine::cpu
