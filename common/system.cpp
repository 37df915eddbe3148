// SPDX-License-Identifier: MIT
#include "common/system.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "common/failure.h"

namespace aether {

void pinToCores(const std::vector<int>& cores) {
    if (cores.empty()) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    std::string list;
    for (const int core : cores) {
        if (core < 0 || core >= CPU_SETSIZE) {
            throw Failure(FailureKind::Usage, "there is no core " + std::to_string(core));
        }
        CPU_SET(static_cast<std::size_t>(core), &set);
        list += (list.empty() ? "" : ", ") + std::to_string(core);
    }
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        throw Failure(FailureKind::Usage,
                      "can't use the cores " + list + ": " + std::strerror(errno));
    }
}

std::int64_t timeBlock(std::int64_t steps, const std::function<void()>& step) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < steps; ++i)
        step();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                begin)
        .count();
}

std::string cpuName() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "CPU";
}

std::int64_t physicalMemoryBytes() {
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace aether
