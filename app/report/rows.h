// SPDX-License-Identifier: GPL-3.0-only
// A result as rows: the one source that every table, CSV and Markdown writer prints from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/result.h"

namespace aether::app {

struct ReportRow {
    const Run* run = nullptr;
    std::string label;
    bool measured = false;
    Summary stepNs;              ///< of the valid samples
    std::optional<Ratio> ratio;  ///< of the run's comparison; above 1: faster than the reference
    bool reference = false;      ///< it is the baseline of a comparison
    std::string parityMark;      ///< "✓", "✗", "?"
    std::string relative;        ///< "1.56×", "baseline", "-"
};

struct ReportPanel {
    const ResultDevice* device = nullptr;  ///< null: runs without a device (runner unavailable)
    std::vector<ReportRow> rows;
};

/// One panel per device, in the order of the file; runs in the order of the plan.
std::vector<ReportPanel> reportPanels(const Result& result);

/// Everything below the table: layouts that differ, flags, reasons of rows that were not measured,
/// verdicts.
std::vector<std::string> reportNotes(const Result& result);

/// "cifar10-v1, batch 256, 2 threads, synthetic data, 3 rounds"
std::string setting(const Result& result);

}  // namespace aether::app
