// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "common/dataset.h"
#include "common/protocol.h"
#include "engine/cpu/generation.h"

namespace aether::engine::cpu {

/// A generation, its data and its place in them.
class Training {
  public:
    Training(const Workload& workload, Dataset data, std::int64_t batch, std::uint64_t seed,
             std::unique_ptr<Generation> generation);

    Generation& generation() { return *generation_; }
    const Workload& workload() const { return workload_; }
    std::int64_t batch() const { return batch_; }
    std::uint64_t seed() const { return seed_; }
    const char* dataKind() const { return data_.kind(); }

    /// Initial weights, no optimizer state, step 0, first image.
    void restart();
    /// One step on the next batch in storage order; an incomplete last batch is skipped.
    StepResult next();
    /// One step on a given batch.
    StepResult step(const Batch& batch) { return generation_->step(batch, step_++); }
    /// All training images in the epoch's order, then the test set.
    protocol::Epoch epoch(int number);

  private:
    StepResult evaluate() const;

    const Workload workload_;
    const Dataset data_;
    const std::int64_t batch_;
    const std::uint64_t seed_;
    std::unique_ptr<Generation> generation_;
    std::int64_t step_ = 0;
    std::int64_t position_ = 0;         ///< image at which `next` goes on
    std::vector<std::uint8_t> pixels_;  ///< of a gathered batch
    std::vector<std::int32_t> labels_;
};

}  // namespace aether::engine::cpu
