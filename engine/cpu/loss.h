// SPDX-License-Identifier: MIT
// What every generation computes the same way, in double: input statistics and the loss of one
// image.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace aether::engine::cpu {

/// Integer sums over the bytes of a batch, exact and therefore in any order.
struct ByteSums {
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
};
ByteSums sumBytes(const std::uint8_t* bytes, std::int64_t count);

/// The value of each byte after batch_standardise (docs/workload.md).
std::array<double, 256> standardisedValues(const ByteSums& sums, std::int64_t count);

struct ImageLoss {
    double loss = 0;  ///< −Σ q log p
    bool correct = false;
};

/// Softmax cross entropy with label smoothing. Writes dlogits = (p − q) · scale.
template <class Real>
ImageLoss crossEntropy(std::span<const Real> logits, std::int32_t label, double smoothing,
                       double scale, std::span<Real> dlogits);

}  // namespace aether::engine::cpu
