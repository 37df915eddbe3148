// SPDX-License-Identifier: MIT
// Small per-image operations in plain loops, for the head and the stages that nothing is fused
// into.
#pragma once

#include <cstdint>

namespace aether::engine::cpu {

/// y[c] = mean over pixels of x [pixels][stride]; `channels` of them.
inline void averagePixels(const float* x, std::int64_t pixels, std::int64_t stride,
                          std::int64_t channels, float* y) {
    const float share = 1.0F / static_cast<float>(pixels);
    for (std::int64_t c = 0; c < channels; ++c)
        y[c] = 0;
    for (std::int64_t p = 0; p < pixels; ++p) {
        for (std::int64_t c = 0; c < channels; ++c)
            y[c] += x[p * stride + c];
    }
    for (std::int64_t c = 0; c < channels; ++c)
        y[c] *= share;
}

/// dx[p][c] = dy[c] / pixels; zeros in the padding.
inline void spreadOverPixels(const float* dy, std::int64_t pixels, std::int64_t stride,
                             std::int64_t channels, float* dx) {
    const float share = 1.0F / static_cast<float>(pixels);
    for (std::int64_t p = 0; p < pixels; ++p) {
        for (std::int64_t c = 0; c < channels; ++c)
            dx[p * stride + c] = dy[c] * share;
        for (std::int64_t c = channels; c < stride; ++c)
            dx[p * stride + c] = 0;
    }
}

/// y[p][c] = x[p][c] · mask[p · channels + c] · kept; zeros in the padding.
inline void maskPixels(const float* x, std::int64_t pixels, std::int64_t stride,
                       std::int64_t channels, const float* mask, float kept, float* y) {
    for (std::int64_t p = 0; p < pixels; ++p) {
        for (std::int64_t c = 0; c < channels; ++c) {
            y[p * stride + c] = x[p * stride + c] * mask[p * channels + c] * kept;
        }
        for (std::int64_t c = channels; c < stride; ++c)
            y[p * stride + c] = 0;
    }
}

}  // namespace aether::engine::cpu
