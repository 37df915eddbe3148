// SPDX-License-Identifier: MIT
// A network as fused stages, planned once.
//
// Only tensors behind convolutions and a few others are stored ("edges"). What follows them in the
// chain as far as [batch norm] [activation] [max pool] [spatial dropout] (each optional, in this
// order) is the edge's link: its reader applies it on load, and the reader's dgrad applies its
// derivative in the epilogue. Layers that fit no link become stages of their own, correct but
// slower. The last layers that work on one image alone are the head, done image by image together
// with the loss.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cpu/generation.h"

namespace aether::engine::cpu {

struct Link {
    std::optional<std::size_t> norm, activation, pool, drop;  ///< layer indices
    double slope = 1;                                         ///< of the activation; 1: none
    std::int64_t edge = 1;                                    ///< of the pool
    bool empty() const { return !norm && !activation && !pool && !drop; }
};

struct Edge {
    Shape stored;
    Shape loaded;  ///< behind the link
    Link link;
    bool bytes = false;          ///< the batch's images
    bool needsGradient = false;  ///< a parameter lies before it or in its link
};

enum class StageKind {
    Convolution,
    Input,  ///< standardised images as a stored tensor
    Copy,   ///< the link's result as a stored tensor, for layers that fit no link
    AveragePool,
    Dense,
    Dropout
};

struct Stage {
    StageKind kind;
    std::string name;
    std::size_t layer = 0;         ///< unless Input, Copy
    std::size_t from = 0, to = 0;  ///< edges
};

struct Plan {
    std::vector<Edge> edges;
    std::vector<Stage> stages;
    std::size_t headInput = 0;      ///< edge
    std::vector<std::size_t> head;  ///< layers
};

/// Throws Failure(Unsupported) naming the layer and aether-engine.
Plan planNetwork(const Workload& workload);

/// What `profile` reports, in the order in which a step marks them: preprocess, stages forward,
/// head, stages backward, optimizer. `storedBytes`: per element of a stored tensor.
std::vector<StageInfo> describeStages(const Workload& workload, const Plan& plan,
                                      std::int64_t batch, std::int64_t storedBytes);

}  // namespace aether::engine::cpu
