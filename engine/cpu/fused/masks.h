// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/cpu/fused/edge_state.h"

namespace aether::engine::cpu {

/// The dropout masks of a step, made in pieces at its start from the randomness that the workload
/// defines.
class Masks {
  public:
    explicit Masks(const Context& context) : context_(context) {}
    /// Spatial dropout in a link: written into the edge.
    void addLink(EdgeState& edge);
    /// A dropout layer on its own: zeros and ones, [N][elements of an image].
    void addLayer(std::size_t layer);
    void request(Arena& arena);

    std::int64_t pieces(std::int64_t images) const;
    void make(std::int64_t piece, std::int64_t images, std::int64_t step);

    /// Zeros and ones of one image of a layer added with addLayer.
    const float* ofLayer(std::size_t layer, std::int64_t image) const;
    /// The whole last mask of any dropout layer.
    std::vector<float> all(std::size_t layer) const;

  private:
    struct Entry {
        std::size_t layer;
        EdgeState* edge;  ///< or null
        std::int64_t imageElements;
        float* values = nullptr;  ///< [N][imageElements], without edge
    };
    std::int64_t piecesOf(const Entry& entry, std::int64_t images) const;
    const Entry& find(std::size_t layer) const;

    const Context& context_;
    std::vector<Entry> entries_;
};

}  // namespace aether::engine::cpu
