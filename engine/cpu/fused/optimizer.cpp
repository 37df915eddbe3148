// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/optimizer.h"

#include <cmath>

namespace aether::engine::cpu {
namespace {
constexpr std::int64_t kUpdatePiece = 8192;  ///< elements, a multiple of every vector width
}

Optimizer::Optimizer(const Context& context) : context_(context) {
    for (std::size_t i = 0; i < context.parameters.size(); ++i) {
        const std::int64_t padded = context.parameters[i].padded;
        for (std::int64_t first = 0; first < padded; first += kUpdatePiece) {
            pieces_.push_back({i, first, std::min(kUpdatePiece, padded - first)});
        }
    }
}

double Optimizer::step(std::int64_t step) {
    const AdamW& recipe = context_.workload.optimizer;
    const double t = static_cast<double>(step + 1), rate = recipe.rateAt(step);
    const double correction1 = 1 - std::pow(recipe.beta1, t);
    const double correction2 = 1 - std::pow(recipe.beta2, t);
    context_.pool.run(static_cast<std::int64_t>(pieces_.size()), [&](std::int64_t p, int) {
        Piece& piece = pieces_[static_cast<std::size_t>(p)];
        const Parameter& parameter = context_.workload.parameters[piece.parameter];
        const ParameterTensors& tensors = context_.parameters[piece.parameter];
        float* const weight = tensors.value + piece.first;
        if (parameter.l2 != 0) {
            piece.squares = 0;
            for (std::int64_t i = 0; i < piece.count; ++i) {
                const double w = weight[i];
                piece.squares += w * w;
            }
        }
        context_.table.adamW(
            {.weight = weight,
             .gradient = tensors.gradient + piece.first,
             .first = tensors.first + piece.first,
             .second = tensors.second + piece.first,
             .count = piece.count,
             .beta1 = static_cast<float>(recipe.beta1),
             .beta2 = static_cast<float>(recipe.beta2),
             .oneMinusBeta1 = static_cast<float>(1 - recipe.beta1),
             .oneMinusBeta2 = static_cast<float>(1 - recipe.beta2),
             .rate = static_cast<float>(rate / correction1),
             .secondScale = static_cast<float>(1 / correction2),
             .epsilon = static_cast<float>(recipe.epsilon),
             .decay = parameter.decays() ? static_cast<float>(rate * recipe.weightDecay) : 0.0F,
             .l2 = static_cast<float>(2 * parameter.l2)});
    });
    double term = 0;
    for (const Piece& piece : pieces_) {
        term += context_.workload.parameters[piece.parameter].l2 * piece.squares;
    }
    return term;
}

}  // namespace aether::engine::cpu
