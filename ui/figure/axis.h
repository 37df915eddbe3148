// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <vector>

namespace aether::ui {

struct Axis {
    double max = 1;    ///< the data's largest value and a little; not the next tick, which would
                       ///< waste up to half of the width
    double step = 1;   ///< between ticks: 1, 2 or 5 times a power of ten
    int decimals = 0;  ///< of a tick label
    bool cut = false;  ///< values above max exist and are drawn torn
};

/// An axis from 0 for bars of these lengths. A few values far beyond the rest (at most a third of
/// them, each over six times the largest of the others) are cut, so that the rest can be read.
Axis axisFor(std::vector<double> lengths, int ticks);

}  // namespace aether::ui
