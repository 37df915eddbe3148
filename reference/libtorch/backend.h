// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "common/dataset.h"
#include "common/runner_server.h"
#include "reference/libtorch/training.h"

namespace aether::reference {

/// The LibTorch runner: eager PyTorch in C++, on the CPU.
class Backend : public RunnerBackend {
  public:
    protocol::Hello hello() const override;
    protocol::Description describe() override;
    protocol::Prepared prepare(const protocol::PrepareRequest& request) override;
    protocol::Sample measure(std::int64_t steps) override;
    protocol::Stages profile(std::int64_t steps) override;
    protocol::Traced trace(const protocol::TraceRequest& request) override;
    protocol::Trained train(int epochs,
                            const std::function<void(const protocol::Epoch&)>& onEpoch) override;

  private:
    /// Images and labels as tensors; images uint8, logical NCHW in the strides of the layout.
    struct Batch {
        at::Tensor images;
        at::Tensor labels;
    };

    Batch batchOf(const ImageSet& set, const std::vector<std::uint32_t>& indices) const;
    Batch nextBatch();
    StepOutcome timedStep(LayerClock* clock);
    /// The masks that docs/workload.md defines for the running step.
    Masks definedMasks(std::int64_t batch) const;
    void restart();
    protocol::Epoch trainEpoch(int epoch);

    std::optional<Workload> workload_;
    Dataset data_;
    std::vector<Batch> batches_;  ///< the training set in storage order, whole batches
    std::unique_ptr<Training> training_;
    at::MemoryFormat format_ = at::MemoryFormat::Contiguous;
    bool bf16_ = false;
    std::uint64_t seed_ = 0;
    std::int64_t batch_ = 0;
    std::size_t visit_ = 0;
};

}  // namespace aether::reference
