// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/simd/avx512.h"

namespace aether::engine::cpu {

/// AVX-512 with the bfloat16 dot product: a lane holds two bfloat16 and adds both products to its
/// float.
struct Avx512Bf16 : Avx512 {
    static constexpr bool kHasDot = true;
    using Pairs = __m512i;

    using Avx512::store;
    static AETHER_INLINE void store(std::uint16_t* p, F v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), (__m256i)_mm512_cvtneps_pbh(v));
    }
    using Avx512::stream;
    static AETHER_INLINE void stream(std::uint16_t* p, F v) { store(p, v); }
    static AETHER_INLINE Pairs loadPairs(const std::uint32_t* p) { return _mm512_loadu_si512(p); }
    static AETHER_INLINE Pairs setPairs(std::uint32_t v) {
        return _mm512_set1_epi32(static_cast<int>(v));
    }
    static AETHER_INLINE F dot(Pairs a, Pairs b, F c) {
        return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
    }
};

}  // namespace aether::engine::cpu
