// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/cpu/fused/dense_layer.h"
#include "engine/cpu/fused/edge_state.h"
#include "engine/cpu/fused/masks.h"
#include "engine/cpu/fused/stage_runner.h"

namespace aether::engine::cpu {

/// Whatever no convolution takes along: input as a tensor, copies between links, average pool,
/// dense, dropout. Image by image in floats: link on load, the operation, store with statistics;
/// and the same backwards.
class ElementStage final : public StageRunner {
  public:
    ElementStage(const Context& context, const Stage& stage, EdgeState& from, EdgeState& to,
                 const Masks& masks);

    ScratchBytes scratch() const override;
    void request(Arena& arena) override;
    std::int64_t packPieces() const override { return dense_ ? dense_->packPieces() : 0; }
    void pack(std::int64_t piece) override { dense_->pack(piece); }
    void forward(std::int64_t images, bool training) override;
    void backward(std::int64_t images) override;

  private:
    void forwardImage(std::int64_t image, bool training, const Scratch& scratch) const;
    void backwardImage(std::int64_t image, const Scratch& scratch) const;

    const Context& context_;
    const Stage stage_;
    EdgeState& from_;
    EdgeState& to_;
    const Masks& masks_;
    std::optional<DenseLayer> dense_;
    std::size_t bias_ = 0;  ///< parameter, with dense_
};

}  // namespace aether::engine::cpu
