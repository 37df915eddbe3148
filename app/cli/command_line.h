// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <functional>

#include "app/cli/verbs.h"

namespace aether::app::cli {

/// What a build with graphics adds to the terminal.
struct Graphics {
    std::function<void(CLI::App&, Verb&)> addVerb;
    ChartWriter writeChart;
};

/// The whole headless program: parses, does the verb, returns the exit code. Needs a
/// QCoreApplication, with graphics a QApplication.
int runCommandLine(int argc, char** argv, const Graphics& graphics = {});

}  // namespace aether::app::cli
