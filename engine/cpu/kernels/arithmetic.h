// SPDX-License-Identifier: MIT
// The three arithmetics as traits of a vector type V: what is stored, what scratch holds, how it is
// multiplied. The convolution kernels see scratch and packed weights as 32-bit cells: one float, or
// two bfloat16 that meet in a dot.
#pragma once

#include <cstdint>

#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

template <class V>
struct Fp32Arithmetic {
    using Stored = float;
    using Scratch = float;
    using Cell = float;
    using Cells = typename V::F;
    static constexpr std::int64_t kPerCell = 1;
    static constexpr int kParts = 1;
    static constexpr bool kRounds = false;
    static AETHER_INLINE Cells load(const Cell* p) { return V::load(p); }
    static AETHER_INLINE Cells set1(Cell v) { return V::set1(v); }
    static AETHER_INLINE typename V::F multiplyAdd(Cells a, Cells b, typename V::F c) {
        return V::fma(a, b, c);
    }
    static AETHER_INLINE typename V::F rounded(typename V::F v) { return v; }
};

template <class V>
struct Bf16WideArithmetic : Fp32Arithmetic<V> {
    using Stored = std::uint16_t;
    static constexpr bool kRounds = true;
    static AETHER_INLINE typename V::F rounded(typename V::F v) { return V::roundBf16(v); }
};

template <class V>
struct Bf16DotArithmetic {
    using Stored = std::uint16_t;
    using Scratch = std::uint16_t;
    using Cell = std::uint32_t;
    using Cells = typename V::Pairs;
    static constexpr std::int64_t kPerCell = 2;
    static constexpr int kParts = 1;  ///< bfloat16 that make up a value
    static constexpr bool kRounds = true;
    static AETHER_INLINE Cells load(const Cell* p) { return V::loadPairs(p); }
    static AETHER_INLINE Cells set1(Cell v) { return V::setPairs(v); }
    static AETHER_INLINE typename V::F multiplyAdd(Cells a, Cells b, typename V::F c) {
        return V::dot(a, b, c);
    }
    static AETHER_INLINE typename V::F rounded(typename V::F v) { return V::roundBf16(v); }
};

/// Floats multiplied as sums of bfloat16 parts, 8 bits each: the first parts cut the value off, the
/// last rounds what they leave. Of two such sums the products of parts a and b with a + b < Parts
/// are added up in float; what is left out is below the last part's last bit.
template <class V, int Parts>
struct Bf16PartsArithmetic : Bf16DotArithmetic<V> {
    static constexpr int kParts = Parts;
};

/// Whether products in the arithmetic M take the matrix registers.
template <class V, class M>
inline constexpr bool kMatrixProducts = V::kHasMatrixTiles&& M::kPerCell == 2;

/// `Count` values per lane (one, or two that meet in a dot) as cells of M, one part behind the
/// other at this distance; the values are used up.
template <class V, class M, int Count, int Part = 0>
AETHER_INLINE void storeCells(typename M::Scratch* to, std::int64_t distance,
                              typename V::F (&values)[Count]) {
    typename V::F part[Count];
#pragma GCC unroll 2
    for (int i = 0; i < Count; ++i) {
        part[i] = values[i];
        if constexpr (Part + 1 < M::kParts) {
            part[i] = V::cutToBf16(values[i]);
            values[i] = V::sub(values[i], part[i]);
        }
    }
    if constexpr (Count == 1) {
        V::store(to, part[0]);
    } else {
        V::storePairs(to, part[0], part[1]);
    }
    if constexpr (Part + 1 < M::kParts) {
        storeCells<V, M, Count, Part + 1>(to + distance, distance, values);
    }
}

/// Nearest bfloat16 of a finite float, ties to even.
AETHER_INLINE std::uint16_t toBf16(float v) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

AETHER_INLINE float fromBf16(std::uint16_t v) {
    const std::uint32_t bits = static_cast<std::uint32_t>(v) << 16;
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}

}  // namespace aether::engine::cpu
