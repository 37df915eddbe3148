// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/fused/context.h"

namespace aether::engine::cpu {

/// L2 term and AdamW over all parameters, in pieces that do not depend on the threads.
class Optimizer {
  public:
    explicit Optimizer(const Context& context);
    /// Updates every parameter from its gradient, to which it adds the L2 term's; returns that term
    /// of the loss.
    double step(std::int64_t step);

  private:
    struct Piece {
        std::size_t parameter;
        std::int64_t first, count;
        double squares = 0;  ///< Σ w² before the update, where there is an L2 term
    };
    const Context& context_;
    std::vector<Piece> pieces_;
};

}  // namespace aether::engine::cpu
