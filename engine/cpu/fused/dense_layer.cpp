// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/dense_layer.h"

namespace aether::engine::cpu {

DenseLayer::DenseLayer(const Context& context, std::size_t layer)
    : context_(context),
      parameter_(firstParameter(context.workload, layer)),
      inputs_(context.workload.layers[layer].input.elements()),
      realOutputs_(context.workload.layers[layer].output.channels),
      outputs_(context.padded(realOutputs_)),
      paddedInputs_(context.padded(inputs_)) {}

void DenseLayer::request(Arena& arena) {
    arena.request(weights_, inputs_ * outputs_);
    arena.request(bias_, outputs_);
    arena.request(x_, context_.batch * paddedInputs_);
    arena.request(dy_, context_.batch * outputs_);
    arena.request(dx_, context_.batch * paddedInputs_);
}

void DenseLayer::pack(std::int64_t piece) {
    const float* const from = context_.parameters[parameter_].value;
    const std::int64_t first = piece * kRows, last = std::min(first + kRows, inputs_);
    for (std::int64_t i = first; i < last; ++i) {
        std::copy_n(from + i * realOutputs_, realOutputs_, weights_ + i * outputs_);
    }
    if (context_.bf16) {
        context_.table.roundBf16(weights_ + first * outputs_, (last - first) * outputs_);
    }
    if (piece == 0) std::copy_n(context_.parameters[parameter_ + 1].value, realOutputs_, bias_);
}

void DenseLayer::forward(std::int64_t image, const float* x, std::int64_t pixels,
                         std::int64_t stride, float* y) const {
    float* const row = x_ + image * paddedInputs_;
    const std::int64_t channels = inputs_ / pixels;
    for (std::int64_t p = 0; p < pixels; ++p) {
        std::copy_n(x + p * stride, channels, row + p * channels);
    }
    if (context_.bf16) context_.table.roundBf16(row, paddedInputs_);
    context_.table.denseForward({.weights = weights_,
                                 .inputs = inputs_,
                                 .outputs = outputs_,
                                 .bias = bias_,
                                 .x = row,
                                 .y = y,
                                 .dy = nullptr,
                                 .dx = nullptr});
    if (context_.bf16) context_.table.roundBf16(y, outputs_);
}

void DenseLayer::backward(std::int64_t image, const float* dy, std::int64_t pixels,
                          std::int64_t stride, float* dx) const {
    float* const row = dy_ + image * outputs_;
    std::copy_n(dy, realOutputs_, row);
    if (context_.bf16) context_.table.roundBf16(row, outputs_);
    if (dx == nullptr) return;
    float* const flat = dx_ + image * paddedInputs_;
    context_.table.denseInputGradient({.weights = weights_,
                                       .inputs = inputs_,
                                       .outputs = outputs_,
                                       .bias = nullptr,
                                       .x = nullptr,
                                       .y = nullptr,
                                       .dy = row,
                                       .dx = flat});
    if (context_.bf16) context_.table.roundBf16(flat, paddedInputs_);
    const std::int64_t channels = inputs_ / pixels;
    for (std::int64_t p = 0; p < pixels; ++p) {
        std::copy_n(flat + p * channels, channels, dx + p * stride);
        std::fill(dx + p * stride + channels, dx + (p + 1) * stride, 0.0F);
    }
}

void DenseLayer::parameterGradients(std::int64_t images) const {
    constexpr std::int64_t kPiece = 8;
    context_.pool.run((inputs_ + kPiece - 1) / kPiece, [&](std::int64_t piece, int) {
        context_.table.denseWeightGradient({.x = x_,
                                            .dy = dy_,
                                            .images = images,
                                            .inputs = inputs_,
                                            .inputStride = paddedInputs_,
                                            .outputs = outputs_,
                                            .realOutputs = realOutputs_,
                                            .first = piece * kPiece,
                                            .last = std::min((piece + 1) * kPiece, inputs_),
                                            .gradient = context_.parameters[parameter_].gradient});
    });
    for (std::int64_t o = 0; o < realOutputs_; ++o) {
        double sum = 0;
        for (std::int64_t n = 0; n < images; ++n)
            sum += static_cast<double>(dy_[n * outputs_ + o]);
        context_.parameters[parameter_ + 1].gradient[o] = static_cast<float>(sum);
    }
}

}  // namespace aether::engine::cpu
