// SPDX-License-Identifier: GPL-3.0-only
#include "app/machine_load.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace aether::app {
namespace {

double ticksPerSecond() {
    return static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

double sessionSeconds(long long session) {
    double ticks = 0;
    DIR* proc = ::opendir("/proc");
    if (proc == nullptr) return 0;
    while (const dirent* entry = ::readdir(proc)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        std::ifstream in(std::string("/proc/") + entry->d_name + "/stat");
        std::string line;
        std::getline(in, line);
        const auto name = line.rfind(')');
        if (name == std::string::npos) continue;
        // After "pid (name)": state ppid pgrp session … utime stime cutime cstime are fields 14
        // to 17.
        std::istringstream fields(line.substr(name + 1));
        std::string word;
        long long value = 0, sessionField = 0;
        fields >> word;
        double sum = 0;
        for (int field = 4; field <= 17 && fields >> value; ++field) {
            if (field == 6) sessionField = value;
            if (field >= 14) sum += static_cast<double>(value);
        }
        if (sessionField == session) ticks += sum;
    }
    ::closedir(proc);
    return ticks / ticksPerSecond();
}

LoadMeter::LoadMeter(std::vector<int> cores, long long sessionId)
    : cores_(std::move(cores)), session_(sessionId) {}

void LoadMeter::start() {
    begin_ = read();
}

LoadMeter::Reading LoadMeter::read() const {
    Reading reading;
    reading.at = std::chrono::steady_clock::now();
    std::ifstream stat("/proc/stat");
    std::string line;
    std::size_t found = 0;
    while (std::getline(stat, line)) {
        if (line.rfind("cpu", 0) != 0 || line.size() < 4 || line[3] == ' ') continue;
        std::istringstream fields(line.substr(3));
        int core = -1;
        double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0;
        fields >> core >> user >> nice >> system >> idle >> wait >> irq >> softIrq >> steal;
        if (std::find(cores_.begin(), cores_.end(), core) == cores_.end()) continue;
        reading.busySeconds += (user + nice + system + irq + softIrq + steal) / ticksPerSecond();
        ++found;
    }
    reading.valid = found == cores_.size() && found > 0;
    reading.ownSeconds = sessionSeconds(session_);
    return reading;
}

std::optional<double> LoadMeter::otherShare() const {
    const Reading end = read();
    const double seconds = std::chrono::duration<double>(end.at - begin_.at).count();
    if (!begin_.valid || !end.valid || seconds < 0.2) return std::nullopt;
    const double others =
        (end.busySeconds - begin_.busySeconds) - (end.ownSeconds - begin_.ownSeconds);
    return std::clamp(others / (seconds * static_cast<double>(cores_.size())), 0.0, 1.0);
}

std::vector<int> usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return {0};
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
    return cores;
}

std::vector<int> physicalCores() {
    std::vector<int> cores;
    std::set<std::string> seen;
    for (const int core : usableCores()) {
        std::ifstream in("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                         "/topology/thread_siblings_list");
        std::string siblings;
        if (!std::getline(in, siblings)) siblings = std::to_string(core);
        if (seen.insert(siblings).second) cores.push_back(core);
    }
    return cores;
}

std::vector<int> coresFor(int threads) {
    std::vector<int> cores = physicalCores();
    if (threads > static_cast<int>(cores.size())) cores = usableCores();
    if (threads > 0 && threads < static_cast<int>(cores.size()))
        cores.resize(static_cast<std::size_t>(threads));
    return cores;
}

bool onBattery(const std::filesystem::path& supplies) {
    std::error_code ignored;
    for (const auto& supply : std::filesystem::directory_iterator(supplies, ignored)) {
        std::string status;
        std::ifstream(supply.path() / "status") >> status;
        if (status == "Discharging") return true;
    }
    return false;
}

}  // namespace aether::app
