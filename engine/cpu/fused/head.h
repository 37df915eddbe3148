// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/cpu/fused/dense_layer.h"
#include "engine/cpu/fused/edge_state.h"
#include "engine/cpu/fused/masks.h"
#include "engine/cpu/generation.h"

namespace aether::engine::cpu {

/// The last layers, the loss and their gradients, one image after the other.
class Head {
  public:
    Head(const Context& context, const Plan& plan, EdgeState& input, const Masks& masks);
    void request(Arena& arena, int threads);
    std::int64_t packPieces() const;
    void pack(std::int64_t piece);
    /// Forward and, when training, backward. Loss without L2 term.
    StepResult run(const Batch& batch, bool training);

  private:
    /// One layer and, per thread, its output and the output's gradient: [pixels][stride].
    struct Step {
        std::size_t layer;
        std::int64_t pixels, channels, stride;
        std::unique_ptr<DenseLayer> dense;
        std::vector<float*> output, gradient;
    };

    void image(std::int64_t n, int worker, const Batch& batch, bool training);
    void forwardStep(std::size_t i, std::int64_t n, int worker, const float* x, bool training);
    void backwardStep(std::size_t i, std::int64_t n, int worker, const float* x, float* dx);

    const Context& context_;
    EdgeState& input_;
    const Masks& masks_;
    std::vector<Step> steps_;          ///< the first is the loaded input itself
    double* losses_ = nullptr;         ///< [N]
    std::uint8_t* correct_ = nullptr;  ///< [N]
};

}  // namespace aether::engine::cpu
