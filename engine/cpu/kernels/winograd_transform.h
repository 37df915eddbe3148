// SPDX-License-Identifier: MIT
// The one-dimensional transforms of Winograd's F(4, 3): four outputs of a three-tap filter from six
// inputs and six products, y = Aᵀ [(G g) ⊙ (Bᵀ d)], with the interpolation points 0, ±√½, ±√2, ∞
// (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015, section 4; the Toom-
// Cook construction with points p: row p of G is (1, p, p²) / Π (p − other points)). These points
// halve the rounding error of the customary 0, ±1, ±2. Two dimensions: the transform along columns,
// then along rows.
#pragma once

#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

inline constexpr int kWinogradOutputs = 4;  ///< of a tile, along each edge
inline constexpr int kWinogradTile = 6;     ///< inputs and products along each edge
inline constexpr int kWinogradProducts = kWinogradTile * kWinogradTile;

template <class V>
struct WinogradTransform {
    using F = typename V::F;

    static constexpr double kA = 0.70710678118654752440, kB = 1.41421356237309504880;
    static constexpr double kA2 = 0.5, kB2 = 2.0;  // A² B² = 1, A² + B² = 2.5
    static constexpr double kGa = 1 / (2 * kA2 * (kA2 - kB2)), kGb = 1 / (2 * kB2 * (kB2 - kA2));

    static AETHER_INLINE F constant(double v) { return V::set1(static_cast<float>(v)); }

    /// o = Bᵀ d
    static AETHER_INLINE void input(const F (&d)[6], F (&o)[6]) {
        const F evenB = V::fma(constant(-kB2), d[2], d[4]);
        const F oddB = V::mul(constant(kA), V::fma(constant(-kB2), d[1], d[3]));
        const F evenA = V::fma(constant(-kA2), d[2], d[4]);
        const F oddA = V::mul(constant(kB), V::fma(constant(-kA2), d[1], d[3]));
        o[0] = V::add(d[0], V::fma(constant(-kA2 - kB2), d[2], d[4]));
        o[1] = V::add(evenB, oddB);
        o[2] = V::sub(evenB, oddB);
        o[3] = V::add(evenA, oddA);
        o[4] = V::sub(evenA, oddA);
        o[5] = V::add(d[1], V::fma(constant(-kA2 - kB2), d[3], d[5]));
    }
    /// y = Aᵀ m
    static AETHER_INLINE void output(const F (&m)[6], F (&y)[4]) {
        const F sumA = V::add(m[1], m[2]), differenceA = V::sub(m[1], m[2]);
        const F sumB = V::add(m[3], m[4]), differenceB = V::sub(m[3], m[4]);
        y[0] = V::add(V::add(m[0], sumA), sumB);
        y[1] = V::fma(constant(kB), differenceB, V::mul(constant(kA), differenceA));
        y[2] = V::fma(constant(kB2), sumB, V::mul(constant(kA2), sumA));
        y[3] =
            V::fma(constant(kB * kB2), differenceB, V::fma(constant(kA * kA2), differenceA, m[5]));
    }
    /// o = A y
    static AETHER_INLINE void outputGradient(const F (&y)[4], F (&o)[6]) {
        const F evenA = V::fma(constant(kA2), y[2], y[0]);
        const F oddA = V::fma(constant(kA * kA2), y[3], V::mul(constant(kA), y[1]));
        const F evenB = V::fma(constant(kB2), y[2], y[0]);
        const F oddB = V::fma(constant(kB * kB2), y[3], V::mul(constant(kB), y[1]));
        o[0] = y[0];
        o[1] = V::add(evenA, oddA);
        o[2] = V::sub(evenA, oddA);
        o[3] = V::add(evenB, oddB);
        o[4] = V::sub(evenB, oddB);
        o[5] = y[3];
    }
    /// u = G g
    static AETHER_INLINE void weight(const F (&g)[3], F (&u)[6]) {
        const F evenA = V::mul(constant(kGa), V::fma(constant(kA2), g[2], g[0]));
        const F oddA = V::mul(constant(kGa * kA), g[1]);
        const F evenB = V::mul(constant(kGb), V::fma(constant(kB2), g[2], g[0]));
        const F oddB = V::mul(constant(kGb * kB), g[1]);
        u[0] = g[0];
        u[1] = V::add(evenA, oddA);
        u[2] = V::sub(evenA, oddA);
        u[3] = V::add(evenB, oddB);
        u[4] = V::sub(evenB, oddB);
        u[5] = g[2];
    }
    /// g = Gᵀ u
    static AETHER_INLINE void weightGradient(const F (&u)[6], F (&g)[3]) {
        const F sumA = V::mul(constant(kGa), V::add(u[1], u[2]));
        const F sumB = V::mul(constant(kGb), V::add(u[3], u[4]));
        g[0] = V::add(u[0], V::add(sumA, sumB));
        g[1] = V::fma(constant(kGa * kA), V::sub(u[1], u[2]),
                      V::mul(constant(kGb * kB), V::sub(u[3], u[4])));
        g[2] = V::add(u[5], V::fma(constant(kA2), sumA, V::mul(constant(kB2), sumB)));
    }
};

}  // namespace aether::engine::cpu
