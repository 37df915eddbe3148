// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/fused/edge_state.h"
#include "engine/cpu/fused/stage_runner.h"

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
    enum class Pass { Evaluation, Forward, Backward };
    /// Consecutive images of a chunk that the kernels take at once.
    struct Group {
        std::int64_t first, last;
        std::int64_t next;  ///< the last of the group behind it; `last` where there is none
    };
    /// Calls work(group) for the groups of a chunk in order.
    template <class Work>
    void forGroups(std::int64_t chunk, std::int64_t images, const Work& work) const;
    void load(const Group& group, const Scratch& scratch, Pass pass) const;
    void forwardGroup(const Group& group, const Scratch& scratch, bool training) const;
    void backwardChunk(std::int64_t chunk, std::int64_t images, const Scratch& scratch) const;
    void inputGradient(const Group& group, const Scratch& scratch) const;

    const Context& context_;
    const Layer& layer_;
    std::size_t parameter_;  ///< the weight; the bias follows
    EdgeState& from_;
    EdgeState& to_;
    std::int64_t border_;
    ConvolutionShape forwardShape_, backwardShape_;
    const ConvolutionKernels& kernels_;
    std::int64_t scratchBytes_;  ///< per element
    std::int64_t imagesAtOnce_;
    std::int64_t partialFloats_, accumulatorFloats_;
    void* packed_ = nullptr;
    void* packedFlipped_ = nullptr;
    float* bias_ = nullptr;      ///< [C] padded
    float* partials_ = nullptr;  ///< [chunks][partialFloats_]
};

}  // namespace aether::engine::cpu
