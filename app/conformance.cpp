// SPDX-License-Identifier: GPL-3.0-only
#include "app/conformance.h"

#include <algorithm>

#include "app/machine_load.h"
#include "app/sample_check.h"
#include "app/text.h"
#include "app/trace_values.h"
#include "app/verify_inputs.h"
#include "common/dataset.h"
#include "common/failure.h"

namespace aether::app {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr int kTraceSteps = 3;

}  // namespace

Conformance::Conformance(RunnerManifest manifest, std::filesystem::path workload,
                         std::int64_t batch, std::chrono::milliseconds silence, QObject* parent)
    : QObject(parent),
      manifest_(std::move(manifest)),
      workloadFile_(std::move(workload)),
      workload_(loadWorkload(workloadFile_)),
      batch_(batch),
      silence_(silence) {}

Conformance::~Conformance() {
    job_ = {};
}

void Conformance::start() {
    job_ = run();
    job_.start();
}

void Conformance::cancel() {
    if (process_) process_->abort({"cancelled", "cancelled"});
}

int Conformance::count(ConformanceCheck::State state) const {
    return static_cast<int>(
        std::count_if(checks_.begin(), checks_.end(),
                      [&](const ConformanceCheck& check) { return check.state == state; }));
}

void Conformance::report(const std::string& name, bool good, const std::string& detail) {
    checks_.push_back(
        {name, good ? ConformanceCheck::State::Passed : ConformanceCheck::State::Failed, detail});
    endReported_ |= !good && !usable();
    Q_EMIT checked(checks_.back());
}

void Conformance::skip(const std::string& name, const std::string& why) {
    checks_.push_back({name, ConformanceCheck::State::Skipped, why});
    Q_EMIT checked(checks_.back());
}

bool Conformance::stillThere(const std::string& name) {
    if (usable()) return true;
    const std::optional<RunnerFailure> failure = process_->failure();
    if (failure && !endReported_) {
        report(name, false, failure->sentence);
    } else {
        skip(name, "the runner is not there any more");
    }
    return false;
}

Task<> Conformance::run() {
    process_ = std::make_unique<RunnerProcess>(manifest_, silence_);
    connect(process_.get(), &RunnerProcess::epochFinished, this, [this] { ++epochs_; });
    co_await checkGreeting();
    co_await checkDescription();
    co_await checkRefusals();
    co_await checkPrepare();
    co_await checkMeasure();
    co_await checkIdle();
    co_await checkProfile();
    co_await checkTrace();
    co_await checkTrain();
    co_await checkClose();
    co_await checkEndOfInput();
    QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

Task<std::optional<json>> Conformance::ask(std::string name, json command, std::string expected) {
    if (!stillThere(name)) co_return std::nullopt;
    Reply reply = co_await process_->request(command, expected);
    if (reply.ok() && process_->failure()) reply.failure = process_->failure();
    if (!reply.ok()) {
        report(name, false, reply.failure->kind + ": " + reply.failure->sentence);
        co_return std::nullopt;
    }
    co_return reply.answer;
}

Task<> Conformance::expectFailure(std::string name, json command, std::string expectedEvent) {
    if (!stillThere(name)) co_return;
    const bool raw = command.is_string();
    const Completion<Reply> waiting =
        raw ? process_->requestLine(command.get<std::string>(), expectedEvent)
            : process_->request(command, expectedEvent);
    Reply reply = co_await waiting;
    if (reply.ok()) {
        report(name, false, "it was answered with \"" + expectedEvent + "\" instead of \"failed\"");
    } else if (process_->failure()) {
        report(name, false, process_->failure()->sentence);
    } else {
        report(name, !reply.failure->sentence.empty(),
               reply.failure->kind + ": " + reply.failure->sentence);
    }
}

Task<> Conformance::checkGreeting() {
    Reply reply = co_await process_->start();
    const std::string detail = reply.ok()
                                   ? process_->hello().framework + " " + process_->hello().version +
                                         ", protocol " + process_->hello().protocol
                                   : reply.failure->sentence;
    report("greets with hello", reply.ok(), detail);
}

Task<> Conformance::checkDescription() {
    json command = {{"command", "describe"}, {"a_key_of_the_future", 1}};
    std::optional<json> answer =
        co_await ask("describes its devices (and ignores unknown keys)", command, "description");
    if (!answer) co_return;
    std::string trouble;
    try {
        const auto description = answer->get<protocol::Description>();
        if (!description.devices.empty()) {
            device_ = description.devices.front();
            hasDevice_ = true;
        } else if (description.unavailable.empty()) {
            trouble = "neither a device nor a reason why there is none";
        }
    } catch (const Failure& failure) {
        trouble = failure.what();
    }
    if (trouble.empty() && hasDevice_ &&
        (device_.layouts.empty() || device_.modes.empty() || device_.precisions.empty())) {
        trouble = "device " + device_.uuid + " lists no layouts, modes or precisions";
    }
    for (const std::string& mode : device_.modesOnRequest) {
        const bool known =
            std::find(device_.modes.begin(), device_.modes.end(), mode) != device_.modes.end();
        if (trouble.empty() && !known)
            trouble = "modes_on_request: " + mode + " is not among its modes";
    }
    report("describes its devices (and ignores unknown keys)", trouble.empty(),
           trouble.empty() && hasDevice_ ? device_.uuid + ", " + device_.name : trouble);
}

json Conformance::prepareCommand(std::size_t layout) const {
    protocol::PrepareRequest request;
    request.device = device_.uuid;
    request.workload = workloadFile_.string();
    request.layout = device_.layouts[std::min(layout, device_.layouts.size() - 1)];
    request.mode = device_.modes.front();
    request.precision = device_.precisions.front().name;
    if (!device_.versions.empty()) request.version = device_.versions.back();
    request.batch = batch_;
    request.seed = workload_.seed;
    request.cores = {usableCores().front()};
    request.threads = 1;
    json command = request;
    command["command"] = "prepare";
    return command;
}

Task<> Conformance::checkRefusals() {
    json garbage = "this is no JSON";
    co_await expectFailure("answers a line that is no JSON with failed", garbage, "description");
    json unknown = {{"command", "frobnicate"}};
    co_await expectFailure("answers an unknown command with failed", unknown, "description");
    json early = {{"command", "measure"}, {"steps", 1}};
    co_await expectFailure("answers measure before prepare with failed", early, "sample");
    if (!hasDevice_ || device_.layouts.empty()) co_return;
    json wrongDevice = prepareCommand(0);
    wrongDevice["device"] = "no-such-device";
    co_await expectFailure("answers prepare for an unknown device with failed", wrongDevice,
                           "prepared");
    json wrongFile = prepareCommand(0);
    wrongFile["workload"] = "/no/such/workload.json";
    co_await expectFailure("answers prepare of a missing workload with failed", wrongFile,
                           "prepared");
}

Task<> Conformance::checkPrepare() {
    const std::string name = "prepares the workload";
    if (!hasDevice_) {
        skip(name, "no device");
        co_return;
    }
    for (std::size_t layout : {device_.layouts.size() - 1, std::size_t{0}}) {
        json command = prepareCommand(layout);
        std::optional<json> answer = co_await ask(name, command, "prepared");
        if (!answer) co_return;
        std::string trouble;
        try {
            const auto prepared = answer->get<protocol::Prepared>();
            if (prepared.parameters != workload_.parameterCount()) {
                trouble = "parameters: " + std::to_string(prepared.parameters) +
                          ", the workload has " + std::to_string(workload_.parameterCount());
            } else if (prepared.deviceUuid != device_.uuid) {
                trouble = "device: " + prepared.deviceUuid + ", asked for " + device_.uuid;
            } else if (prepared.batch != batch_) {
                trouble = "batch: " + std::to_string(prepared.batch) + ", asked for " +
                          std::to_string(batch_);
            }
        } catch (const Failure& failure) {
            trouble = failure.what();
        }
        if (!trouble.empty()) {
            report(name, false, trouble);
            co_return;
        }
    }
    prepared_ = true;
    report(name, true, "twice: a second prepare replaces the first");
}

Task<> Conformance::checkMeasure() {
    const std::string name = "measures steps as one block";
    if (!prepared_) {
        skip(name, "not prepared");
        co_return;
    }
    json command = {{"command", "measure"}, {"steps", 3}};
    std::optional<json> answer = co_await ask(name, command, "sample");
    if (!answer) co_return;
    std::string trouble;
    try {
        const auto sample = answer->get<protocol::Sample>();
        if (sample.steps != 3)
            trouble = std::to_string(sample.steps) + " steps reported, 3 asked for";
        SampleLimits limits{workload_.flopsPerStep(batch_),
                            generousPeakFlops(device_.kind, device_.precisions.front().name, 1)};
        const std::vector<std::string> flags = sampleFlags(sample, {}, limits, std::nullopt);
        if (trouble.empty() && !flags.empty() && flags.front().rfind("throttled", 0) != 0)
            trouble = flags.front();
        if (trouble.empty() && !answer->contains("device_ns"))
            trouble = "lacks \"device_ns\" (null with a reason is fine)";
    } catch (const Failure& failure) {
        trouble = failure.what();
    }
    report(name, trouble.empty(), trouble);
}

Task<> Conformance::checkIdle() {
    const std::string name = "waits without spinning";
    if (!prepared_) {
        skip(name, "not prepared");
        co_return;
    }
    if (!stillThere(name)) co_return;
    co_await sleepFor(400ms);
    const double before = sessionSeconds(process_->sessionId());
    co_await sleepFor(1000ms);
    const double used = sessionSeconds(process_->sessionId()) - before;
    if (!stillThere(name)) co_return;
    report(name, used < 0.1, used < 0.1 ? "" : fixed(used, 2) + " s of CPU time in 1 s of waiting");
}

Task<> Conformance::checkProfile() {
    const std::string name = "profiles stages that add up";
    if (!prepared_) {
        skip(name, "not prepared");
        co_return;
    }
    json command = {{"command", "profile"}, {"steps", 2}};
    std::optional<json> answer = co_await ask(name, command, "stages");
    if (!answer) co_return;
    std::string trouble;
    try {
        const auto stages = answer->get<protocol::Stages>();
        const std::vector<std::string> flags = stageFlags(stages);
        if (stages.stages.empty()) trouble = "no stages";
        if (!flags.empty()) trouble = flags.front();
    } catch (const Failure& failure) {
        trouble = failure.what();
    }
    report(name, trouble.empty(), trouble);
}

Task<> Conformance::checkTrace() {
    const std::string name = "traces with every tensor of the workload";
    if (!prepared_) {
        skip(name, "not prepared");
        co_return;
    }
    if (!stillThere(name)) co_return;
    const std::filesystem::path folder = folder_.path().toStdString();
    const TensorMap inputs = traceInputs(workload_, syntheticDataset(workload_, workload_.seed),
                                         batch_, workload_.seed, kTraceSteps);
    writeSafetensors(inputs, folder / "in.safetensors");
    const protocol::TraceRequest request{(folder / "in.safetensors").string(),
                                         (folder / "out.safetensors").string(), kTraceSteps};
    json command = request;
    command["command"] = "trace";
    Reply reply = co_await process_->request(command, "traced");
    if (!reply.ok() && reply.failure->kind == "unsupported") {
        skip(name, reply.failure->sentence);
        co_return;
    }
    std::string trouble = reply.ok() ? "" : reply.failure->sentence;
    if (reply.ok()) {
        try {
            readTrace(request.outputs, workload_, inputs, kTraceSteps);
            const auto traced = reply.answer.get<protocol::Traced>();
            if (traced.losses.size() != kTraceSteps) trouble = "losses: one per step was expected";
        } catch (const std::exception& error) {
            trouble = error.what();
        }
    }
    report(name, trouble.empty(), trouble);
    if (!trouble.empty()) co_return;
    json measure = {{"command", "measure"}, {"steps", 1}};
    std::optional<json> answer = co_await ask("measures after a trace", measure, "sample");
    if (answer) report("measures after a trace", true);
}

Task<> Conformance::checkTrain() {
    const std::string name = "trains an epoch";
    if (!prepared_) {
        skip(name, "not prepared");
        co_return;
    }
    json command = {{"command", "train"}, {"epochs", 1}};
    std::optional<json> answer = co_await ask(name, command, "trained");
    if (!answer) co_return;
    std::string trouble;
    if (epochs_ != 1) trouble = std::to_string(epochs_) + " epoch events, 1 expected";
    try {
        (void)answer->get<protocol::Trained>();
    } catch (const Failure& failure) {
        trouble = failure.what();
    }
    report(name, trouble.empty(), trouble);
}

Task<> Conformance::checkClose() {
    const std::string name = "closes with exit code 0";
    if (!stillThere(name)) co_return;
    const bool well = co_await process_->close();
    report(
        name, well,
        well ? "" : (process_->failure() ? process_->failure()->sentence : "no \"closed\" came"));
}

Task<> Conformance::checkEndOfInput() {
    const std::string name = "takes the end of its input for close";
    process_ = std::make_unique<RunnerProcess>(manifest_, silence_);
    Reply reply = co_await process_->start();
    if (!reply.ok()) {
        skip(name, "it did not start again");
        co_return;
    }
    const bool well = co_await process_->endInput();
    report(name, well,
           well ? ""
                : (process_->failure() ? process_->failure()->sentence : "it did not exit with 0"));
}

}  // namespace aether::app
