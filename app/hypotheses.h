// SPDX-License-Identifier: GPL-3.0-only
// Ways in which a step is wrong in practice. Each changes the recipe in one place; if a failing
// runner matches the truth of the changed recipe, the change names its fault.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace aether::app {

struct Hypothesis {
    std::string name;      ///< file name of the changed workload
    std::string sentence;  ///< "weight decay were missing", after "it computes as if "
    bool confusedLayout = false;
    nlohmann::json workload;
};

/// The hypotheses that change something in this workload document.
std::vector<Hypothesis> hypothesesFor(const nlohmann::json& workload);

}  // namespace aether::app
