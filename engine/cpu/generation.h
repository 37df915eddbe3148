// SPDX-License-Identifier: MIT
// A generation of the engine's own code: the same step, computed one way or another. `reference`,
// `direct` and `winograd` exist.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/workload.h"

namespace aether::engine::cpu {

/// Images as bytes N × H × W × C, one after the other, and their labels. At most the prepared
/// number of images.
struct Batch {
    const std::uint8_t* pixels;
    const std::int32_t* labels;
    std::int64_t images;
};

struct StepResult {
    double loss = 0;      ///< mean cross entropy plus the L2 term
    double accuracy = 0;  ///< share of images whose largest logit is the label's
};

struct Running {
    std::vector<double> mean, variance;  ///< [C]
};

/// One entry of `profile`: what it is, and what it costs in theory.
struct StageInfo {
    std::string name;
    std::string phase;  ///< "forward", "backward", "optimizer", "other"
    double flops = 0;
    double bytes = 0;  ///< of stored tensors read and written
};

/// Adds up the time between marks when somebody profiles, does nothing else otherwise.
class StageClock {
  public:
    void start(std::size_t stages);
    void stop() { running_ = false; }
    /// Ends a stage: the time since the previous mark (or `begin`) is its.
    void mark(std::size_t stage);
    void begin();
    const std::vector<std::int64_t>& nanoseconds() const { return nanoseconds_; }

  private:
    bool running_ = false;
    std::int64_t last_ = 0;
    std::vector<std::int64_t> nanoseconds_;
};

/// One network with its weights and optimizer on this processor. Parameters are in the workload's
/// order and layout.
class Generation {
  public:
    virtual ~Generation() = default;
    /// One training step; `step` counts from 0. Throws Failure(Numerics) when the loss is not
    /// finite.
    virtual StepResult step(const Batch& batch, std::int64_t step) = 0;
    /// With running statistics and without dropout; the loss has no L2 term.
    virtual StepResult evaluate(const Batch& batch) = 0;

    /// Sets parameter i; optimizer state and running statistics start anew with the first.
    virtual void setParameter(std::size_t i, std::span<const float> values) = 0;
    virtual std::vector<double> parameter(std::size_t i) const = 0;
    /// Of the last step, with the L2 term.
    virtual std::vector<double> gradient(std::size_t i) const = 0;
    /// Of a batch-norm layer.
    virtual Running running(std::size_t layer) const = 0;
    /// Zeros and ones of a dropout layer in the last step, in the workload's element order.
    virtual std::vector<float> mask(std::size_t layer) const = 0;
    /// Optimizer moments 0, running mean 0 and variance 1.
    virtual void resetState() = 0;

    virtual const std::vector<StageInfo>& stages() const = 0;
    virtual StageClock& clock() = 0;
    virtual std::int64_t memoryBytes() const = 0;
};

}  // namespace aether::engine::cpu
