// SPDX-License-Identifier: GPL-3.0-only
// What every framework starts from when it is verified: the `inputs` of the protocol's trace.
#pragma once

#include "common/dataset.h"
#include "common/safetensors.h"
#include "common/workload.h"

namespace aether::app {

/// parameter.NAME, and for every step k: image.k, label.k (the training set in storage order from
/// `firstImage` on, going round) and mask.LAYER.k of every dropout layer, as docs/workload.md
/// defines them.
TensorMap traceInputs(const Workload& workload, const Dataset& data, std::int64_t batch,
                      std::uint64_t seed, int steps, std::size_t firstImage = 0);

/// The same bytes with every image's H × W × C order read as if it were C × H × W: what a runner
/// computes that confuses the layouts.
void confuseImageLayout(TensorMap& inputs, const Workload& workload, int steps);

}  // namespace aether::app
