// SPDX-License-Identifier: GPL-3.0-only
#include "app/verifier.h"

#include <algorithm>

#include "app/text.h"
#include "common/failure.h"
#include "common/files.h"

namespace aether::app {
namespace {

using nlohmann::json;

constexpr std::int64_t kManyAttemptsBatch = 32;

/// A float64 trace is cheap for a small batch and not for a large one.
int mostAttempts(std::int64_t batch) {
    return batch <= kManyAttemptsBatch ? 5 : 2;
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

VerifyReport judged(std::vector<Finding> findings) {
    VerifyReport report;
    report.findings = std::move(findings);
    const Finding* worst = worstOf(report.findings);
    report.parity.worst = worst->name;
    report.parity.distance = worst->distance;
    report.parity.allowed = worst->allowed;
    const bool passed = worst->distance <= worst->allowed;
    report.parity.state = passed ? Parity::State::Passed : Parity::State::Failed;
    report.parity.reason = worst->name + " is " + scientific(worst->distance) +
                           " from the float64 truth, allowed " + scientific(worst->allowed);
    return report;
}

/// Every quantity with its best attempt so far.
void keepBest(std::vector<Finding>& best, const std::vector<Finding>& seen) {
    if (best.empty()) best = seen;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (seen[i].excess() < best[i].excess()) best[i] = seen[i];
    }
}

/// PyTorch's layouts whose eager traces are the yardstick: one where the gates are fixed, both
/// where ties make honest traces differ.
std::vector<std::string> yardstickLayouts(std::int64_t batch) {
    if (batch <= kManyAttemptsBatch) return {"nchw"};
    return {"nchw", "nhwc"};
}

/// A yardstick as it would lie around another truth: its own error carried over.
TraceValues carriedOver(const TraceValues& yardstick, const TraceValues& from,
                        const TraceValues& to) {
    TraceValues moved = to;
    for (std::size_t q = 0; q < moved.size(); ++q) {
        for (std::size_t i = 0; i < moved[q].values.size(); ++i) {
            moved[q].values[i] += yardstick[q].values[i] - from[q].values[i];
        }
    }
    return moved;
}

}  // namespace

Verifier::Verifier(const std::vector<RunnerInfo>& runners, const SessionOptions& options,
                   const Workload& workload)
    : options_(options), workload_(workload), references_(runners, options, workload, kSteps) {}

Task<VerifyReport> Verifier::check(RunnerProcess& process, Variant variant, std::int64_t batch,
                                   bool diagnoseToo) {
    if (!references_.available()) {
        co_return notChecked("no runner offers fp64, the truth to compare with");
    }
    const GateSetting setting{variant.precision, batch, kSteps};
    std::vector<Attempt> attempts;
    std::vector<Finding> best;
    for (int number = 0; number < mostAttempts(batch); ++number) {
        Attempt traces;
        std::optional<VerifyReport> trouble =
            co_await attempt(process, variant, batch, number, traces);
        if (trouble) co_return *trouble;
        keepBest(best, compareTraces(workload_, traces.subject, traces.truth, traces.yardsticks,
                                     setting));
        attempts.push_back(std::move(traces));
        if (worstOf(best)->excess() <= 1) break;
    }
    VerifyReport report = judged(best);
    report.attempts = static_cast<int>(attempts.size());
    if (report.parity.state != Parity::State::Failed) co_return report;
    report.diagnosis = plainDiagnosis(attempts.front().subject);
    if (report.diagnosis.empty()) {
        report.diagnosis = causalDiagnosis(best);
        if (diagnoseToo) {
            std::string named = co_await diagnose(attempts, setting, best);
            if (!named.empty()) report.diagnosis += "; it computes as if " + named;
        }
    }
    if (!report.diagnosis.empty()) report.parity.reason += " (" + report.diagnosis + ")";
    co_return report;
}

Task<std::optional<VerifyReport>> Verifier::attempt(RunnerProcess& process, Variant variant,
                                                    std::int64_t batch, int number, Attempt& out) {
    std::string trouble;
    const TraceInputs* inputs = nullptr;
    try {
        inputs = &references_.inputs(batch, number);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    if (!trouble.empty()) co_return notChecked(trouble);
    Q_EMIT progressed("computing the float64 truth");
    std::optional<TraceValues> truth =
        co_await references_.trace(*inputs, batch, "fp64", "nchw", variant.device.uuid);
    if (!truth) co_return notChecked("the float64 truth failed: " + references_.trouble());
    Q_EMIT progressed("computing the yardstick in " + variant.precision);
    out.truth = std::move(*truth);
    for (const std::string& layout : yardstickLayouts(batch)) {
        std::optional<TraceValues> yardstick = co_await references_.trace(
            *inputs, batch, variant.precision, layout, variant.device.uuid);
        if (!yardstick) {
            co_return notChecked("the yardstick (" + variant.precision + " " + layout +
                                 ") failed: " + references_.trouble());
        }
        out.yardsticks.push_back(std::move(*yardstick));
    }
    std::optional<VerifyReport> end = co_await traceSubject(process, *inputs, out.subject);
    co_return end;
}

Task<std::optional<VerifyReport>> Verifier::traceSubject(RunnerProcess& process,
                                                         const TraceInputs& inputs,
                                                         TraceValues& out) {
    Q_EMIT progressed("tracing " + std::to_string(kSteps) + " steps");
    const auto outputs = references_.folder() / "subject-out.safetensors";
    json command = protocol::TraceRequest{inputs.file.string(), outputs.string(), kSteps};
    command["command"] = "trace";
    Reply reply = co_await process.request(command, "traced");
    if (!reply.ok()) {
        const RunnerFailure& failure = *reply.failure;
        const bool cannot = failure.kind == "unsupported" || failure.kind == "cancelled";
        co_return cannot ? notChecked(failure.sentence)
                         : failed("trace failed: " + failure.sentence);
    }
    std::string trouble;
    try {
        out = readTrace(outputs, workload_, inputs.tensors, kSteps);
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    std::error_code ignored;
    std::filesystem::remove(outputs, ignored);
    if (!trouble.empty()) co_return failed(trouble);
    co_return std::nullopt;
}

/// The hypothesis whose truth the subject matches best, if at least three times better than the
/// true recipe.
Task<std::string> Verifier::diagnose(const std::vector<Attempt>& attempts, GateSetting setting,
                                     std::vector<Finding> found) {
    double best = worstOf(found)->excess() / 3;
    std::string named;
    json document = json::parse(readFile(options_.workload), nullptr, false);
    for (const Hypothesis& hypothesis : hypothesesFor(document)) {
        Q_EMIT progressed("diagnosing: what if " + hypothesis.sentence);
        std::optional<double> excess = co_await excessUnder(hypothesis, attempts, setting, found);
        if (!excess || *excess >= best) continue;
        best = *excess;
        named = hypothesis.sentence;
    }
    co_return named;
}

/// What is left, under the hypothesis, of the quantities that failed; more when others fail now.
Task<std::optional<double>> Verifier::excessUnder(Hypothesis hypothesis,
                                                  const std::vector<Attempt>& attempts,
                                                  GateSetting setting, std::vector<Finding> found) {
    std::vector<Finding> best;
    for (std::size_t a = 0; a < attempts.size(); ++a) {
        const TraceInputs* inputs =
            references_.inputs(setting.batch, static_cast<int>(a), hypothesis);
        if (inputs == nullptr) co_return std::nullopt;
        std::optional<TraceValues> truth =
            co_await references_.trace(*inputs, setting.batch, "fp64", "nchw", "");
        if (!truth) co_return std::nullopt;
        std::vector<TraceValues> yardsticks;
        for (const TraceValues& yardstick : attempts[a].yardsticks)
            yardsticks.push_back(carriedOver(yardstick, attempts[a].truth, *truth));
        keepBest(best, compareTraces(workload_, attempts[a].subject, *truth, yardsticks, setting));
        if (worstOf(best)->excess() <= 1) break;
    }
    double left = 0;
    for (std::size_t q = 0; q < best.size(); ++q) {
        const bool wasBad = found[q].excess() > 1;
        if (wasBad || best[q].excess() > 1) left = std::max(left, best[q].excess());
    }
    co_return left;
}

}  // namespace aether::app
