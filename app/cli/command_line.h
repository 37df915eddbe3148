// SPDX-License-Identifier: GPL-3.0-only
#pragma once

namespace aether::app::cli {

/// The whole headless program: parses, does the verb, returns the exit code. Needs a
/// QCoreApplication.
int runCommandLine(int argc, char** argv);

}  // namespace aether::app::cli
