// SPDX-License-Identifier: MIT
#pragma once

#include "common/protocol.h"
#include "engine/cpu/training.h"

namespace aether::engine::cpu {

/// K steps from given weights and batches through the very code that `measure` times
/// (docs/protocol.md). Throws Failure(Numerics) when a given mask is not the one that the step made
/// itself.
protocol::Traced runTrace(Training& training, const protocol::TraceRequest& request);

}  // namespace aether::engine::cpu
