// SPDX-License-Identifier: MIT
// Every layer in plain loops, as documentation and as the oracle of the tests. Real is float or
// double; sums run in double. Dimensions: N images, H × W pixels, C input channels, K output
// channels, F edge of the kernel, P edge of the pool. Tensors are N, H, W, C; weights F, F, C, K.
// Gradients of inputs and parameters are overwritten.
#pragma once

#include <cstdint>

namespace aether::engine::cpu::reference {

struct Dimensions {
    std::int64_t n, h, w, c;
    std::int64_t pixels() const { return n * h * w; }
    std::int64_t elements() const { return n * h * w * c; }
};

/// y[n][y][x][k] = b[k] + Σ x[n][y + i − F/2][x + j − F/2][c] · weight[i][j][c][k]; zeros outside
/// the image.
template <class Real>
void convolutionForward(const Dimensions& d, std::int64_t k, std::int64_t f, const Real* x,
                        const Real* weight, const Real* bias, Real* y);
/// dx may be null.
template <class Real>
void convolutionBackward(const Dimensions& d, std::int64_t k, std::int64_t f, const Real* x,
                         const Real* weight, const Real* dy, Real* dx, Real* dweight, Real* dbias);

/// y = (x − mean) / √(variance + epsilon) · scale + shift with the batch's mean and biased
/// variance, which are also returned (double [C]).
template <class Real>
void batchNormForward(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                      const Real* shift, Real* y, double* mean, double* variance);
/// The same with given statistics.
template <class Real>
void batchNormApply(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                    const Real* shift, const double* mean, const double* variance, Real* y);
/// dx = scale / σ · (dy − mean(dy) − x̂ · mean(dy · x̂)), dscale = Σ dy · x̂, dshift = Σ dy.
/// Source: Ioffe and Szegedy, "Batch normalization", 2015.
template <class Real>
void batchNormBackward(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                       const double* mean, const double* variance, const Real* dy, Real* dx,
                       Real* dscale, Real* dshift);

/// x > 0 ? x : slope · x; slope 0 is ReLU.
template <class Real>
void activationForward(std::int64_t elements, double slope, const Real* x, Real* y);
template <class Real>
void activationBackward(std::int64_t elements, double slope, const Real* x, const Real* dy,
                        Real* dx);

/// Maximum over P × P, stride P; a rest at the border is dropped. The gradient goes to the first
/// maximum in row-major order, as in PyTorch.
template <class Real>
void maxPoolForward(const Dimensions& d, std::int64_t p, const Real* x, Real* y);
template <class Real>
void maxPoolBackward(const Dimensions& d, std::int64_t p, const Real* x, const Real* dy, Real* dx);

/// y = x · mask / (1 − rate); `perChannel`: mask [N][C] instead of [N][H][W][C]. Its own
/// derivative.
template <class Real>
void dropout(const Dimensions& d, bool perChannel, double rate, const float* mask, const Real* x,
             Real* y);

/// Mean over H × W.
template <class Real>
void averagePoolForward(const Dimensions& d, const Real* x, Real* y);
template <class Real>
void averagePoolBackward(const Dimensions& d, const Real* dy, Real* dx);

/// y[n][k] = b[k] + Σ x[n][i] · weight[i][k] over the I = H · W · C inputs.
template <class Real>
void denseForward(std::int64_t n, std::int64_t inputs, std::int64_t k, const Real* x,
                  const Real* weight, const Real* bias, Real* y);
/// dx may be null.
template <class Real>
void denseBackward(std::int64_t n, std::int64_t inputs, std::int64_t k, const Real* x,
                   const Real* weight, const Real* dy, Real* dx, Real* dweight, Real* dbias);

}  // namespace aether::engine::cpu::reference
