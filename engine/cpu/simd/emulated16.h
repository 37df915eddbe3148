// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/simd/avx2.h"

namespace aether::engine::cpu {

/// The AVX-512 shape in two AVX2 registers, for tests only: the 16-wide blocking and the bfloat16
/// dot product can be checked on a processor without AVX-512.
struct Emulated16 {
    static constexpr int kWidth = 16;
    static constexpr int kPixelTile = 8;
    static constexpr int kRowTile = 12;
    static constexpr bool kHasDot = true;
    static constexpr bool kHasMatrixTiles = false;

    struct F {
        __m256 low, high;
    };
    struct Pairs {
        __m256i low, high;
    };

    static AETHER_INLINE F zero() { return {Avx2::zero(), Avx2::zero()}; }
    static AETHER_INLINE F set1(float v) { return {Avx2::set1(v), Avx2::set1(v)}; }
    template <class T>
    static AETHER_INLINE F load(const T* p) {
        return {Avx2::load(p), Avx2::load(p + 8)};
    }
    template <class T>
    static AETHER_INLINE void store(T* p, F v) {
        Avx2::store(p, v.low);
        Avx2::store(p + 8, v.high);
    }
    template <class T>
    static AETHER_INLINE void stream(T* p, F v) {
        Avx2::stream(p, v.low);
        Avx2::stream(p + 8, v.high);
    }
    static AETHER_INLINE F fma(F a, F b, F c) {
        return {Avx2::fma(a.low, b.low, c.low), Avx2::fma(a.high, b.high, c.high)};
    }
    static AETHER_INLINE F add(F a, F b) {
        return {Avx2::add(a.low, b.low), Avx2::add(a.high, b.high)};
    }
    static AETHER_INLINE F sub(F a, F b) {
        return {Avx2::sub(a.low, b.low), Avx2::sub(a.high, b.high)};
    }
    static AETHER_INLINE F mul(F a, F b) {
        return {Avx2::mul(a.low, b.low), Avx2::mul(a.high, b.high)};
    }
    static AETHER_INLINE F div(F a, F b) {
        return {Avx2::div(a.low, b.low), Avx2::div(a.high, b.high)};
    }
    static AETHER_INLINE F sqrt(F a) { return {Avx2::sqrt(a.low), Avx2::sqrt(a.high)}; }
    static AETHER_INLINE F max(F a, F b) {
        return {Avx2::max(a.low, b.low), Avx2::max(a.high, b.high)};
    }
    static AETHER_INLINE F min(F a, F b) {
        return {Avx2::min(a.low, b.low), Avx2::min(a.high, b.high)};
    }
    static AETHER_INLINE F selectGreater(F a, F b, F x, F y) {
        return {Avx2::selectGreater(a.low, b.low, x.low, y.low),
                Avx2::selectGreater(a.high, b.high, x.high, y.high)};
    }
    static AETHER_INLINE F selectEqual(F a, F b, F x, F y) {
        return {Avx2::selectEqual(a.low, b.low, x.low, y.low),
                Avx2::selectEqual(a.high, b.high, x.high, y.high)};
    }
    static AETHER_INLINE F roundBf16(F v) {
        return {Avx2::roundBf16(v.low), Avx2::roundBf16(v.high)};
    }
    static AETHER_INLINE float sum(F v) { return Avx2::sum(Avx2::add(v.low, v.high)); }

    static AETHER_INLINE Pairs loadPairs(const std::uint32_t* p) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 8))};
    }
    static AETHER_INLINE void storePairs(std::uint16_t* p, F first, F second) {
        storePairs8(p, first.low, second.low);
        storePairs8(p + 16, first.high, second.high);
    }
    static AETHER_INLINE Pairs setPairs(std::uint32_t v) {
        const __m256i x = _mm256_set1_epi32(static_cast<int>(v));
        return {x, x};
    }
    static AETHER_INLINE F dot(Pairs a, Pairs b, F c) {
        return {dot8(a.low, b.low, c.low), dot8(a.high, b.high, c.high)};
    }

  private:
    static AETHER_INLINE void storePairs8(std::uint16_t* p, __m256 first, __m256 second) {
        const __m256i low = _mm256_srli_epi32(_mm256_castps_si256(Avx2::roundBf16(first)), 16);
        const __m256i high = _mm256_castps_si256(Avx2::roundBf16(second));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_or_si256(low, high));
    }
    static AETHER_INLINE __m256 first(__m256i v) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(v, 16));
    }
    static AETHER_INLINE __m256 second(__m256i v) {
        return _mm256_castsi256_ps(_mm256_and_si256(v, _mm256_set1_epi32(-0x10000)));
    }
    static AETHER_INLINE __m256 dot8(__m256i a, __m256i b, __m256 c) {
        return _mm256_fmadd_ps(first(a), first(b), _mm256_fmadd_ps(second(a), second(b), c));
    }
};

}  // namespace aether::engine::cpu
