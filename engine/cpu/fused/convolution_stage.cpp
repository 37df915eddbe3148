// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/convolution_stage.h"

#include <array>
#include <cstring>

namespace aether::engine::cpu {
namespace {

std::int64_t paddedPixels(const ConvolutionShape& s) {
    return (s.height + s.kernel - 1) * (s.width + s.kernel - 1);
}

const ConvolutionKernels& kernelsFor(const Context& context, const EdgeState& from,
                                     const ConvolutionShape& shape) {
    if (from.edge().bytes) return context.kernels.images;
    const ConvolutionKernels& winograd = context.kernels.winograd;
    return context.method == ConvolutionMethod::Winograd && winograd.fits(shape)
               ? winograd
               : context.kernels.direct;
}

}  // namespace

ConvolutionStage::ConvolutionStage(const Context& context, const Stage& stage, EdgeState& from,
                                   EdgeState& to)
    : context_(context),
      layer_(context.workload.layers[stage.layer]),
      parameter_(firstParameter(context.workload, stage.layer)),
      from_(from),
      to_(to),
      border_((layer_.kernel - 1) / 2),
      forwardShape_{layer_.input.height, layer_.input.width, layer_.kernel,
                    from.edge().bytes ? layer_.input.channels : from.channels(), to.channels()},
      backwardShape_(forwardShape_),
      kernels_(kernelsFor(context, from, forwardShape_)),
      scratchBytes_(from.edge().bytes ? sizeof(float) : context.kernels.scratchBytes),
      imagesAtOnce_(std::min(kernels_.imagesAtOnce(forwardShape_), context.chunkImages())),
      partialFloats_(kernels_.gradientFloats(forwardShape_)),
      accumulatorFloats_(kernels_.accumulatorFloats(forwardShape_)) {
    backwardShape_.inputs = to.channels();
    backwardShape_.outputs = from.channels();
}

ScratchBytes ConvolutionStage::scratch() const {
    const std::int64_t bytes = scratchBytes_ * imagesAtOnce_;
    return {.input = paddedPixels(forwardShape_) * forwardShape_.inputs * bytes,
            .gradient = paddedPixels(forwardShape_) * forwardShape_.outputs * bytes,
            .workspace = std::max(kernels_.workspaceBytes(forwardShape_),
                                  kernels_.workspaceBytes(backwardShape_)),
            .accumulator = kernels_.finish != nullptr ? accumulatorFloats_ : 0};
}

void ConvolutionStage::request(Arena& arena) {
    arena.requestBytes(packed_, kernels_.packedBytes(forwardShape_));
    if (from_.edge().needsGradient) {
        arena.requestBytes(packedFlipped_, kernels_.packedBytes(backwardShape_));
    }
    arena.request(bias_, to_.channels());
    arena.request(partials_, context_.chunks(context_.batch) * partialFloats_);
}

std::int64_t ConvolutionStage::packPieces() const {
    return kernels_.blocks(forwardShape_) +
           (from_.edge().needsGradient ? kernels_.blocks(backwardShape_) : 0);
}

void ConvolutionStage::pack(std::int64_t piece) {
    const std::int64_t forwardBlocks = kernels_.blocks(forwardShape_);
    const bool flipped = piece >= forwardBlocks;
    if (piece == 0) {
        std::copy_n(context_.parameters[parameter_ + 1].value, layer_.output.channels, bias_);
    }
    kernels_.pack({.shape = flipped ? backwardShape_ : forwardShape_,
                   .weights = context_.parameters[parameter_].value,
                   .realInputs = layer_.input.channels,
                   .realOutputs = layer_.output.channels,
                   .flipped = flipped,
                   .packed = flipped ? packedFlipped_ : packed_,
                   .block = flipped ? piece - forwardBlocks : piece});
}

template <class Work>
void ConvolutionStage::forGroups(std::int64_t chunk, std::int64_t images, const Work& work) const {
    const std::int64_t begin = chunk * context_.chunkImages();
    const std::int64_t end = std::min(begin + context_.chunkImages(), images);
    for (std::int64_t first = begin; first < end; first += imagesAtOnce_) {
        const std::int64_t last = std::min(first + imagesAtOnce_, end);
        work(Group{first, last, std::min(last + imagesAtOnce_, end)});
    }
}

void ConvolutionStage::load(const Group& group, const Scratch& scratch, Pass pass) const {
    const std::int64_t bytes = paddedPixels(forwardShape_) * forwardShape_.inputs * scratchBytes_;
    for (std::int64_t image = group.first; image < group.last; ++image) {
        void* const loaded = static_cast<std::byte*>(scratch.input) + (image - group.first) * bytes;
        if (from_.edge().bytes) {
            from_.loadImage(image, forwardShape_.inputs, border_, static_cast<float*>(loaded));
            continue;
        }
        context_.kernels.load({.link = pass == Pass::Backward
                                           ? from_.linkAgain(image)
                                           : from_.link(image, pass == Pass::Forward),
                               .loaded = loaded,
                               .border = border_,
                               .maximum = pass == Pass::Forward ? from_.pooled(image) : nullptr,
                               .floatScratch = false});
    }
}

void ConvolutionStage::forwardGroup(const Group& group, const Scratch& scratch,
                                    bool training) const {
    load(group, scratch, training ? Pass::Forward : Pass::Evaluation);
    std::array<StoreArguments, kMostImagesAtOnce> stores;
    for (std::int64_t image = group.first; image < group.last; ++image) {
        stores[static_cast<std::size_t>(image - group.first)] = to_.store(image, bias_, training);
    }
    kernels_.forward({.shape = forwardShape_,
                      .images = group.last - group.first,
                      .input = scratch.input,
                      .packed = packed_,
                      .workspace = scratch.workspace,
                      .ahead = {from_.storedAhead(group.last, group.next), {}}},
                     stores.data());
}

void ConvolutionStage::forward(std::int64_t images, bool training) {
    context_.pool.run(context_.chunks(images), [&](std::int64_t chunk, int worker) {
        const Scratch& scratch = context_.scratch[static_cast<std::size_t>(worker)];
        forGroups(chunk, images,
                  [&](const Group& group) { forwardGroup(group, scratch, training); });
    });
    to_.finishForward(images, training);
}

void ConvolutionStage::inputGradient(const Group& group, const Scratch& scratch) const {
    std::array<GradientStoreArguments, kMostImagesAtOnce> stores;
    for (std::int64_t image = group.first; image < group.last; ++image) {
        stores[static_cast<std::size_t>(image - group.first)] = from_.gradientStore(image);
    }
    kernels_.inputGradient({.shape = backwardShape_,
                            .images = group.last - group.first,
                            .input = scratch.gradient,
                            .packed = packedFlipped_,
                            .workspace = scratch.workspace,
                            .ahead = {from_.againAhead(group.last, group.next), {}}},
                           stores.data());
}

void ConvolutionStage::backwardChunk(std::int64_t chunk, std::int64_t images,
                                     const Scratch& scratch) const {
    float* const partial = partials_ + chunk * partialFloats_;
    float* const sum = kernels_.finish != nullptr ? scratch.accumulator : partial;
    std::memset(sum, 0, static_cast<std::size_t>(accumulatorFloats_) * sizeof(float));
    const std::int64_t bytes = paddedPixels(forwardShape_) * forwardShape_.outputs * scratchBytes_;
    forGroups(chunk, images, [&](const Group& group) {
        for (std::int64_t image = group.first; image < group.last; ++image) {
            void* const loaded =
                static_cast<std::byte*>(scratch.gradient) + (image - group.first) * bytes;
            context_.kernels.loadGradient(
                to_.gradientLoad(image, loaded, border_, from_.edge().bytes));
        }
        load(group, scratch, Pass::Backward);
        kernels_.weightGradient({.shape = forwardShape_,
                                 .images = group.last - group.first,
                                 .input = scratch.input,
                                 .gradient = scratch.gradient,
                                 .sum = sum,
                                 .workspace = scratch.workspace,
                                 .ahead = {to_.storedAhead(group.last, group.next),
                                           to_.gradientAhead(group.last, group.next)}});
        if (from_.edge().needsGradient) inputGradient(group, scratch);
    });
    if (kernels_.finish != nullptr) kernels_.finish({forwardShape_, sum, partial});
}

void ConvolutionStage::backward(std::int64_t images) {
    const std::int64_t chunks = context_.chunks(images);
    context_.pool.run(chunks, [&](std::int64_t chunk, int worker) {
        backwardChunk(chunk, images, context_.scratch[static_cast<std::size_t>(worker)]);
    });
    context_.pool.run(kernels_.blocks(forwardShape_), [&](std::int64_t block, int) {
        kernels_.reduce({.shape = forwardShape_,
                         .partials = partials_,
                         .chunks = chunks,
                         .stride = partialFloats_,
                         .gradient = context_.parameters[parameter_].gradient,
                         .realInputs = layer_.input.channels,
                         .realOutputs = layer_.output.channels,
                         .block = block});
    });
    to_.biasGradient(context_.parameters[parameter_ + 1].gradient);
    if (from_.edge().needsGradient) from_.finishBackward(images);
}

}  // namespace aether::engine::cpu
