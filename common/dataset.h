// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "common/workload.h"

namespace aether {

/// Images as bytes, N × H × W × C, with one label each.
struct ImageSet {
    Shape shape;
    std::vector<std::uint8_t> pixels;
    std::vector<std::int32_t> labels;
    std::size_t count() const { return labels.size(); }
    const std::uint8_t* image(std::size_t i) const {
        return pixels.data() + i * static_cast<std::size_t>(shape.elements());
    }
};

struct Dataset {
    ImageSet train;
    ImageSet test;
    bool synthetic = false;
    /// "synthetic" or "cifar10-binary", as in results and figures.
    const char* kind() const { return synthetic ? "synthetic" : "cifar10-binary"; }
};

/// Deterministic images and labels (docs/workload.md): 2,048 to train, 512 to test.
Dataset syntheticDataset(const Workload& workload, std::uint64_t seed);

/// data_batch_*.bin (in order of name) and test_batch.bin of a folder, each a sequence of
/// 3,073-byte records: label, then the three colour planes. Throws Failure(Usage) with path, offset
/// and what was expected.
Dataset loadCifar10(const std::filesystem::path& folder);

/// loadCifar10 if a folder is given, else syntheticDataset; checks that shape and classes fit the
/// workload.
Dataset loadDataset(const Workload& workload, const std::optional<std::filesystem::path>& folder,
                    std::uint64_t seed);

/// Writes a set in the binary form to one file. Throws Failure(Usage) with the path.
void writeCifar10(const ImageSet& images, const std::filesystem::path& file);

}  // namespace aether
