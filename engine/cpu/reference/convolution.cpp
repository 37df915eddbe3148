// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "engine/cpu/reference/layers.h"

namespace aether::engine::cpu::reference {

template <class Real>
void convolutionForward(const Dimensions& d, std::int64_t k, std::int64_t f, const Real* x,
                        const Real* weight, const Real* bias, Real* y) {
    std::vector<double> sum(static_cast<std::size_t>(k));
    for (std::int64_t n = 0; n < d.n; ++n) {
        for (std::int64_t row = 0; row < d.h; ++row) {
            for (std::int64_t column = 0; column < d.w; ++column) {
                std::copy(bias, bias + k, sum.begin());
                for (std::int64_t i = 0; i < f; ++i) {
                    for (std::int64_t j = 0; j < f; ++j) {
                        const std::int64_t from = row + i - f / 2, at = column + j - f / 2;
                        if (from < 0 || from >= d.h || at < 0 || at >= d.w) continue;
                        const Real* const pixel = x + ((n * d.h + from) * d.w + at) * d.c;
                        for (std::int64_t c = 0; c < d.c; ++c) {
                            const Real* const w = weight + ((i * f + j) * d.c + c) * k;
                            const double value = pixel[c];
                            for (std::int64_t o = 0; o < k; ++o) {
                                sum[static_cast<std::size_t>(o)] +=
                                    value * static_cast<double>(w[o]);
                            }
                        }
                    }
                }
                Real* const out = y + ((n * d.h + row) * d.w + column) * k;
                for (std::int64_t o = 0; o < k; ++o) {
                    out[o] = static_cast<Real>(sum[static_cast<std::size_t>(o)]);
                }
            }
        }
    }
}

template <class Real>
void convolutionBackward(const Dimensions& d, std::int64_t k, std::int64_t f, const Real* x,
                         const Real* weight, const Real* dy, Real* dx, Real* dweight, Real* dbias) {
    std::vector<double> weightSum(static_cast<std::size_t>(f * f * d.c * k));
    std::vector<double> biasSum(static_cast<std::size_t>(k));
    std::vector<double> inputSum(dx != nullptr ? static_cast<std::size_t>(d.elements()) : 0);
    for (std::int64_t n = 0; n < d.n; ++n) {
        for (std::int64_t row = 0; row < d.h; ++row) {
            for (std::int64_t column = 0; column < d.w; ++column) {
                const Real* const g = dy + ((n * d.h + row) * d.w + column) * k;
                for (std::int64_t o = 0; o < k; ++o) {
                    biasSum[static_cast<std::size_t>(o)] += static_cast<double>(g[o]);
                }
                for (std::int64_t i = 0; i < f; ++i) {
                    for (std::int64_t j = 0; j < f; ++j) {
                        const std::int64_t from = row + i - f / 2, at = column + j - f / 2;
                        if (from < 0 || from >= d.h || at < 0 || at >= d.w) continue;
                        const std::int64_t pixel = ((n * d.h + from) * d.w + at) * d.c;
                        for (std::int64_t c = 0; c < d.c; ++c) {
                            const std::int64_t tap = ((i * f + j) * d.c + c) * k;
                            const double value = x[pixel + c];
                            double back = 0;
                            for (std::int64_t o = 0; o < k; ++o) {
                                weightSum[static_cast<std::size_t>(tap + o)] +=
                                    value * static_cast<double>(g[o]);
                                back += static_cast<double>(weight[tap + o]) *
                                        static_cast<double>(g[o]);
                            }
                            if (dx != nullptr)
                                inputSum[static_cast<std::size_t>(pixel + c)] += back;
                        }
                    }
                }
            }
        }
    }
    const auto narrow = [](double v) { return static_cast<Real>(v); };
    std::transform(weightSum.begin(), weightSum.end(), dweight, narrow);
    std::transform(biasSum.begin(), biasSum.end(), dbias, narrow);
    if (dx != nullptr) std::transform(inputSum.begin(), inputSum.end(), dx, narrow);
}

template void convolutionForward(const Dimensions&, std::int64_t, std::int64_t, const float*,
                                 const float*, const float*, float*);
template void convolutionForward(const Dimensions&, std::int64_t, std::int64_t, const double*,
                                 const double*, const double*, double*);
template void convolutionBackward(const Dimensions&, std::int64_t, std::int64_t, const float*,
                                  const float*, const float*, float*, float*, float*);
template void convolutionBackward(const Dimensions&, std::int64_t, std::int64_t, const double*,
                                  const double*, const double*, double*, double*, double*);

}  // namespace aether::engine::cpu::reference
