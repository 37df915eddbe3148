// SPDX-License-Identifier: MIT
// What happens to results while they are in registers: bias, rounding, storing, sums. A column is
// one vector of channels; the sums of a tile are added up before they join the running sum, which
// shortens the chain of roundings.
#pragma once

#include "engine/cpu/kernels/arguments.h"
#include "engine/cpu/kernels/arithmetic.h"

namespace aether::engine::cpu {

template <class V, class T>
AETHER_INLINE void put(T* to, typename V::F value, bool stream) {
    if (stream) {
        V::stream(to, value);
    } else {
        V::store(to, value);
    }
}

template <class V, class A>
struct StoreColumn {
    using F = typename V::F;
    using Stored = typename A::Stored;
    Stored* stored;
    float* sums;
    std::int64_t channels, channel;
    bool stream;
    F bias, sum, squares;

    AETHER_INLINE StoreColumn(const StoreArguments& a, std::int64_t c, std::int64_t count)
        : stored(static_cast<Stored*>(a.stored) + c),
          sums(a.sums),
          channels(count),
          channel(c),
          stream(a.stream),
          bias(V::load(a.bias + c)),
          sum(V::zero()),
          squares(V::zero()) {}

    /// y[pixel] … y[pixel + Count − 1]; value(i) is the i-th.
    template <int Count, class Values>
    AETHER_INLINE void take(std::int64_t pixel, const Values& value) {
        F tileSum = V::zero(), tileSquares = V::zero();
#pragma GCC unroll 16
        for (int i = 0; i < Count; ++i) {
            const F y = A::rounded(V::add(value(i), bias));
            put<V>(stored + (pixel + i) * channels, y, stream);
            tileSum = V::add(tileSum, y);
            tileSquares = V::fma(y, y, tileSquares);
        }
        sum = V::add(sum, tileSum);
        squares = V::add(squares, tileSquares);
    }
    /// Goes on with the sums of an earlier column of the same image.
    AETHER_INLINE void resume() {
        if (sums == nullptr) return;
        sum = V::load(sums + channel);
        squares = V::load(sums + channels + channel);
    }
    AETHER_INLINE void finish() const {
        if (sums == nullptr) return;
        V::store(sums + channel, sum);
        V::store(sums + channels + channel, squares);
    }
};

template <class V, class A>
struct GradientStoreColumn {
    using F = typename V::F;
    using Stored = typename A::Stored;
    Stored* dz;
    const Stored* at;
    float* sums;
    std::int64_t channels, channel;
    const GradientStoreArguments& a;
    F sum, products;

    AETHER_INLINE GradientStoreColumn(const GradientStoreArguments& arguments, std::int64_t c,
                                      std::int64_t count)
        : dz(static_cast<Stored*>(arguments.dz) + c),
          at(static_cast<const Stored*>(arguments.at) + c),
          sums(arguments.sums),
          channels(count),
          channel(c),
          a(arguments),
          sum(V::zero()),
          products(V::zero()) {}

    template <int Count, class Values>
    AETHER_INLINE void take(std::int64_t pixel, const Values& value) {
        const F mean = V::load(a.mean + channel), scale = V::load(a.scale + channel);
        const F shift = V::load(a.shift + channel), drop = V::load(a.drop + channel);
        const F slope = V::set1(a.slope);
        F tileSum = V::zero(), tileProducts = V::zero();
#pragma GCC unroll 16
        for (int i = 0; i < Count; ++i) {
            const F centred = V::sub(V::load(at + (pixel + i) * channels), mean);
            const F z = V::fma(centred, scale, shift);
            const F g = V::mul(value(i), drop);
            const F masked = A::rounded(V::selectGreater(z, V::zero(), g, V::mul(g, slope)));
            put<V>(dz + (pixel + i) * channels, masked, a.stream);
            tileSum = V::add(tileSum, masked);
            tileProducts = V::fma(masked, centred, tileProducts);
        }
        sum = V::add(sum, tileSum);
        products = V::add(products, tileProducts);
    }
    AETHER_INLINE void resume() {
        sum = V::load(sums + channel);
        products = V::load(sums + channels + channel);
    }
    AETHER_INLINE void finish() const {
        V::store(sums + channel, sum);
        V::store(sums + channels + channel, products);
    }
};

/// The same epilogues for values that lie in memory, [pixels][channels].
template <class V, class Column, class Arguments>
void takeAll(const float* values, std::int64_t pixels, std::int64_t channels, const Arguments& a) {
    for (std::int64_t c = 0; c < channels; c += V::kWidth) {
        Column column(a, c, channels);
        for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
            column.template take<1>(
                pixel, [&](int) __attribute__((always_inline)) {
                    return V::load(values + pixel * channels + c);
                });
        }
        column.finish();
    }
}

template <class V, class A>
void store(const float* values, std::int64_t pixels, std::int64_t channels,
           const StoreArguments& a) {
    takeAll<V, StoreColumn<V, A>>(values, pixels, channels, a);
}

template <class V, class A>
void storeGradient(const float* dx, std::int64_t pixels, std::int64_t channels,
                   const GradientStoreArguments& a) {
    takeAll<V, GradientStoreColumn<V, A>>(dx, pixels, channels, a);
}

}  // namespace aether::engine::cpu
