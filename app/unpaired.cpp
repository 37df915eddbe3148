// SPDX-License-Identifier: GPL-3.0-only
#include "app/unpaired.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/comparison.h"
#include "app/text.h"
#include "common/rank_cut.h"
#include "common/two_sample.h"

namespace aether::app {
namespace {

std::string whyNotValid(const Run& baseline, const Run& candidate) {
    std::string reason = app::whyNotValid(candidate);
    if (!reason.empty()) return reason;
    reason = app::whyNotValid(baseline);
    return reason.empty() ? "" : "the baseline: " + reason;
}

const Run* find(const Result& result, const std::string& id) {
    const auto run = std::find_if(result.runs.begin(), result.runs.end(),
                                  [&](const Run& r) { return r.id == id; });
    return run == result.runs.end() ? nullptr : &*run;
}

std::string figures(double value, const std::optional<Interval>& interval) {
    return fixed(value, 2) + " ×" +
           (interval ? " [" + fixed(interval->low, 2) + ", " + fixed(interval->high, 2) + "]" : "");
}

}  // namespace

UnpairedRatio compareUnpaired(const Run& baseline, const Run& candidate) {
    UnpairedRatio out;
    out.reason = whyNotValid(baseline, candidate);
    if (!out.reason.empty()) return out;
    const std::vector<double> before = baseline.validStepNs();
    const std::vector<double> after = candidate.validStepNs();
    out.baselineSamples = before.size();
    out.candidateSamples = after.size();
    out.value = median(before) / median(after);
    const Shift shift = shiftBetween(logarithms(before), logarithms(after));
    if (!std::isfinite(shift.value) || !std::isfinite(out.value)) {
        out.reason = "a time is not positive";
        return out;
    }
    out.verdict = Verdict::Ambiguous;
    if (shift.interval) {
        out.interval = {std::exp(shift.interval->low), std::exp(shift.interval->high)};
        // Every sample of one side against every sample of the other: that many ratios.
        out.verdict = judge({out.value, *out.interval, before.size() * after.size()}, kEquivalence);
    }
    return out;
}

std::string unpairedSentence(const std::string& candidate, const std::string& baseline,
                             const UnpairedRatio& ratio) {
    if (ratio.verdict == Verdict::Ambiguous) {
        return candidate + " against " + baseline + ": " + figures(ratio.value, ratio.interval) +
               " (unpaired), " +
               (ratio.interval
                    ? "too noisy to say which is faster"
                    : "too few samples for a verdict (" + std::to_string(ratio.candidateSamples) +
                          " and " + std::to_string(ratio.baselineSamples) + ")");
    }
    const Ratio known{ratio.value, ratio.interval.value_or(Interval{}), ratio.candidateSamples};
    const std::string sentence =
        verdictSentence(candidate, baseline, ratio.verdict, known, ratio.reason);
    return ratio.verdict == Verdict::Invalid ? sentence : sentence + " (unpaired)";
}

std::vector<Comparison> compareRunsUnpaired(const Result& result) {
    std::vector<Comparison> all = compareRuns(result);
    for (Comparison& comparison : all) {
        const Run* candidate = find(result, comparison.candidate);
        const Run* baseline = find(result, comparison.baseline);
        if (candidate == nullptr || baseline == nullptr) continue;
        const UnpairedRatio ratio = compareUnpaired(*baseline, *candidate);
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        comparison.ratio = {ratio.value, ratio.interval.value_or(Interval{unknown, unknown}),
                            std::min(ratio.baselineSamples, ratio.candidateSamples)};
        comparison.verdict = ratio.verdict;
        comparison.sentence =
            unpairedSentence(candidate->shortLabel(), baseline->shortLabel(), ratio);
    }
    return all;
}

}  // namespace aether::app
