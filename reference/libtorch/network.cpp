// SPDX-License-Identifier: MIT
#include "reference/libtorch/network.h"

#include "common/failure.h"
#include "common/random.h"

namespace aether::reference {
namespace {

/// Canonical (HWIO, [inputs, units]) to the framework's order (OIHW, [units, inputs]); others stay.
at::Tensor toFramework(const at::Tensor& canonical) {
    if (canonical.dim() == 4) return canonical.permute({3, 2, 0, 1});
    return canonical.dim() == 2 ? canonical.t() : canonical;
}

at::Tensor toCanonical(const at::Tensor& framework) {
    if (framework.dim() == 4) return framework.permute({2, 3, 1, 0});
    return framework.dim() == 2 ? framework.t() : framework;
}

at::Tensor asLeaf(const at::Tensor& canonical, at::MemoryFormat format) {
    const at::Tensor value = toFramework(canonical);
    return value.contiguous(value.dim() == 4 ? format : at::MemoryFormat::Contiguous)
        .clone()
        .set_requires_grad(true);
}

/// Activations are flattened in H, W, C order (docs/workload.md).
at::Tensor flattened(const at::Tensor& x) {
    return x.dim() == 4 ? x.permute({0, 2, 3, 1}).reshape({x.size(0), -1}) : x;
}

}  // namespace

Network::Network(const Workload& workload, std::uint64_t seed, at::MemoryFormat format)
    : workload_(workload), format_(format) {
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const Parameter& parameter = workload.parameters[i];
        std::vector<float> values = initialParameter(workload, i, seed);
        parameters_.push_back(
            asLeaf(at::from_blob(values.data(), parameter.shape, at::kFloat), format));
        index_[{parameter.layer, parameter.role}] = i;
    }
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        if (workload.layers[i].type != LayerType::BatchNorm) continue;
        runningMean_[i] = at::zeros({workload.layers[i].input.channels}, at::kFloat);
        runningVariance_[i] = at::ones({workload.layers[i].input.channels}, at::kFloat);
    }
}

std::int64_t Network::parameterCount() const {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters_)
        count += parameter.numel();
    return count;
}

at::Tensor& Network::parameterOf(std::size_t layer, ParameterRole role) {
    return parameters_[index_.at({layer, role})];
}

bool Network::overwritesInput(std::size_t layer) const {
    if (layer == 0) return false;
    const LayerType before = workload_.layers[layer - 1].type;
    return before == LayerType::Convolution || before == LayerType::BatchNorm ||
           before == LayerType::Dense;
}

at::Tensor Network::apply(std::size_t i, at::Tensor x, bool training, const Masks& masks) {
    const Layer& layer = workload_.layers[i];
    switch (layer.type) {
        case LayerType::Convolution: {
            const at::Tensor y =
                at::conv2d(x, parameterOf(i, ParameterRole::Weight),
                           parameterOf(i, ParameterRole::Bias), 1, layer.kernel / 2);
            if (effectiveLayout_.empty()) {
                effectiveLayout_ =
                    y.is_contiguous(at::MemoryFormat::ChannelsLast) ? "nhwc" : "nchw";
            }
            return y;
        }
        case LayerType::BatchNorm:
            // PyTorch's momentum is the share of the new statistic, the workload's that of the old
            // one.
            return at::batch_norm(x, parameterOf(i, ParameterRole::Scale),
                                  parameterOf(i, ParameterRole::Shift), runningMean_.at(i),
                                  runningVariance_.at(i), training, 1 - layer.momentum,
                                  layer.epsilon, false);
        case LayerType::Relu:
            return overwritesInput(i) ? x.relu_() : at::relu(x);
        case LayerType::LeakyRelu:
            return overwritesInput(i) ? at::leaky_relu_(x, layer.slope)
                                      : at::leaky_relu(x, layer.slope);
        case LayerType::MaxPool:
            return at::max_pool2d(x, layer.pool, layer.pool);
        case LayerType::SpatialDropout:
        case LayerType::Dropout:
            return training ? x * masks.at(i).to(x.scalar_type()) : x;
        case LayerType::GlobalAveragePool:
            return x.mean({2, 3});
        case LayerType::Dense:
            return at::linear(flattened(x), parameterOf(i, ParameterRole::Weight),
                              parameterOf(i, ParameterRole::Bias));
    }
    throw Failure(FailureKind::Unsupported,
                  "layer " + layer.name + " is not supported by aether-reference");
}

at::Tensor Network::forward(at::Tensor x, bool training, const Masks& masks, LayerClock* clock) {
    for (std::size_t i = 0; i < workload_.layers.size(); ++i) {
        const std::string& name = workload_.layers[i].name;
        x = apply(i, x, training, masks);
        if (clock == nullptr) continue;
        clock->mark(name, "forward");
        // Backward runs in reverse: when the gradient of this output arrives, the layer behind it
        // has just finished.
        const std::string behind =
            i + 1 < workload_.layers.size() ? workload_.layers[i + 1].name : "loss";
        x.register_hook([clock, behind](const at::Tensor& gradient) {
            clock->mark(behind, "backward");
            return gradient;
        });
    }
    return x;
}

at::Tensor Network::l2Term() const {
    at::Tensor sum;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (workload_.parameters[i].l2 == 0) continue;
        const at::Tensor term = parameters_[i].square().sum() * workload_.parameters[i].l2;
        sum = sum.defined() ? sum + term : term;
    }
    return sum;
}

Tensor Network::canonical(std::size_t parameter, const at::Tensor& value) const {
    const at::Tensor values = toCanonical(value.detach()).to(at::kFloat).contiguous();
    return Tensor::of(
        workload_.parameters[parameter].shape,
        std::span(values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel())));
}

void Network::assign(std::size_t parameter, const Tensor& canonical) {
    std::vector<float> values(canonical.f32().begin(), canonical.f32().end());
    parameters_[parameter] = asLeaf(
        at::from_blob(values.data(), workload_.parameters[parameter].shape, at::kFloat), format_);
}

TensorMap Network::runningStatistics() const {
    TensorMap tensors;
    const auto add = [&](std::size_t layer, const char* suffix, const at::Tensor& value) {
        tensors.emplace(
            "running." + workload_.layers[layer].name + suffix,
            Tensor::of({value.numel()}, std::span(value.const_data_ptr<float>(),
                                                  static_cast<std::size_t>(value.numel()))));
    };
    for (const auto& [layer, value] : runningMean_)
        add(layer, ".mean", value);
    for (const auto& [layer, value] : runningVariance_)
        add(layer, ".variance", value);
    return tensors;
}

}  // namespace aether::reference
