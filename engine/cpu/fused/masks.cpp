// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/masks.h"

#include <array>

#include "common/failure.h"
#include "common/random.h"

namespace aether::engine::cpu {
namespace {
constexpr std::int64_t kMaskPiece = 4096;  ///< elements, a multiple of four (one Philox block)
}

void Masks::addLink(EdgeState& edge) {
    const std::size_t layer = *edge.edge().link.drop;
    entries_.push_back({layer, &edge, maskElements(context_.workload.layers[layer])});
}

void Masks::addLayer(std::size_t layer) {
    entries_.push_back({layer, nullptr, maskElements(context_.workload.layers[layer])});
}

void Masks::request(Arena& arena) {
    for (Entry& entry : entries_) {
        if (entry.edge == nullptr) {
            arena.request(entry.values, context_.batch * entry.imageElements);
        }
    }
}

std::int64_t Masks::piecesOf(const Entry& entry, std::int64_t images) const {
    return (images * entry.imageElements + kMaskPiece - 1) / kMaskPiece;
}

std::int64_t Masks::pieces(std::int64_t images) const {
    std::int64_t sum = 0;
    for (const Entry& entry : entries_)
        sum += piecesOf(entry, images);
    return sum;
}

void Masks::make(std::int64_t piece, std::int64_t images, std::int64_t step) {
    const Entry* entry = entries_.data();
    for (; piece >= piecesOf(*entry, images); ++entry)
        piece -= piecesOf(*entry, images);
    const std::int64_t first = piece * kMaskPiece;
    const std::int64_t count = std::min(kMaskPiece, images * entry->imageElements - first);
    std::array<float, kMaskPiece> buffer;
    float* const out = entry->edge != nullptr ? buffer.data() : entry->values + first;
    dropoutMask({out, static_cast<std::size_t>(count)}, static_cast<std::uint64_t>(first),
                context_.workload.layers[entry->layer].rate, context_.seed,
                static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(entry->layer));
    if (entry->edge != nullptr) entry->edge->setMask(first, out, count);
}

const Masks::Entry& Masks::find(std::size_t layer) const {
    for (const Entry& entry : entries_) {
        if (entry.layer == layer) return entry;
    }
    throw Failure(FailureKind::Usage,
                  "layer " + context_.workload.layers.at(layer).name + " has no mask");
}

const float* Masks::ofLayer(std::size_t layer, std::int64_t image) const {
    const Entry& entry = find(layer);
    return entry.values + image * entry.imageElements;
}

std::vector<float> Masks::all(std::size_t layer) const {
    const Entry& entry = find(layer);
    if (entry.edge != nullptr) return entry.edge->mask();
    return {entry.values, entry.values + context_.batch * entry.imageElements};
}

}  // namespace aether::engine::cpu
