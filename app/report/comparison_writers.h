// SPDX-License-Identifier: GPL-3.0-only
// Printers of two compared sides. They take their stream, never a locale.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "app/result_comparison.h"

namespace aether::app {

struct ComparisonReport {
    std::string baseline, candidate;  ///< the paths, as the user named them
    ResultComparison comparison;
    std::vector<std::string> regressions;  ///< empty without --fail-on
};

/// Per device two rows a match, A and B, then what is to be said about them.
void writeComparisonTable(std::ostream& out, const ComparisonReport& report, int width);
/// The same as GitHub tables.
void writeComparisonMarkdown(std::ostream& out, const ComparisonReport& report);
/// One line a match or lone run; times in milliseconds per step; as safe as writeCsv.
void writeComparisonCsv(std::ostream& out, const ComparisonReport& report);
/// Schema aether-bench/comparison/1.0 (docs/results.md).
void writeComparisonJson(std::ostream& out, const ComparisonReport& report);

}  // namespace aether::app
