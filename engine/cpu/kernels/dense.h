// SPDX-License-Identifier: MIT
// Dense layers and the optimizer, on vectors.
#pragma once

#include "engine/cpu/kernels/arguments.h"
#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

template <class V>
void denseForward(const DenseArguments& a) {
    for (std::int64_t j = 0; j < a.outputs; j += V::kWidth) {
        typename V::F even = V::load(a.bias + j), odd = V::zero();
        std::int64_t i = 0;
        for (; i + 2 <= a.inputs; i += 2) {
            even = V::fma(V::set1(a.x[i]), V::load(a.weights + i * a.outputs + j), even);
            odd = V::fma(V::set1(a.x[i + 1]), V::load(a.weights + (i + 1) * a.outputs + j), odd);
        }
        if (i < a.inputs) {
            even = V::fma(V::set1(a.x[i]), V::load(a.weights + i * a.outputs + j), even);
        }
        V::store(a.y + j, V::add(even, odd));
    }
}

template <class V>
void denseInputGradient(const DenseArguments& a) {
    for (std::int64_t i = 0; i < a.inputs; ++i) {
        typename V::F sum = V::zero();
        for (std::int64_t j = 0; j < a.outputs; j += V::kWidth) {
            sum = V::fma(V::load(a.dy + j), V::load(a.weights + i * a.outputs + j), sum);
        }
        a.dx[i] = V::sum(sum);
    }
}

template <class V>
void denseWeightGradient(const DenseGradientArguments& a) {
    for (std::int64_t i = a.first; i < a.last; ++i) {
        for (std::int64_t j = 0; j < a.outputs; j += V::kWidth) {
            typename V::F sum = V::zero();
            for (std::int64_t n = 0; n < a.images; ++n) {
                sum = V::fma(V::set1(a.x[n * a.inputStride + i]), V::load(a.dy + n * a.outputs + j),
                             sum);
            }
            float lanes[V::kWidth];
            V::store(lanes, sum);
            for (std::int64_t o = j; o < j + V::kWidth && o < a.realOutputs; ++o) {
                a.gradient[i * a.realOutputs + o] = lanes[o - j];
            }
        }
    }
}

template <class V>
void adamW(const AdamWArguments& a) {
    using F = typename V::F;
    const F beta1 = V::set1(a.beta1), beta2 = V::set1(a.beta2);
    const F other1 = V::set1(a.oneMinusBeta1), other2 = V::set1(a.oneMinusBeta2);
    const F rate = V::set1(a.rate), secondScale = V::set1(a.secondScale);
    const F epsilon = V::set1(a.epsilon), decay = V::set1(a.decay), l2 = V::set1(a.l2);
    for (std::int64_t i = 0; i < a.count; i += V::kWidth) {
        const F w = V::load(a.weight + i);
        const F g = V::fma(l2, w, V::load(a.gradient + i));
        const F m = V::fma(other1, g, V::mul(beta1, V::load(a.first + i)));
        const F v = V::fma(V::mul(other2, g), g, V::mul(beta2, V::load(a.second + i)));
        V::store(a.gradient + i, g);
        V::store(a.first + i, m);
        V::store(a.second + i, v);
        const F divisor = V::add(V::sqrt(V::mul(v, secondScale)), epsilon);
        const F update = V::fma(decay, w, V::div(V::mul(rate, m), divisor));
        V::store(a.weight + i, V::sub(w, update));
    }
}

template <class V>
void roundBf16All(float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += V::kWidth) {
        V::store(values + i, V::roundBf16(V::load(values + i)));
    }
}

}  // namespace aether::engine::cpu
