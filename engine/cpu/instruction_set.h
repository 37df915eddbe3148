// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cpu/kernels/table.h"

namespace aether::engine::cpu {

/// What this processor and its operating system can run, from "plain" to the best.
std::vector<std::string> availableInstructionSets();

/// The table of that instruction set, or of the best one. Throws Failure(Unavailable) for one that
/// the processor lacks, Failure(Usage) for a name that does not exist.
const KernelTable& selectKernels(const std::optional<std::string>& instructionSet);

}  // namespace aether::engine::cpu
