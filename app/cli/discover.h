// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <vector>

#include "app/async.h"
#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/discovery.h"

namespace aether::app::cli {

/// Asks every runner of the catalogue; an interrupt ends the asking.
Task<std::vector<RunnerInfo>> discover(const RunnerArguments& arguments, Console& console,
                                       Interrupt& interrupt);

}  // namespace aether::app::cli
