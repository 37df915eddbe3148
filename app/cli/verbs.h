// SPDX-License-Identifier: GPL-3.0-only
// Every verb adds its subcommand; what it is to do when chosen is returned through `chosen`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/result.h"

namespace CLI {
class App;
}

namespace aether::app::cli {

/// Does the verb and returns the exit code. May throw Failure: Usage → exit code 2, anything else
/// → 4.
using Verb = std::function<int()>;

/// Writes a figure of a result, in the theme "light" or "dark"; empty in a build without graphics.
/// Throws Failure(Usage).
using ChartWriter =
    std::function<void(const Result&, const std::string& file, const std::string& theme)>;

void addRunVerb(CLI::App& app, Verb& chosen, const std::vector<std::string>& argv,
                const ChartWriter& writeChart);
void addVerifyVerb(CLI::App& app, Verb& chosen);
void addTrainVerb(CLI::App& app, Verb& chosen);
void addDevicesVerb(CLI::App& app, Verb& chosen);
void addRunnersVerb(CLI::App& app, Verb& chosen);
void addShowVerb(CLI::App& app, Verb& chosen);
void addCompareVerb(CLI::App& app, Verb& chosen);
void addExportVerb(CLI::App& app, Verb& chosen);
void addDataVerb(CLI::App& app, Verb& chosen);

}  // namespace aether::app::cli
