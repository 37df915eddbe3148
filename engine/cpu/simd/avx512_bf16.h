// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/simd/avx512.h"

namespace aether::engine::cpu {

/// AVX-512 with the bfloat16 dot product: a lane holds two bfloat16 and adds both products to its
/// float.
struct Avx512Bf16 : Avx512 {
    static constexpr bool kHasDot = true;
    using Pairs = __m512i;

    static AETHER_INLINE F roundBf16(F v) {
        const auto half = (__m256i)_mm512_cvtneps_pbh(v);
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
    }
    using Avx512::store;
    static AETHER_INLINE void store(std::uint16_t* p, F v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), (__m256i)_mm512_cvtneps_pbh(v));
    }
    using Avx512::stream;
    static AETHER_INLINE void stream(std::uint16_t* p, F v) { store(p, v); }
    /// The bfloat16 next to v towards zero.
    static AETHER_INLINE F cutToBf16(F v) {
        return _mm512_castsi512_ps(
            _mm512_and_si512(_mm512_castps_si512(v), _mm512_set1_epi32(-0x10000)));
    }
    static AETHER_INLINE Pairs loadPairs(const std::uint32_t* p) { return _mm512_loadu_si512(p); }
    /// Sixteen pairs of bfloat16: (first[0], second[0]), (first[1], second[1]), …
    static AETHER_INLINE void storePairs(std::uint16_t* p, F first, F second) {
        const auto halves = (__m512i)_mm512_cvtne2ps_pbh(second, first);
        const __m512i low = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(16));
        const __m512i order = _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
        _mm512_storeu_si512(p, _mm512_permutexvar_epi16(order, halves));
    }
    static AETHER_INLINE Pairs setPairs(std::uint32_t v) {
        return _mm512_set1_epi32(static_cast<int>(v));
    }
    static AETHER_INLINE F dot(Pairs a, Pairs b, F c) {
        return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
    }
};

}  // namespace aether::engine::cpu
