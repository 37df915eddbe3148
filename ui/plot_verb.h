// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <string>

#include "app/cli/verbs.h"

namespace aether::ui {

/// `plot FILES.. --export-chart F`: the figure of saved results, without a display.
void addPlotVerb(CLI::App& app, app::cli::Verb& chosen);

/// For `run --export-chart`: panels of this result into that file. Throws Failure(Usage).
void writeChart(const Result& result, const std::string& file, const std::string& theme);

}  // namespace aether::ui
