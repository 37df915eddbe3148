// SPDX-License-Identifier: MIT
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

/// Sixteen floats in one AVX-512 register.
struct Avx512 {
    static constexpr int kWidth = 16;
    static constexpr int kPixelTile = 8;
    static constexpr int kRowTile = 12;  ///< divides 96 and 192, the rows of the known layers
    static constexpr bool kHasDot = false;
    static constexpr bool kHasMatrixTiles = false;

    using F = __m512;

    static AETHER_INLINE F zero() { return _mm512_setzero_ps(); }
    static AETHER_INLINE F set1(float v) { return _mm512_set1_ps(v); }
    static AETHER_INLINE F load(const float* p) { return _mm512_loadu_ps(p); }
    static AETHER_INLINE void store(float* p, F v) { _mm512_storeu_ps(p, v); }
    static AETHER_INLINE F load(const std::uint16_t* p) {
        const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
    }
    static AETHER_INLINE void store(std::uint16_t* p, F v) {
        const __m512i u = _mm512_srli_epi32(_mm512_castps_si512(roundBf16(v)), 16);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(u));
    }
    /// To an address aligned to the vector, without reading the line into the caches; bfloat16 is
    /// stored plainly.
    static AETHER_INLINE void stream(float* p, F v) { _mm512_stream_ps(p, v); }
    static AETHER_INLINE void stream(std::uint16_t* p, F v) { store(p, v); }
    static AETHER_INLINE F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
    static AETHER_INLINE F add(F a, F b) { return _mm512_add_ps(a, b); }
    static AETHER_INLINE F sub(F a, F b) { return _mm512_sub_ps(a, b); }
    static AETHER_INLINE F mul(F a, F b) { return _mm512_mul_ps(a, b); }
    static AETHER_INLINE F div(F a, F b) { return _mm512_div_ps(a, b); }
    static AETHER_INLINE F sqrt(F a) { return _mm512_sqrt_ps(a); }
    /// The second where either is NaN.
    static AETHER_INLINE F max(F a, F b) { return _mm512_max_ps(a, b); }
    static AETHER_INLINE F min(F a, F b) { return _mm512_min_ps(a, b); }
    static AETHER_INLINE F selectGreater(F a, F b, F x, F y) {
        return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), x);
    }
    static AETHER_INLINE F selectEqual(F a, F b, F x, F y) {
        return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ), x);
    }
    /// Nearest bfloat16, ties to even, as float; NaN stays NaN.
    static AETHER_INLINE F roundBf16(F v) {
        const __m512i u = _mm512_castps_si512(v);
        const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
        const __m512i sum = _mm512_add_epi32(u, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
        const F rounded = _mm512_castsi512_ps(_mm512_and_si512(sum, _mm512_set1_epi32(-0x10000)));
        return _mm512_mask_mov_ps(v, _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), rounded);
    }
    static AETHER_INLINE float sum(F v) {
        const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1));
        const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(v), high);
        const __m128 four =
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

}  // namespace aether::engine::cpu
