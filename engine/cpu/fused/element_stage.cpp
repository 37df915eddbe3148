// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/element_stage.h"

#include "engine/cpu/fused/element_ops.h"

namespace aether::engine::cpu {

ElementStage::ElementStage(const Context& context, const Stage& stage, EdgeState& from,
                           EdgeState& to, const Masks& masks)
    : context_(context), stage_(stage), from_(from), to_(to), masks_(masks) {
    if (stage.kind != StageKind::Dense) return;
    dense_.emplace(context, stage.layer);
    bias_ = firstParameter(context.workload, stage.layer) + 1;
}

ScratchBytes ElementStage::scratch() const {
    const auto floats = [](std::int64_t count) {
        return count * static_cast<std::int64_t>(sizeof(float));
    };
    const std::int64_t in = from_.loadedPixels() * from_.channels();
    const std::int64_t out = to_.storedPixels() * to_.channels();
    return {.input = floats(in), .gradient = floats(out), .workspace = floats(std::max(in, out))};
}

void ElementStage::request(Arena& arena) {
    if (dense_) dense_->request(arena);
}

void ElementStage::forwardImage(std::int64_t image, bool training, const Scratch& scratch) const {
    auto* const x = static_cast<float*>(scratch.input);
    auto* const y = static_cast<float*>(scratch.workspace);
    const float* result = y;
    if (stage_.kind == StageKind::Input) {
        from_.loadImage(image, to_.channels(), 0, x);
    } else {
        context_.kernels.load({.link = from_.link(image, training),
                               .loaded = x,
                               .border = 0,
                               .maximum = training ? from_.pooled(image) : nullptr,
                               .floatScratch = true});
    }
    const std::int64_t pixels = from_.loadedPixels(), stride = from_.channels();
    switch (stage_.kind) {
        case StageKind::AveragePool:
            averagePixels(x, pixels, stride, stride, y);
            break;
        case StageKind::Dense:
            dense_->forward(image, x, pixels, stride, y);
            break;
        case StageKind::Dropout:
            if (training) {
                const double rate = context_.workload.layers[stage_.layer].rate;
                maskPixels(x, pixels, stride, from_.edge().stored.channels,
                           masks_.ofLayer(stage_.layer, image), static_cast<float>(1 / (1 - rate)),
                           y);
                break;
            }
            [[fallthrough]];
        default:
            result = x;
    }
    context_.kernels.store(result, to_.storedPixels(), to_.channels(),
                           to_.store(image, context_.zeros, training));
}

void ElementStage::forward(std::int64_t images, bool training) {
    context_.pool.run(images, [&](std::int64_t image, int worker) {
        forwardImage(image, training, context_.scratch[static_cast<std::size_t>(worker)]);
    });
    to_.finishForward(images, training);
}

void ElementStage::backwardImage(std::int64_t image, const Scratch& scratch) const {
    auto* const dy = static_cast<float*>(scratch.gradient);
    auto* const dx = static_cast<float*>(scratch.workspace);
    const bool wanted = from_.edge().needsGradient;
    context_.kernels.loadGradient(to_.gradientLoad(image, dy, 0, true));
    const std::int64_t pixels = from_.loadedPixels(), stride = from_.channels();
    const float* result = dx;
    switch (stage_.kind) {
        case StageKind::AveragePool:
            spreadOverPixels(dy, pixels, stride, from_.edge().stored.channels, dx);
            break;
        case StageKind::Dense:
            dense_->backward(image, dy, pixels, stride, wanted ? dx : nullptr);
            break;
        case StageKind::Dropout: {
            const double rate = context_.workload.layers[stage_.layer].rate;
            maskPixels(dy, pixels, stride, from_.edge().stored.channels,
                       masks_.ofLayer(stage_.layer, image), static_cast<float>(1 / (1 - rate)), dx);
            break;
        }
        default:
            result = dy;
    }
    if (!wanted) return;
    context_.kernels.storeGradient(result, pixels, stride, from_.gradientStore(image));
}

void ElementStage::backward(std::int64_t images) {
    if (!to_.edge().needsGradient) return;
    context_.pool.run(images, [&](std::int64_t image, int worker) {
        backwardImage(image, context_.scratch[static_cast<std::size_t>(worker)]);
    });
    if (dense_) {
        dense_->parameterGradients(images);
        if (to_.edge().link.norm) to_.biasGradient(context_.parameters[bias_].gradient);
    }
    if (from_.edge().needsGradient) from_.finishBackward(images);
}

}  // namespace aether::engine::cpu
