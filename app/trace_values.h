// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/safetensors.h"
#include "common/workload.h"

namespace aether::app {

enum class QuantityKind { Loss, Gradient, Update, Running };

/// One thing that is compared: "loss of step 2", "gradient conv1.weight", "update fc.bias",
/// "running bn1.mean".
struct Quantity {
    QuantityKind kind = QuantityKind::Loss;
    std::string name;
    std::size_t parameter = 0;  ///< index into Workload::parameters; gradients and updates
    std::size_t layer = 0;      ///< index into Workload::layers; running statistics
    std::vector<double> values;
};

/// The quantities of one trace, in this order: losses, gradients, updates (parameters after K steps
/// less the initial ones), running statistics. The same order for every trace of a workload.
using TraceValues = std::vector<Quantity>;

/// Throws Failure(Numerics) naming the tensor that is missing, of another shape or not finite.
TraceValues readTrace(const std::filesystem::path& outputs, const Workload& workload,
                      const TensorMap& inputs, int steps);

}  // namespace aether::app
