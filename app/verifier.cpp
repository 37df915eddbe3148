// SPDX-License-Identifier: GPL-3.0-only
#include "app/verifier.h"

#include <algorithm>
#include <charconv>

#include "app/text.h"
#include "app/verify_inputs.h"
#include "common/dataset.h"
#include "common/failure.h"
#include "common/files.h"

namespace aether::app {
namespace {

using nlohmann::json;

bool offers(const protocol::Device& device, const std::string& precision) {
    return std::any_of(device.precisions.begin(), device.precisions.end(),
                       [&](const protocol::Precision& p) { return p.name == precision; });
}

std::string preferred(const std::vector<std::string>& offered, const std::string& wanted) {
    const bool has = std::find(offered.begin(), offered.end(), wanted) != offered.end();
    return has || offered.empty() ? wanted : offered.front();
}

VerifyReport notChecked(const std::string& reason) {
    VerifyReport report;
    report.parity.reason = reason;
    return report;
}

VerifyReport failed(const std::string& reason) {
    VerifyReport report;
    report.parity.state = Parity::State::Failed;
    report.parity.reason = reason;
    return report;
}

std::string scientific(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 1);
    return {text, end.ptr};
}

VerifyReport judged(std::vector<Finding> findings) {
    VerifyReport report;
    report.findings = std::move(findings);
    const Finding* worst = worstOf(report.findings);
    report.parity.worst = worst->name;
    report.parity.distance = worst->distance;
    report.parity.allowed = worst->allowed;
    const bool passed = worst->distance <= worst->allowed;
    report.parity.state = passed ? Parity::State::Passed : Parity::State::Failed;
    report.parity.reason = worst->name + " is " + scientific(worst->distance) + " from the float64 truth, allowed " +
                           scientific(worst->allowed);
    return report;
}

}  // namespace

Verifier::Verifier(const std::vector<RunnerInfo>& runners, const SessionOptions& options, const Workload& workload)
    : runners_(runners), options_(options), workload_(workload), truth_(findTruth()) {}

Verifier::Truth Verifier::findTruth() const {
    Truth best;
    int bestScore = -1;
    for (const RunnerInfo& runner : runners_) {
        if (!runner.usable()) continue;
        for (const protocol::Device& device : runner.description.devices) {
            if (!offers(device, "fp64")) continue;
            const int score = (runner.hello.framework != "aether" ? 2 : 0) + (device.kind == "cpu" ? 1 : 0);
            if (score > bestScore) {
                best = {&runner, &device};
                bestScore = score;
            }
        }
    }
    return best;
}

const Verifier::Inputs& Verifier::inputsFor(std::int64_t batch) {
    const auto found = inputs_.find(batch);
    if (found != inputs_.end()) return found->second;
    const std::uint64_t seed = options_.seed.value_or(workload_.seed);
    Inputs inputs;
    inputs.tensors = traceInputs(workload_, loadDataset(workload_, options_.data, seed), batch, seed, kSteps);
    inputs.file = std::filesystem::path(folder_.path().toStdString()) / ("in-" + std::to_string(batch) + ".safetensors");
    writeSafetensors(inputs.tensors, inputs.file);
    return inputs_[batch] = std::move(inputs);
}

std::string Verifier::yardstickDevice(const Variant& variant) const {
    for (const protocol::Device& device : truth_.runner->description.devices) {
        if (device.uuid == variant.device.uuid && offers(device, variant.precision)) return device.uuid;
    }
    return truth_.device->uuid;
}

Task<VerifyReport> Verifier::check(RunnerProcess& process, Variant variant, std::int64_t batch, bool diagnoseToo) {
    if (truth_.runner == nullptr) co_return notChecked("no runner offers fp64, the truth to compare with");
    std::string trouble;
    const Inputs* inputs = nullptr;
    try {
        inputs = &inputsFor(batch);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    if (!trouble.empty()) co_return notChecked(trouble);

    ReferenceQuery query{"fp64", truth_.device->uuid, options_.workload, batch, inputs};
    std::optional<TraceValues> truth = co_await reference(query);
    if (!truth) co_return notChecked("the float64 truth failed: " + trouble_);
    query.precision = variant.precision;
    query.device = yardstickDevice(variant);
    std::optional<TraceValues> yardstick = co_await reference(query);
    if (!yardstick) co_return notChecked("the yardstick (" + variant.precision + ") failed: " + trouble_);

    Q_EMIT progressed("tracing " + std::to_string(kSteps) + " steps");
    const auto outputs = std::filesystem::path(folder_.path().toStdString()) / ("out-" + std::to_string(++files_));
    json command = protocol::TraceRequest{inputs->file.string(), outputs.string(), kSteps};
    command["command"] = "trace";
    Reply reply = co_await process.request(command, "traced");
    if (!reply.ok()) {
        const RunnerFailure& failure = *reply.failure;
        const bool cannot = failure.kind == "unsupported" || failure.kind == "cancelled";
        co_return cannot ? notChecked(failure.sentence) : failed("trace failed: " + failure.sentence);
    }
    TraceValues subject;
    try {
        subject = readTrace(outputs, workload_, inputs->tensors, kSteps);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    std::error_code ignored;
    std::filesystem::remove(outputs, ignored);
    if (!trouble.empty()) co_return failed(trouble);

    const GateSetting setting{variant.precision, batch, kSteps};
    VerifyReport report = judged(compareTraces(workload_, subject, *truth, *yardstick, setting));
    if (report.parity.state != Parity::State::Failed) co_return report;
    report.diagnosis = plainDiagnosis(subject);
    const bool plain = !report.diagnosis.empty();
    if (!plain) report.diagnosis = causalDiagnosis(report.findings);
    if (diagnoseToo && !plain) {
        std::string named = co_await diagnose(subject, batch, setting, report.findings, *truth, *yardstick);
        if (!named.empty()) report.diagnosis += "; it computes as if " + named;
    }
    if (!report.diagnosis.empty()) report.parity.reason += " (" + report.diagnosis + ")";
    co_return report;
}

/// The hypothesis whose truth the subject matches best, if at least three times better than the true recipe.
Task<std::string> Verifier::diagnose(TraceValues subject, std::int64_t batch, GateSetting setting,
                                     std::vector<Finding> findings, TraceValues truth, TraceValues yardstick) {
    const double trueExcess = worstOf(findings)->excess();
    double best = trueExcess / 3;
    std::string named;
    json document = json::parse(readFile(options_.workload), nullptr, false);
    for (const Hypothesis& hypothesis : hypothesesFor(document)) {
        Q_EMIT progressed("diagnosing: what if " + hypothesis.sentence);
        std::optional<TraceValues> changed = co_await hypothesisTruth(hypothesis, batch);
        if (!changed) continue;
        // The yardstick's own error is carried over: its distance from the truth, seen from the changed truth.
        TraceValues moved = *changed;
        for (std::size_t q = 0; q < moved.size(); ++q) {
            for (std::size_t i = 0; i < moved[q].values.size(); ++i) {
                moved[q].values[i] += yardstick[q].values[i] - truth[q].values[i];
            }
        }
        const std::vector<Finding> seen = compareTraces(workload_, subject, *changed, moved, setting);
        const double excess = worstOf(seen)->excess();
        if (excess < best) {
            best = excess;
            named = hypothesis.sentence;
        }
    }
    co_return named;
}

Task<std::optional<TraceValues>> Verifier::hypothesisTruth(Hypothesis hypothesis, std::int64_t batch) {
    const std::string stem = hypothesis.name + "-" + std::to_string(batch);
    const std::filesystem::path folder = folder_.path().toStdString();
    const auto workloadFile = folder / (hypothesis.name + ".json");
    auto found = inputs_.find(batch);
    Inputs inputs;
    bool ready = false;
    try {
        writeFileAtomically(workloadFile, hypothesis.workload.dump());
        const Workload changed = loadWorkload(workloadFile);
        const std::uint64_t seed = options_.seed.value_or(workload_.seed);
        inputs.file = folder / ("in-" + stem + ".safetensors");
        inputs.tensors = traceInputs(changed, loadDataset(changed, options_.data, seed), batch, seed, kSteps);
        for (auto& [name, tensor] : inputs.tensors) {
            if (name.rfind("parameter.", 0) == 0) tensor = found->second.tensors.at(name);
        }
        if (hypothesis.confusedLayout) confuseImageLayout(inputs.tensors, changed, kSteps);
        writeSafetensors(inputs.tensors, inputs.file);
        ready = true;
    } catch (const std::exception&) {
        // A hypothesis that this workload can't express is no hypothesis.
    }
    if (!ready) co_return std::nullopt;
    ReferenceQuery query{"fp64", truth_.device->uuid, workloadFile, batch, &inputs};
    std::optional<TraceValues> values = co_await reference(query);
    co_return values;
}

json Verifier::prepareCommand(const ReferenceQuery& query) const {
    protocol::PrepareRequest request;
    request.device = query.device;
    request.workload = query.workload.string();
    if (options_.data) request.data = options_.data->string();
    request.layout = preferred(truth_.device->layouts, "nchw");
    request.mode = preferred(truth_.device->modes, "eager");
    request.precision = query.precision;
    request.batch = query.batch;
    request.seed = options_.seed.value_or(workload_.seed);
    request.threads = options_.threads;
    request.cores = options_.cores;
    json command = request;
    command["command"] = "prepare";
    return command;
}

Task<std::string> Verifier::ensureReferenceProcess() {
    if (process_ && process_->alive() && !process_->failure()) co_return std::string();
    process_ = std::make_unique<RunnerProcess>(truth_.runner->manifest, options_.silence);
    Reply reply = co_await process_->start();
    co_return reply.ok() ? std::string() : reply.failure->sentence;
}

Task<std::optional<TraceValues>> Verifier::reference(ReferenceQuery query) {
    const std::string key = query.precision + "|" + query.device + "|" + query.workload.string() + "|" +
                            query.inputs->file.string();
    const auto found = kept_.find(key);
    if (found != kept_.end()) co_return found->second;
    Q_EMIT progressed("computing the reference in " + query.precision);
    trouble_ = co_await ensureReferenceProcess();
    if (!trouble_.empty()) co_return std::nullopt;
    json prepare = prepareCommand(query);
    Reply reply = co_await process_->request(prepare, "prepared");
    const auto outputs = std::filesystem::path(folder_.path().toStdString()) / ("out-" + std::to_string(++files_));
    if (reply.ok()) {
        json trace = protocol::TraceRequest{query.inputs->file.string(), outputs.string(), kSteps};
        trace["command"] = "trace";
        reply = co_await process_->request(trace, "traced");
    }
    if (!reply.ok()) {
        trouble_ = reply.failure->sentence;
        co_return std::nullopt;
    }
    std::optional<TraceValues> values;
    try {
        values = readTrace(outputs, workload_, query.inputs->tensors, kSteps);
        kept_[key] = *values;
    } catch (const std::exception& error) {
        trouble_ = error.what();
    }
    std::error_code ignored;
    std::filesystem::remove(outputs, ignored);
    co_return values;
}

Task<> Verifier::close() {
    if (process_) co_await process_->close();
    process_.reset();
}

void Verifier::abort() {
    if (process_) process_->abort({"cancelled", "cancelled"});
}

}  // namespace aether::app
