// SPDX-License-Identifier: MIT
// The Winograd kernels' products of bfloat16 planes on matrix registers (AMX), which hold 16 rows
// of 16 cells: 16 rows of the left plane × 2 vectors of output channels are summed in two of them,
// so that three loads feed two multiplications of 16 × 32 × 16.
#pragma once

#include "engine/cpu/kernels/arithmetic.h"

namespace aether::engine::cpu {

/// Whether products in the arithmetic M take the matrix registers.
template <class V, class M>
inline constexpr bool kMatrixProducts = V::kHasMatrixTiles&& M::kPerCell == 2;

/// The edge of a register, in rows and in cells.
inline constexpr std::int64_t kMatrixEdge = 16;

/// Cells of depth that a register takes at once: all 16 where that divides the depth, which is a
/// multiple of eight because channels are one of sixteen.
AETHER_INLINE std::int64_t matrixDepth(std::int64_t depth) {
    return depth % kMatrixEdge == 0 ? kMatrixEdge : kMatrixEdge / 2;
}

/// Configures the thread's matrix registers for as long as it lives; nothing where they are not
/// used.
template <class V, class M>
class MatrixRegisters {
  public:
    /// For matrixProduct of `rows` rows and a depth of `depth` cells.
    static AETHER_INLINE void forProduct(std::int64_t rows, std::int64_t depth) {
        if constexpr (kMatrixProducts<V, M>) {
            const std::int64_t e = kMatrixEdge, rest = rows % e, d = matrixDepth(depth);
            V::configureTiles({e, e, e, d, d, rest, rest, rest}, {e, e, d, e, e, e, e, d});
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

/// One register's rows × `Vectors` vectors: Sum = Σ Left · weights, in registers of these numbers.
template <class V, int Vectors, int Sum, int Left>
AETHER_INLINE void matrixProductRows(const std::uint32_t* in, std::int64_t depth,
                                     const std::uint32_t* packed, float* out,
                                     std::int64_t outputs) {
    constexpr std::int64_t kRow = Vectors * V::kWidth;
    const std::int64_t step = matrixDepth(depth);
    V::template zeroTile<Sum>();
    if constexpr (Vectors == 2) V::template zeroTile<Sum + 1>();
    for (std::int64_t k = 0; k < depth; k += step) {
        V::template loadTile<Left>(in + k, depth);
        V::template loadTile<3>(packed + k * kRow, kRow);
        V::template multiplyTiles<Sum, Left, 3>();
        if constexpr (Vectors == 2) {
            V::template loadTile<4>(packed + k * kRow + V::kWidth, kRow);
            V::template multiplyTiles<Sum + 1, Left, 4>();
        }
    }
    V::template storeTile<Sum>(out, outputs);
    if constexpr (Vectors == 2) V::template storeTile<Sum + 1>(out + V::kWidth, outputs);
}

/// out[t][v] = Σ_c in[t][c] · packed[c][v] of one plane and one block of output channels.
template <class V, int Vectors>
void matrixProduct(const std::uint32_t* in, std::int64_t rows, std::int64_t depth,
                   const std::uint32_t* packed, float* out, std::int64_t outputs) {
    std::int64_t t = 0;
    for (; t + kMatrixEdge <= rows; t += kMatrixEdge) {
        matrixProductRows<V, Vectors, 0, 2>(in + t * depth, depth, packed, out + t * outputs,
                                            outputs);
    }
    if (t < rows) {
        matrixProductRows<V, Vectors, 5, 7>(in + t * depth, depth, packed, out + t * outputs,
                                            outputs);
    }
}

/// Sixteen rows × `Vectors` vectors of sums += left · dy over `depth` cells, from registers of
/// these numbers.
template <class V, int Vectors, int Left, int Right>
AETHER_INLINE void matrixOuterStep(const std::uint32_t (&left)[kMatrixEdge][kMatrixEdge],
                                   const std::uint32_t* dy, std::int64_t outputs) {
    V::template loadTile<Left>(left, kMatrixEdge);
    V::template loadTile<Right>(dy, outputs);
    V::template multiplyTiles<0, Left, Right>();
    if constexpr (Vectors == 2) {
        V::template loadTile<Right + 1>(dy + V::kWidth, outputs);
        V::template multiplyTiles<1, Left, Right + 1>();
    }
}

/// A register's rows of one block of output channels, whose left side lies transposed.
template <class V, int Vectors>
AETHER_INLINE void matrixOuterRows(const std::uint32_t (&left)[kMatrixEdge][kMatrixEdge],
                                   const std::uint32_t* dy, std::int64_t outputs,
                                   std::int64_t depth, float* sums) {
    constexpr std::int64_t kRow = Vectors * V::kWidth;
    V::template loadTile<0>(sums, kRow);
    if constexpr (Vectors == 2) V::template loadTile<1>(sums + V::kWidth, kRow);
    if (depth == kMatrixEdge) {
        matrixOuterStep<V, Vectors, 2, 3>(left, dy, outputs);
    } else {
        matrixOuterStep<V, Vectors, 7, 5>(left, dy, outputs);
    }
    V::template storeTile<0>(sums, kRow);
    if constexpr (Vectors == 2) V::template storeTile<1>(sums + V::kWidth, kRow);
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
