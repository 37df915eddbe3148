// SPDX-License-Identifier: GPL-3.0-only
#include "app/contender.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>

#include "app/machine_load.h"
#include "app/text.h"
#include "common/failure.h"

namespace aether::app {
namespace {

using nlohmann::json;

constexpr double kAgreement = 0.02;
constexpr int kFewestWarmUpSteps = 3;
constexpr int kMostWarmUpBlocks = 12;
constexpr std::int64_t kMostBlockSteps = 100'000;

Run queuedRun(const Variant& variant, const RunnerInfo& runner, const SessionOptions& options) {
    Run run;
    run.id = variant.id;
    run.runner = runner.manifest.name;
    run.runnerTitle = runner.manifest.title;
    run.framework = runner.hello.framework;
    run.frameworkVersion = runner.hello.version;
    run.runnerCommit = runner.hello.commit;
    run.runnerDirty = runner.hello.dirty;
    run.deviceUuid = variant.device.uuid;
    run.requestedLayout = variant.layout;
    run.mode = variant.mode;
    run.precision = variant.precision;
    run.version = variant.version;
    run.copy = variant.copy;
    run.threads = options.threads;
    run.batch = options.batch.value_or(0);
    run.status = variant.unavailable.empty() ? "queued" : "unavailable";
    run.reason = variant.unavailable;
    if (!run.reason.empty()) run.failureKind = "unavailable";
    return run;
}

std::string both(const char* what, const std::string& got, const std::string& wanted) {
    return std::string(what) + ": the runner reports " + got + ", expected " + wanted;
}

/// A sample's wall_ns or loss may be null: that becomes a flag, not a damaged answer. Returns what
/// was null.
std::vector<std::string> replaceNulls(json& sample) {
    std::vector<std::string> unknown;
    for (const char* key : {"wall_ns", "loss"}) {
        if (!sample.contains(key) || !sample[key].is_null()) continue;
        const json reason = sample.value(std::string(key) + "_reason", json());
        unknown.push_back(std::string(key) + " is null" +
                          (reason.is_string() ? " (" + reason.get<std::string>() + ")" : ""));
        sample[key] = 0;
    }
    return unknown;
}

}  // namespace

Contender::Contender(Variant variant, const RunnerInfo& runner, const SessionOptions& options,
                     const Workload& workload)
    : variant_(std::move(variant)),
      runner_(runner),
      options_(options),
      workload_(workload),
      run_(queuedRun(variant_, runner, options)) {
    if (run_.batch == 0) run_.batch = workload.batch;
}

void Contender::reset() {
    run_ = queuedRun(variant_, runner_, options_);
    if (run_.batch == 0) run_.batch = workload_.batch;
    process_.reset();
}

protocol::PrepareRequest Contender::prepareRequest() const {
    protocol::PrepareRequest request;
    request.device = variant_.device.uuid;
    request.workload = options_.workload.string();
    if (options_.data) request.data = options_.data->string();
    request.layout = variant_.layout;
    request.mode = variant_.mode;
    request.precision = variant_.precision;
    if (!variant_.version.empty()) request.version = variant_.version;
    request.batch = run_.batch;
    request.seed = options_.seed.value_or(workload_.seed);
    request.threads = options_.threads;
    request.cores = options_.cores;
    if (!options_.plan.instructionSet.empty() && variant_.device.kind != "gpu")
        request.instructionSet = options_.plan.instructionSet;
    return request;
}

void Contender::fail(const RunnerFailure& failure) {
    if (!canGoOn()) return;
    run_.status = failure.kind == "cancelled" ? "cancelled" : "failed";
    run_.reason = failure.sentence;
    run_.failureKind = failure.kind;
    if (process_) process_->abort(failure);
}

void Contender::abort(const RunnerFailure& why) {
    if (process_) process_->abort(why);
}

Task<std::optional<json>> Contender::ask(json command, std::string expected) {
    if (!canGoOn() || !process_) co_return std::nullopt;
    Reply reply = co_await process_->request(command, expected);
    if (reply.ok() && process_->failure()) reply.failure = process_->failure();
    if (!reply.ok()) {
        fail(*reply.failure);
        co_return std::nullopt;
    }
    co_return reply.answer;
}

Task<bool> Contender::prepare() {
    process_ = std::make_unique<RunnerProcess>(runner_.manifest, options_.silence);
    connect(process_.get(), &RunnerProcess::progressed, this, &Contender::progressed);
    connect(process_.get(), &RunnerProcess::logged, this, &Contender::logged);
    Reply greeting = co_await process_->start();
    if (!greeting.ok()) {
        fail(*greeting.failure);
        co_return false;
    }
    json command = prepareRequest();
    command["command"] = "prepare";
    std::optional<json> answer = co_await ask(command, "prepared");
    co_return answer&& acceptPrepared(*answer);
}

Task<bool> Contender::relaunch() {
    // What the first launch noted holds for the next as well.
    const std::vector<std::string> flags = run_.flags;
    const std::int64_t warmUpSteps = run_.warmUpSteps;
    co_await close();
    bool ready = co_await prepare();
    if (ready) ready = co_await warmUp();
    run_.flags = flags;
    run_.warmUpSteps += warmUpSteps;
    co_return ready;
}

bool Contender::acceptPrepared(const json& answer) {
    protocol::Prepared prepared;
    try {
        prepared = answer.get<protocol::Prepared>();
    } catch (const Failure& failure) {
        fail({"protocol", std::string("sent a damaged \"prepared\": ") + failure.what()});
        return false;
    }
    run_.effectiveLayout = prepared.effectiveLayout;
    run_.instructionSet = prepared.instructionSet;
    if (prepared.threads > 0) run_.threads = prepared.threads;
    run_.buildSeconds = static_cast<double>(prepared.buildNs) / 1e9;
    if (prepared.compileNs.value) run_.compileSeconds = *prepared.compileNs.value / 1e9;
    if (prepared.memoryBytes.value)
        run_.memoryBytes = static_cast<std::int64_t>(*prepared.memoryBytes.value);
    data_ = prepared.data;

    std::string refusal;
    if (prepared.parameters != workload_.parameterCount()) {
        refusal = both("parameter count", std::to_string(prepared.parameters),
                       std::to_string(workload_.parameterCount()) + " by the workload");
    } else if (prepared.deviceUuid != variant_.device.uuid) {
        refusal = both("device", prepared.deviceUuid, variant_.device.uuid);
    } else if (prepared.batch != run_.batch) {
        refusal = both("batch", std::to_string(prepared.batch), std::to_string(run_.batch));
    } else if (variant_.device.kind == "cpu" && prepared.threads > 0 &&
               prepared.threads > options_.threads) {
        refusal =
            both("threads", std::to_string(prepared.threads), std::to_string(options_.threads));
    }
    // Fewer is the runner's own choice (plain loops, say) and only to its disadvantage.
    if (prepared.threads > 0 && prepared.threads < options_.threads) {
        run_.flags.push_back("used " + std::to_string(prepared.threads) + " of " +
                             std::to_string(options_.threads) + " threads");
    }
    if (variant_.device.kind == "cpu" && onBattery())
        run_.flags.emplace_back("the machine runs on battery: clocks may be low");
    if (!refusal.empty()) fail({"protocol", refusal});
    return refusal.empty();
}

Task<bool> Contender::warmUp() {
    double last = 0;
    run_.warmUpSteps = 0;
    for (int block = 0;; ++block) {
        json command = {{"command", "measure"}, {"steps", blockSteps_}};
        QElapsedTimer clock;
        clock.start();
        std::optional<json> answer = co_await ask(command, "sample");
        if (!answer) co_return false;
        const double seen =
            static_cast<double>(clock.nsecsElapsed()) / 1e9 / static_cast<double>(blockSteps_);
        const json time = answer->value("wall_ns", json());
        const double wall = time.is_number() ? time.get<double>() : 0;
        if (!(wall > 0)) co_return true;  // the first real sample will carry the flag
        run_.warmUpSteps += blockSteps_;
        const double perStep = wall / 1e9 / static_cast<double>(blockSteps_);
        const double change = last > 0 ? std::abs(perStep - last) / last : INFINITY;
        stepSeconds_ = perStep;
        const bool enough = run_.warmUpSteps >= kFewestWarmUpSteps;
        if (enough && change <= kAgreement) co_return true;
        if (enough && block + 1 >= kMostWarmUpBlocks) {
            run_.flags.push_back("warm-up: after " + std::to_string(run_.warmUpSteps) +
                                 " steps two blocks still differed by " + percent(change));
            co_return true;
        }
        last = perStep;
        // Never trust a runner's clock with the length of a block: it may be broken.
        const double steps = std::ceil(options_.blockSeconds / std::max(perStep, 0.5 * seen));
        blockSteps_ =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(steps), 1, kMostBlockSteps);
    }
}

SampleLimits Contender::limits() const {
    return {workload_.flopsPerStep(run_.batch),
            generousPeakFlops(variant_.device.kind, variant_.precision,
                              static_cast<int>(options_.threads)),
            options_.loadWarning, options_.loadLimit};
}

Task<bool> Contender::measure(int round) {
    if (!canGoOn() || !process_) co_return false;
    LoadMeter meter(variant_.device.kind == "cpu" ? options_.cores : std::vector<int>{},
                    process_->sessionId());
    meter.start();
    json command = {{"command", "measure"}, {"steps", blockSteps_}};
    std::optional<json> answer = co_await ask(command, "sample");
    if (!answer) co_return false;
    const std::optional<double> others = meter.otherShare();

    const std::vector<std::string> unknown = replaceNulls(*answer);
    protocol::Sample sample;
    std::string damage;
    try {
        sample = answer->get<protocol::Sample>();
    } catch (const Failure& failure) {
        damage = failure.what();
    }
    if (!damage.empty()) {
        fail({"protocol", "sent a damaged \"sample\": " + damage});
        co_return false;
    }
    RoundSample out;
    out.round = round;
    out.steps = sample.steps;
    out.flags = sampleFlags(sample, unknown, limits(), others);
    const bool timed = sample.steps > 0 && sample.wallNs > 0;
    if (timed) out.stepNs = static_cast<double>(sample.wallNs) / static_cast<double>(sample.steps);
    if (timed && sample.deviceNs.value) {
        out.deviceStepNs = *sample.deviceNs.value / static_cast<double>(sample.steps);
    }
    if (unknown.empty()) out.loss = sample.loss;
    out.clockMhz = sample.clockMhz.value;
    if (sample.steps != blockSteps_) {
        out.flags.push_back("steps: " + std::to_string(sample.steps) + " reported, " +
                            std::to_string(blockSteps_) + " asked for");
    }
    run_.samples.push_back(out);
    if (const std::string warning = loadWarning(limits(), others, round); !warning.empty()) {
        run_.flags.push_back(warning);
    }
    co_return true;
}

Task<bool> Contender::profile() {
    const double seconds = stepSeconds_ > 0 ? stepSeconds_ : 1;
    const int steps =
        static_cast<int>(std::clamp(std::ceil(options_.blockSeconds / seconds), 1.0, 20.0));
    json command = {{"command", "profile"}, {"steps", steps}};
    Reply reply = co_await process_->request(command, "stages");
    // The numbers are in already: a failed profile costs the breakdown, not the bar.
    std::string trouble;
    if (!reply.ok()) {
        trouble = reply.failure->sentence;
    } else {
        try {
            run_.stages = reply.answer.get<protocol::Stages>();
        } catch (const Failure& failure) {
            trouble = failure.what();
        }
    }
    if (run_.stages) {
        for (const std::string& flag : stageFlags(*run_.stages))
            run_.flags.push_back(flag);
    }
    if (!trouble.empty()) run_.flags.push_back("profile failed: " + trouble);
    co_return trouble.empty();
}

Task<> Contender::close() {
    if (process_) co_await process_->close();
}

}  // namespace aether::app
