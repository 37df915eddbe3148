// SPDX-License-Identifier: MIT
#include "engine/cpu/trace.h"

#include "common/failure.h"
#include "common/random.h"
#include "common/safetensors.h"

namespace aether::engine::cpu {
namespace {

std::string suffixOf(int step) {
    std::string suffix = ".";  // appended to: GCC 12 warns about "." + std::to_string
    suffix += std::to_string(step);
    return suffix;
}

void checkMasks(Training& training, const TensorMap& inputs, int step) {
    const Workload& workload = training.workload();
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        const Layer& layer = workload.layers[i];
        if (layer.type != LayerType::Dropout && layer.type != LayerType::SpatialDropout) continue;
        const std::int64_t elements = training.batch() * maskElements(layer);
        const auto given =
            requireTensor(inputs, "mask." + layer.name + suffixOf(step), elements).f32();
        const std::vector<float> made = training.generation().mask(i);
        for (std::size_t e = 0; e < given.size(); ++e) {
            if (given[e] == made[e]) continue;
            throw Failure(FailureKind::Numerics,
                          "mask of " + layer.name + ", step " + std::to_string(step) +
                              ": element " + std::to_string(e) + " is " + std::to_string(given[e]) +
                              ", the workload's randomness gives " + std::to_string(made[e]));
        }
    }
}

}  // namespace

protocol::Traced runTrace(Training& training, const protocol::TraceRequest& request) {
    const TensorMap inputs = readSafetensors(request.inputs);
    const Workload& workload = training.workload();
    Generation& generation = training.generation();
    training.restart();
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const Parameter& parameter = workload.parameters[i];
        generation.setParameter(
            i, requireTensor(inputs, "parameter." + parameter.name, parameter.elements()).f32());
    }
    protocol::Traced traced;
    traced.steps = request.steps;
    TensorMap outputs;
    for (int k = 0; k < request.steps; ++k) {
        const std::string suffix = suffixOf(k);
        const std::int64_t batch = training.batch();
        const auto pixels =
            requireTensor(inputs, "image" + suffix, batch * workload.input.elements()).u8();
        const auto labels = requireTensor(inputs, "label" + suffix, batch).i32();
        for (const std::int32_t label : labels) {
            if (label < 0 || label >= workload.classes) {
                throw Failure(FailureKind::Usage,
                              "label" + suffix + ": " + std::to_string(label) + " is no class");
            }
        }
        traced.losses.push_back(training.step({pixels.data(), labels.data(), batch}).loss);
        checkMasks(training, inputs, k);
        for (std::size_t i = 0; k == 0 && i < workload.parameters.size(); ++i) {
            const Parameter& parameter = workload.parameters[i];
            outputs["gradient." + parameter.name] =
                Tensor::of(parameter.shape, std::span<const double>(generation.gradient(i)));
        }
    }
    outputs["loss"] = Tensor::of({request.steps}, std::span<const double>(traced.losses));
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const Parameter& parameter = workload.parameters[i];
        outputs["parameter." + parameter.name] =
            Tensor::of(parameter.shape, std::span<const double>(generation.parameter(i)));
    }
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        const Layer& layer = workload.layers[i];
        if (layer.type != LayerType::BatchNorm) continue;
        const Running running = generation.running(i);
        outputs["running." + layer.name + ".mean"] =
            Tensor::of({layer.output.channels}, std::span<const double>(running.mean));
        outputs["running." + layer.name + ".variance"] =
            Tensor::of({layer.output.channels}, std::span<const double>(running.variance));
    }
    writeSafetensors(outputs, request.outputs);
    return traced;
}

}  // namespace aether::engine::cpu
