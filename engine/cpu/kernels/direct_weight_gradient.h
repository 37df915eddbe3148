// SPDX-License-Identifier: MIT
// Direct wgrad: dW[ky][r][k] += Σ over pixels of input[(y + ky), x · C + r] · dy[y][x][k], r over
// the F · C cells of a row of taps. A tile is R rows r × 2 vectors of output channels in registers;
// it walks a band of the image that stays in the first-level cache. A block's part of the band's dy
// is first copied to consecutive cells: with a stride of a power of two its lines would fight for a
// few sets of the cache. Sums are [block][F][F · C][vectors of the block] in float.
//
// With the bfloat16 dot product two neighbouring pixels make a pair: the input is copied into cells
// (x, x + 1) for every x (any tap may start a pair), dy for even x only. The last pixel of an odd
// row is paired with zero.
#pragma once

#include "engine/cpu/kernels/direct_convolution.h"

namespace aether::engine::cpu {

/// One image and its dy. A step is a pixel or a pair.
template <class A>
struct GradientImages {
    const typename A::Cell* input;        ///< cells [H + F − 1][inputRow]
    const typename A::Scratch* gradient;  ///< dy of the first pixel
    std::int64_t gradientRow;             ///< elements from a row of dy to the next
    std::int64_t outputs;                 ///< elements from a pixel of dy to the next
    typename A::Cell* band;               ///< room for a band of dy, one block of channels
    std::int64_t bandRows;
    std::int64_t inputRow, inputStep;  ///< cells from a row, a step to the next
    std::int64_t width, steps;         ///< of a row
    std::int64_t height, taps, rows;   ///< rows: F · C
};

template <class V, class A, int Vectors, int R>
AETHER_INLINE void gradientTile(const GradientImages<A>& g, std::int64_t yBegin, std::int64_t yEnd,
                                std::int64_t ky, std::int64_t r, float* out, Fetcher& fetcher) {
    using Cell = typename A::Cell;
    typename V::F sum[R][Vectors];
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) {
            sum[i][v] = V::load(out + (i * Vectors + v) * V::kWidth);
        }
    }
    const Cell* d = g.band;
    for (std::int64_t y = yBegin; y < yEnd; ++y) {
        fetchShare(fetcher);
        const Cell* x = g.input + (y + ky) * g.inputRow + r;
#pragma GCC unroll 2
        for (std::int64_t step = 0; step < g.steps; ++step) {
            typename A::Cells dy[Vectors];
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v)
                dy[v] = A::load(d + v * V::kWidth);
#pragma GCC unroll 16
            for (int i = 0; i < R; ++i) {
                const typename A::Cells value = A::set1(x[i]);
#pragma GCC unroll 2
                for (int v = 0; v < Vectors; ++v) {
                    sum[i][v] = A::multiplyAdd(value, dy[v], sum[i][v]);
                }
            }
            x += g.inputStep;
            d += Vectors * V::kWidth;
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) {
            V::store(out + (i * Vectors + v) * V::kWidth, sum[i][v]);
        }
    }
}

/// Rows of the input and of one block of dy that a band holds: small enough to come back fast from
/// the second-level cache, long enough that loading and storing the sums does not show. 24 to 64
/// KiB measure the same within noise.
inline constexpr std::int64_t kBandBytes = 64 * 1024;

template <class V, class A>
AETHER_INLINE std::int64_t bandRows(const ConvolutionShape& s) {
    constexpr std::int64_t kCell = sizeof(typename A::Cell);
    const std::int64_t inputRow = (s.width + s.kernel - 1) * s.inputs * kCell;
    const std::int64_t gradientRow = s.width * 2 * V::kWidth * kCell / A::kPerCell;
    const std::int64_t rows = (kBandBytes - (s.kernel - 1) * inputRow) / (inputRow + gradientRow);
    return rows < 2 ? 2 : rows;
}

/// Copies `Vectors` vectors of channels from `channel` on of the rows of dy into g.band, as cells.
template <class V, class A, int Vectors>
AETHER_INLINE void copyBand(const GradientImages<A>& g, std::int64_t yBegin, std::int64_t yEnd,
                            std::int64_t channel) {
    typename A::Cell* to = g.band;
    for (std::int64_t y = yBegin; y < yEnd; ++y) {
        const typename A::Scratch* from = g.gradient + y * g.gradientRow + channel;
        for (std::int64_t x = 0; x < g.width; x += A::kPerCell) {
#pragma GCC unroll 2
            for (int v = 0; v < Vectors; ++v) {
                const typename V::F value = V::load(from + v * V::kWidth);
                if constexpr (A::kPerCell == 1) {
                    V::store(to, value);
                } else {
                    V::storePairs(
                        reinterpret_cast<std::uint16_t*>(to), value,
                        x + 1 < g.width ? V::load(from + g.outputs + v * V::kWidth) : V::zero());
                }
                to += V::kWidth;
            }
            from += A::kPerCell * g.outputs;
        }
    }
}

template <class V, class A, int Vectors>
void gradientBlock(const GradientImages<A>& g, std::int64_t channel, float* out, Fetcher& fetcher) {
    constexpr int kTile = V::kRowTile;
    const std::int64_t band = g.bandRows;
    for (std::int64_t begin = 0; begin < g.height; begin += band) {
        const std::int64_t end = begin + band < g.height ? begin + band : g.height;
        copyBand<V, A, Vectors>(g, begin, end, channel);
        float* to = out;
        for (std::int64_t ky = 0; ky < g.taps; ++ky) {
            std::int64_t r = 0;
            const auto tile = [&]<int R>() __attribute__((always_inline)) {
                gradientTile<V, A, Vectors, R>(g, begin, end, ky, r, to, fetcher);
                r += R;
                to += R * Vectors * V::kWidth;
            };
            while (r < g.rows) {
                const std::int64_t rest = g.rows - r;
                if (rest % kTile == 0 || rest > 2 * kTile) {
                    tile.template operator()<kTile>();
                } else if (kTile > 9 && rest == 9) {  // three channels under three taps
                    tile.template operator()<9>();
                } else if (rest >= kTile - 1) {
                    tile.template operator()<kTile - 1>();
                } else if (rest >= 3) {
                    tile.template operator()<3>();
                } else {
                    tile.template operator()<1>();
                }
            }
        }
    }
}

template <class V, class A>
void gradientBlocks(const GradientImages<A>& g, std::int64_t outputs, float* sum,
                    Fetcher& fetcher) {
    std::int64_t channel = 0;
    for (; channel + 2 * V::kWidth <= outputs; channel += 2 * V::kWidth) {
        gradientBlock<V, A, 2>(g, channel, sum, fetcher);
        sum += g.taps * g.rows * 2 * V::kWidth;
    }
    if (channel < outputs) gradientBlock<V, A, 1>(g, channel, sum, fetcher);
}

/// Cells (x, x + 1) for every x: `to` [rows][width][channels] from `from` of the same shape.
template <class V>
void pairPixels(const std::uint16_t* from, std::int64_t rows, std::int64_t width,
                std::int64_t channels, std::uint32_t* to) {
    for (std::int64_t y = 0; y < rows; ++y) {
        const std::int64_t paired = (width - 1) * channels;
        std::int64_t i = 0;
        for (; i + V::kWidth <= paired; i += V::kWidth) {
            V::storePairs(reinterpret_cast<std::uint16_t*>(to + i), V::load(from + i),
                          V::load(from + i + channels));
        }
        for (; i < paired; ++i) {
            to[i] = from[i] | static_cast<std::uint32_t>(from[i + channels]) << 16;
        }
        for (; i < paired + channels; ++i)
            to[i] = from[i];
        from += width * channels;
        to += width * channels;
    }
}

template <class V, class A>
AETHER_INLINE std::int64_t bandCells(const ConvolutionShape& s) {
    return bandRows<V, A>(s) * (s.width + 1) * 2 * V::kWidth;
}

template <class V, class A>
void directWeightGradient(const WeightGradientArguments& a) {
    using Cell = typename A::Cell;
    const ConvolutionShape& s = a.shape;
    const std::int64_t scratchHeight = s.height + s.kernel - 1, border = (s.kernel - 1) / 2;
    const std::int64_t scratchWidth = s.width + s.kernel - 1;
    GradientImages<A> g{};
    g.gradientRow = scratchWidth * s.outputs;
    g.gradient =
        static_cast<const typename A::Scratch*>(a.gradient) + border * (g.gradientRow + s.outputs);
    g.outputs = s.outputs;
    g.band = static_cast<Cell*>(a.workspace);
    g.bandRows = bandRows<V, A>(s);
    g.inputRow = scratchWidth * s.inputs;
    g.inputStep = A::kPerCell * s.inputs;
    g.width = s.width;
    g.steps = (s.width + A::kPerCell - 1) / A::kPerCell;
    g.height = s.height;
    g.taps = s.kernel;
    g.rows = s.kernel * s.inputs;
    const auto* const input = static_cast<const typename A::Scratch*>(a.input);
    if constexpr (A::kPerCell == 1) {
        g.input = input;
    } else {
        Cell* const pairs = g.band + bandCells<V, A>(s);
        pairPixels<V>(input, scratchHeight, scratchWidth, s.inputs, pairs);
        g.input = pairs;
    }
    const std::int64_t groups = (g.rows + V::kRowTile - 1) / V::kRowTile;
    Fetcher fetcher = startFetching(a.ahead, outputBlocks<V>(s) * s.height * s.kernel * groups);
    gradientBlocks<V, A>(g, s.outputs, a.sum, fetcher);
}

template <class V, class A>
std::int64_t directWorkspaceBytes(const ConvolutionShape& s) {
    const std::int64_t scratch = (s.height + s.kernel - 1) * (s.width + s.kernel - 1);
    const std::int64_t pairs = A::kPerCell == 1 ? 0 : scratch * s.inputs;
    return (bandCells<V, A>(s) + pairs) * static_cast<std::int64_t>(sizeof(typename A::Cell));
}

}  // namespace aether::engine::cpu
