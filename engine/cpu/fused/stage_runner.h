// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/cpu/arena.h"
#include "engine/cpu/fused/context.h"

namespace aether::engine::cpu {

/// One stage of the plan at work.
class StageRunner {
  public:
    virtual ~StageRunner() = default;
    virtual ScratchBytes scratch() const = 0;
    virtual void request(Arena& arena) = 0;
    /// Weights into the kernels' order: independent pieces, at the start of every step.
    virtual std::int64_t packPieces() const = 0;
    virtual void pack(std::int64_t piece) = 0;
    /// All images; then the statistics of the edge it wrote.
    virtual void forward(std::int64_t images, bool training) = 0;
    /// Gradients of its parameters and of the edge it read.
    virtual void backward(std::int64_t images) = 0;
};

}  // namespace aether::engine::cpu
