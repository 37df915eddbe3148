// SPDX-License-Identifier: MIT
// Shapes, and tensors as kernels want them: channels padded to the vector width, images with a
// border.
#pragma once

#include <algorithm>

#include "tests/engine/cpu/support.h"

namespace aether::engine::cpu::test {

struct Case {
    std::int64_t h, w, c, k, f, pool;
    double slope;
    std::string text() const {
        return std::to_string(c) + " to " + std::to_string(k) + " channels, " + std::to_string(h) +
               " x " + std::to_string(w) + ", kernel " + std::to_string(f) + ", pool " +
               std::to_string(pool);
    }
};

/// The layers of both published networks, then shapes that divide nothing.
inline const std::vector<Case> kCases{
    {32, 32, 3, 32, 3, 1, 0},  {32, 32, 32, 32, 3, 2, 0}, {16, 16, 32, 64, 3, 1, 0.01},
    {16, 16, 64, 64, 3, 2, 0}, {8, 8, 64, 128, 3, 2, 0},  {16, 16, 32, 64, 3, 2, 0.01},
    {1, 1, 1, 1, 1, 1, 1},     {1, 1, 5, 3, 3, 1, 0},     {3, 2, 7, 9, 5, 1, 0.2},
    {7, 9, 17, 33, 3, 2, 0},   {5, 5, 24, 8, 1, 1, 1},    {11, 6, 1, 20, 5, 3, 0},
    {2, 40, 40, 12, 3, 1, 0},  {9, 4, 6, 48, 3, 4, 0.5},  {6, 6, 12, 16, 7, 1, 0},
};

class Kernels : public testing::TestWithParam<const KernelTable*> {
  protected:
    void SetUp() override {
        if (!isRunnable(*GetParam())) {
            GTEST_SKIP() << "this processor lacks " << GetParam()->name;
        }
    }
    std::int64_t padded(std::int64_t channels) const {
        const std::int64_t width = GetParam()->width;
        return (channels + width - 1) / width * width;
    }
    /// [pixels][c] into [pixels][padded(c)], zeros behind.
    std::vector<float> spread(const std::vector<float>& dense, std::int64_t c) const {
        const std::int64_t pixels = static_cast<std::int64_t>(dense.size()) / c, stride = padded(c);
        std::vector<float> wide(static_cast<std::size_t>(pixels * stride));
        for (std::int64_t p = 0; p < pixels; ++p) {
            std::copy_n(dense.begin() + p * c, c, wide.begin() + p * stride);
        }
        return wide;
    }
    std::vector<double> gather(const std::vector<float>& wide, std::int64_t c) const {
        const std::int64_t stride = padded(c);
        const std::int64_t pixels = static_cast<std::int64_t>(wide.size()) / stride;
        std::vector<double> dense;
        for (std::int64_t p = 0; p < pixels; ++p) {
            for (std::int64_t i = 0; i < stride; ++i) {
                const float v = wide[static_cast<std::size_t>(p * stride + i)];
                if (i < c)
                    dense.push_back(v);
                else
                    EXPECT_EQ(v, 0.0F) << "padding channel " << i;
            }
        }
        return dense;
    }
    std::vector<float> constants(std::int64_t c, float value) const {
        return spread(std::vector<float>(static_cast<std::size_t>(c), value), c);
    }
};

inline std::vector<double> toDouble(const std::vector<float>& v) {
    return {v.begin(), v.end()};
}

/// [h][w][c] into [h + 2 border][w + 2 border][c].
inline std::vector<float> bordered(const std::vector<float>& image, std::int64_t h, std::int64_t w,
                                   std::int64_t c, std::int64_t border) {
    const std::int64_t row = (w + 2 * border) * c;
    std::vector<float> out(static_cast<std::size_t>((h + 2 * border) * row));
    for (std::int64_t y = 0; y < h; ++y) {
        std::copy_n(image.begin() + y * w * c, w * c,
                    out.begin() + (y + border) * row + border * c);
    }
    return out;
}

}  // namespace aether::engine::cpu::test
