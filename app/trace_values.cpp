// SPDX-License-Identifier: GPL-3.0-only
#include "app/trace_values.h"

#include <cmath>

#include "common/failure.h"

namespace aether::app {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    }
    return text + "]";
}

std::vector<double> tensor(const TensorMap& tensors, const std::string& name,
                           const std::vector<std::int64_t>& shape) {
    const auto found = tensors.find(name);
    if (found == tensors.end())
        throw Failure(FailureKind::Numerics, "the trace lacks tensor " + name);
    if (found->second.shape != shape) {
        throw Failure(FailureKind::Numerics, "the trace's tensor " + name + " has shape " +
                                                 shapeText(found->second.shape) + ", expected " +
                                                 shapeText(shape));
    }
    std::vector<double> values;
    try {
        values = found->second.toDouble();
    } catch (const Failure& failure) {
        throw Failure(FailureKind::Numerics, "the trace's tensor " + name + ": " + failure.what());
    }
    for (const double value : values) {
        if (!std::isfinite(value)) {
            throw Failure(FailureKind::Numerics, "the trace's tensor " + name + " is not finite");
        }
    }
    return values;
}

}  // namespace

TraceValues readTrace(const std::filesystem::path& outputs, const Workload& workload,
                      const TensorMap& inputs, int steps) {
    const TensorMap tensors = readSafetensors(outputs);
    TraceValues out;
    const std::vector<double> losses = tensor(tensors, "loss", {steps});
    for (int k = 0; k < steps; ++k) {
        out.push_back({QuantityKind::Loss,
                       "loss of step " + std::to_string(k + 1),
                       0,
                       0,
                       {losses[static_cast<std::size_t>(k)]}});
    }
    for (std::size_t p = 0; p < workload.parameters.size(); ++p) {
        const Parameter& parameter = workload.parameters[p];
        out.push_back({QuantityKind::Gradient, "gradient " + parameter.name, p, parameter.layer,
                       tensor(tensors, "gradient." + parameter.name, parameter.shape)});
    }
    for (std::size_t p = 0; p < workload.parameters.size(); ++p) {
        const Parameter& parameter = workload.parameters[p];
        std::vector<double> moved = tensor(tensors, "parameter." + parameter.name, parameter.shape);
        const std::vector<double> initial = inputs.at("parameter." + parameter.name).toDouble();
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] -= initial[i];
        out.push_back({QuantityKind::Update, "update " + parameter.name, p, parameter.layer,
                       std::move(moved)});
    }
    for (std::size_t l = 0; l < workload.layers.size(); ++l) {
        const Layer& layer = workload.layers[l];
        if (layer.type != LayerType::BatchNorm) continue;
        for (const char* what : {"mean", "variance"}) {
            const std::string name = layer.name + "." + what;
            out.push_back({QuantityKind::Running, "running " + name, 0, l,
                           tensor(tensors, "running." + name, {layer.output.channels})});
        }
    }
    return out;
}

}  // namespace aether::app
