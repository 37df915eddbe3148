// SPDX-License-Identifier: GPL-3.0-only
#include "app/verify_inputs.h"

#include <algorithm>

#include "common/failure.h"
#include "common/random.h"

namespace aether::app {
namespace {

std::string numbered(const std::string& name, int step) {
    return name + "." + std::to_string(step);
}

void addBatch(TensorMap& out, const Workload& workload, const ImageSet& images, std::int64_t batch,
              int step, std::size_t first) {
    const auto size = static_cast<std::size_t>(workload.input.elements());
    std::vector<std::uint8_t> pixels(size * static_cast<std::size_t>(batch));
    std::vector<std::int32_t> labels(static_cast<std::size_t>(batch));
    for (std::size_t n = 0; n < labels.size(); ++n) {
        const std::size_t i =
            (first + static_cast<std::size_t>(step) * labels.size() + n) % images.count();
        std::copy_n(images.image(i), size, pixels.data() + n * size);
        labels[n] = images.labels[i];
    }
    const Shape& s = workload.input;
    out[numbered("image", step)] =
        Tensor::of({batch, s.height, s.width, s.channels}, std::span<const std::uint8_t>(pixels));
    out[numbered("label", step)] = Tensor::of({batch}, std::span<const std::int32_t>(labels));
}

void addMasks(TensorMap& out, const Workload& workload, std::int64_t batch, std::uint64_t seed,
              int step) {
    for (std::size_t l = 0; l < workload.layers.size(); ++l) {
        const Layer& layer = workload.layers[l];
        if (layer.type != LayerType::Dropout && layer.type != LayerType::SpatialDropout) continue;
        std::vector<float> mask(static_cast<std::size_t>(maskElements(layer) * batch));
        dropoutMask(mask, 0, layer.rate, seed, static_cast<std::uint32_t>(step),
                    static_cast<std::uint32_t>(l));
        // Behind pooling and dense layers there is no H and W: [N, C] for both kinds of dropout.
        const Shape& image = layer.output;
        const bool flat =
            layer.type == LayerType::SpatialDropout || image.elements() == image.channels;
        const std::vector<std::int64_t> shape =
            flat ? std::vector<std::int64_t>{batch, image.channels}
                 : std::vector<std::int64_t>{batch, image.height, image.width, image.channels};
        out[numbered("mask." + layer.name, step)] = Tensor::of(shape, std::span<const float>(mask));
    }
}

}  // namespace

TensorMap traceInputs(const Workload& workload, const Dataset& data, std::int64_t batch,
                      std::uint64_t seed, int steps, std::size_t firstImage) {
    if (data.train.count() == 0)
        throw Failure(FailureKind::Usage, "the data set holds no training images");
    TensorMap out;
    for (std::size_t p = 0; p < workload.parameters.size(); ++p) {
        const Parameter& parameter = workload.parameters[p];
        const std::vector<float> values = initialParameter(workload, p, seed);
        out["parameter." + parameter.name] =
            Tensor::of(parameter.shape, std::span<const float>(values));
    }
    for (int step = 0; step < steps; ++step) {
        addBatch(out, workload, data.train, batch, step, firstImage);
        addMasks(out, workload, batch, seed, step);
    }
    return out;
}

void confuseImageLayout(TensorMap& inputs, const Workload& workload, int steps) {
    const auto channels = static_cast<std::size_t>(workload.input.channels);
    const auto area = static_cast<std::size_t>(workload.input.height * workload.input.width);
    for (int step = 0; step < steps; ++step) {
        Tensor& images = inputs.at(numbered("image", step));
        std::vector<std::uint8_t> moved(images.bytes.size());
        for (std::size_t base = 0; base < moved.size(); base += area * channels) {
            for (std::size_t c = 0; c < channels; ++c) {
                for (std::size_t p = 0; p < area; ++p) {
                    moved[base + p * channels + c] = images.bytes[base + c * area + p];
                }
            }
        }
        images.bytes = std::move(moved);
    }
}

}  // namespace aether::app
