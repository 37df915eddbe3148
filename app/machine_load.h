// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

namespace aether::app {

/// Measures how much of the chosen cores other processes took during a block: busy time of the
/// cores from /proc/stat (stolen time included) less the CPU time of every process in the runner's
/// session. The kernel counts in ticks of 10 ms, so blocks under 0.2 s tell nothing.
class LoadMeter {
  public:
    LoadMeter(std::vector<int> cores, long long sessionId);
    void start();
    /// Share of the cores' time in [0, 1] since start(); nothing when too short or not readable.
    std::optional<double> otherShare() const;

  private:
    struct Reading {
        double busySeconds = 0;
        double ownSeconds = 0;
        bool valid = false;
        std::chrono::steady_clock::time_point at;
    };
    Reading read() const;

    std::vector<int> cores_;
    long long session_;
    Reading begin_;
};

/// CPU seconds spent so far by every process of that session, ended children that were waited for
/// included.
double sessionSeconds(long long sessionId);

/// One logical core per physical core that this process may use, in order: the default cores of a
/// session.
std::vector<int> physicalCores();
/// Every logical core that this process may use.
std::vector<int> usableCores();
/// Where that many threads go: one to a physical core while there are enough, else to every logical
/// one. 0: one thread per physical core.
std::vector<int> coresFor(int threads);

/// Whether a battery is being drained, which most laptops answer with a lower clock. `supplies` is
/// the kernel's folder of power supplies.
bool onBattery(const std::filesystem::path& supplies = "/sys/class/power_supply");

}  // namespace aether::app
