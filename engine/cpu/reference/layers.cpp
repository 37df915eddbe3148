// SPDX-License-Identifier: MIT
#include "engine/cpu/reference/layers.h"

#include <cmath>
#include <vector>

namespace aether::engine::cpu::reference {

template <class Real>
void batchNormForward(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                      const Real* shift, Real* y, double* mean, double* variance) {
    const auto count = static_cast<double>(d.pixels());
    for (std::int64_t c = 0; c < d.c; ++c) {
        double sum = 0;
        for (std::int64_t p = 0; p < d.pixels(); ++p)
            sum += static_cast<double>(x[p * d.c + c]);
        mean[c] = sum / count;
        double squares = 0;
        for (std::int64_t p = 0; p < d.pixels(); ++p) {
            const double centred = static_cast<double>(x[p * d.c + c]) - mean[c];
            squares += centred * centred;
        }
        variance[c] = squares / count;
    }
    batchNormApply(d, epsilon, x, scale, shift, mean, variance, y);
}

template <class Real>
void batchNormApply(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                    const Real* shift, const double* mean, const double* variance, Real* y) {
    for (std::int64_t c = 0; c < d.c; ++c) {
        const double gain = static_cast<double>(scale[c]) / std::sqrt(variance[c] + epsilon);
        for (std::int64_t p = 0; p < d.pixels(); ++p) {
            const double centred = static_cast<double>(x[p * d.c + c]) - mean[c];
            y[p * d.c + c] = static_cast<Real>(centred * gain + static_cast<double>(shift[c]));
        }
    }
}

template <class Real>
void batchNormBackward(const Dimensions& d, double epsilon, const Real* x, const Real* scale,
                       const double* mean, const double* variance, const Real* dy, Real* dx,
                       Real* dscale, Real* dshift) {
    const auto count = static_cast<double>(d.pixels());
    for (std::int64_t c = 0; c < d.c; ++c) {
        const double inverse = 1.0 / std::sqrt(variance[c] + epsilon);
        double sum = 0, products = 0;
        for (std::int64_t p = 0; p < d.pixels(); ++p) {
            const double g = dy[p * d.c + c];
            sum += g;
            products += g * (static_cast<double>(x[p * d.c + c]) - mean[c]) * inverse;
        }
        for (std::int64_t p = 0; p < d.pixels(); ++p) {
            const double g = dy[p * d.c + c];
            const double normal = (static_cast<double>(x[p * d.c + c]) - mean[c]) * inverse;
            dx[p * d.c + c] = static_cast<Real>(static_cast<double>(scale[c]) * inverse *
                                                (g - sum / count - normal * products / count));
        }
        dscale[c] = static_cast<Real>(products);
        dshift[c] = static_cast<Real>(sum);
    }
}

template <class Real>
void activationForward(std::int64_t elements, double slope, const Real* x, Real* y) {
    for (std::int64_t i = 0; i < elements; ++i) {
        y[i] = x[i] > 0 ? x[i] : static_cast<Real>(slope) * x[i];
    }
}

template <class Real>
void activationBackward(std::int64_t elements, double slope, const Real* x, const Real* dy,
                        Real* dx) {
    for (std::int64_t i = 0; i < elements; ++i) {
        dx[i] = x[i] > 0 ? dy[i] : static_cast<Real>(slope) * dy[i];
    }
}

namespace {

/// Calls visit(output element, index of the first maximum of its window).
template <class Real, class Visit>
void eachWindow(const Dimensions& d, std::int64_t p, const Real* x, const Visit& visit) {
    const std::int64_t rows = d.h / p, columns = d.w / p;
    for (std::int64_t n = 0; n < d.n; ++n) {
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                for (std::int64_t c = 0; c < d.c; ++c) {
                    std::int64_t best = -1;
                    for (std::int64_t i = row * p; i < (row + 1) * p; ++i) {
                        for (std::int64_t j = column * p; j < (column + 1) * p; ++j) {
                            const std::int64_t at = ((n * d.h + i) * d.w + j) * d.c + c;
                            if (best < 0 || x[at] > x[best]) best = at;
                        }
                    }
                    visit(((n * rows + row) * columns + column) * d.c + c, best);
                }
            }
        }
    }
}

}  // namespace

template <class Real>
void maxPoolForward(const Dimensions& d, std::int64_t p, const Real* x, Real* y) {
    eachWindow(d, p, x, [&](std::int64_t out, std::int64_t best) { y[out] = x[best]; });
}

template <class Real>
void maxPoolBackward(const Dimensions& d, std::int64_t p, const Real* x, const Real* dy, Real* dx) {
    for (std::int64_t i = 0; i < d.elements(); ++i)
        dx[i] = 0;
    eachWindow(d, p, x, [&](std::int64_t out, std::int64_t best) { dx[best] = dy[out]; });
}

template <class Real>
void dropout(const Dimensions& d, bool perChannel, double rate, const float* mask, const Real* x,
             Real* y) {
    const auto kept = static_cast<Real>(1.0 / (1.0 - rate));
    for (std::int64_t i = 0; i < d.elements(); ++i) {
        const std::int64_t image = i / (d.h * d.w * d.c);
        y[i] = x[i] * static_cast<Real>(mask[perChannel ? image * d.c + i % d.c : i]) * kept;
    }
}

template <class Real>
void averagePoolForward(const Dimensions& d, const Real* x, Real* y) {
    for (std::int64_t n = 0; n < d.n; ++n) {
        for (std::int64_t c = 0; c < d.c; ++c) {
            double sum = 0;
            for (std::int64_t p = 0; p < d.h * d.w; ++p) {
                sum += static_cast<double>(x[(n * d.h * d.w + p) * d.c + c]);
            }
            y[n * d.c + c] = static_cast<Real>(sum / static_cast<double>(d.h * d.w));
        }
    }
}

template <class Real>
void averagePoolBackward(const Dimensions& d, const Real* dy, Real* dx) {
    const auto share = static_cast<Real>(1.0 / static_cast<double>(d.h * d.w));
    for (std::int64_t i = 0; i < d.elements(); ++i) {
        dx[i] = dy[i / (d.h * d.w * d.c) * d.c + i % d.c] * share;
    }
}

template <class Real>
void denseForward(std::int64_t n, std::int64_t inputs, std::int64_t k, const Real* x,
                  const Real* weight, const Real* bias, Real* y) {
    for (std::int64_t image = 0; image < n; ++image) {
        for (std::int64_t o = 0; o < k; ++o) {
            double sum = bias[o];
            for (std::int64_t i = 0; i < inputs; ++i) {
                sum += static_cast<double>(x[image * inputs + i]) *
                       static_cast<double>(weight[i * k + o]);
            }
            y[image * k + o] = static_cast<Real>(sum);
        }
    }
}

template <class Real>
void denseBackward(std::int64_t n, std::int64_t inputs, std::int64_t k, const Real* x,
                   const Real* weight, const Real* dy, Real* dx, Real* dweight, Real* dbias) {
    for (std::int64_t i = 0; i < inputs; ++i) {
        for (std::int64_t o = 0; o < k; ++o) {
            double sum = 0;
            for (std::int64_t image = 0; image < n; ++image) {
                sum += static_cast<double>(x[image * inputs + i]) *
                       static_cast<double>(dy[image * k + o]);
            }
            dweight[i * k + o] = static_cast<Real>(sum);
        }
    }
    for (std::int64_t o = 0; o < k; ++o) {
        double sum = 0;
        for (std::int64_t image = 0; image < n; ++image)
            sum += static_cast<double>(dy[image * k + o]);
        dbias[o] = static_cast<Real>(sum);
    }
    if (dx == nullptr) return;
    for (std::int64_t image = 0; image < n; ++image) {
        for (std::int64_t i = 0; i < inputs; ++i) {
            double sum = 0;
            for (std::int64_t o = 0; o < k; ++o) {
                sum +=
                    static_cast<double>(dy[image * k + o]) * static_cast<double>(weight[i * k + o]);
            }
            dx[image * inputs + i] = static_cast<Real>(sum);
        }
    }
}

// NOLINTBEGIN(bugprone-macro-parentheses): Real is a type.
#define AETHER_INSTANTIATE(Real)                                                                   \
    template void batchNormForward(const Dimensions&, double, const Real*, const Real*,            \
                                   const Real*, Real*, double*, double*);                          \
    template void batchNormApply(const Dimensions&, double, const Real*, const Real*, const Real*, \
                                 const double*, const double*, Real*);                             \
    template void batchNormBackward(const Dimensions&, double, const Real*, const Real*,           \
                                    const double*, const double*, const Real*, Real*, Real*,       \
                                    Real*);                                                        \
    template void activationForward(std::int64_t, double, const Real*, Real*);                     \
    template void activationBackward(std::int64_t, double, const Real*, const Real*, Real*);       \
    template void maxPoolForward(const Dimensions&, std::int64_t, const Real*, Real*);             \
    template void maxPoolBackward(const Dimensions&, std::int64_t, const Real*, const Real*,       \
                                  Real*);                                                          \
    template void dropout(const Dimensions&, bool, double, const float*, const Real*, Real*);      \
    template void averagePoolForward(const Dimensions&, const Real*, Real*);                       \
    template void averagePoolBackward(const Dimensions&, const Real*, Real*);                      \
    template void denseForward(std::int64_t, std::int64_t, std::int64_t, const Real*, const Real*, \
                               const Real*, Real*);                                                \
    template void denseBackward(std::int64_t, std::int64_t, std::int64_t, const Real*,             \
                                const Real*, const Real*, Real*, Real*, Real*)

AETHER_INSTANTIATE(float);
AETHER_INSTANTIATE(double);
#undef AETHER_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace aether::engine::cpu::reference
