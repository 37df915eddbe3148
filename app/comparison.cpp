// SPDX-License-Identifier: GPL-3.0-only
#include "app/comparison.h"

#include <algorithm>

#include "app/text.h"

namespace aether::app {
namespace {

bool sameBar(const Run& a, const Run& b) {
    return a.deviceUuid == b.deviceUuid && a.precision == b.precision;
}

bool sameConfiguration(const Run& a, const Run& b) {
    return sameBar(a, b) && a.runner == b.runner && a.requestedLayout == b.requestedLayout &&
           a.mode == b.mode && a.version == b.version;
}

/// Steps of the rounds in which both were valid, in order of round.
struct Pairs {
    std::vector<double> baseline, candidate;
};

Pairs pairUp(const Run& baseline, const Run& candidate) {
    Pairs pairs;
    for (const RoundSample& c : candidate.samples) {
        if (!c.valid()) continue;
        const auto twin =
            std::find_if(baseline.samples.begin(), baseline.samples.end(),
                         [&](const RoundSample& b) { return b.valid() && b.round == c.round; });
        if (twin == baseline.samples.end()) continue;
        pairs.baseline.push_back(twin->stepNs);
        pairs.candidate.push_back(c.stepNs);
    }
    return pairs;
}

Comparison compare(const Run& candidate, const Run& baseline) {
    Comparison out;
    out.candidate = candidate.id;
    out.baseline = baseline.id;
    std::string reason = whyNotValid(candidate);
    if (reason.empty()) {
        reason = whyNotValid(baseline);
        if (!reason.empty()) reason = baseline.shortLabel() + ": " + reason;
    }
    if (reason.empty()) {
        const Pairs pairs = pairUp(baseline, candidate);
        if (pairs.baseline.empty()) {
            reason = "no round in which both sides are valid";
        } else {
            out.ratio = pairedRatio(pairs.baseline, pairs.candidate);
            out.verdict = judge(out.ratio, kEquivalence);
        }
    }
    out.sentence = verdictSentence(candidate.shortLabel(), baseline.shortLabel(), out.verdict,
                                   out.ratio, reason);
    return out;
}

/// The fastest valid reference, else any reference (for the reason), else null.
const Run* baselineFor(const Run& candidate, const std::vector<Run>& runs) {
    const Run* best = nullptr;
    const Run* any = nullptr;
    for (const Run& run : runs) {
        if (run.framework == "aether" || run.framework.empty() || !sameBar(run, candidate))
            continue;
        if (!whyNotValid(run).empty()) {
            if (any == nullptr) any = &run;
        } else if (best == nullptr || run.summary().median < best->summary().median) {
            best = &run;
        }
    }
    return best != nullptr ? best : any;
}

std::string figures(const Ratio& ratio) {
    return fixed(ratio.value, 2) + " × [" + fixed(ratio.interval.low, 2) + ", " +
           fixed(ratio.interval.high, 2) + "]";
}

}  // namespace

std::string whyNotValid(const Run& run) {
    if (run.parity.state == Parity::State::Failed) return "parity failed: " + run.parity.reason;
    if (run.status == "failed" || run.status == "unavailable")
        return run.status + ": " + run.reason;
    if (run.samples.empty()) return "not measured";
    // One sample that is not a number makes the whole run untrustworthy, not merely smaller.
    for (const RoundSample& sample : run.samples) {
        for (const std::string& flag : sample.flags) {
            if (flag.rfind("not finite", 0) == 0)
                return "round " + std::to_string(sample.round) + " " + flag;
        }
    }
    if (run.validStepNs().empty()) return "no valid samples: " + run.samples.front().flags.front();
    return {};
}

std::string verdictSentence(const std::string& candidate, const std::string& baseline,
                            Verdict verdict, const Ratio& ratio, const std::string& reason) {
    switch (verdict) {
        case Verdict::Faster:
            return candidate + " is " + figures(ratio) + " faster than " + baseline;
        case Verdict::Slower: {
            const Ratio inverse{
                1 / ratio.value, {1 / ratio.interval.high, 1 / ratio.interval.low}, ratio.pairs};
            return candidate + " is " + figures(inverse) + " slower than " + baseline;
        }
        case Verdict::Same:
            return candidate + " is as fast as " + baseline + ": " + figures(ratio);
        case Verdict::Ambiguous:
            return candidate + " against " + baseline + ": " + figures(ratio) +
                   (ratio.pairs < kFewestSamples
                        ? " in " + std::to_string(ratio.pairs) + " rounds; a verdict needs " +
                              std::to_string(kFewestSamples)
                        : ", too noisy to say which is faster");
        case Verdict::Invalid:
            break;
    }
    return "no verdict for " + candidate + (baseline.empty() ? "" : " against " + baseline) + ": " +
           reason;
}

std::vector<Comparison> compareRuns(const Result& result) {
    std::vector<Comparison> out;
    for (const Run& candidate : result.runs) {
        if (candidate.copy > 1) {
            for (const Run& baseline : result.runs) {
                if (baseline.copy == 1 && sameConfiguration(candidate, baseline)) {
                    out.push_back(compare(candidate, baseline));
                }
            }
        } else if (candidate.copy == 0 && candidate.framework == "aether" &&
                   candidate.status != "unavailable") {
            const Run* baseline = baselineFor(candidate, result.runs);
            if (baseline != nullptr) out.push_back(compare(candidate, *baseline));
        }
    }
    return out;
}

}  // namespace aether::app
