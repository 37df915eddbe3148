// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/direct/edge_state.h"
#include "engine/cpu/direct/stage_runner.h"

namespace aether::engine::cpu {

/// Link on load, convolution, epilogue; backward wgrad, then dgrad on the same dy while it is in
/// the cache.
class ConvolutionStage final : public StageRunner {
  public:
    ConvolutionStage(const Context& context, const Stage& stage, EdgeState& from, EdgeState& to);

    ScratchBytes scratch() const override;
    void request(Arena& arena) override;
    std::int64_t packPieces() const override;
    void pack(std::int64_t piece) override;
    void forward(std::int64_t images, bool training) override;
    void backward(std::int64_t images) override;

  private:
    void load(std::int64_t image, const Scratch& scratch, bool training, void* maximum) const;
    void backwardChunk(std::int64_t chunk, std::int64_t images, const Scratch& scratch) const;

    const Context& context_;
    const Layer& layer_;
    std::size_t parameter_;  ///< the weight; the bias follows
    EdgeState& from_;
    EdgeState& to_;
    ConvolutionShape forwardShape_, backwardShape_;
    std::int64_t border_;
    std::int64_t partialFloats_;
    void* packed_ = nullptr;
    void* packedFlipped_ = nullptr;
    float* bias_ = nullptr;      ///< [C] padded
    float* partials_ = nullptr;  ///< [chunks][partialFloats_]
};

}  // namespace aether::engine::cpu
