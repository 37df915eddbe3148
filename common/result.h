// SPDX-License-Identifier: MIT
// The result file, schema aether-bench/result 1.x (resources/schemas/result-1.schema.json).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/protocol.h"
#include "common/statistics.h"

namespace aether {

/// How far one framework's trace lies from the float64 truth, and whether that is near enough.
struct Parity {
    enum class State { NotChecked, Passed, Failed };
    State state = State::NotChecked;
    std::string reason;   ///< why not checked, or one sentence naming the worst quantity
    std::string worst;    ///< "gradient conv1.weight", "loss of step 1", …
    double distance = 0;  ///< relative, of `worst`
    double allowed = 0;   ///< the gate for `worst`
};

/// "passed", "failed", "not checked".
std::string_view name(Parity::State state);

/// One timed block of one round.
struct RoundSample {
    int round = 0;
    std::int64_t steps = 0;
    double stepNs =
        0;  ///< wall nanoseconds per step; never NaN: an invalid sample carries its flags and 0
    std::optional<double> deviceStepNs;
    std::optional<double> loss;
    std::optional<double> clockMhz;
    std::vector<std::string>
        flags;  ///< "implausible", "throttled", "busy", "not finite", each with figures
    bool valid() const { return flags.empty(); }
};

/// "Aether", "PyTorch", "JAX"; an unknown framework's own name.
std::string frameworkTitle(const std::string& framework);

/// One bar: a runner in one configuration on one device.
struct Run {
    std::string id;  ///< unique in the file
    std::string runner, framework, frameworkVersion, runnerCommit;
    std::string runnerTitle;  ///< of the manifest: "PyTorch (Python)"; tells two runners of one
                              ///< framework apart
    int copy = 0;  ///< 1, 2, … when one configuration is measured against itself, else 0
    std::optional<bool> runnerDirty;
    std::string deviceUuid;
    std::string requestedLayout;
    std::optional<std::string> effectiveLayout;
    std::string mode, precision,
        version;  ///< version: generation of the runner's own code, may be empty
    std::string instructionSet;
    int threads = 0;
    std::int64_t batch = 0;
    std::string status;  ///< "queued", "measured", "unavailable", "failed", "cancelled"
    std::string reason;  ///< one sentence when not measured
    std::string failureKind;
    std::optional<double> compileSeconds, buildSeconds;
    std::optional<std::int64_t> memoryBytes;
    std::int64_t warmUpSteps = 0;
    std::vector<RoundSample> samples;
    std::optional<protocol::Stages> stages;
    Parity parity;
    std::vector<std::string> flags;

    std::vector<double> validStepNs() const;
    Summary summary() const;  ///< of the valid samples, in nanoseconds per step
    /// What tells it apart in short: "Aether direct", "PyTorch compiled", "Aether direct #2"
    std::string title() const;
    /// What stands in the last parentheses of the runner's title: "Python"; may be empty.
    std::string runnerSuffix() const;
    /// "Aether direct fp32 NHWC", "PyTorch 2.15.0 compiled fp32 NCHW (Python)"
    std::string label() const;
    /// The same without framework version and runner, for sentences: "PyTorch compiled fp32 NCHW"
    std::string shortLabel() const;
};

/// One engine bar against the fastest reference bar of its device and precision.
struct Comparison {
    std::string candidate, baseline;  ///< run ids
    Verdict verdict = Verdict::Invalid;
    Ratio ratio;
    std::string sentence;
};

struct ResultDevice {
    std::string uuid, name, kind;
    std::optional<std::string> pci, driver;
    std::optional<std::int64_t> memoryBytes;
    std::optional<int> cores;
};

struct Context {
    std::string time;  ///< ISO 8601, UTC
    std::string host, os, cpu;
    std::vector<std::string> argv;
    std::string appVersion, appCommit;
    bool appDirty = false;
    std::map<std::string, std::string>
        environment;  ///< only variables that change what is measured
};

struct SessionSettings {
    int rounds = 0;  ///< asked for
    int roundsDone = 0;
    double maxNoise = 0;        ///< relative; 0: not used
    int relaunchEvery = 0;      ///< rounds after which every runner was started anew; 0: never
    double timeoutSeconds = 0;  ///< 0: none
    double blockSeconds =
        0;  ///< a timed block lasts about this long or one step, whichever is longer
    double settleSeconds = 0;  ///< pause before each block
    std::uint64_t seed = 0;
    int threads = 0;
    std::vector<int> cores;
    std::vector<std::vector<std::string>> order;  ///< run ids per round
    std::string instructionSet;  ///< that every CPU's runner was told to use; empty: its best
    bool verified = false;
    bool cancelled = false;
    bool noiseConverged = true;
    std::string synchronisation = "once per block";
};

struct Result {
    std::string schema = "aether-bench/result/1.0";
    Context context;
    std::vector<ResultDevice> devices;
    std::string workloadName, workloadDigest, workloadFile;
    std::int64_t parameters = 0;
    double flopsPerStep = 0;
    std::int64_t batch = 0;
    std::string data;    ///< "synthetic" or "cifar10-binary"
    std::string source;  ///< where published numbers come from; empty: measured by this program
    SessionSettings session;
    std::vector<Run> runs;
    std::vector<Comparison> comparisons;
};

nlohmann::json toJson(const Result& result);
/// Throws Failure(Usage) with `origin` and the damaged key, or naming both versions for another
/// major version.
Result resultFromJson(const nlohmann::json& json, const std::string& origin);
/// Atomic: a temporary file in the same folder, flushed, renamed over. Throws Failure(Usage) with
/// path and cause.
void writeResult(const Result& result, const std::filesystem::path& file);
Result readResult(const std::filesystem::path& file);

}  // namespace aether
