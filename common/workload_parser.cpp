// SPDX-License-Identifier: MIT
// Workload files: JSON to layers, shapes and parameters, with a sentence for everything that is
// wrong.
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "common/failure.h"
#include "common/files.h"
#include "common/workload.h"

namespace aether {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "aether-bench/workload/1";
constexpr std::int64_t kMaxDimension = 1 << 16;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;

/// One JSON object with the place it stands at, for messages.
class Fields {
  public:
    Fields(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
        if (!json_.is_object()) fail("must be an object");
    }

    [[noreturn]] void fail(const std::string& what, FailureKind kind = FailureKind::Usage) const {
        throw Failure(kind, place_ + ": " + what);
    }

    const Json& at(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) fail(std::string("'") + key + "' is missing");
        return *found;
    }

    Fields object(const char* key) const { return {at(key), place_ + "." + key}; }

    std::string text(const char* key) const {
        if (!at(key).is_string()) fail(std::string("'") + key + "' must be text");
        return at(key).get<std::string>();
    }

    std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
        const Json& value = at(key);
        if (!value.is_number_integer() || value < low || value > high) {
            fail(std::string("'") + key + "' must be a whole number from " + std::to_string(low) +
                 " to " + std::to_string(high) + ", not " + value.dump());
        }
        return value.get<std::int64_t>();
    }

    double number(const char* key, double low, double high) const {
        const Json& value = at(key);
        const double result = value.is_number() ? value.get<double>() : NAN;
        if (!(result >= low && result <= high)) {
            fail(std::string("'") + key + "' must be a number from " + Json(low).dump() + " to " +
                 Json(high).dump() + ", not " + value.dump());
        }
        return result;
    }

    double numberOr(const char* key, double fallback, double low, double high) const {
        return json_.contains(key) ? number(key, low, high) : fallback;
    }

    void requireText(const char* key, std::string_view expected) const {
        if (text(key) != expected) {
            fail(std::string("'") + key + "' must be \"" + std::string(expected) + "\", not \"" +
                     text(key) + "\"",
                 FailureKind::Unsupported);
        }
    }

  private:
    const Json& json_;
    std::string place_;
};

LayerType layerType(const Fields& fields) {
    const std::string wanted = fields.text("type");
    for (const LayerType type :
         {LayerType::Convolution, LayerType::BatchNorm, LayerType::Relu, LayerType::LeakyRelu,
          LayerType::MaxPool, LayerType::SpatialDropout, LayerType::Dropout,
          LayerType::GlobalAveragePool, LayerType::Dense}) {
        if (name(type) == wanted) return type;
    }
    fields.fail("unknown layer type \"" + wanted + "\"", FailureKind::Unsupported);
}

Layer parseLayer(const Fields& fields, Shape input) {
    Layer layer;
    layer.type = layerType(fields);
    layer.name = fields.text("name");
    layer.input = input;
    layer.output = input;
    switch (layer.type) {
        case LayerType::Convolution:
            layer.kernel = fields.integer("kernel", 1, 31);
            if (layer.kernel % 2 == 0) fields.fail("'kernel' must be odd");
            layer.output.channels = fields.integer("filters", 1, kMaxDimension);
            layer.l2 = fields.numberOr("l2", 0, 0, 1);
            break;
        case LayerType::BatchNorm:
            layer.epsilon = fields.number("epsilon", 1e-12, 1);
            layer.momentum = fields.number("momentum", 0, 1);
            break;
        case LayerType::LeakyRelu:
            layer.slope = fields.number("slope", 0, 1);
            break;
        case LayerType::MaxPool:
            layer.pool = fields.integer("size", 1, 64);
            layer.output.height = input.height / layer.pool;
            layer.output.width = input.width / layer.pool;
            if (layer.output.height == 0 || layer.output.width == 0) {
                fields.fail("window " + std::to_string(layer.pool) + " is larger than the image");
            }
            break;
        case LayerType::SpatialDropout:
        case LayerType::Dropout:
            layer.rate = fields.number("rate", 0, 0.999);
            break;
        case LayerType::GlobalAveragePool:
            layer.output = {1, 1, input.channels};
            break;
        case LayerType::Dense:
            layer.output = {1, 1, fields.integer("units", 1, kMaxDimension)};
            layer.l2 = fields.numberOr("l2", 0, 0, 1);
            break;
        case LayerType::Relu:
            break;
    }
    if (layer.output.elements() > kMaxElements) fields.fail("output is too large");
    return layer;
}

void addParameters(Workload& workload, std::size_t index) {
    const Layer& layer = workload.layers[index];
    const auto add = [&](const char* suffix, ParameterRole role, std::vector<std::int64_t> shape,
                         std::int64_t fanIn) {
        const double l2 = role == ParameterRole::Weight ? layer.l2 : 0;
        workload.parameters.push_back(
            {layer.name + suffix, role, index, std::move(shape), fanIn, l2});
    };
    const std::int64_t in = layer.input.channels;
    const std::int64_t out = layer.output.channels;
    if (layer.type == LayerType::Convolution) {
        add(".weight", ParameterRole::Weight, {layer.kernel, layer.kernel, in, out},
            layer.kernel * layer.kernel * in);
        add(".bias", ParameterRole::Bias, {out}, 0);
    } else if (layer.type == LayerType::Dense) {
        add(".weight", ParameterRole::Weight, {layer.input.elements(), out},
            layer.input.elements());
        add(".bias", ParameterRole::Bias, {out}, 0);
    } else if (layer.type == LayerType::BatchNorm) {
        add(".scale", ParameterRole::Scale, {out}, 0);
        add(".shift", ParameterRole::Shift, {out}, 0);
    }
}

void parseLayers(const Fields& root, const std::string& origin, Workload& workload) {
    const Json& layers = root.at("layers");
    if (!layers.is_array() || layers.empty())
        root.fail("'layers' must be a list that is not empty");
    std::set<std::string> names;
    Shape shape = workload.input;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Fields fields(layers[i], origin + ": layers[" + std::to_string(i) + "]");
        workload.layers.push_back(parseLayer(fields, shape));
        if (!names.insert(workload.layers.back().name).second) {
            fields.fail("the name \"" + workload.layers.back().name + "\" stands twice");
        }
        shape = workload.layers.back().output;
        addParameters(workload, i);
    }
    if (!(shape == Shape{1, 1, workload.classes})) {
        root.fail("the last layer yields " + std::to_string(shape.height) + "x" +
                  std::to_string(shape.width) + "x" + std::to_string(shape.channels) +
                  ", not one value for each of " + std::to_string(workload.classes) + " classes");
    }
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo): tells files apart, guards against nothing else.
std::string digestOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "fnv1a64:%016llx",
                  static_cast<unsigned long long>(hash));
    return buffer.data();
}

}  // namespace

Workload parseWorkload(std::string_view text, const std::string& origin) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Failure(FailureKind::Usage, origin + ": not a JSON file");
    const Fields root(json, origin);
    if (root.text("schema") != kSchema) {
        root.fail("schema \"" + root.text("schema") + "\" is not \"" + std::string(kSchema) + "\"");
    }
    Workload workload;
    workload.digest = digestOf(text);
    workload.name = root.text("name");
    workload.title = json.contains("title") ? root.text("title") : workload.name;
    const Fields input = root.object("input");
    workload.input = {input.integer("height", 1, kMaxDimension),
                      input.integer("width", 1, kMaxDimension),
                      input.integer("channels", 1, kMaxDimension)};
    workload.classes = input.integer("classes", 1, 256);
    input.requireText("preprocess", "batch_standardise");
    workload.batch = root.integer("batch", 1, kMaxDimension);
    workload.seed = static_cast<std::uint64_t>(root.integer("seed", 0, INT64_MAX));
    const Fields loss = root.object("loss");
    loss.requireText("type", "softmax_cross_entropy");
    workload.labelSmoothing = loss.numberOr("label_smoothing", 0, 0, 1);
    const Fields optimizer = root.object("optimizer");
    optimizer.requireText("type", "adamw");
    workload.optimizer = {optimizer.number("learning_rate", 0, 1e3),
                          optimizer.numberOr("learning_rate_decay", 0, 0, 1e3),
                          optimizer.number("beta1", 0, 0.999999999),
                          optimizer.number("beta2", 0, 0.999999999),
                          optimizer.number("epsilon", 1e-30, 1),
                          optimizer.numberOr("weight_decay", 0, 0, 1e3)};
    parseLayers(root, origin, workload);
    return workload;
}

Workload loadWorkload(const std::filesystem::path& file) {
    return parseWorkload(readFile(file), file.string());
}

}  // namespace aether
