// SPDX-License-Identifier: MIT
// What the parts of a direct network share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/workload.h"
#include "engine/cpu/arena.h"
#include "engine/cpu/kernels/table.h"
#include "engine/cpu/thread_pool.h"

namespace aether::engine::cpu {

/// One trained tensor and what belongs to it, each padded with zeros to a multiple of the vector
/// width.
struct ParameterTensors {
    float *value = nullptr, *gradient = nullptr, *first = nullptr, *second = nullptr;
    std::int64_t padded = 0;
};

/// Per-thread buffers, as large as the most demanding stage needs.
struct Scratch {
    void* input = nullptr;         ///< padded inputs of the images of a call
    void* gradient = nullptr;      ///< their padded dy
    void* workspace = nullptr;     ///< of the convolution kernels
    float* accumulator = nullptr;  ///< of their weight gradients
};

struct ScratchBytes {
    std::int64_t input = 0, gradient = 0, workspace = 0, accumulator = 0;
    void cover(const ScratchBytes& other) {
        input = std::max(input, other.input);
        gradient = std::max(gradient, other.gradient);
        workspace = std::max(workspace, other.workspace);
        accumulator = std::max(accumulator, other.accumulator);
    }
};

/// How convolutions are computed.
enum class ConvolutionMethod {
    Direct,
    Winograd  ///< where it fits and pays, else direct
};

struct Context {
    const Workload& workload;
    const KernelTable& table;
    const ArithmeticKernels& kernels;
    ConvolutionMethod method;
    bool bf16;
    std::int64_t batch;
    std::uint64_t seed;
    ThreadPool& pool;
    std::vector<ParameterTensors>& parameters;
    std::vector<Scratch>& scratch;  ///< one per thread
    float* zeros = nullptr;         ///< as many as the widest tensor has channels
    float* ones = nullptr;
    const std::uint8_t* images = nullptr;  ///< of the running step
    float byteValues[256] = {};            ///< of the running step

    std::int64_t padded(std::int64_t channels) const {
        return (channels + table.width - 1) / table.width * table.width;
    }
    /// Images whose weight gradients are summed before they are rounded into one partial sum. Fixed
    /// by the prepared batch, so that neither threads nor a smaller last batch change it.
    std::int64_t chunkImages() const { return (batch + kChunks - 1) / kChunks; }
    std::int64_t chunks(std::int64_t count) const {
        return (count + chunkImages() - 1) / chunkImages();
    }
    static constexpr std::int64_t kChunks = 16;
};

/// Index of the layer's first parameter (weight or scale); bias or shift follows.
inline std::size_t firstParameter(const Workload& workload, std::size_t layer) {
    std::size_t i = 0;
    while (workload.parameters[i].layer != layer)
        ++i;
    return i;
}

}  // namespace aether::engine::cpu
