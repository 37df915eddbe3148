// SPDX-License-Identifier: MIT
// Reading and writing of the safetensors format: 8 bytes little-endian header length, a JSON
// header, raw data. Format: https://huggingface.co/docs/safetensors
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aether {

enum class DType { U8, I32, F32, F64 };

std::string_view name(DType type);
std::size_t bytesPerElement(DType type);

struct Tensor {
    DType type = DType::F32;
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> bytes;  ///< row-major, little-endian

    std::int64_t elements() const;
    /// F32 and F64 as double; throws Failure(Usage) for another type.
    std::vector<double> toDouble() const;
    /// Views; the type must match (Failure(Usage) otherwise).
    std::span<const float> f32() const;
    std::span<const std::int32_t> i32() const;
    std::span<const std::uint8_t> u8() const;

    static Tensor of(std::vector<std::int64_t> shape, std::span<const float> values);
    static Tensor of(std::vector<std::int64_t> shape, std::span<const double> values);
    static Tensor of(std::vector<std::int64_t> shape, std::span<const std::int32_t> values);
    static Tensor of(std::vector<std::int64_t> shape, std::span<const std::uint8_t> values);
};

using TensorMap = std::map<std::string, Tensor>;

/// Throws Failure(Usage) with the path and what is damaged: too short, header too long, offsets
/// outside the file, overlapping or inconsistent with shape and type, unsupported type.
TensorMap readSafetensors(const std::filesystem::path& file);
/// Written to a temporary file beside it and renamed. Throws Failure(Usage) with path and cause.
void writeSafetensors(const TensorMap& tensors, const std::filesystem::path& file);

/// The tensor of that name; throws Failure(Usage) naming it when missing or of another element
/// count.
const Tensor& requireTensor(const TensorMap& tensors, const std::string& name,
                            std::int64_t elements);

}  // namespace aether
