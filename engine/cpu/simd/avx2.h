// SPDX-License-Identifier: MIT
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

/// Eight floats in one AVX2 register, with FMA.
struct Avx2 {
    static constexpr int kWidth = 8;
    static constexpr int kPixelTile =
        6;  ///< 6 x 2 accumulators, 2 weights, 1 broadcast: 15 of 16 registers
    static constexpr int kRowTile = 6;
    static constexpr bool kHasDot = false;
    static constexpr bool kHasMatrixTiles = false;

    using F = __m256;

    static AETHER_INLINE F zero() { return _mm256_setzero_ps(); }
    static AETHER_INLINE F set1(float v) { return _mm256_set1_ps(v); }
    static AETHER_INLINE F load(const float* p) { return _mm256_loadu_ps(p); }
    static AETHER_INLINE void store(float* p, F v) { _mm256_storeu_ps(p, v); }
    static AETHER_INLINE F load(const std::uint16_t* p) {
        const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
    }
    static AETHER_INLINE void store(std::uint16_t* p, F v) {
        const __m256i u = _mm256_srli_epi32(_mm256_castps_si256(roundBf16(v)), 16);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(u, u), 0xD8);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
    }
    /// To an address aligned to the vector, without reading the line into the caches; bfloat16 is
    /// stored plainly.
    static AETHER_INLINE void stream(float* p, F v) { _mm256_stream_ps(p, v); }
    static AETHER_INLINE void stream(std::uint16_t* p, F v) { store(p, v); }
    static AETHER_INLINE F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
    static AETHER_INLINE F add(F a, F b) { return _mm256_add_ps(a, b); }
    static AETHER_INLINE F sub(F a, F b) { return _mm256_sub_ps(a, b); }
    static AETHER_INLINE F mul(F a, F b) { return _mm256_mul_ps(a, b); }
    static AETHER_INLINE F div(F a, F b) { return _mm256_div_ps(a, b); }
    static AETHER_INLINE F sqrt(F a) { return _mm256_sqrt_ps(a); }
    /// The second where either is NaN.
    static AETHER_INLINE F max(F a, F b) { return _mm256_max_ps(a, b); }
    static AETHER_INLINE F min(F a, F b) { return _mm256_min_ps(a, b); }
    static AETHER_INLINE F selectGreater(F a, F b, F x, F y) {
        return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_GT_OQ));
    }
    static AETHER_INLINE F selectEqual(F a, F b, F x, F y) {
        return _mm256_blendv_ps(y, x, _mm256_cmp_ps(a, b, _CMP_EQ_OQ));
    }
    /// Nearest bfloat16, ties to even, as float; NaN stays NaN.
    static AETHER_INLINE F roundBf16(F v) {
        const __m256i u = _mm256_castps_si256(v);
        const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
        const __m256i sum = _mm256_add_epi32(u, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
        const F rounded = _mm256_castsi256_ps(_mm256_and_si256(sum, _mm256_set1_epi32(-0x10000)));
        return _mm256_blendv_ps(v, rounded, _mm256_cmp_ps(v, v, _CMP_ORD_Q));
    }
    static AETHER_INLINE float sum(F v) {
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

}  // namespace aether::engine::cpu
