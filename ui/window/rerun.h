// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include "app/session_options.h"
#include "common/result.h"

namespace aether::ui {

/// The options of a session that measures the same variants in the same way as a saved one. Throws
/// Failure(Usage) when its workload file is gone.
app::SessionOptions sameAgain(const Result& result);

}  // namespace aether::ui
