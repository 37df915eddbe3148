// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "engine/cpu/fused/head.h"
#include "engine/cpu/fused/optimizer.h"
#include "engine/cpu/fused/stage_runner.h"
#include "engine/cpu/loss.h"

namespace aether::engine::cpu {

/// The generations `direct` and `winograd`: the network as fused stages over register-blocked
/// kernels, which differ in how they convolve.
class FusedNetwork final : public Generation {
  public:
    /// Throws Failure(Unsupported) naming a layer, Failure(OutOfMemory) with the size.
    FusedNetwork(const Workload& workload, std::int64_t batch, std::uint64_t seed, int threads,
                 const KernelTable& table, Arithmetic arithmetic, ConvolutionMethod method);

    StepResult step(const Batch& batch, std::int64_t step) override;
    StepResult evaluate(const Batch& batch) override;
    void setParameter(std::size_t i, std::span<const float> values) override;
    std::vector<double> parameter(std::size_t i) const override;
    std::vector<double> gradient(std::size_t i) const override;
    Running running(std::size_t layer) const override;
    std::vector<float> mask(std::size_t layer) const override { return masks_.all(layer); }
    void resetState() override;
    const std::vector<StageInfo>& stages() const override { return stageInfo_; }
    StageClock& clock() override { return clock_; }
    std::int64_t memoryBytes() const override { return arena_.bytes(); }

  private:
    void buildStages();
    void requestMemory();
    /// Statistics of the bytes, masks, packed weights.
    void preprocess(const Batch& batch, std::int64_t step, bool training);

    const Workload workload_;
    const Plan plan_;
    ThreadPool pool_;
    Arena arena_;
    std::vector<ParameterTensors> parameters_;
    std::vector<Scratch> scratch_;
    Context context_;
    std::deque<EdgeState> edges_;
    Masks masks_;
    std::vector<std::unique_ptr<StageRunner>> stages_;
    std::optional<Head> head_;
    std::optional<Optimizer> optimizer_;
    std::vector<ByteSums> byteSums_;
    std::vector<StageInfo> stageInfo_;
    StageClock clock_;
};

}  // namespace aether::engine::cpu
