// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/head.h"

#include "engine/cpu/fused/element_ops.h"
#include "engine/cpu/loss.h"

namespace aether::engine::cpu {

Head::Head(const Context& context, const Plan& plan, EdgeState& input, const Masks& masks)
    : context_(context), input_(input), masks_(masks) {
    steps_.push_back(
        {0, input.loadedPixels(), input.edge().stored.channels, input.channels(), nullptr, {}, {}});
    for (const std::size_t i : plan.head) {
        const Layer& layer = context.workload.layers[i];
        Step step{i,
                  layer.output.height * layer.output.width,
                  layer.output.channels,
                  context.padded(layer.output.channels),
                  nullptr,
                  {},
                  {}};
        if (layer.type == LayerType::Dense) step.dense = std::make_unique<DenseLayer>(context, i);
        steps_.push_back(std::move(step));
    }
}

void Head::request(Arena& arena, int threads) {
    for (Step& step : steps_) {
        if (step.dense) step.dense->request(arena);
        step.output.resize(static_cast<std::size_t>(threads));
        step.gradient.resize(static_cast<std::size_t>(threads));
        for (auto* buffers : {&step.output, &step.gradient}) {
            for (float*& buffer : *buffers)
                arena.request(buffer, step.pixels * step.stride);
        }
    }
    arena.request(losses_, context_.batch);
    arena.request(correct_, context_.batch);
}

std::int64_t Head::packPieces() const {
    std::int64_t sum = 0;
    for (const Step& step : steps_)
        sum += step.dense ? step.dense->packPieces() : 0;
    return sum;
}

void Head::pack(std::int64_t piece) {
    for (Step& step : steps_) {
        if (!step.dense) continue;
        if (piece < step.dense->packPieces()) return step.dense->pack(piece);
        piece -= step.dense->packPieces();
    }
}

void Head::forwardStep(std::size_t i, std::int64_t n, int worker, const float* x, bool training) {
    Step& step = steps_[i];
    const Step& before = steps_[i - 1];
    const Layer& layer = context_.workload.layers[step.layer];
    float* const y = step.output[static_cast<std::size_t>(worker)];
    const std::int64_t elements = step.pixels * step.stride;
    switch (layer.type) {
        case LayerType::GlobalAveragePool:
            averagePixels(x, before.pixels, before.stride, before.channels, y);
            break;
        case LayerType::Dense:
            step.dense->forward(n, x, before.pixels, before.stride, y);
            break;
        case LayerType::Dropout:
        case LayerType::SpatialDropout:  // behind the first average pool or dense layer there is
                                         // one pixel
            if (training) {
                maskPixels(x, step.pixels, step.stride, step.channels,
                           masks_.ofLayer(step.layer, n), static_cast<float>(1 / (1 - layer.rate)),
                           y);
            } else {
                std::copy_n(x, elements, y);
            }
            break;
        default: {
            const auto slope =
                static_cast<float>(layer.type == LayerType::Relu ? 0.0 : layer.slope);
            for (std::int64_t e = 0; e < elements; ++e)
                y[e] = x[e] > 0 ? x[e] : slope * x[e];
        }
    }
}

void Head::backwardStep(std::size_t i, std::int64_t n, int worker, const float* x, float* dx) {
    Step& step = steps_[i];
    const Step& before = steps_[i - 1];
    const Layer& layer = context_.workload.layers[step.layer];
    const float* const dy = step.gradient[static_cast<std::size_t>(worker)];
    const bool wanted = i > 1 || input_.edge().needsGradient;
    switch (layer.type) {
        case LayerType::GlobalAveragePool:
            spreadOverPixels(dy, before.pixels, before.stride, before.channels, dx);
            break;
        case LayerType::Dense:
            step.dense->backward(n, dy, before.pixels, before.stride, wanted ? dx : nullptr);
            break;
        case LayerType::Dropout:
        case LayerType::SpatialDropout:
            maskPixels(dy, step.pixels, step.stride, step.channels, masks_.ofLayer(step.layer, n),
                       static_cast<float>(1 / (1 - layer.rate)), dx);
            break;
        default: {
            const auto slope =
                static_cast<float>(layer.type == LayerType::Relu ? 0.0 : layer.slope);
            const std::int64_t elements = step.pixels * step.stride;
            for (std::int64_t e = 0; e < elements; ++e)
                dx[e] = x[e] > 0 ? dy[e] : slope * dy[e];
        }
    }
}

void Head::image(std::int64_t n, int worker, const Batch& batch, bool training) {
    const auto w = static_cast<std::size_t>(worker);
    context_.kernels.load({.link = input_.link(n, training),
                           .loaded = steps_[0].output[w],
                           .border = 0,
                           .maximum = training ? input_.pooled(n) : nullptr,
                           .floatScratch = true});
    for (std::size_t i = 1; i < steps_.size(); ++i) {
        forwardStep(i, n, worker, steps_[i - 1].output[w], training);
    }
    const Step& last = steps_.back();
    const auto classes = static_cast<std::size_t>(context_.workload.classes);
    const double share = 1.0 / static_cast<double>(batch.images);
    const ImageLoss loss =
        crossEntropy<float>({last.output[w], classes}, batch.labels[n],
                            context_.workload.labelSmoothing, share, {last.gradient[w], classes});
    losses_[n] = loss.loss;
    correct_[n] = loss.correct ? 1 : 0;
    if (!training) return;
    for (std::size_t i = steps_.size() - 1; i > 0; --i) {
        backwardStep(i, n, worker, steps_[i - 1].output[w], steps_[i - 1].gradient[w]);
    }
    if (!input_.edge().needsGradient) return;
    context_.kernels.storeGradient(steps_[0].gradient[w], steps_[0].pixels, steps_[0].stride,
                                   input_.gradientStore(n));
}

StepResult Head::run(const Batch& batch, bool training) {
    context_.pool.run(batch.images,
                      [&](std::int64_t n, int worker) { image(n, worker, batch, training); });
    if (training) {
        for (const Step& step : steps_) {
            if (step.dense) step.dense->parameterGradients(batch.images);
        }
        if (input_.edge().needsGradient) input_.finishBackward(batch.images);
    }
    StepResult result;
    double correct = 0;
    for (std::int64_t n = 0; n < batch.images; ++n) {
        result.loss += losses_[n];
        correct += correct_[n];
    }
    result.loss /= static_cast<double>(batch.images);
    result.accuracy = correct / static_cast<double>(batch.images);
    return result;
}

}  // namespace aether::engine::cpu
