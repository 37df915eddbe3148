// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/cpu/fused/context.h"
#include "engine/cpu/fused/plan.h"
#include "engine/cpu/generation.h"

namespace aether::engine::cpu {

/// A stored tensor, its gradient, and the numbers per channel that its link needs. Dimensions: N
/// images, H × W stored pixels, h × w loaded ones, C channels rounded up to the vector width.
class EdgeState {
  public:
    EdgeState(const Context& context, const Edge& edge);
    void request(Arena& arena);
    /// Constants of a link without batch norm; running statistics 0 and 1.
    void reset();

    const Edge& edge() const { return edge_; }
    std::int64_t channels() const { return channels_; }
    std::int64_t storedPixels() const { return edge_.stored.height * edge_.stored.width; }
    std::int64_t loadedPixels() const { return edge_.loaded.height * edge_.loaded.width; }

    bool pools() const { return edge_.link.edge > 1; }
    LinkArguments link(std::int64_t image, bool training) const;
    /// Where `load` keeps y at the maxima of the pool in training; null without one.
    void* pooled(std::int64_t image) const;
    /// The link once more, in backward: where there is a pool, of what was kept at its maxima.
    LinkArguments linkAgain(std::int64_t image) const;
    /// Where a producer puts y of one image; sums only where a batch norm wants them.
    StoreArguments store(std::int64_t image, const float* bias, bool training) const;
    /// Where a reader's dgrad puts dz, after `load`.
    GradientStoreArguments gradientStore(std::int64_t image) const;
    GradientLoadArguments gradientLoad(std::int64_t image, void* loaded, std::int64_t border,
                                       bool floatScratch) const;

    /// Of one image.
    std::int64_t gradientBytes() const { return gradientBytes_; }
    /// The batch's image into scratch with `stride` channels.
    void loadImage(std::int64_t image, std::int64_t stride, std::int64_t border,
                   float* loaded) const;

    /// Of the images [first, last), to be fetched early: y, what linkAgain reads, and dz.
    Ahead storedAhead(std::int64_t first, std::int64_t last) const;
    Ahead againAhead(std::int64_t first, std::int64_t last) const;
    Ahead gradientAhead(std::int64_t first, std::int64_t last) const;

    /// After the producer has run: batch statistics, or the running ones, into the link.
    void finishForward(std::int64_t images, bool training);
    /// After the reader's dgrad has run: gradients of scale and shift, coefficients of dy.
    void finishBackward(std::int64_t images);
    /// Gradient of a bias in front, Σ dy: exactly what the sums give in real arithmetic (zero
    /// before a batch norm).
    void biasGradient(float* gradient) const;

    /// Writes this image's share of drop: mask / (1 − rate).
    void setMask(std::int64_t first, const float* mask, std::int64_t count);
    std::vector<float> mask() const;
    Running running() const { return {runningMean_, runningVariance_}; }

  private:
    void sumOverImages(std::int64_t images);

    const Context& context_;
    const Edge edge_;
    std::int64_t channels_;
    std::int64_t storedBytes_ = 0, gradientBytes_ = 0;             ///< per image
    void* stored_ = nullptr;                                       ///< Stored [N][H][W][C]
    void* pooled_ = nullptr;                                       ///< Stored [N][h][w][C]
    void* dz_ = nullptr;                                           ///< Stored [N][h][w][C]
    float* sums_ = nullptr;                                        ///< [N][2][C]
    float* drop_ = nullptr;                                        ///< [N][C]
    float *mean_ = nullptr, *scale_ = nullptr, *shift_ = nullptr;  ///< [C]
    float *gain_ = nullptr, *slant_ = nullptr, *level_ = nullptr;  ///< [C]
    std::vector<double> totals_;                                   ///< [2][C]
    std::vector<double> inverse_;                                  ///< 1 / σ [C]
    std::vector<double> runningMean_, runningVariance_;
};

}  // namespace aether::engine::cpu
