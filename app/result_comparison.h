// SPDX-License-Identifier: GPL-3.0-only
// Two saved sides, a baseline A and a candidate B, run by run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/unpaired.h"
#include "common/result.h"

namespace aether::app {

/// One configuration that both sides hold; at least one of them measured it. Points into the
/// results that were compared.
struct RunMatch {
    const ResultDevice* device = nullptr;  ///< of the baseline
    const Run* baseline = nullptr;
    const Run* candidate = nullptr;
    std::string label;       ///< of the baseline; with its device where the baseline has several
    bool comparable = true;  ///< the sides did the same in the same way, or are compared by force
    UnpairedRatio ratio;
    std::string sentence;
};

struct LoneRun {
    const ResultDevice* device = nullptr;  ///< null: the run has none
    const Run* run = nullptr;
};

struct ResultComparison {
    std::vector<RunMatch> matches;  ///< in the order of the baseline
    std::vector<LoneRun> onlyBaseline, onlyCandidate;
    /// What the sides did not do alike: "batch 256 and 128". Not empty: every verdict it concerns
    /// is INVALID, unless forced.
    std::vector<std::string> warnings;
    bool forced = false;
};

/// Runs are matched by device (uuid, else name), framework, runner, layout, mode, precision,
/// version and copy. `force` compares in spite of the warnings. Throws Failure(Internal) naming a
/// configuration that one side holds twice.
ResultComparison compareResults(std::span<const Result> baseline, std::span<const Result> candidate,
                                bool force);

/// One sentence for every match whose median grew by more than this share, or which only the
/// baseline measured validly. A match that is not comparable gives none.
std::vector<std::string> regressions(const ResultComparison& comparison, double share);

/// A match is not comparable: nothing can be said about regressions.
bool refused(const ResultComparison& comparison);

}  // namespace aether::app
