// SPDX-License-Identifier: MIT
// Links applied on load, forward and backward. Every kernel handles one image.
#pragma once

#include "engine/cpu/kernels/arguments.h"
#include "engine/cpu/kernels/arithmetic.h"

namespace aether::engine::cpu {

/// `count` zeros.
template <class V, class T>
AETHER_INLINE void clear(T* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + V::kWidth <= count; i += V::kWidth)
        V::store(to + i, V::zero());
    for (; i < count; ++i)
        to[i] = T{};
}

/// Zeros the border of scratch [h + 2 border][w + 2 border][channels]. What is right of one row and
/// left of the next lies side by side.
template <class V, class T>
void clearBorder(T* scratch, std::int64_t h, std::int64_t w, std::int64_t channels,
                 std::int64_t border) {
    if (border == 0) return;
    const std::int64_t row = (w + 2 * border) * channels, side = border * channels;
    clear<V>(scratch, border * row + side);
    for (std::int64_t y = border + 1; y < h + border; ++y)
        clear<V>(scratch + y * row - side, 2 * side);
    clear<V>(scratch + (h + border) * row - side, side + border * row);
}

/// Into scratch, as A rounds; a store of bfloat16 rounds by itself.
template <class V, class A, class Out>
AETHER_INLINE void putScratch(Out* to, typename V::F value) {
    if constexpr (sizeof(Out) == sizeof(float)) {
        V::store(to, A::rounded(value));
    } else {
        V::store(to, value);
    }
}

/// One channel vector of a link.
template <class V>
struct LinkChannels {
    using F = typename V::F;
    F mean, scale, shift, slope, drop;

    static AETHER_INLINE LinkChannels at(const LinkArguments& link, std::int64_t c) {
        return {V::load(link.mean + c), V::load(link.scale + c), V::load(link.shift + c),
                V::set1(link.slope), V::load(link.drop + c)};
    }
    /// Batch norm and activation: the slope is at most 1.
    AETHER_INLINE F activated(F y) const {
        const F z = V::fma(V::sub(y, mean), scale, shift);
        return V::max(V::mul(slope, z), z);
    }
};

/// The stored value that is a window's maximum after batch norm and activation. These never turn
/// back, rounding included: they rise with y where scale is positive, so that the largest y is it,
/// and fall where it is negative. Where it is zero, all are equal, and PyTorch takes the first.
template <class V, class Stored>
AETHER_INLINE typename V::F windowMaximum(const Stored* corner, std::int64_t row,
                                          std::int64_t channels, std::int64_t pool,
                                          const LinkChannels<V>& link) {
    using F = typename V::F;
    const F first = V::load(corner);
    F largest = first, smallest = first;
    for (std::int64_t i = 0; i < pool; ++i) {
        for (std::int64_t j = (i == 0 ? 1 : 0); j < pool; ++j) {
            const F y = V::load(corner + i * row + j * channels);
            largest = V::max(y, largest);
            smallest = V::min(y, smallest);
        }
    }
    const F extreme = V::selectGreater(V::zero(), link.scale, smallest, largest);
    return V::selectEqual(link.scale, V::zero(), first, extreme);
}

/// `Pool` 1 and 2 are compiled in; 0 reads it at run time.
template <class V, class A, class Out, int Pool>
void loadWithPool(const LoadArguments& a) {
    using Stored = typename A::Stored;
    const LinkArguments& link = a.link;
    const std::int64_t pool = Pool == 0 ? link.pool : Pool;
    const std::int64_t h = link.height / pool, w = link.width / pool, channels = link.channels;
    const std::int64_t storedRow = link.width * channels;
    const std::int64_t outRow = (w + 2 * a.border) * channels;
    Out* const out = static_cast<Out*>(a.loaded) + (outRow + channels) * a.border;
    Stored* const maximum = static_cast<Stored*>(a.maximum);
    for (std::int64_t y = 0; y < h; ++y) {
        const Stored* const from = static_cast<const Stored*>(link.stored) + y * pool * storedRow;
        for (std::int64_t c = 0; c < channels; c += V::kWidth) {
            const auto parameters = LinkChannels<V>::at(link, c);
            for (std::int64_t x = 0; x < w; ++x) {
                const auto best = windowMaximum<V>(from + x * pool * channels + c, storedRow,
                                                   channels, pool, parameters);
                putScratch<V, A>(out + y * outRow + x * channels + c,
                                 V::mul(parameters.activated(best), parameters.drop));
                if (Pool != 1 && maximum != nullptr) {
                    V::store(maximum + (y * w + x) * channels + c, best);
                }
            }
        }
    }
    clearBorder<V>(static_cast<Out*>(a.loaded), h, w, channels, a.border);
}

template <class V, class A, class Out>
void loadTo(const LoadArguments& a) {
    if (a.link.pool == 1) return loadWithPool<V, A, Out, 1>(a);
    if (a.link.pool == 2) return loadWithPool<V, A, Out, 2>(a);
    loadWithPool<V, A, Out, 0>(a);
}

template <class V, class A>
void load(const LoadArguments& a) {
    if (a.floatScratch) return loadTo<V, A, float>(a);
    loadTo<V, A, typename A::Scratch>(a);
}

template <class V, class A, class Out, int Pool>
void loadGradientWithPool(const GradientLoadArguments& a) {
    using F = typename V::F;
    using Stored = typename A::Stored;
    const LinkArguments& link = a.link;
    const std::int64_t pool = Pool == 0 ? link.pool : Pool;
    const std::int64_t h = link.height / pool, w = link.width / pool, channels = link.channels;
    const std::int64_t storedRow = link.width * channels;
    const std::int64_t outRow = (link.width + 2 * a.border) * channels;
    Out* const out = static_cast<Out*>(a.loaded) + (outRow + channels) * a.border;
    const Stored* const stored = static_cast<const Stored*>(link.stored);
    const Stored* const dz = static_cast<const Stored*>(a.dz);
    // Rows and columns that the pool drops: only the part that the batch's statistics cause.
    for (std::int64_t y = 0; y < link.height; ++y) {
        for (std::int64_t x = y < h * pool ? w * pool : 0; x < link.width; ++x) {
            for (std::int64_t c = 0; c < channels; c += V::kWidth) {
                const F centred = V::sub(V::load(stored + y * storedRow + x * channels + c),
                                         V::load(link.mean + c));
                const F dy = V::fma(V::load(a.slant + c), centred, V::load(a.level + c));
                putScratch<V, A>(out + y * outRow + x * channels + c, dy);
            }
        }
    }
    for (std::int64_t y = 0; y < h; ++y) {
        for (std::int64_t c = 0; c < channels; c += V::kWidth) {
            const auto parameters = LinkChannels<V>::at(link, c);
            const F gain = V::load(a.gain + c), slant = V::load(a.slant + c);
            const F level = V::load(a.level + c);
            for (std::int64_t x = 0; x < w; ++x) {
                const Stored* const corner =
                    stored + y * pool * storedRow + x * pool * channels + c;
                Out* const to = out + y * pool * outRow + x * pool * channels + c;
                F rest = V::load(dz + (y * w + x) * channels + c);
                F top = V::zero();
                if (Pool != 1)
                    top = windowMaximum<V>(corner, storedRow, channels, pool, parameters);
                for (std::int64_t i = 0; i < pool; ++i) {
                    for (std::int64_t j = 0; j < pool; ++j) {
                        const F value = V::load(corner + i * storedRow + j * channels);
                        F mine = rest;
                        if (Pool != 1) {  // the first maximum takes the gradient
                            mine = V::selectEqual(value, top, rest, V::zero());
                            rest = V::selectEqual(value, top, V::zero(), rest);
                        }
                        const F dy = V::fma(gain, mine,
                                            V::fma(slant, V::sub(value, parameters.mean), level));
                        putScratch<V, A>(to + i * outRow + j * channels, dy);
                    }
                }
            }
        }
    }
    clearBorder<V>(static_cast<Out*>(a.loaded), link.height, link.width, channels, a.border);
}

template <class V, class A, class Out>
void loadGradientTo(const GradientLoadArguments& a) {
    if (a.link.pool == 1) return loadGradientWithPool<V, A, Out, 1>(a);
    if (a.link.pool == 2) return loadGradientWithPool<V, A, Out, 2>(a);
    loadGradientWithPool<V, A, Out, 0>(a);
}

template <class V, class A>
void loadGradient(const GradientLoadArguments& a) {
    if (a.floatScratch) return loadGradientTo<V, A, float>(a);
    loadGradientTo<V, A, typename A::Scratch>(a);
}

template <class V, class A>
void loadBytes(const std::uint8_t* bytes, const float* values, std::int64_t height,
               std::int64_t width, std::int64_t channels, std::int64_t stride, std::int64_t border,
               float* loaded) {
    float converted[256];
    for (int i = 0; i < 256; ++i)
        converted[i] = A::kRounds ? fromBf16(toBf16(values[i])) : values[i];
    const std::int64_t row = (width + 2 * border) * stride;
    for (std::int64_t y = 0; y < height; ++y) {
        float* const to = loaded + (y + border) * row + border * stride;
        const std::uint8_t* const from = bytes + y * width * channels;
        if (stride == channels) {
            for (std::int64_t i = 0; i < width * channels; ++i)
                to[i] = converted[from[i]];
            continue;
        }
        for (std::int64_t x = 0; x < width; ++x) {
            for (std::int64_t c = 0; c < stride; ++c)
                to[x * stride + c] = c < channels ? converted[from[x * channels + c]] : 0.0F;
        }
    }
    clearBorder<V>(loaded, height, width, stride, border);
}

}  // namespace aether::engine::cpu
