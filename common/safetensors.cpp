// SPDX-License-Identifier: MIT
#include "common/safetensors.h"

#include <bit>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "common/failure.h"
#include "common/files.h"

namespace aether {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeader = 100'000'000;  // the format's own limit

[[noreturn]] void damaged(const std::string& origin, const std::string& what) {
    throw Failure(FailureKind::Usage, origin + ": damaged safetensors file: " + what);
}

DType parseType(const std::string& text, const std::string& origin) {
    for (const DType type : {DType::U8, DType::I32, DType::F32, DType::F64}) {
        if (name(type) == text) return type;
    }
    damaged(origin, "unsupported type \"" + text + "\"");
}

Tensor parseTensor(const std::string& key, const Json& entry, std::string_view data,
                   const std::string& origin) {
    const std::string place = "tensor \"" + key + "\"";
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
        damaged(origin, place + " lacks dtype, shape or data_offsets");
    }
    Tensor tensor;
    tensor.type = parseType(entry["dtype"], origin);
    std::size_t bytes = bytesPerElement(tensor.type);
    for (const Json& dimension : entry["shape"]) {
        if (!dimension.is_number_unsigned())
            damaged(origin, place + " has a dimension that is no whole number");
        const auto extent = dimension.get<std::uint64_t>();
        if (extent > 0 && bytes > data.size() / extent)
            damaged(origin, place + " is larger than the file");
        bytes *= extent;
        tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }
    const Json& offsets = entry["data_offsets"];
    if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
        damaged(origin, place + " has offsets that are no whole numbers");
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > data.size()) {
        damaged(origin, place + " ends at byte " + std::to_string(end) + " of " +
                            std::to_string(data.size()));
    }
    if (end - begin != bytes) {
        damaged(origin, place + " has " + std::to_string(end - begin) +
                            " bytes where its shape needs " + std::to_string(bytes));
    }
    tensor.bytes.assign(data.begin() + static_cast<long>(begin),
                        data.begin() + static_cast<long>(end));
    return tensor;
}

template <class T>
std::span<const T> view(const Tensor& tensor, DType wanted) {
    if (tensor.type != wanted) {
        throw Failure(FailureKind::Usage, "a tensor is " + std::string(name(tensor.type)) +
                                              " where " + std::string(name(wanted)) +
                                              " was expected");
    }
    return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(T)};
}

template <class T>
Tensor make(DType type, std::vector<std::int64_t> shape, std::span<const T> values) {
    Tensor tensor{type, std::move(shape), {}};
    tensor.bytes.resize(values.size_bytes());
    if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), values.size_bytes());
    return tensor;
}

}  // namespace

std::string_view name(DType type) {
    switch (type) {
        case DType::U8:
            return "U8";
        case DType::I32:
            return "I32";
        case DType::F32:
            return "F32";
        case DType::F64:
            return "F64";
    }
    return "?";
}

std::size_t bytesPerElement(DType type) {
    switch (type) {
        case DType::U8:
            return 1;
        case DType::I32:
        case DType::F32:
            return 4;
        case DType::F64:
            return 8;
    }
    return 0;
}

std::int64_t Tensor::elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::span<const float> Tensor::f32() const {
    return view<float>(*this, DType::F32);
}
std::span<const std::int32_t> Tensor::i32() const {
    return view<std::int32_t>(*this, DType::I32);
}
std::span<const std::uint8_t> Tensor::u8() const {
    return view<std::uint8_t>(*this, DType::U8);
}

std::vector<double> Tensor::toDouble() const {
    if (type == DType::F64) {
        const auto values = view<double>(*this, DType::F64);
        return {values.begin(), values.end()};
    }
    const auto values = f32();
    return {values.begin(), values.end()};
}

Tensor Tensor::of(std::vector<std::int64_t> shape, std::span<const float> values) {
    return make(DType::F32, std::move(shape), values);
}
Tensor Tensor::of(std::vector<std::int64_t> shape, std::span<const double> values) {
    return make(DType::F64, std::move(shape), values);
}
Tensor Tensor::of(std::vector<std::int64_t> shape, std::span<const std::int32_t> values) {
    return make(DType::I32, std::move(shape), values);
}
Tensor Tensor::of(std::vector<std::int64_t> shape, std::span<const std::uint8_t> values) {
    return make(DType::U8, std::move(shape), values);
}

TensorMap readSafetensors(const std::filesystem::path& file) {
    const std::string origin = file.string();
    const std::string bytes = readFile(file);
    if (bytes.size() < kLengthBytes) damaged(origin, "shorter than its header length");
    std::uint64_t headerBytes = 0;
    std::memcpy(&headerBytes, bytes.data(), kLengthBytes);
    if (headerBytes > kMaxHeader || headerBytes > bytes.size() - kLengthBytes) {
        damaged(origin, "a header of " + std::to_string(headerBytes) + " bytes in a file of " +
                            std::to_string(bytes.size()));
    }
    const std::string_view all(bytes);
    const Json header = Json::parse(all.substr(kLengthBytes, headerBytes), nullptr, false);
    if (!header.is_object()) damaged(origin, "the header is no JSON object");
    const std::string_view data = all.substr(kLengthBytes + headerBytes);
    TensorMap tensors;
    std::size_t used = 0;
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") continue;
        used +=
            tensors.emplace(key, parseTensor(key, entry, data, origin)).first->second.bytes.size();
    }
    if (used != data.size()) {
        damaged(origin, "its tensors have " + std::to_string(used) + " bytes, its data " +
                            std::to_string(data.size()));
    }
    return tensors;
}

void writeSafetensors(const TensorMap& tensors, const std::filesystem::path& file) {
    Json header = Json::object();
    std::size_t offset = 0;
    for (const auto& [key, tensor] : tensors) {
        header[key] = {{"dtype", name(tensor.type)},
                       {"shape", tensor.shape},
                       {"data_offsets", {offset, offset + tensor.bytes.size()}}};
        offset += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // data begins aligned, as the format recommends
    const std::uint64_t headerBytes = text.size();
    std::string bytes(kLengthBytes, '\0');
    std::memcpy(bytes.data(), &headerBytes, kLengthBytes);
    bytes += text;
    bytes.reserve(bytes.size() + offset);
    for (const auto& entry : tensors)
        bytes.append(entry.second.bytes.begin(), entry.second.bytes.end());
    writeFileAtomically(file, bytes);
}

const Tensor& requireTensor(const TensorMap& tensors, const std::string& name,
                            std::int64_t elements) {
    const auto found = tensors.find(name);
    if (found == tensors.end())
        throw Failure(FailureKind::Usage, "tensor \"" + name + "\" is missing");
    if (found->second.elements() != elements) {
        throw Failure(FailureKind::Usage,
                      "tensor \"" + name + "\" has " + std::to_string(found->second.elements()) +
                          " elements where " + std::to_string(elements) + " were expected");
    }
    return found->second;
}

}  // namespace aether
