// SPDX-License-Identifier: MIT
#include "common/result.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/files.h"

namespace aether {
namespace {

using nlohmann::json;

/// Stages nest a few levels; a file made to exhaust the stack nests thousands.
constexpr int kDeepest = 100;

json finite(double value) {
    return std::isfinite(value) ? json(value) : json(nullptr);
}

template <class T>
json optionalJson(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

/// Reads the keys of one object; every complaint names the file and the key's place in it.
class Reader {
  public:
    Reader(const json& object, std::string place) : object_(object), place_(std::move(place)) {
        if (!object.is_object()) fail("is not an object");
    }

    template <class T>
    T get(const char* key) const {
        if (!object_.contains(key)) fail(std::string("lacks \"") + key + "\"");
        try {
            return object_.at(key).get<T>();
        } catch (const json::exception&) {
            fail(std::string("\"") + key + "\" has the wrong type");
        }
    }
    template <class T>
    T get(const char* key, T otherwise) const {
        return has(key) ? get<T>(key) : otherwise;
    }
    template <class T>
    std::optional<T> maybe(const char* key) const {
        return has(key) ? std::optional<T>(get<T>(key)) : std::nullopt;
    }
    Reader child(const char* key) const {
        if (!object_.contains(key)) fail(std::string("lacks \"") + key + "\"");
        return Reader(object_.at(key), place_ + "." + key);
    }
    /// Calls `each` with a Reader for every element of the array.
    template <class F>
    void forEach(const char* key, F each) const {
        if (!has(key)) return;
        const json& array = object_.at(key);
        if (!array.is_array()) fail(std::string("\"") + key + "\" is not an array");
        for (std::size_t i = 0; i < array.size(); ++i) {
            each(Reader(array[i], place_ + "." + key + "[" + std::to_string(i) + "]"));
        }
    }
    const json& raw(const char* key) const { return object_.at(key); }
    bool has(const char* key) const { return object_.contains(key) && !object_.at(key).is_null(); }
    [[noreturn]] void fail(const std::string& what) const {
        throw Failure(FailureKind::Usage, place_ + ": " + what);
    }

  private:
    const json& object_;
    std::string place_;
};

Parity::State parityState(const std::string& text) {
    if (text == "passed") return Parity::State::Passed;
    if (text == "failed") return Parity::State::Failed;
    return Parity::State::NotChecked;
}

Verdict verdictFrom(const std::string& text) {
    for (Verdict verdict : {Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Ambiguous}) {
        if (aether::name(verdict) == text) return verdict;
    }
    return Verdict::Invalid;
}

json sampleJson(const RoundSample& sample) {
    return {{"round", sample.round},
            {"steps", sample.steps},
            {"step_ns", finite(sample.stepNs)},
            {"device_step_ns", optionalJson(sample.deviceStepNs)},
            {"loss", sample.loss ? finite(*sample.loss) : json(nullptr)},
            {"clock_mhz", optionalJson(sample.clockMhz)},
            {"flags", sample.flags}};
}

RoundSample sampleFrom(const Reader& in) {
    RoundSample sample;
    sample.round = in.get<int>("round");
    sample.steps = in.get<std::int64_t>("steps");
    sample.stepNs = in.get<double>("step_ns");
    sample.deviceStepNs = in.maybe<double>("device_step_ns");
    sample.loss = in.maybe<double>("loss");
    sample.clockMhz = in.maybe<double>("clock_mhz");
    sample.flags = in.get<std::vector<std::string>>("flags", {});
    return sample;
}

json statisticsJson(const Summary& s) {
    return {{"n", s.n},
            {"median_step_ns", s.median},
            {"min_step_ns", s.min},
            {"max_step_ns", s.max},
            {"lower_quartile_step_ns", s.lowerQuartile},
            {"upper_quartile_step_ns", s.upperQuartile}};
}

json runJson(const Run& run) {
    json out = {{"id", run.id},
                {"runner", run.runner},
                {"runner_title", run.runnerTitle},
                {"copy", run.copy},
                {"framework", run.framework},
                {"framework_version", run.frameworkVersion},
                {"commit", run.runnerCommit},
                {"dirty", optionalJson(run.runnerDirty)},
                {"device", run.deviceUuid},
                {"requested_layout", run.requestedLayout},
                {"effective_layout", optionalJson(run.effectiveLayout)},
                {"mode", run.mode},
                {"precision", run.precision},
                {"version", run.version},
                {"instruction_set", run.instructionSet},
                {"threads", run.threads},
                {"batch", run.batch},
                {"status", run.status},
                {"reason", run.reason},
                {"failure_kind", run.failureKind},
                {"compile_seconds", optionalJson(run.compileSeconds)},
                {"build_seconds", optionalJson(run.buildSeconds)},
                {"memory_bytes", optionalJson(run.memoryBytes)},
                {"warm_up_steps", run.warmUpSteps},
                {"flags", run.flags}};
    out["samples"] = json::array();
    for (const RoundSample& sample : run.samples)
        out["samples"].push_back(sampleJson(sample));
    const Summary summary = run.summary();
    out["statistics"] = summary.n > 0 ? statisticsJson(summary) : json(nullptr);
    out["stages"] = run.stages ? json(*run.stages) : json(nullptr);
    out["parity"] = {{"state", name(run.parity.state)},
                     {"reason", run.parity.reason},
                     {"worst", run.parity.worst},
                     {"distance", finite(run.parity.distance)},
                     {"allowed", finite(run.parity.allowed)}};
    return out;
}

Run runFrom(const Reader& in) {
    Run run;
    run.id = in.get<std::string>("id");
    run.runner = in.get<std::string>("runner");
    run.runnerTitle = in.get<std::string>("runner_title", run.runner);
    run.copy = in.get<int>("copy", 0);
    run.framework = in.get<std::string>("framework");
    run.frameworkVersion = in.get<std::string>("framework_version", {});
    run.runnerCommit = in.get<std::string>("commit", {});
    run.runnerDirty = in.maybe<bool>("dirty");
    run.deviceUuid = in.get<std::string>("device");
    run.requestedLayout = in.get<std::string>("requested_layout", {});
    run.effectiveLayout = in.maybe<std::string>("effective_layout");
    run.mode = in.get<std::string>("mode");
    run.precision = in.get<std::string>("precision");
    run.version = in.get<std::string>("version", {});
    run.instructionSet = in.get<std::string>("instruction_set", {});
    run.threads = in.get<int>("threads", 0);
    run.batch = in.get<std::int64_t>("batch");
    run.status = in.get<std::string>("status");
    run.reason = in.get<std::string>("reason", {});
    run.failureKind = in.get<std::string>("failure_kind", {});
    run.compileSeconds = in.maybe<double>("compile_seconds");
    run.buildSeconds = in.maybe<double>("build_seconds");
    run.memoryBytes = in.maybe<std::int64_t>("memory_bytes");
    run.warmUpSteps = in.get<std::int64_t>("warm_up_steps", 0);
    run.flags = in.get<std::vector<std::string>>("flags", {});
    in.forEach("samples", [&](const Reader& sample) { run.samples.push_back(sampleFrom(sample)); });
    if (in.has("stages")) {
        try {
            run.stages = in.raw("stages").get<protocol::Stages>();
        } catch (const std::exception& error) {
            in.fail(std::string("\"stages\": ") + error.what());
        }
    }
    if (in.has("parity")) {
        const Reader parity = in.child("parity");
        run.parity.state = parityState(parity.get<std::string>("state"));
        run.parity.reason = parity.get<std::string>("reason", {});
        run.parity.worst = parity.get<std::string>("worst", {});
        run.parity.distance = parity.get<double>("distance", 0);
        run.parity.allowed = parity.get<double>("allowed", 0);
    }
    return run;
}

json deviceJson(const ResultDevice& device) {
    return {{"uuid", device.uuid},
            {"name", device.name},
            {"kind", device.kind},
            {"pci", optionalJson(device.pci)},
            {"driver", optionalJson(device.driver)},
            {"memory_bytes", optionalJson(device.memoryBytes)},
            {"cores", optionalJson(device.cores)}};
}

ResultDevice deviceFrom(const Reader& in) {
    return {in.get<std::string>("uuid"),     in.get<std::string>("name"),
            in.get<std::string>("kind"),     in.maybe<std::string>("pci"),
            in.maybe<std::string>("driver"), in.maybe<std::int64_t>("memory_bytes"),
            in.maybe<int>("cores")};
}

json comparisonJson(const Comparison& c) {
    return {{"candidate", c.candidate},
            {"baseline", c.baseline},
            {"verdict", std::string(aether::name(c.verdict))},
            {"ratio", c.ratio.pairs > 0 ? finite(c.ratio.value) : json(nullptr)},
            {"ratio_low", c.ratio.pairs > 0 ? finite(c.ratio.interval.low) : json(nullptr)},
            {"ratio_high", c.ratio.pairs > 0 ? finite(c.ratio.interval.high) : json(nullptr)},
            {"pairs", c.ratio.pairs},
            {"sentence", c.sentence}};
}

Comparison comparisonFrom(const Reader& in) {
    Comparison c;
    c.candidate = in.get<std::string>("candidate");
    c.baseline = in.get<std::string>("baseline", {});
    c.verdict = verdictFrom(in.get<std::string>("verdict"));
    c.ratio.value = in.get<double>("ratio", 0);
    c.ratio.interval = {in.get<double>("ratio_low", 0), in.get<double>("ratio_high", 0)};
    c.ratio.pairs = in.get<std::size_t>("pairs", 0);
    c.sentence = in.get<std::string>("sentence", {});
    return c;
}

json settingsJson(const SessionSettings& s) {
    return {{"rounds", s.rounds},
            {"rounds_done", s.roundsDone},
            {"max_noise", finite(s.maxNoise)},
            {"relaunch_every", s.relaunchEvery},
            {"timeout_seconds", finite(s.timeoutSeconds)},
            {"block_seconds", finite(s.blockSeconds)},
            {"settle_seconds", finite(s.settleSeconds)},
            {"seed", s.seed},
            {"threads", s.threads},
            {"cores", s.cores},
            {"order", s.order},
            {"instruction_set", s.instructionSet},
            {"verified", s.verified},
            {"cancelled", s.cancelled},
            {"noise_converged", s.noiseConverged},
            {"synchronisation", s.synchronisation}};
}

SessionSettings settingsFrom(const Reader& in) {
    SessionSettings s;
    s.rounds = in.get<int>("rounds");
    s.roundsDone = in.get<int>("rounds_done", 0);
    s.maxNoise = in.get<double>("max_noise", 0);
    s.relaunchEvery = in.get<int>("relaunch_every", 0);
    s.timeoutSeconds = in.get<double>("timeout_seconds", 0);
    s.blockSeconds = in.get<double>("block_seconds", 0);
    s.settleSeconds = in.get<double>("settle_seconds", 0);
    s.seed = in.get<std::uint64_t>("seed");
    s.threads = in.get<int>("threads", 0);
    s.cores = in.get<std::vector<int>>("cores", {});
    s.order = in.get<std::vector<std::vector<std::string>>>("order", {});
    s.instructionSet = in.get<std::string>("instruction_set", {});
    s.verified = in.get<bool>("verified", false);
    s.cancelled = in.get<bool>("cancelled", false);
    s.noiseConverged = in.get<bool>("noise_converged", true);
    s.synchronisation = in.get<std::string>("synchronisation", "once per block");
    return s;
}

/// Refuses another schema or major version, naming both.
void checkSchema(const json& document, const std::string& origin) {
    const std::string prefix = "aether-bench/result/";
    if (!document.is_object() || !document.contains("schema") || !document["schema"].is_string()) {
        throw Failure(FailureKind::Usage, origin + ": is no aether-bench result (no \"schema\")");
    }
    const std::string schema = document["schema"];
    if (schema.rfind(prefix, 0) != 0) {
        throw Failure(FailureKind::Usage,
                      origin + ": schema \"" + schema + "\" is not " + prefix + "1.x");
    }
    if (schema.rfind(prefix + "1.", 0) != 0 && schema != prefix + "1") {
        throw Failure(FailureKind::Usage, origin + ": written as \"" + schema +
                                              "\", this program reads " + prefix + "1.x");
    }
}

}  // namespace

json toJson(const Result& r) {
    json out = {{"schema", r.schema}};
    if (!r.source.empty()) out["source"] = r.source;
    out["context"] = {{"time", r.context.time},
                      {"host", r.context.host},
                      {"os", r.context.os},
                      {"cpu", r.context.cpu},
                      {"argv", r.context.argv},
                      {"app_version", r.context.appVersion},
                      {"app_commit", r.context.appCommit},
                      {"app_dirty", r.context.appDirty},
                      {"environment", r.context.environment}};
    out["devices"] = json::array();
    for (const ResultDevice& device : r.devices)
        out["devices"].push_back(deviceJson(device));
    out["workload"] = {{"name", r.workloadName},
                       {"digest", r.workloadDigest},
                       {"file", r.workloadFile},
                       {"parameters", r.parameters},
                       {"flops_per_step", finite(r.flopsPerStep)},
                       {"batch", r.batch},
                       {"data", r.data}};
    out["session"] = settingsJson(r.session);
    out["runs"] = json::array();
    for (const Run& run : r.runs)
        out["runs"].push_back(runJson(run));
    out["comparisons"] = json::array();
    for (const Comparison& c : r.comparisons)
        out["comparisons"].push_back(comparisonJson(c));
    return out;
}

Result resultFromJson(const json& document, const std::string& origin) {
    checkSchema(document, origin);
    const Reader in(document, origin);
    Result r;
    r.schema = in.get<std::string>("schema");
    r.source = in.get<std::string>("source", {});
    const Reader context = in.child("context");
    r.context.time = context.get<std::string>("time");
    r.context.host = context.get<std::string>("host", {});
    r.context.os = context.get<std::string>("os", {});
    r.context.cpu = context.get<std::string>("cpu", {});
    r.context.argv = context.get<std::vector<std::string>>("argv", {});
    r.context.appVersion = context.get<std::string>("app_version", {});
    r.context.appCommit = context.get<std::string>("app_commit", {});
    r.context.appDirty = context.get<bool>("app_dirty", false);
    r.context.environment = context.get<std::map<std::string, std::string>>("environment", {});
    in.forEach("devices", [&](const Reader& device) { r.devices.push_back(deviceFrom(device)); });
    const Reader workload = in.child("workload");
    r.workloadName = workload.get<std::string>("name");
    r.workloadDigest = workload.get<std::string>("digest", {});
    r.workloadFile = workload.get<std::string>("file", {});
    r.parameters = workload.get<std::int64_t>("parameters", 0);
    r.flopsPerStep = workload.get<double>("flops_per_step", 0);
    r.batch = workload.get<std::int64_t>("batch", 0);
    r.data = workload.get<std::string>("data", {});
    r.session = settingsFrom(in.child("session"));
    in.forEach("runs", [&](const Reader& run) { r.runs.push_back(runFrom(run)); });
    in.forEach("comparisons", [&](const Reader& c) { r.comparisons.push_back(comparisonFrom(c)); });
    return r;
}

void writeResult(const Result& result, const std::filesystem::path& file) {
    const json document = toJson(result);
    writeFileAtomically(file, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

Result readResult(const std::filesystem::path& file) {
    const std::string text = readFile(file);
    json document;
    try {
        document = json::parse(text, [&](int depth, json::parse_event_t, const json&) {
            if (depth > kDeepest) {
                throw Failure(FailureKind::Usage, file.string() + ": is nested more than " +
                                                      std::to_string(kDeepest) + " deep");
            }
            return true;
        });
    } catch (const json::parse_error& error) {
        throw Failure(FailureKind::Usage,
                      file.string() + ": is not JSON: byte " + std::to_string(error.byte) +
                          (text.empty() ? " (the file is empty)" : " (cut short or damaged)"));
    }
    return resultFromJson(document, file.string());
}

}  // namespace aether
