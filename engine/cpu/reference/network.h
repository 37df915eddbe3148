// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/generation.h"
#include "engine/cpu/reference/layers.h"

namespace aether::engine::cpu {

/// The generation `reference`: a chain of plain layer functions over whole tensors, one thread.
/// With Real = double it is the truth that tests compare with.
template <class Real>
class ReferenceNetwork final : public Generation {
  public:
    ReferenceNetwork(const Workload& workload, std::int64_t batch, std::uint64_t seed);

    StepResult step(const Batch& batch, std::int64_t step) override;
    StepResult evaluate(const Batch& batch) override;
    void setParameter(std::size_t i, std::span<const float> values) override;
    std::vector<double> parameter(std::size_t i) const override;
    std::vector<double> gradient(std::size_t i) const override;
    Running running(std::size_t layer) const override;
    std::vector<float> mask(std::size_t layer) const override;
    void resetState() override;
    const std::vector<StageInfo>& stages() const override { return stages_; }
    StageClock& clock() override { return clock_; }
    std::int64_t memoryBytes() const override;

    /// Moves one weight; for finite differences.
    void nudge(std::size_t parameter, std::size_t element, double by);

  private:
    struct LayerState {
        std::size_t weight =
            0;  ///< index of the layer's first parameter (weight or scale); the second follows
        std::vector<Real> output, gradient;  ///< of the layer's output
        std::vector<double> mean, variance;  ///< of the batch
        std::vector<double> runningMean, runningVariance;
        std::vector<float> mask;
    };

    reference::Dimensions dimensions(const Shape& shape, std::int64_t images) const;
    void standardise(const Batch& batch);
    void forward(std::size_t layer, std::int64_t images, bool training);
    void backward(std::size_t layer, std::int64_t images);
    double regularise();
    void optimise(std::int64_t step);

    const Workload workload_;
    std::uint64_t seed_;
    std::vector<Real> input_;
    std::vector<LayerState> layers_;
    std::vector<std::vector<Real>> parameters_, gradients_, first_, second_;
    std::vector<StageInfo> stages_;
    StageClock clock_;
};

}  // namespace aether::engine::cpu
