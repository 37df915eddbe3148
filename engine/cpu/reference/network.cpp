// SPDX-License-Identifier: MIT
#include "engine/cpu/reference/network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/failure.h"
#include "common/random.h"
#include "engine/cpu/loss.h"

namespace aether::engine::cpu {

using namespace reference;

template <class Real>
ReferenceNetwork<Real>::ReferenceNetwork(const Workload& workload, std::int64_t batch,
                                         std::uint64_t seed)
    : workload_(workload), seed_(seed) {
    input_.resize(static_cast<std::size_t>(batch * workload.input.elements()));
    layers_.resize(workload.layers.size());
    for (std::size_t i = 0; i < workload.layers.size(); ++i) {
        const Layer& layer = workload.layers[i];
        const auto elements = static_cast<std::size_t>(batch * layer.output.elements());
        layers_[i].output.resize(elements);
        layers_[i].gradient.resize(elements);
        if (layer.type == LayerType::Dropout || layer.type == LayerType::SpatialDropout) {
            layers_[i].mask.resize(static_cast<std::size_t>(batch * maskElements(layer)));
        }
        stages_.push_back({layer.name, "forward"});
    }
    stages_.push_back({"loss", "other"});
    for (std::size_t i = workload.layers.size(); i-- > 0;) {
        stages_.push_back({workload.layers[i].name, "backward"});
    }
    stages_.push_back({"optimizer", "optimizer"});
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        const Parameter& parameter = workload.parameters[i];
        if (parameter.role == ParameterRole::Weight || parameter.role == ParameterRole::Scale) {
            layers_[parameter.layer].weight = i;
        }
        const auto elements = static_cast<std::size_t>(parameter.elements());
        for (auto* tensors : {&parameters_, &gradients_, &first_, &second_}) {
            tensors->emplace_back(elements);
        }
    }
    resetState();
}

template <class Real>
void ReferenceNetwork<Real>::resetState() {
    for (std::size_t i = 0; i < workload_.layers.size(); ++i) {
        if (workload_.layers[i].type != LayerType::BatchNorm) continue;
        const auto channels = static_cast<std::size_t>(workload_.layers[i].output.channels);
        layers_[i].mean.assign(channels, 0.0);
        layers_[i].variance.assign(channels, 1.0);
        layers_[i].runningMean.assign(channels, 0.0);
        layers_[i].runningVariance.assign(channels, 1.0);
    }
    for (auto* tensors : {&first_, &second_}) {
        for (auto& tensor : *tensors)
            std::fill(tensor.begin(), tensor.end(), Real{0});
    }
}

template <class Real>
Dimensions ReferenceNetwork<Real>::dimensions(const Shape& shape, std::int64_t images) const {
    return {images, shape.height, shape.width, shape.channels};
}

template <class Real>
void ReferenceNetwork<Real>::standardise(const Batch& batch) {
    const std::int64_t count = batch.images * workload_.input.elements();
    const auto values = standardisedValues(sumBytes(batch.pixels, count), count);
    for (std::int64_t i = 0; i < count; ++i) {
        input_[static_cast<std::size_t>(i)] = static_cast<Real>(values[batch.pixels[i]]);
    }
}

template <class Real>
void ReferenceNetwork<Real>::forward(std::size_t i, std::int64_t images, bool training) {
    const Layer& layer = workload_.layers[i];
    LayerState& state = layers_[i];
    const Real* const x = i == 0 ? input_.data() : layers_[i - 1].output.data();
    Real* const y = state.output.data();
    const Dimensions d = dimensions(layer.input, images);
    const auto first = [&] { return parameters_[state.weight].data(); };
    const auto second = [&] { return parameters_[state.weight + 1].data(); };
    switch (layer.type) {
        case LayerType::Convolution:
            return convolutionForward(d, layer.output.channels, layer.kernel, x, first(), second(),
                                      y);
        case LayerType::BatchNorm: {
            if (!training) {
                return batchNormApply(d, layer.epsilon, x, first(), second(),
                                      state.runningMean.data(), state.runningVariance.data(), y);
            }
            batchNormForward(d, layer.epsilon, x, first(), second(), y, state.mean.data(),
                             state.variance.data());
            const auto count = static_cast<double>(d.pixels());
            const double unbiased = count > 1 ? count / (count - 1) : 1.0;
            for (std::size_t c = 0; c < state.mean.size(); ++c) {
                const double stays = layer.momentum;
                state.runningMean[c] = stays * state.runningMean[c] + (1 - stays) * state.mean[c];
                state.runningVariance[c] =
                    stays * state.runningVariance[c] + (1 - stays) * state.variance[c] * unbiased;
            }
            return;
        }
        case LayerType::Relu:
        case LayerType::LeakyRelu:
            return activationForward(d.elements(), layer.slope, x, y);
        case LayerType::MaxPool:
            return maxPoolForward(d, layer.pool, x, y);
        case LayerType::SpatialDropout:
        case LayerType::Dropout:
            if (!training) {
                std::copy(x, x + d.elements(), y);
                return;
            }
            return dropout(d, layer.type == LayerType::SpatialDropout, layer.rate,
                           state.mask.data(), x, y);
        case LayerType::GlobalAveragePool:
            return averagePoolForward(d, x, y);
        case LayerType::Dense:
            return denseForward(images, layer.input.elements(), layer.output.channels, x, first(),
                                second(), y);
    }
}

template <class Real>
void ReferenceNetwork<Real>::backward(std::size_t i, std::int64_t images) {
    const Layer& layer = workload_.layers[i];
    LayerState& state = layers_[i];
    const Real* const x = i == 0 ? input_.data() : layers_[i - 1].output.data();
    std::vector<Real> unused;
    Real* dx = nullptr;  // nobody asks for the images' gradient
    if (i > 0) dx = layers_[i - 1].gradient.data();
    const Real* const dy = state.gradient.data();
    const Dimensions d = dimensions(layer.input, images);
    const auto weight = [&] { return parameters_[state.weight].data(); };
    const auto first = [&] { return gradients_[state.weight].data(); };
    const auto second = [&] { return gradients_[state.weight + 1].data(); };
    switch (layer.type) {
        case LayerType::Convolution:
            return convolutionBackward(d, layer.output.channels, layer.kernel, x, weight(), dy, dx,
                                       first(), second());
        case LayerType::Dense:
            return denseBackward(images, layer.input.elements(), layer.output.channels, x, weight(),
                                 dy, dx, first(), second());
        case LayerType::BatchNorm:
            if (dx == nullptr) {
                unused.resize(static_cast<std::size_t>(d.elements()));
                dx = unused.data();
            }
            return batchNormBackward(d, layer.epsilon, x, weight(), state.mean.data(),
                                     state.variance.data(), dy, dx, first(), second());
        default:
            break;
    }
    if (dx == nullptr) return;
    switch (layer.type) {
        case LayerType::Relu:
        case LayerType::LeakyRelu:
            return activationBackward(d.elements(), layer.slope, x, dy, dx);
        case LayerType::MaxPool:
            return maxPoolBackward(d, layer.pool, x, dy, dx);
        case LayerType::SpatialDropout:
        case LayerType::Dropout:
            return dropout(d, layer.type == LayerType::SpatialDropout, layer.rate,
                           state.mask.data(), dy, dx);
        default:
            return averagePoolBackward(d, dy, dx);
    }
}

template <class Real>
StepResult ReferenceNetwork<Real>::step(const Batch& batch, std::int64_t step) {
    const std::int64_t n = batch.images, classes = workload_.classes;
    std::size_t stage = 0;
    clock_.begin();
    standardise(batch);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        std::vector<float>& mask = layers_[i].mask;
        if (!mask.empty()) {
            const auto used = static_cast<std::size_t>(n * maskElements(workload_.layers[i]));
            dropoutMask(std::span(mask).first(used), 0, workload_.layers[i].rate, seed_,
                        static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(i));
        }
        forward(i, n, true);
        clock_.mark(stage++);
    }
    StepResult result;
    double correct = 0;
    for (std::int64_t image = 0; image < n; ++image) {
        const auto at = static_cast<std::size_t>(image * classes);
        const auto width = static_cast<std::size_t>(classes);
        const ImageLoss loss = crossEntropy<Real>(
            std::span<const Real>(layers_.back().output).subspan(at, width), batch.labels[image],
            workload_.labelSmoothing, 1.0 / static_cast<double>(n),
            std::span<Real>(layers_.back().gradient).subspan(at, width));
        result.loss += loss.loss;
        correct += loss.correct ? 1 : 0;
    }
    result.loss /= static_cast<double>(n);
    result.accuracy = correct / static_cast<double>(n);
    clock_.mark(stage++);
    for (std::size_t i = layers_.size(); i-- > 0;) {
        backward(i, n);
        clock_.mark(stage++);
    }
    result.loss += regularise();
    if (!std::isfinite(result.loss)) {
        throw Failure(FailureKind::Numerics,
                      "the loss of step " + std::to_string(step) + " is not finite");
    }
    optimise(step);
    clock_.mark(stage);
    return result;
}

template <class Real>
StepResult ReferenceNetwork<Real>::evaluate(const Batch& batch) {
    standardise(batch);
    for (std::size_t i = 0; i < layers_.size(); ++i)
        forward(i, batch.images, false);
    StepResult result;
    const auto width = static_cast<std::size_t>(workload_.classes);
    std::vector<Real> unused(width);
    for (std::int64_t image = 0; image < batch.images; ++image) {
        const ImageLoss loss = crossEntropy<Real>(
            std::span<const Real>(layers_.back().output)
                .subspan(static_cast<std::size_t>(image) * width, width),
            batch.labels[image], workload_.labelSmoothing, 0, std::span<Real>(unused));
        result.loss += loss.loss;
        result.accuracy += loss.correct ? 1 : 0;
    }
    result.loss /= static_cast<double>(batch.images);
    result.accuracy /= static_cast<double>(batch.images);
    return result;
}

/// Adds the L2 term's gradient; returns the term.
template <class Real>
double ReferenceNetwork<Real>::regularise() {
    double term = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const double l2 = workload_.parameters[i].l2;
        if (l2 == 0) continue;
        double squares = 0;
        for (std::size_t j = 0; j < parameters_[i].size(); ++j) {
            const double w = parameters_[i][j];
            squares += w * w;
            gradients_[i][j] =
                static_cast<Real>(static_cast<double>(gradients_[i][j]) + 2 * l2 * w);
        }
        term += l2 * squares;
    }
    return term;
}

template <class Real>
void ReferenceNetwork<Real>::optimise(std::int64_t step) {
    const AdamW& o = workload_.optimizer;
    const double rate = o.rateAt(step), t = static_cast<double>(step + 1);
    const double correction1 = 1 - std::pow(o.beta1, t), correction2 = 1 - std::pow(o.beta2, t);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const double decay = workload_.parameters[i].decays() ? o.weightDecay : 0;
        for (std::size_t j = 0; j < parameters_[i].size(); ++j) {
            const double g = gradients_[i][j], w = parameters_[i][j];
            const double m = o.beta1 * static_cast<double>(first_[i][j]) + (1 - o.beta1) * g;
            const double v = o.beta2 * static_cast<double>(second_[i][j]) + (1 - o.beta2) * g * g;
            first_[i][j] = static_cast<Real>(m);
            second_[i][j] = static_cast<Real>(v);
            const double update = m / correction1 / (std::sqrt(v / correction2) + o.epsilon);
            parameters_[i][j] = static_cast<Real>(w - rate * update - rate * decay * w);
        }
    }
}

template <class Real>
void ReferenceNetwork<Real>::setParameter(std::size_t i, std::span<const float> values) {
    std::copy(values.begin(), values.end(), parameters_.at(i).begin());
}

template <class Real>
void ReferenceNetwork<Real>::nudge(std::size_t parameter, std::size_t element, double by) {
    parameters_.at(parameter).at(element) += static_cast<Real>(by);
}

template <class Real>
std::vector<double> ReferenceNetwork<Real>::parameter(std::size_t i) const {
    return {parameters_.at(i).begin(), parameters_.at(i).end()};
}

template <class Real>
std::vector<double> ReferenceNetwork<Real>::gradient(std::size_t i) const {
    return {gradients_.at(i).begin(), gradients_.at(i).end()};
}

template <class Real>
Running ReferenceNetwork<Real>::running(std::size_t layer) const {
    return {layers_.at(layer).runningMean, layers_.at(layer).runningVariance};
}

template <class Real>
std::vector<float> ReferenceNetwork<Real>::mask(std::size_t layer) const {
    return layers_.at(layer).mask;
}

template <class Real>
std::int64_t ReferenceNetwork<Real>::memoryBytes() const {
    std::size_t elements = input_.size();
    for (const LayerState& layer : layers_)
        elements += 2 * layer.output.size();
    for (const auto& parameter : parameters_)
        elements += 4 * parameter.size();
    return static_cast<std::int64_t>(elements * sizeof(Real));
}

template class ReferenceNetwork<float>;
template class ReferenceNetwork<double>;

}  // namespace aether::engine::cpu
