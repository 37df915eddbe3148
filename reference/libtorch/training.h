// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "common/workload.h"
#include "reference/libtorch/network.h"

namespace aether::reference {

/// What one step reports; tensors, so that reading them back is the caller's choice.
struct StepOutcome {
    at::Tensor loss;      ///< scalar, with the L2 term
    at::Tensor accuracy;  ///< scalar in [0, 1]
};

/// One network, its optimizer state and step number: the whole training step of docs/workload.md,
/// eager.
class Training {
  public:
    Training(const Workload& workload, std::uint64_t seed, at::MemoryFormat format, bool bf16);

    /// images: uint8, logical [N, C, H, W], strides as the layout wants them; labels: int64 [N].
    StepOutcome step(const at::Tensor& images, const at::Tensor& labels, const Masks& masks,
                     LayerClock* clock = nullptr);

    /// Loss without L2 and accuracy with running statistics.
    StepOutcome evaluate(const at::Tensor& images, const at::Tensor& labels);

    /// Masks drawn by PyTorch's own generator, as at::feature_dropout and at::dropout draw them.
    Masks drawMasks(std::int64_t batch) const;

    Network& network() { return network_; }
    std::int64_t stepNumber() const { return stepNumber_; }

  private:
    at::Tensor standardised(const at::Tensor& images) const;
    at::Tensor logits(const at::Tensor& images, bool training, const Masks& masks,
                      LayerClock* clock);
    void update();

    const Workload& workload_;
    Network network_;
    at::MemoryFormat format_;
    bool bf16_;
    std::int64_t stepNumber_ = 0;
    std::vector<at::Tensor> firstMoments_, secondMoments_, stepCounts_;
};

}  // namespace aether::reference
