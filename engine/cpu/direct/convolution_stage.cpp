// SPDX-License-Identifier: MIT
#include "engine/cpu/direct/convolution_stage.h"

#include <cstring>

namespace aether::engine::cpu {
namespace {

std::int64_t paddedPixels(const ConvolutionShape& s) {
    return (s.height + s.kernel - 1) * (s.width + s.kernel - 1);
}

}  // namespace

ConvolutionStage::ConvolutionStage(const Context& context, const Stage& stage, EdgeState& from,
                                   EdgeState& to)
    : context_(context),
      layer_(context.workload.layers[stage.layer]),
      parameter_(firstParameter(context.workload, stage.layer)),
      from_(from),
      to_(to),
      border_((layer_.kernel - 1) / 2) {
    std::int64_t inputs = from.channels();
    if (from.edge().bytes) {
        const std::int64_t multiple = context.kernels.inputMultiple;
        inputs = (layer_.input.channels + multiple - 1) / multiple * multiple;
    }
    forwardShape_ = {layer_.input.height, layer_.input.width, layer_.kernel, inputs, to.channels()};
    backwardShape_ = forwardShape_;
    backwardShape_.inputs = to.channels();
    backwardShape_.outputs = from.channels();
    partialFloats_ = context.convolution.gradientFloats(forwardShape_);
}

ScratchBytes ConvolutionStage::scratch() const {
    const std::int64_t bytes = context_.kernels.scratchBytes;
    const ConvolutionKernels& kernels = context_.convolution;
    return {.input = paddedPixels(forwardShape_) * forwardShape_.inputs * bytes,
            .gradient = paddedPixels(forwardShape_) * forwardShape_.outputs * bytes,
            .maximum = from_.loadedPixels() * from_.channels() * context_.kernels.storedBytes,
            .workspace = std::max(kernels.workspaceBytes(forwardShape_),
                                  kernels.workspaceBytes(backwardShape_))};
}

void ConvolutionStage::request(Arena& arena) {
    const ConvolutionKernels& kernels = context_.convolution;
    arena.requestBytes(packed_, kernels.packedBytes(forwardShape_));
    if (from_.edge().needsGradient) {
        arena.requestBytes(packedFlipped_, kernels.packedBytes(backwardShape_));
    }
    arena.request(bias_, to_.channels());
    arena.request(partials_, context_.chunks(context_.batch) * partialFloats_);
}

std::int64_t ConvolutionStage::packPieces() const {
    const ConvolutionKernels& kernels = context_.convolution;
    return kernels.blocks(forwardShape_) +
           (from_.edge().needsGradient ? kernels.blocks(backwardShape_) : 0);
}

void ConvolutionStage::pack(std::int64_t piece) {
    const std::int64_t forwardBlocks = context_.convolution.blocks(forwardShape_);
    const bool flipped = piece >= forwardBlocks;
    if (piece == 0) {
        std::copy_n(context_.parameters[parameter_ + 1].value, layer_.output.channels, bias_);
    }
    context_.convolution.pack({.shape = flipped ? backwardShape_ : forwardShape_,
                               .weights = context_.parameters[parameter_].value,
                               .realInputs = layer_.input.channels,
                               .realOutputs = layer_.output.channels,
                               .flipped = flipped,
                               .packed = flipped ? packedFlipped_ : packed_,
                               .block = flipped ? piece - forwardBlocks : piece});
}

void ConvolutionStage::load(std::int64_t image, const Scratch& scratch, bool training,
                            void* maximum) const {
    if (from_.edge().bytes) {
        const Shape& s = layer_.input;
        context_.kernels.loadBytes(context_.images + image * s.elements(), context_.byteValues,
                                   s.height, s.width, s.channels, forwardShape_.inputs, border_,
                                   scratch.input, false);
        return;
    }
    context_.kernels.load({.link = from_.link(image, training),
                           .loaded = scratch.input,
                           .border = border_,
                           .maximum = maximum,
                           .floatScratch = false});
}

void ConvolutionStage::forward(std::int64_t images, bool training) {
    context_.pool.run(context_.chunks(images), [&](std::int64_t chunk, int worker) {
        const Scratch& scratch = context_.scratch[static_cast<std::size_t>(worker)];
        const std::int64_t first = chunk * context_.chunkImages();
        const std::int64_t last = std::min(first + context_.chunkImages(), images);
        for (std::int64_t image = first; image < last; ++image) {
            load(image, scratch, training, nullptr);
            const bool more = image + 1 < last && !from_.edge().bytes;
            context_.convolution.forward(
                {.shape = forwardShape_,
                 .input = scratch.input,
                 .packed = packed_,
                 .workspace = scratch.workspace,
                 .ahead = {more ? from_.storedAhead(image + 1) : Ahead{}, {}, {}}},
                to_.store(image, bias_, training));
        }
    });
    to_.finishForward(images, training);
}

void ConvolutionStage::backwardChunk(std::int64_t chunk, std::int64_t images,
                                     const Scratch& scratch) const {
    float* const partial = partials_ + chunk * partialFloats_;
    std::memset(partial, 0, static_cast<std::size_t>(partialFloats_) * sizeof(float));
    const std::int64_t first = chunk * context_.chunkImages();
    const std::int64_t last = std::min(first + context_.chunkImages(), images);
    for (std::int64_t image = first; image < last; ++image) {
        context_.kernels.loadGradient(to_.gradientLoad(image, scratch.gradient, border_, false));
        load(image, scratch, true, scratch.maximum);
        context_.convolution.weightGradient({.shape = forwardShape_,
                                             .input = scratch.input,
                                             .gradient = scratch.gradient,
                                             .sum = partial,
                                             .workspace = scratch.workspace});
        if (!from_.edge().needsGradient) continue;
        const bool more = image + 1 < last;
        context_.convolution.inputGradient(
            {.shape = backwardShape_,
             .input = scratch.gradient,
             .packed = packedFlipped_,
             .workspace = scratch.workspace,
             .ahead = {more ? to_.storedAhead(image + 1) : Ahead{},
                       more ? to_.gradientAhead(image + 1) : Ahead{},
                       more ? from_.storedAhead(image + 1) : Ahead{}}},
            from_.gradientStore(image, scratch.maximum));
    }
}

void ConvolutionStage::backward(std::int64_t images) {
    const std::int64_t chunks = context_.chunks(images);
    context_.pool.run(chunks, [&](std::int64_t chunk, int worker) {
        backwardChunk(chunk, images, context_.scratch[static_cast<std::size_t>(worker)]);
    });
    context_.pool.run(context_.convolution.blocks(forwardShape_), [&](std::int64_t block, int) {
        context_.convolution.reduce({.shape = forwardShape_,
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
