// SPDX-License-Identifier: MIT
#include "common/protocol.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/failure.h"

namespace aether::protocol {
namespace {

using Json = nlohmann::json;

[[noreturn]] void wrong(const char* key, const char* expected) {
    throw Failure(FailureKind::Usage, std::string("'") + key + "' must be " + expected);
}

bool isKnown(const Json& json, const char* key) {
    return json.contains(key) && !json.at(key).is_null();
}

template <class T>
T read(const Json& json, const char* key);

template <>
std::string read(const Json& json, const char* key) {
    if (!isKnown(json, key) || !json.at(key).is_string()) wrong(key, "text");
    return json.at(key).get<std::string>();
}

template <>
std::int64_t read(const Json& json, const char* key) {
    if (!isKnown(json, key) || !json.at(key).is_number_integer()) wrong(key, "a whole number");
    return json.at(key).get<std::int64_t>();
}

template <>
std::uint64_t read(const Json& json, const char* key) {
    if (!isKnown(json, key) || !json.at(key).is_number_unsigned())
        wrong(key, "a whole number of at least 0");
    return json.at(key).get<std::uint64_t>();
}

template <>
int read(const Json& json, const char* key) {
    const auto value = read<std::int64_t>(json, key);
    if (value < INT32_MIN || value > INT32_MAX) wrong(key, "a whole number of 32 bits");
    return static_cast<int>(value);
}

template <>
double read(const Json& json, const char* key) {
    if (!isKnown(json, key) || !json.at(key).is_number() ||
        !std::isfinite(json.at(key).get<double>())) {
        wrong(key, "a finite number");
    }
    return json.at(key).get<double>();
}

template <>
bool read(const Json& json, const char* key) {
    if (!isKnown(json, key) || !json.at(key).is_boolean()) wrong(key, "true or false");
    return json.at(key).get<bool>();
}

template <class T>
std::optional<T> readOptional(const Json& json, const char* key) {
    if (!isKnown(json, key)) return std::nullopt;
    return read<T>(json, key);
}

std::string readOr(const Json& json, const char* key, const std::string& fallback) {
    return readOptional<std::string>(json, key).value_or(fallback);
}

template <class T>
std::vector<T> readList(const Json& json, const char* key) {
    if (!isKnown(json, key)) return {};
    if (!json.at(key).is_array()) wrong(key, "a list");
    std::vector<T> values;
    for (const Json& entry : json.at(key)) {
        if constexpr (std::is_same_v<T, std::string>) {
            if (!entry.is_string()) wrong(key, "a list of texts");
        } else if constexpr (std::is_same_v<T, int>) {
            if (!entry.is_number_integer()) wrong(key, "a list of whole numbers");
        } else if constexpr (std::is_same_v<T, double>) {
            if (!entry.is_number() || !std::isfinite(entry.get<double>()))
                wrong(key, "a list of finite numbers");
        } else {
            if (!entry.is_object()) wrong(key, "a list of objects");
        }
        values.push_back(entry.get<T>());
    }
    return values;
}

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// A whole number stays one in the file: 363929600, not 363929600.0.
Json number(double value) {
    constexpr double kExact = 0x1p53;
    return std::abs(value) < kExact && std::trunc(value) == value
               ? Json(static_cast<std::int64_t>(value))
               : Json(value);
}

void put(Json& json, const std::string& key, const Maybe& value) {
    if (value.value && std::isfinite(*value.value)) {
        json[key] = number(*value.value);
    } else {
        json[key] = nullptr;
        json[key + "_reason"] = value.value ? "not a finite number" : value.reason;
    }
}

Maybe readMaybe(const Json& json, const std::string& key) {
    if (isKnown(json, key.c_str())) return Maybe::of(read<double>(json, key.c_str()));
    return Maybe::unknown(readOr(json, (key + "_reason").c_str(), "not reported"));
}

void to_json(Json& json, const Precision& value) {
    json = {{"name", value.name}, {"native", value.native}};
    if (!value.note.empty()) json["note"] = value.note;
}

void from_json(const Json& json, Precision& value) {
    value = {read<std::string>(json, "name"), readOptional<bool>(json, "native").value_or(true),
             readOr(json, "note", "")};
}

void to_json(Json& json, const Unsupported& value) {
    json = {{"reason", value.reason}};
    if (value.layout) json["layout"] = *value.layout;
    if (value.mode) json["mode"] = *value.mode;
    if (value.version) json["version"] = *value.version;
    if (value.precision) json["precision"] = *value.precision;
}

void from_json(const Json& json, Unsupported& value) {
    value.layout = readOptional<std::string>(json, "layout");
    value.mode = readOptional<std::string>(json, "mode");
    value.version = readOptional<std::string>(json, "version");
    value.precision = readOptional<std::string>(json, "precision");
    value.reason = read<std::string>(json, "reason");
}

void to_json(Json& json, const UnavailableDevice& value) {
    json = {{"device", value.device}, {"reason", value.reason}};
}

void from_json(const Json& json, UnavailableDevice& value) {
    value = {read<std::string>(json, "device"), read<std::string>(json, "reason")};
}

}  // namespace

void to_json(Json& json, const Hello& value) {
    json = {{"event", "hello"},
            {"protocol", value.protocol},
            {"runner", value.runner},
            {"framework", value.framework},
            {"version", value.version},
            {"commit", value.commit},
            {"dirty", orNull(value.dirty)}};
}

void from_json(const Json& json, Hello& value) {
    value.protocol = read<std::string>(json, "protocol");
    value.runner = read<std::string>(json, "runner");
    value.framework = read<std::string>(json, "framework");
    value.version = readOr(json, "version", "");
    value.commit = readOr(json, "commit", "");
    value.dirty = readOptional<bool>(json, "dirty");
}

void to_json(Json& json, const Device& value) {
    json = {{"uuid", value.uuid},
            {"name", value.name},
            {"kind", value.kind},
            {"pci", orNull(value.pci)},
            {"memory_bytes", orNull(value.memoryBytes)},
            {"driver", orNull(value.driver)},
            {"cores", orNull(value.cores)},
            {"instruction_sets", value.instructionSets},
            {"layouts", value.layouts},
            {"modes", value.modes},
            {"modes_on_request", value.modesOnRequest},
            {"versions", value.versions},
            {"precisions", Json::array()},
            {"unsupported", Json::array()}};
    for (const auto& precision : value.precisions)
        to_json(json["precisions"].emplace_back(), precision);
    for (const auto& entry : value.unsupported)
        to_json(json["unsupported"].emplace_back(), entry);
}

void from_json(const Json& json, Device& value) {
    value.uuid = read<std::string>(json, "uuid");
    value.name = read<std::string>(json, "name");
    value.kind = read<std::string>(json, "kind");
    value.pci = readOptional<std::string>(json, "pci");
    value.memoryBytes = readOptional<std::int64_t>(json, "memory_bytes");
    value.driver = readOptional<std::string>(json, "driver");
    value.cores = readOptional<int>(json, "cores");
    value.instructionSets = readList<std::string>(json, "instruction_sets");
    value.layouts = readList<std::string>(json, "layouts");
    value.modes = readList<std::string>(json, "modes");
    value.modesOnRequest = readList<std::string>(json, "modes_on_request");
    value.versions = readList<std::string>(json, "versions");
    for (const Json& entry : readList<Json>(json, "precisions"))
        from_json(entry, value.precisions.emplace_back());
    for (const Json& entry : readList<Json>(json, "unsupported"))
        from_json(entry, value.unsupported.emplace_back());
}

void to_json(Json& json, const Description& value) {
    json = {{"event", "description"}, {"devices", value.devices}, {"unavailable", Json::array()}};
    for (const auto& entry : value.unavailable)
        to_json(json["unavailable"].emplace_back(), entry);
}

void from_json(const Json& json, Description& value) {
    for (const Json& entry : readList<Json>(json, "devices"))
        from_json(entry, value.devices.emplace_back());
    for (const Json& entry : readList<Json>(json, "unavailable"))
        from_json(entry, value.unavailable.emplace_back());
}

void to_json(Json& json, const PrepareRequest& value) {
    json = {{"command", "prepare"},
            {"device", value.device},
            {"workload", value.workload},
            {"data", orNull(value.data)},
            {"layout", value.layout},
            {"mode", value.mode},
            {"version", orNull(value.version)},
            {"precision", value.precision},
            {"batch", orNull(value.batch)},
            {"seed", orNull(value.seed)},
            {"threads", value.threads},
            {"cores", value.cores},
            {"instruction_set", orNull(value.instructionSet)}};
}

void from_json(const Json& json, PrepareRequest& value) {
    value.device = read<std::string>(json, "device");
    value.workload = read<std::string>(json, "workload");
    value.data = readOptional<std::string>(json, "data");
    value.layout = read<std::string>(json, "layout");
    value.mode = read<std::string>(json, "mode");
    value.version = readOptional<std::string>(json, "version");
    value.precision = read<std::string>(json, "precision");
    value.batch = readOptional<std::int64_t>(json, "batch");
    value.seed = readOptional<std::uint64_t>(json, "seed");
    value.threads = read<int>(json, "threads");
    value.cores = readList<int>(json, "cores");
    value.instructionSet = readOptional<std::string>(json, "instruction_set");
}

void to_json(Json& json, const Prepared& value) {
    json = {{"event", "prepared"},
            {"parameters", value.parameters},
            {"batch", value.batch},
            {"requested_layout", value.requestedLayout},
            {"effective_layout", orNull(value.effectiveLayout)},
            {"device", {{"uuid", value.deviceUuid}, {"name", value.deviceName}}},
            {"threads", value.threads},
            {"instruction_set", value.instructionSet},
            {"data", value.data},
            {"build_ns", value.buildNs}};
    if (!value.effectiveLayout) json["effective_layout_reason"] = value.effectiveLayoutReason;
    put(json, "compile_ns", value.compileNs);
    put(json, "memory_bytes", value.memoryBytes);
}

void from_json(const Json& json, Prepared& value) {
    value.parameters = read<std::int64_t>(json, "parameters");
    value.batch = read<std::int64_t>(json, "batch");
    value.requestedLayout = read<std::string>(json, "requested_layout");
    value.effectiveLayout = readOptional<std::string>(json, "effective_layout");
    value.effectiveLayoutReason = readOr(json, "effective_layout_reason", "");
    if (!isKnown(json, "device") || !json.at("device").is_object()) wrong("device", "an object");
    value.deviceUuid = read<std::string>(json.at("device"), "uuid");
    value.deviceName = readOr(json.at("device"), "name", "");
    value.threads = readOptional<int>(json, "threads").value_or(0);
    value.instructionSet = readOr(json, "instruction_set", "");
    value.data = readOr(json, "data", "");
    value.buildNs = readOptional<std::int64_t>(json, "build_ns").value_or(0);
    value.compileNs = readMaybe(json, "compile_ns");
    value.memoryBytes = readMaybe(json, "memory_bytes");
}

void to_json(Json& json, const Sample& value) {
    json = {{"event", "sample"},
            {"steps", value.steps},
            {"wall_ns", value.wallNs},
            {"loss", value.loss},
            {"throttled", orNull(value.throttled)}};
    if (!value.throttled) json["throttled_reason"] = value.throttledReason;
    put(json, "device_ns", value.deviceNs);
    put(json, "accuracy", value.accuracy);
    put(json, "clock_mhz", value.clockMhz);
}

void from_json(const Json& json, Sample& value) {
    value.steps = read<std::int64_t>(json, "steps");
    value.wallNs = read<std::int64_t>(json, "wall_ns");
    value.deviceNs = readMaybe(json, "device_ns");
    value.loss = read<double>(json, "loss");
    value.accuracy = readMaybe(json, "accuracy");
    value.clockMhz = readMaybe(json, "clock_mhz");
    value.throttled = readOptional<bool>(json, "throttled");
    value.throttledReason = readOr(json, "throttled_reason", "");
}

void to_json(Json& json, const Stage& value) {
    json = {{"name", value.name},
            {"phase", value.phase},
            {"wall_ns", value.wallNs},
            {"device_ns", orNull(value.deviceNs)},
            {"children", value.children}};
}

void from_json(const Json& json, Stage& value) {
    value.name = read<std::string>(json, "name");
    value.phase = read<std::string>(json, "phase");
    value.wallNs = read<std::int64_t>(json, "wall_ns");
    value.deviceNs = readOptional<std::int64_t>(json, "device_ns");
    for (const Json& entry : readList<Json>(json, "children"))
        from_json(entry, value.children.emplace_back());
}

void to_json(Json& json, const Stages& value) {
    json = {{"event", "stages"},
            {"steps", value.steps},
            {"step_wall_ns", value.stepWallNs},
            {"stages", value.stages}};
}

void from_json(const Json& json, Stages& value) {
    value.steps = read<std::int64_t>(json, "steps");
    value.stepWallNs = read<std::int64_t>(json, "step_wall_ns");
    for (const Json& entry : readList<Json>(json, "stages"))
        from_json(entry, value.stages.emplace_back());
}

void to_json(Json& json, const TraceRequest& value) {
    json = {{"command", "trace"},
            {"inputs", value.inputs},
            {"outputs", value.outputs},
            {"steps", value.steps}};
}

void from_json(const Json& json, TraceRequest& value) {
    value.inputs = read<std::string>(json, "inputs");
    value.outputs = read<std::string>(json, "outputs");
    value.steps = read<int>(json, "steps");
}

void to_json(Json& json, const Traced& value) {
    json = {{"event", "traced"}, {"steps", value.steps}, {"losses", value.losses}};
}

void from_json(const Json& json, Traced& value) {
    value.steps = read<int>(json, "steps");
    value.losses = readList<double>(json, "losses");
}

void to_json(Json& json, const Epoch& value) {
    json = {{"event", "epoch"},
            {"epoch", value.epoch},
            {"loss", value.loss},
            {"accuracy", value.accuracy},
            {"test_loss", value.testLoss},
            {"test_accuracy", value.testAccuracy},
            {"wall_ns", value.wallNs}};
}

void from_json(const Json& json, Epoch& value) {
    value.epoch = read<int>(json, "epoch");
    value.loss = read<double>(json, "loss");
    value.accuracy = read<double>(json, "accuracy");
    value.testLoss = read<double>(json, "test_loss");
    value.testAccuracy = read<double>(json, "test_accuracy");
    value.wallNs = read<std::int64_t>(json, "wall_ns");
}

void to_json(Json& json, const Trained& value) {
    json = {{"event", "trained"}, {"epochs", value.epochs}, {"test_accuracy", value.testAccuracy}};
}

void from_json(const Json& json, Trained& value) {
    value.epochs = read<int>(json, "epochs");
    value.testAccuracy = read<double>(json, "test_accuracy");
}

void to_json(Json& json, const Progress& value) {
    json = {{"event", "progress"},
            {"phase", value.phase},
            {"done", value.done},
            {"total", value.total},
            {"message", value.message}};
}

void from_json(const Json& json, Progress& value) {
    value.phase = readOr(json, "phase", "");
    value.done = readOptional<double>(json, "done").value_or(0);
    value.total = readOptional<double>(json, "total").value_or(0);
    value.message = readOr(json, "message", "");
}

}  // namespace aether::protocol
