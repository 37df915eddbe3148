// SPDX-License-Identifier: GPL-3.0-only
// Saved results, one file or many, and the exchange pair (docs/results.md): breakdown_<gpu>.json
// holds the engine's runs of a device, torch_<gpu>.json its other runs; each is an ordinary result.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/result.h"

namespace aether::app {

/// One result, of one file or of the two of an exchange pair.
struct SavedResult {
    Result result;
    std::vector<std::filesystem::path> files;
};

struct SavedResults {
    std::vector<SavedResult> results;   ///< in the order of the paths; in a folder by name
    std::vector<std::string> problems;  ///< "path: reason", in one line each; what was skipped
};

/// Reads files, and of folders every *.json in them. The two files of a pair in one folder become
/// one result; a breakdown_ file that is named brings its torch_ file along. A file that is
/// damaged, newer or no result is a problem and skipped, and so is a pair of different workloads or
/// batches. Never throws for what a file holds.
SavedResults readResults(const std::vector<std::filesystem::path>& filesAndFolders);

/// The two files of a pair as one result, its comparisons made anew: paired by round when both come
/// from one session, else unpaired (app/unpaired.h). Throws Failure(Usage) naming both when
/// workloads, batches or devices differ.
Result mergePair(Result breakdown, const Result& torch);

/// Writes the pairs of every device of the result into the folder (made when missing) and returns
/// the new files. Runs that never had a device are left out. An existing file is never overwritten:
/// Failure(Usage) names it, and then nothing is left behind.
std::vector<std::filesystem::path> writeExchange(const Result& result,
                                                 const std::filesystem::path& folder);

}  // namespace aether::app
