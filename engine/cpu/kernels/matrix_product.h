// SPDX-License-Identifier: MIT
// The Winograd kernels' products of bfloat16 planes on matrix registers (AMX), which hold up to 16
// rows of 16 cells. In forward and dgrad four of them sum 32 rows of the left plane × 2 vectors of
// output channels, so that four loads feed four multiplications and none waits for the one before;
// in wgrad two of them sum 16 rows.
#pragma once

#include "engine/cpu/kernels/arithmetic.h"

namespace aether::engine::cpu {

/// The edge of a register, in rows and in cells.
inline constexpr std::int64_t kMatrixEdge = 16;

/// Cells of depth that a register takes at once: all 16 where that divides the depth, which is a
/// multiple of eight because channels are one of sixteen.
AETHER_INLINE std::int64_t matrixDepth(std::int64_t depth) {
    return depth % kMatrixEdge == 0 ? kMatrixEdge : kMatrixEdge / 2;
}

/// Rows that a register takes of a left plane of `rows`: two registers at a time share them out.
AETHER_INLINE std::int64_t matrixRows(std::int64_t rows) {
    const std::int64_t pairs = (rows + 2 * kMatrixEdge - 1) / (2 * kMatrixEdge);
    return (rows + 2 * pairs - 1) / (2 * pairs);
}

/// Numbers of the registers of matrixProduct: sums of two left registers × two vectors of output
/// channels.
struct ProductRegisters {
    static constexpr int kSums = 0, kLeft = 4, kRight = 6;
};
/// Numbers of the registers of matrixOuter: for a whole depth, and for the rest of it.
struct OuterRegisters {
    static constexpr int kSums = 0, kLeft = 2, kRight = 3, kRestOfRight = 5, kRestOfLeft = 7;
};

/// Configures the thread's matrix registers for as long as it lives; nothing where they are not
/// used.
template <class V, class M>
class MatrixRegisters {
  public:
    /// For matrixProduct of `rows` rows and a depth of `depth` cells.
    static AETHER_INLINE void forProduct(std::int64_t rows, std::int64_t depth) {
        if constexpr (kMatrixProducts<V, M>) {
            const std::int64_t e = kMatrixEdge, r = matrixRows(rows), d = matrixDepth(depth);
            V::configureTiles({r, r, r, r, r, r, d, d}, {e, e, e, e, d, d, e, e});
        }
    }
    /// For matrixOuter with a depth of `depth` cells.
    static AETHER_INLINE void forOuter(std::int64_t depth) {
        if constexpr (kMatrixProducts<V, M>) {
            const std::int64_t e = kMatrixEdge, rest = depth % e;
            V::configureTiles({e, e, e, e, e, rest, rest, e}, {e, e, e, e, e, e, e, rest});
        }
    }
    MatrixRegisters() = default;
    MatrixRegisters(const MatrixRegisters&) = delete;
    MatrixRegisters& operator=(const MatrixRegisters&) = delete;
    AETHER_INLINE ~MatrixRegisters() {
        if constexpr (kMatrixProducts<V, M>) V::releaseTiles();
    }
};

/// The registers First … First + Vectors - 1, which lie side by side in memory.
template <class V, int Vectors, int First>
AETHER_INLINE void loadMatrices(const void* from, std::int64_t stride) {
    static_assert(Vectors == 1 || Vectors == 2);
    V::template loadTile<First>(from, stride);
    if constexpr (Vectors == 2) {
        V::template loadTile<First + 1>(static_cast<const float*>(from) + V::kWidth, stride);
    }
}
template <class V, int Vectors, int First>
AETHER_INLINE void storeMatrices(float* to, std::int64_t stride) {
    V::template storeTile<First>(to, stride);
    if constexpr (Vectors == 2) V::template storeTile<First + 1>(to + V::kWidth, stride);
}
template <class V, int Vectors, int First>
AETHER_INLINE void zeroMatrices() {
    V::template zeroTile<First>();
    if constexpr (Vectors == 2) V::template zeroTile<First + 1>();
}
/// Sums += Left · Right.
template <class V, int Vectors, int Sums, int Left, int Right>
AETHER_INLINE void multiplyMatrices() {
    V::template multiplyTiles<Sums, Left, Right>();
    if constexpr (Vectors == 2) V::template multiplyTiles<Sums + 1, Left, Right + 1>();
}

/// out[t][v] = Σ_c in[t][c] · packed[c][v] of one plane and one block of output channels; `depth`
/// cells a part. The last two registers of rows may overlap the ones before them, whose results
/// they repeat.
template <class V, class M, int Vectors>
void matrixProduct(const std::uint32_t* in, std::int64_t rows, std::int64_t depth,
                   const std::uint32_t* packed, float* out, std::int64_t outputs) {
    using R = ProductRegisters;
    constexpr std::int64_t kRow = Vectors * V::kWidth;
    const std::int64_t r = matrixRows(rows), row = depth * M::kParts;
    const auto notBehind = [&](std::int64_t t) { return t + r <= rows ? t : rows - r; };
    for (std::int64_t t = 0; t < rows; t += 2 * r) {
        const std::int64_t first = notBehind(t), second = notBehind(t + r);
        zeroMatrices<V, Vectors, R::kSums>();
        zeroMatrices<V, Vectors, R::kSums + 2>();
        for (std::int64_t k = 0; k < depth; k += matrixDepth(depth)) {
            for (int a = 0; a < M::kParts; ++a) {
                V::template loadTile<R::kLeft>(in + first * row + a * depth + k, row);
                V::template loadTile<R::kLeft + 1>(in + second * row + a * depth + k, row);
                for (int b = 0; a + b < M::kParts; ++b) {
                    loadMatrices<V, Vectors, R::kRight>(packed + (b * depth + k) * kRow, kRow);
                    multiplyMatrices<V, Vectors, R::kSums, R::kLeft, R::kRight>();
                    multiplyMatrices<V, Vectors, R::kSums + 2, R::kLeft + 1, R::kRight>();
                }
            }
        }
        storeMatrices<V, Vectors, R::kSums>(out + first * outputs, outputs);
        storeMatrices<V, Vectors, R::kSums + 2>(out + second * outputs, outputs);
    }
}

/// sums[r][v] += Σ_t left[r][t] · dy[t][v] of sixteen rows and one block of output channels; t runs
/// over a whole register's depth, or over the rest that the registers were configured for.
template <class V, int Vectors>
AETHER_INLINE void matrixOuterRows(const std::uint32_t (&left)[kMatrixEdge][kMatrixEdge],
                                   const std::uint32_t* dy, std::int64_t outputs,
                                   std::int64_t depth, float* sums) {
    using R = OuterRegisters;
    constexpr std::int64_t kRow = Vectors * V::kWidth;
    loadMatrices<V, Vectors, R::kSums>(sums, kRow);
    if (depth == kMatrixEdge) {
        V::template loadTile<R::kLeft>(left, kMatrixEdge);
        loadMatrices<V, Vectors, R::kRight>(dy, outputs);
        multiplyMatrices<V, Vectors, R::kSums, R::kLeft, R::kRight>();
    } else {
        V::template loadTile<R::kRestOfLeft>(left, kMatrixEdge);
        loadMatrices<V, Vectors, R::kRestOfRight>(dy, outputs);
        multiplyMatrices<V, Vectors, R::kSums, R::kRestOfLeft, R::kRestOfRight>();
    }
    storeMatrices<V, Vectors, R::kSums>(sums, kRow);
}

/// sums[block][r][v] += Σ_t in[t][r] · dy[t][v] of one plane, t counting cells: sixteen rows r are
/// transposed at a time, since the registers want the depth t along their rows.
template <class V>
void matrixOuter(const std::uint32_t* in, std::int64_t inputs, const std::uint32_t* dy,
                 std::int64_t outputs, std::int64_t tiles, float* sums) {
    alignas(64) std::uint32_t left[kMatrixEdge][kMatrixEdge];
    for (std::int64_t t = 0; t < tiles; t += kMatrixEdge) {
        const std::int64_t depth = tiles - t < kMatrixEdge ? tiles - t : kMatrixEdge;
        for (std::int64_t r = 0; r < inputs; r += kMatrixEdge) {
            V::transposeCells(in + t * inputs + r, inputs, depth, left);
            const std::uint32_t* const gradient = dy + t * outputs;
            std::int64_t channel = 0;
            for (; channel + 2 * V::kWidth <= outputs; channel += 2 * V::kWidth) {
                matrixOuterRows<V, 2>(left, gradient + channel, outputs, depth,
                                      sums + channel * inputs + r * 2 * V::kWidth);
            }
            if (channel < outputs) {
                matrixOuterRows<V, 1>(left, gradient + channel, outputs, depth,
                                      sums + channel * inputs + r * V::kWidth);
            }
        }
    }
}

}  // namespace aether::engine::cpu
