// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cpu/fused/context.h"
#include "engine/cpu/kernels/arguments.h"

namespace aether::engine::cpu {

/// A dense layer image by image; its inputs and output gradients are kept, and dW is one product
/// over the batch in a fixed order. In bfloat16 its inputs, outputs and weights are rounded, and so
/// are their gradients.
class DenseLayer {
  public:
    DenseLayer(const Context& context, std::size_t layer);
    void request(Arena& arena);

    std::int64_t inputs() const { return inputs_; }
    std::int64_t outputs() const { return outputs_; }  ///< rounded up to the vector width
    std::int64_t packPieces() const { return (inputs_ + kRows - 1) / kRows; }
    void pack(std::int64_t piece);

    /// x [pixels][stride] of which the first inputs / pixels channels are real; y [outputs()],
    /// zeros behind the real ones.
    void forward(std::int64_t image, const float* x, std::int64_t pixels, std::int64_t stride,
                 float* y) const;
    /// dy [outputs()]; dx like x, or null.
    void backward(std::int64_t image, const float* dy, std::int64_t pixels, std::int64_t stride,
                  float* dx) const;
    /// After all images.
    void parameterGradients(std::int64_t images) const;

  private:
    static constexpr std::int64_t kRows = 64;

    const Context& context_;
    std::size_t parameter_;
    std::int64_t inputs_, realOutputs_, outputs_;
    std::int64_t paddedInputs_;
    float* weights_ = nullptr;  ///< [inputs][outputs]
    float* bias_ = nullptr;     ///< [outputs]
    float* x_ = nullptr;        ///< [N][paddedInputs]
    float* dy_ = nullptr;       ///< [N][outputs]
    float* dx_ = nullptr;       ///< [N][paddedInputs]
};

}  // namespace aether::engine::cpu
