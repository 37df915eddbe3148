// SPDX-License-Identifier: MIT
#include "common/workload.h"

#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "common/failure.h"

namespace aether {
namespace {

constexpr std::array<std::pair<LayerType, std::string_view>, 9> kTypes{{
    {LayerType::Convolution, "convolution"},
    {LayerType::BatchNorm, "batch_norm"},
    {LayerType::Relu, "relu"},
    {LayerType::LeakyRelu, "leaky_relu"},
    {LayerType::MaxPool, "max_pool"},
    {LayerType::SpatialDropout, "spatial_dropout"},
    {LayerType::Dropout, "dropout"},
    {LayerType::GlobalAveragePool, "global_average_pool"},
    {LayerType::Dense, "dense"},
}};

/// Multiply-adds of one forward pass over one image; 0 for layers without weights.
double multiplyAdds(const Layer& layer) {
    if (layer.type == LayerType::Convolution) {
        return static_cast<double>(layer.output.elements() * layer.kernel * layer.kernel *
                                   layer.input.channels);
    }
    if (layer.type == LayerType::Dense) {
        return static_cast<double>(layer.input.elements() * layer.output.elements());
    }
    return 0;
}

}  // namespace

std::string_view name(LayerType type) {
    for (const auto& [value, text] : kTypes) {
        if (value == type) return text;
    }
    return "unknown";
}

std::int64_t Parameter::elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t Workload::parameterCount() const {
    return std::accumulate(parameters.begin(), parameters.end(), std::int64_t{0},
                           [](std::int64_t sum, const Parameter& p) { return sum + p.elements(); });
}

double Workload::flopsPerStep(std::int64_t batchSize) const {
    double passes = 0;
    bool first = true;
    for (const Layer& layer : layers) {
        const double once = multiplyAdds(layer);
        passes += once * (first ? 2 : 3);
        if (once > 0) first = false;
    }
    return 2 * passes * static_cast<double>(batchSize);
}

double Workload::bytesPerStep(std::int64_t batchSize, int bytesPerElement) const {
    double elements = 0;
    for (const Layer& layer : layers) {
        if (layer.type == LayerType::Convolution)
            elements += 3.0 * static_cast<double>(layer.output.elements());
    }
    return elements * static_cast<double>(batchSize) * bytesPerElement;
}

std::size_t Workload::layerIndex(std::string_view layerName) const {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].name == layerName) return i;
    }
    throw Failure(FailureKind::Usage,
                  "workload " + name + " has no layer '" + std::string(layerName) + "'");
}

}  // namespace aether
