// SPDX-License-Identifier: GPL-3.0-only
// One run in full: what the inspector shows and what "copy as Markdown" puts on the clipboard.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/result.h"

namespace aether::app {

/// A line of the breakdown. Times in milliseconds per step.
struct StageRow {
    std::string name;
    std::string phase;  ///< "forward", "backward", "optimizer", "other"
    int depth = 0;      ///< children lie inside their parent and are not added up
    double wallMs = 0;
    std::optional<double> deviceMs;
    double share = 0;  ///< of the profiled step
};

struct Breakdown {
    std::vector<StageRow> rows;  ///< every stage with its children behind it
    double stepMs = 0;           ///< of the profiled steps, which are not the samples
    double sumMs = 0;            ///< of the stages of depth 0
};

Breakdown breakdownOf(const protocol::Stages& stages);

/// Label and value: framework, layout asked for and effective, commit, threads, environment, …
/// Unknown things are left out.
using Details = std::vector<std::pair<std::string, std::string>>;
Details runDetails(const Result& result, const Run& run);
Details parityDetails(const Run& run);

/// A run and the result it stands in.
struct RunRef {
    const Result* result = nullptr;
    const Run* run = nullptr;
};

/// One run, or several side by side: summary, breakdown, parity, details.
std::string runsMarkdown(const std::vector<RunRef>& runs);

}  // namespace aether::app
