// SPDX-License-Identifier: MIT
// Run protocol 1 as values (docs/protocol.md). to_json / from_json live in protocol.cpp; from_json
// throws Failure(Usage) naming the key that is missing or of the wrong type, and accepts only
// finite numbers.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace aether::protocol {

inline constexpr int kMajor = 1;
inline constexpr int kMinor = 0;

/// A number that may be unknown, then with the reason.
struct Maybe {
    std::optional<double> value;
    std::string reason;
    static Maybe of(double v) { return {v, {}}; }
    static Maybe unknown(std::string why) { return {std::nullopt, std::move(why)}; }
};

struct Hello {
    std::string protocol;  ///< "1.0"
    std::string runner;
    std::string framework;
    std::string version;
    std::string commit;
    std::optional<bool> dirty;
};

struct Precision {
    std::string name;
    bool native = true;
    std::string note;
};

/// Matches every configuration whose values equal the fields given here.
struct Unsupported {
    std::optional<std::string> layout, mode, version, precision;
    std::string reason;
};

struct Device {
    std::string uuid;
    std::string name;
    std::string kind;  ///< "cpu", "gpu", "emulated"
    std::optional<std::string> pci;
    std::optional<std::int64_t> memoryBytes;
    std::optional<std::string> driver;
    std::optional<int> cores;
    std::vector<std::string> instructionSets;
    std::vector<std::string> layouts, modes, versions;
    std::vector<std::string>
        modesOnRequest;  ///< those of `modes` that are measured only when named
    std::vector<Precision> precisions;
    std::vector<Unsupported> unsupported;
};

struct UnavailableDevice {
    std::string device;
    std::string reason;
};

struct Description {
    std::vector<Device> devices;
    std::vector<UnavailableDevice> unavailable;
};

struct PrepareRequest {
    std::string device;
    std::string workload;  ///< path
    std::optional<std::string> data;
    std::string layout, mode, precision;
    std::optional<std::string> version;
    std::optional<std::int64_t> batch;
    std::optional<std::uint64_t> seed;
    int threads = 1;
    std::vector<int> cores;
    std::optional<std::string> instructionSet;
};

struct Prepared {
    std::int64_t parameters = 0;
    std::int64_t batch = 0;
    std::string requestedLayout;
    std::optional<std::string> effectiveLayout;
    std::string effectiveLayoutReason;
    std::string deviceUuid, deviceName;
    int threads = 0;
    std::string instructionSet;
    std::string data;  ///< "synthetic" or "cifar10-binary"
    std::int64_t buildNs = 0;
    Maybe compileNs;
    Maybe memoryBytes;
};

struct Sample {
    std::int64_t steps = 0;
    std::int64_t wallNs = 0;
    Maybe deviceNs;
    double loss = 0;
    Maybe accuracy;
    Maybe clockMhz;
    std::optional<bool> throttled;
    std::string throttledReason;
};

struct Stage {
    std::string name;
    std::string phase;  ///< "forward", "backward", "optimizer", "other"
    std::int64_t wallNs = 0;
    std::optional<std::int64_t> deviceNs;
    std::vector<Stage> children;
};

struct Stages {
    std::int64_t steps = 0;
    std::int64_t stepWallNs = 0;
    std::vector<Stage> stages;
};

struct TraceRequest {
    std::string inputs, outputs;
    int steps = 0;
};

struct Traced {
    int steps = 0;
    std::vector<double> losses;
};

struct Epoch {
    int epoch = 0;
    double loss = 0, accuracy = 0, testLoss = 0, testAccuracy = 0;
    std::int64_t wallNs = 0;
};

struct Trained {
    int epochs = 0;
    double testAccuracy = 0;
};

struct Progress {
    std::string phase;
    double done = 0, total = 0;
    std::string message;
};

void to_json(nlohmann::json& json, const Hello& value);
void from_json(const nlohmann::json& json, Hello& value);
void to_json(nlohmann::json& json, const Device& value);
void from_json(const nlohmann::json& json, Device& value);
void to_json(nlohmann::json& json, const Description& value);
void from_json(const nlohmann::json& json, Description& value);
void to_json(nlohmann::json& json, const PrepareRequest& value);
void from_json(const nlohmann::json& json, PrepareRequest& value);
void to_json(nlohmann::json& json, const Prepared& value);
void from_json(const nlohmann::json& json, Prepared& value);
void to_json(nlohmann::json& json, const Sample& value);
void from_json(const nlohmann::json& json, Sample& value);
void to_json(nlohmann::json& json, const Stage& value);
void from_json(const nlohmann::json& json, Stage& value);
void to_json(nlohmann::json& json, const Stages& value);
void from_json(const nlohmann::json& json, Stages& value);
void to_json(nlohmann::json& json, const TraceRequest& value);
void from_json(const nlohmann::json& json, TraceRequest& value);
void to_json(nlohmann::json& json, const Traced& value);
void from_json(const nlohmann::json& json, Traced& value);
void to_json(nlohmann::json& json, const Epoch& value);
void from_json(const nlohmann::json& json, Epoch& value);
void to_json(nlohmann::json& json, const Trained& value);
void from_json(const nlohmann::json& json, Trained& value);
void to_json(nlohmann::json& json, const Progress& value);
void from_json(const nlohmann::json& json, Progress& value);

}  // namespace aether::protocol
