// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aether {

enum class LayerType {
    Convolution,
    BatchNorm,
    Relu,
    LeakyRelu,
    MaxPool,
    SpatialDropout,
    Dropout,
    GlobalAveragePool,
    Dense
};

std::string_view name(LayerType type);

/// One image's activation, H × W × C. Behind global pooling and dense layers height = width = 1.
struct Shape {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;
    std::int64_t elements() const { return height * width * channels; }
    bool operator==(const Shape&) const = default;
};

/// One layer as docs/workload.md defines it; only the fields of its type mean anything.
struct Layer {
    LayerType type = LayerType::Relu;
    std::string name;
    Shape input;
    Shape output;
    std::int64_t kernel = 0;  ///< convolution: odd edge length
    std::int64_t pool = 0;    ///< max_pool: window and stride
    double l2 = 0;            ///< convolution, dense: the loss gains l2 · Σ weight²
    double epsilon = 0;       ///< batch_norm
    double momentum = 0;      ///< batch_norm: share of the old running statistic that stays
    double slope = 0;         ///< leaky_relu; 0 for relu
    double rate = 0;          ///< dropout: share of elements set to zero
};

enum class ParameterRole { Weight, Bias, Scale, Shift };

/// One trained tensor, in the canonical order and layout (HWIO, [inputs, units], [channels]).
struct Parameter {
    std::string name;  ///< "conv1.weight"
    ParameterRole role = ParameterRole::Weight;
    std::size_t layer = 0;  ///< index into Workload::layers
    std::vector<std::int64_t> shape;
    std::int64_t fanIn = 0;  ///< weights only
    double l2 = 0;
    std::int64_t elements() const;
    bool decays() const { return role == ParameterRole::Weight; }
};

struct AdamW {
    double learningRate = 0;
    double learningRateDecay = 0;
    double beta1 = 0;
    double beta2 = 0;
    double epsilon = 0;
    double weightDecay = 0;
    /// learningRate / (1 + learningRateDecay · step), step from 0.
    double rateAt(std::int64_t step) const {
        return learningRate / (1.0 + learningRateDecay * static_cast<double>(step));
    }
};

/// A network and its training recipe (docs/workload.md).
struct Workload {
    std::string name;
    std::string title;
    std::string digest;  ///< "fnv1a64:…" of the file's bytes; tells workloads apart in results
    Shape input;
    std::int64_t classes = 0;
    std::int64_t batch = 0;
    std::uint64_t seed = 0;
    std::vector<Layer> layers;
    std::vector<Parameter> parameters;
    double labelSmoothing = 0;
    AdamW optimizer;

    std::int64_t parameterCount() const;
    /// Multiply-adds counted as two, convolutions and dense layers, forward + dgrad + wgrad; the
    /// first layer that has weights needs no dgrad.
    double flopsPerStep(std::int64_t batchSize) const;
    /// Lower bound of memory traffic in bytes for one step: every convolution output written once
    /// and read once forward and once backward, in elements of `bytesPerElement`.
    double bytesPerStep(std::int64_t batchSize, int bytesPerElement) const;
    /// Index of the layer of that name; throws Failure(Usage) naming it.
    std::size_t layerIndex(std::string_view layerName) const;
};

/// Throws Failure(Usage) with path and field for a damaged file, Failure(Unsupported) naming an
/// unknown layer type.
Workload loadWorkload(const std::filesystem::path& file);
/// The same from text; `origin` stands for the path in messages.
Workload parseWorkload(std::string_view text, const std::string& origin);

}  // namespace aether
