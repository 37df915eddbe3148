// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <string>
#include <vector>

#include "common/safetensors.h"
#include "common/workload.h"
#include "reference/libtorch/layer_clock.h"

namespace aether::reference {

/// Dropout masks by layer index: zeros and 1 / (1 − rate), of the activation's layout ([N, C, 1,
/// 1], [N, F], [N, C, H, W]).
using Masks = std::map<std::size_t, at::Tensor>;

/// A workload's network in ATen operations, logical NCHW; `format` chooses the strides.
class Network {
  public:
    /// Weights as docs/workload.md initialises them.
    Network(const Workload& workload, std::uint64_t seed, at::MemoryFormat format);

    /// x [N, C, H, W] standardised. Training: batch statistics, which also update the running ones,
    /// and masks. Otherwise running statistics and no dropout. `clock` may be null; with it each
    /// layer's forward and backward are marked.
    at::Tensor forward(at::Tensor x, bool training, const Masks& masks, LayerClock* clock);

    /// Σ l2 · Σ w², a scalar; undefined when no layer has an L2 term.
    at::Tensor l2Term() const;

    /// Trained tensors, in the order of Workload::parameters, in the framework's shapes (OIHW,
    /// [units, inputs]).
    const std::vector<at::Tensor>& parameters() const { return parameters_; }
    std::int64_t parameterCount() const;

    /// "nchw" or "nhwc": the strides that the first convolution's output really had.
    const std::string& effectiveLayout() const { return effectiveLayout_; }

    /// parameter i or its gradient in the canonical shape (HWIO, [inputs, units]), as float32.
    Tensor canonical(std::size_t parameter, const at::Tensor& value) const;
    /// Overwrites parameter i from canonical values.
    void assign(std::size_t parameter, const Tensor& canonical);
    /// running.LAYER.mean and running.LAYER.variance.
    TensorMap runningStatistics() const;

  private:
    /// An activation may work in place behind a layer whose backward doesn't need its own output.
    bool overwritesInput(std::size_t layer) const;
    at::Tensor apply(std::size_t layer, at::Tensor x, bool training, const Masks& masks);
    at::Tensor& parameterOf(std::size_t layer, ParameterRole role);

    const Workload& workload_;
    at::MemoryFormat format_;
    std::vector<at::Tensor> parameters_;
    std::map<std::size_t, at::Tensor> runningMean_, runningVariance_;
    std::map<std::pair<std::size_t, ParameterRole>, std::size_t> index_;
    std::string effectiveLayout_;
};

}  // namespace aether::reference
