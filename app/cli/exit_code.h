// SPDX-License-Identifier: GPL-3.0-only
#pragma once

namespace aether::app::cli {

/// 0: all that was planned and available was measured and passed parity.
enum ExitCode {
    kFine = 0,
    kRegression = 1,
    kUsage = 2,
    kNothingMeasured = 3,
    kInvalidInput = 4,
    kInterrupted = 130
};

}  // namespace aether::app::cli
