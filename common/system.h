// SPDX-License-Identifier: MIT
// The machine a runner stands on: cores, memory, clock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace aether {

/// Pins the calling process to these cores; an empty list does nothing. Throws Failure(Usage)
/// naming a missing core.
void pinToCores(const std::vector<int>& cores);

/// Times `steps` calls of `step` as one block with the steady clock; returns nanoseconds.
std::int64_t timeBlock(std::int64_t steps, const std::function<void()>& step);

/// The processor's name from /proc/cpuinfo, "CPU" where unknown, and physical memory in bytes.
std::string cpuName();
std::int64_t physicalMemoryBytes();

}  // namespace aether
