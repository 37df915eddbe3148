// SPDX-License-Identifier: GPL-3.0-only
#include "app/session.h"

#include <algorithm>
#include <numeric>

#include "app/comparison.h"
#include "app/result_store.h"
#include "app/text.h"
#include "common/dataset.h"
#include "common/failure.h"
#include "common/philox.h"

namespace aether::app {
namespace {

constexpr double kTimeoutWithNoise = 600;
constexpr std::int64_t kLargestDiagnosedBatch = 32;

/// Starting a process, and what torch.compile takes beyond that.
double preparationSeconds(const std::string& mode) {
    if (mode == "compiled") return 8 + 40;
    if (mode == "max-autotune") return 8 + 120;
    return 8;
}

}  // namespace

std::vector<std::size_t> roundOrder(std::size_t count, std::uint64_t seed, int round) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) {
        const auto words = philox4x32(
            {static_cast<std::uint32_t>(i / 4), static_cast<std::uint32_t>(round), 0, 64},
            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
        std::swap(order[i - 1], order[words[i % 4] % i]);
    }
    return order;
}

double estimatedSeconds(const std::vector<Variant>& variants, const SessionOptions& options,
                        double flopsPerStep) {
    double seconds = 0;
    for (const Variant& variant : variants) {
        if (!variant.unavailable.empty()) continue;
        // 40 GFLOP/s per core: what a framework reaches on a middling CPU; a GPU is bounded by the
        // block.
        const double step =
            variant.device.kind == "cpu" ? flopsPerStep / (4e10 * options.threads) : 0.01;
        const double block = std::max(options.blockSeconds, step);
        const double settle = std::chrono::duration<double>(options.settle).count();
        seconds += preparationSeconds(variant.mode) + (options.verify ? 10 * step : 0) +
                   (options.rounds + 4) * (block + settle);
    }
    return seconds;
}

Session::Session(SessionOptions options, std::vector<RunnerInfo> runners, QObject* parent)
    : QObject(parent), options_(std::move(options)), runners_(std::move(runners)) {
    if (options_.maxNoise > 0 && options_.timeoutSeconds <= 0)
        options_.timeoutSeconds = kTimeoutWithNoise;
}

Session::~Session() {
    job_ = {};
}

bool Session::plan() {
    if (planned_) return outcome_.end != SessionEnd::InvalidInput;
    planned_ = true;
    try {
        workload_ = loadWorkload(options_.workload);
        const std::uint64_t seed = options_.seed.value_or(workload_.seed);
        result_.data = loadDataset(workload_, options_.data, seed).kind();
        result_.session.seed = seed;
    } catch (const Failure& failure) {
        outcome_ = {SessionEnd::InvalidInput, failure.what(), {}};
        return false;
    }
    variants_ = makePlan(options_.plan, runners_);
    result_.context = currentContext(options_.argv);
    result_.workloadName = workload_.name;
    result_.workloadDigest = workload_.digest;
    result_.workloadFile = options_.workload.string();
    result_.parameters = workload_.parameterCount();
    result_.batch = options_.batch.value_or(workload_.batch);
    result_.flopsPerStep = workload_.flopsPerStep(result_.batch);
    SessionSettings& settings = result_.session;
    settings.rounds = options_.rounds;
    settings.maxNoise = options_.maxNoise;
    settings.relaunchEvery = options_.relaunchEvery;
    settings.timeoutSeconds = options_.timeoutSeconds;
    settings.blockSeconds = options_.blockSeconds;
    settings.settleSeconds = std::chrono::duration<double>(options_.settle).count();
    settings.threads = options_.threads;
    settings.cores = options_.cores;
    settings.verified = options_.verify;
    settings.instructionSet = options_.plan.instructionSet;
    for (const Variant& variant : variants_) {
        contenders_.push_back(
            std::make_unique<Contender>(variant, runners_[variant.runner], options_, workload_));
        listenTo(*contenders_.back());
        const bool known =
            std::any_of(result_.devices.begin(), result_.devices.end(),
                        [&](const ResultDevice& d) { return d.uuid == variant.device.uuid; });
        if (!known && !variant.device.uuid.empty()) result_.devices.push_back(variant.device);
    }
    collect();
    return true;
}

void Session::listenTo(Contender& contender) {
    connect(&contender, &Contender::progressed, this,
            [this, &contender](const protocol::Progress& progress) {
                announce(contender, progress.phase, progress.message);
            });
    connect(&contender, &Contender::logged, this, [this, &contender](const std::string& line) {
        Q_EMIT logged(contender.run().id, line);
    });
}

void Session::start() {
    clock_.start();
    job_ = run();
    job_.start();
}

void Session::cancel() {
    if (cancelled_ || over_) return;
    cancelled_ = true;
    result_.session.cancelled = true;
    const RunnerFailure why{"cancelled", "cancelled"};
    for (const auto& contender : contenders_)
        contender->abort(why);
    if (verifier_) verifier_->abort();
}

Task<> Session::run() {
    if (!plan()) {
        end();
        co_return;
    }
    Q_EMIT planned();
    const auto ableCount = static_cast<int>(able().size());
    total_ = ableCount * (2 + options_.rounds + (options_.profile ? 1 : 0));
    if (options_.verify) verifier_ = std::make_unique<Verifier>(runners_, options_, workload_);
    co_await prepareAll();
    if (verifier_) co_await verifier_->close();
    for (Contender* contender : able())
        co_await warmUpOne(*contender);
    std::vector<Contender*> field = able();
    co_await rounds(field);
    field = able();
    if (options_.profile) co_await profileAll(field);
    co_await closeAll();
    co_await retryForMemory();
    settleStatuses();
    collect();
    save();
    end();
}

Task<> Session::prepareAll() {
    for (Contender* contender : able()) {
        if (cancelled_) co_return;
        const bool ready = co_await prepareOne(*contender);
        if (ready && options_.verify) co_await verifyOne(*contender);
        step("prepared");
    }
    collect();
    save();
}

Task<bool> Session::prepareOne(Contender& contender) {
    announce(contender, "preparing");
    const bool ready = co_await contender.prepare();
    if (ready) {
        if (!contender.data().empty()) result_.data = contender.data();
        announce(contender, "waiting");
    } else {
        announce(contender, contender.run().status, contender.run().reason);
    }
    co_return ready;
}

Task<> Session::verifyOne(Contender& contender) {
    announce(contender, "verifying");
    const std::int64_t batch = contender.run().batch;
    const bool diagnose = batch <= kLargestDiagnosedBatch;
    VerifyReport report =
        co_await verifier_->check(*contender.process(), contender.variant(), batch, diagnose);
    contender.run().parity = report.parity;
    if (contender.process()->failure()) contender.fail(*contender.process()->failure());
    announce(contender, contender.canGoOn() ? "waiting" : contender.run().status,
             contender.canGoOn() ? "" : contender.run().reason);
}

Task<> Session::warmUpOne(Contender& contender) {
    if (cancelled_) co_return;
    co_await sleepFor(options_.settle);
    announce(contender, "warming up");
    const bool warm = co_await contender.warmUp();
    announce(contender, warm ? "waiting" : contender.run().status, contender.run().reason);
    step("warmed up");
}

Task<> Session::rounds(std::vector<Contender*> field) {
    roundsStartedAt_ = static_cast<double>(clock_.elapsed()) / 1e3;
    int round = 0;
    while (!field.empty() && moreRounds(round, field)) {
        const int every = options_.relaunchEvery;
        if (every > 0 && round > 0 && round % every == 0) co_await relaunchAll(field);
        ++round;
        std::vector<std::string> order;
        for (const std::size_t index : roundOrder(field.size(), result_.session.seed, round)) {
            if (!field[index]->canGoOn() || cancelled_) continue;
            order.push_back(field[index]->run().id);
            co_await measureOne(*field[index], round);
        }
        if (order.empty()) break;
        result_.session.order.push_back(order);
        if (cancelled_) break;
        result_.session.roundsDone = std::max(result_.session.roundsDone, round);
        collect();
        save();
        Q_EMIT roundFinished(round);
    }
}

Task<> Session::relaunchAll(const std::vector<Contender*>& field) {
    for (Contender* contender : field) {
        if (cancelled_ || !contender->canGoOn()) continue;
        announce(*contender, "preparing", "anew");
        const bool ready = co_await contender->relaunch();
        announce(*contender, ready ? "waiting" : contender->run().status, contender->run().reason);
    }
}

bool Session::moreRounds(int roundsDone, const std::vector<Contender*>& field) {
    if (cancelled_) return false;
    const double spent = static_cast<double>(clock_.elapsed()) / 1e3 - roundsStartedAt_;
    const bool late = options_.timeoutSeconds > 0 && spent >= options_.timeoutSeconds;
    const bool quiet = options_.maxNoise <= 0 || largestNoise(field) <= options_.maxNoise;
    result_.session.noiseConverged = quiet;
    if (late || roundsDone >= kMostRounds) return false;
    return roundsDone < options_.rounds || !quiet;
}

/// Of what no further round can give a number, a variant whose samples are all invalid, nothing is
/// asked.
double Session::largestNoise(const std::vector<Contender*>& field) const {
    double largest = 0;
    for (const Comparison& comparison : result_.comparisons) {
        if (comparison.verdict != Verdict::Invalid)
            largest = std::max(largest, relativeNoise(comparison.ratio));
    }
    if (!result_.comparisons.empty()) return largest;
    for (const Contender* contender : field) {
        const std::vector<double> values = contender->run().validStepNs();
        if (contender->canGoOn() && !values.empty())
            largest = std::max(largest, relativeNoise(values));
    }
    return largest;
}

Task<> Session::measureOne(Contender& contender, int round) {
    co_await sleepFor(options_.settle);
    if (cancelled_) co_return;
    announce(contender, "measuring", "round " + std::to_string(round));
    Q_EMIT timing(true);
    const bool measured = co_await contender.measure(round);
    Q_EMIT timing(false);
    if (measured) Q_EMIT sampleTaken(contender.run().id, contender.run().samples.back());
    announce(contender, contender.canGoOn() ? "waiting" : contender.run().status,
             contender.run().reason);
    step("round " + std::to_string(round));
}

Task<> Session::profileAll(std::vector<Contender*> field) {
    for (Contender* contender : field) {
        if (cancelled_) co_return;
        co_await sleepFor(options_.settle);
        announce(*contender, "profiling");
        co_await contender->profile();
        announce(*contender, "waiting");
        step("profiled");
    }
}

/// A variant that ran out of memory beside the others is tried once more when they are gone.
Task<> Session::retryForMemory() {
    for (const auto& owner : contenders_) {
        Contender& contender = *owner;
        if (cancelled_ || contender.run().failureKind != "out_of_memory") continue;
        const std::string first = contender.run().reason;
        const int rounds = options_.rounds;
        contender.reset();
        total_ += 2 + rounds;
        bool going = co_await prepareOne(contender);
        if (going && verifier_) {
            co_await verifyOne(contender);
            co_await verifier_->close();
        }
        if (going) co_await warmUpOne(contender);
        for (int round = 1; round <= rounds && contender.canGoOn() && !cancelled_; ++round) {
            co_await measureOne(contender, round);
        }
        if (contender.canGoOn()) {
            contender.run().flags.push_back(
                "measured alone, not interleaved: first try ran out of memory (" + first + ")");
            if (options_.profile && !cancelled_) co_await contender.profile();
        } else if (contender.run().failureKind == "out_of_memory") {
            contender.run().reason = "out of memory, alone too: " + contender.run().reason;
        }
        co_await contender.close();
    }
}

Task<> Session::closeAll() {
    for (const auto& contender : contenders_)
        co_await contender->close();
    if (verifier_) co_await verifier_->close();
}

std::vector<Contender*> Session::able() {
    std::vector<Contender*> out;
    for (const auto& contender : contenders_) {
        if (contender->canGoOn()) out.push_back(contender.get());
    }
    return out;
}

void Session::settleStatuses() {
    for (const auto& contender : contenders_) {
        Run& run = contender->run();
        const bool sampled = !run.samples.empty();
        if (run.status == "cancelled" && sampled) {
            run.status = "measured";
            run.reason = run.failureKind = "";
        } else if (run.status == "queued") {
            run.status = sampled ? "measured" : "cancelled";
            if (!sampled) run.reason = "not reached";
        }
        if (run.status == "measured" && run.validStepNs().empty()) {
            run.status = "failed";
            run.failureKind = "no_valid_samples";
            run.reason = "no valid samples: " + run.samples.front().flags.front();
        }
        Q_EMIT variantChanged({run.id, run.status, run.reason});
    }
}

void Session::collect() {
    result_.runs.clear();
    for (const auto& contender : contenders_) {
        Run run = contender->run();
        if (run.status == "queued" && !run.samples.empty()) run.status = "measured";
        result_.runs.push_back(std::move(run));
    }
    result_.comparisons = compareRuns(result_);
}

void Session::save() {
    if (options_.resultFile.empty()) return;
    try {
        writeResult(result_, options_.resultFile);
        outcome_.writeError.clear();
    } catch (const Failure& failure) {
        outcome_.writeError = failure.what();
    }
}

void Session::announce(Contender& contender, const std::string& phase, const std::string& message) {
    Q_EMIT variantChanged({contender.run().id, phase, message});
}

void Session::step(const std::string& message) {
    ++done_;
    Q_EMIT progressed({done_, std::max(done_, total_), remainingSeconds(), message});
}

double Session::remainingSeconds() const {
    if (done_ == 0 || total_ <= 0) return -1;
    const double spent = static_cast<double>(clock_.elapsed()) / 1e3;
    return spent / done_ * std::max(0, total_ - done_);
}

void Session::end() {
    over_ = true;
    if (outcome_.end != SessionEnd::InvalidInput) {
        const bool any = std::any_of(result_.runs.begin(), result_.runs.end(),
                                     [](const Run& run) { return !run.validStepNs().empty(); });
        outcome_.end = cancelled_ ? SessionEnd::Cancelled
                                  : (any ? SessionEnd::Finished : SessionEnd::NothingMeasured);
        if (!any && !cancelled_) outcome_.sentence = "nothing was measured";
    }
    // Queued: whoever hears it may delete this session, whose coroutine must have ended by then.
    QTimer::singleShot(0, this, [this] { Q_EMIT finished(outcome_); });
}

}  // namespace aether::app
