// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

/// Four floats in plain C++ (the compilers' portable vector type): the fallback for every
/// processor. Multiply and add round separately, as there may be no fused instruction.
struct Plain4 {
    static constexpr int kWidth = 4;
    static constexpr int kPixelTile = 6;  ///< accumulator rows of the convolution kernel
    static constexpr int kRowTile = 6;    ///< accumulator rows of the weight-gradient kernel
    static constexpr bool kHasDot = false;
    static constexpr bool kHasMatrixTiles = false;

    using F = float __attribute__((vector_size(16)));
    using I = std::int32_t __attribute__((vector_size(16)));
    using U = std::uint32_t __attribute__((vector_size(16)));

    static AETHER_INLINE F zero() { return F{0, 0, 0, 0}; }
    static AETHER_INLINE F set1(float v) { return F{v, v, v, v}; }
    static AETHER_INLINE F load(const float* p) {
        F v;
        __builtin_memcpy(&v, p, sizeof v);
        return v;
    }
    static AETHER_INLINE void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static AETHER_INLINE F load(const std::uint16_t* p) {
        return asFloat(U{p[0], p[1], p[2], p[3]} << 16);
    }
    static AETHER_INLINE void store(std::uint16_t* p, F v) {
        const U u = asBits(roundBf16(v)) >> 16;
        for (int i = 0; i < 4; ++i)
            p[i] = static_cast<std::uint16_t>(u[i]);
    }
    /// There is no portable store past the caches.
    static AETHER_INLINE void stream(float* p, F v) { store(p, v); }
    static AETHER_INLINE void stream(std::uint16_t* p, F v) { store(p, v); }
    static AETHER_INLINE F fma(F a, F b, F c) { return a * b + c; }
    static AETHER_INLINE F add(F a, F b) { return a + b; }
    static AETHER_INLINE F sub(F a, F b) { return a - b; }
    static AETHER_INLINE F mul(F a, F b) { return a * b; }
    static AETHER_INLINE F div(F a, F b) { return a / b; }
    static AETHER_INLINE F sqrt(F a) {
        return F{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]),
                 __builtin_sqrtf(a[3])};
    }
    /// The second where either is NaN.
    static AETHER_INLINE F max(F a, F b) { return blend(a > b, a, b); }
    static AETHER_INLINE F min(F a, F b) { return blend(a < b, a, b); }
    static AETHER_INLINE F selectGreater(F a, F b, F x, F y) { return blend(a > b, x, y); }
    static AETHER_INLINE F selectEqual(F a, F b, F x, F y) { return blend(a == b, x, y); }
    /// Nearest bfloat16, ties to even, as float; NaN stays NaN.
    static AETHER_INLINE F roundBf16(F v) {
        const U u = asBits(v);
        const U rounded = (u + 0x7FFFu + ((u >> 16) & 1u)) & 0xFFFF0000u;
        // NOLINTNEXTLINE(misc-redundant-expression): false where v is NaN.
        return blend(v == v, asFloat(rounded), v);
    }
    static AETHER_INLINE float sum(F v) { return (v[0] + v[2]) + (v[1] + v[3]); }

  private:
    static AETHER_INLINE F blend(I mask, F x, F y) {
        const U bits = __builtin_bit_cast(U, mask);
        return asFloat((bits & asBits(x)) | (~bits & asBits(y)));
    }
    static AETHER_INLINE U asBits(F v) { return __builtin_bit_cast(U, v); }
    static AETHER_INLINE F asFloat(U v) { return __builtin_bit_cast(F, v); }
};

}  // namespace aether::engine::cpu
