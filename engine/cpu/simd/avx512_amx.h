// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/simd/avx512_bf16.h"

namespace aether::engine::cpu {

/// AVX-512 with Advanced Matrix Extensions: eight registers, each a matrix of up to 16 rows of 64
/// bytes. The assembler is inline because GCC 12's intrinsics do not say that they touch memory.
struct Avx512Amx : Avx512Bf16 {
    static constexpr bool kHasMatrixTiles = true;

    /// Rows of each register, and 32-bit cells of a row; none for one that is not used. Zeroes all.
    static AETHER_INLINE void configureTiles(const std::int64_t (&rows)[8],
                                             const std::int64_t (&cells)[8]) {
        alignas(64) std::uint8_t configuration[64] = {1};  // the palette; Intel SDM, LDTILECFG
        for (int i = 0; i < 8; ++i) {
            const std::int64_t used = rows[i] > 0 ? cells[i] : 0;
            configuration[16 + 2 * i] = static_cast<std::uint8_t>(4 * used);
            configuration[48 + i] = static_cast<std::uint8_t>(used > 0 ? rows[i] : 0);
        }
        asm volatile("ldtilecfg %0" : : "m"(configuration));
    }
    static AETHER_INLINE void releaseTiles() { asm volatile("tilerelease"); }

    template <int Tile>
    static AETHER_INLINE void zeroTile() {
        asm volatile("tilezero %%tmm%c0" : : "i"(Tile));
    }
    /// `stride`: 32-bit cells from one row to the next.
    template <int Tile>
    static AETHER_INLINE void loadTile(const void* from, std::int64_t stride) {
        asm volatile("tileloadd (%0,%1,1), %%tmm%c2"
                     :
                     : "r"(from), "r"(4 * stride), "i"(Tile)
                     : "memory");
    }
    template <int Tile>
    static AETHER_INLINE void storeTile(float* to, std::int64_t stride) {
        asm volatile("tilestored %%tmm%c2, (%0,%1,1)"
                     :
                     : "r"(to), "r"(4 * stride), "i"(Tile)
                     : "memory");
    }
    /// Sum[m][n] += Σ_k A[m][k] · B[k][n]: cells of A and B are pairs of bfloat16, those of Sum
    /// floats.
    template <int Sum, int A, int B>
    static AETHER_INLINE void multiplyTiles() {
        asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sum), "i"(A), "i"(B));
    }

    /// to[c][r] = from[r][c] for 16 columns and up to 16 rows; the columns after the last row are
    /// zero.
    static AETHER_INLINE void transposeCells(const std::uint32_t* from, std::int64_t stride,
                                             std::int64_t rows, std::uint32_t (&to)[16][16]) {
        __m512i r[16], pairs[16], quads[16];
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) {
            r[i] = i < rows ? _mm512_loadu_si512(from + i * stride) : _mm512_setzero_si512();
        }
#pragma GCC unroll 8
        for (int i = 0; i < 16; i += 2) {
            pairs[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
            pairs[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
        }
#pragma GCC unroll 4
        for (int i = 0; i < 16; i += 4) {
            quads[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
            quads[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
            quads[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
            quads[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
        }
        // A quad holds four rows of column j of each of its four lanes; now lanes change places.
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
            const __m512i evenLow = _mm512_shuffle_i32x4(quads[j], quads[4 + j], 0x88);
            const __m512i oddLow = _mm512_shuffle_i32x4(quads[j], quads[4 + j], 0xDD);
            const __m512i evenHigh = _mm512_shuffle_i32x4(quads[8 + j], quads[12 + j], 0x88);
            const __m512i oddHigh = _mm512_shuffle_i32x4(quads[8 + j], quads[12 + j], 0xDD);
            _mm512_storeu_si512(to[j], _mm512_shuffle_i32x4(evenLow, evenHigh, 0x88));
            _mm512_storeu_si512(to[4 + j], _mm512_shuffle_i32x4(oddLow, oddHigh, 0x88));
            _mm512_storeu_si512(to[8 + j], _mm512_shuffle_i32x4(evenLow, evenHigh, 0xDD));
            _mm512_storeu_si512(to[12 + j], _mm512_shuffle_i32x4(oddLow, oddHigh, 0xDD));
        }
    }
};

}  // namespace aether::engine::cpu
