// SPDX-License-Identifier: GPL-3.0-only
#include "app/process_group.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace aether::app {
namespace {

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool isZombie(long long pid) {
    const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    const auto name = stat.rfind(')');
    return name == std::string::npos || name + 2 >= stat.size() || stat[name + 2] == 'Z' ||
           stat[name + 2] == 'X';
}

}  // namespace

void leadOwnSession(QProcess& process) {
    const pid_t parent = ::getpid();
    process.setChildProcessModifier([parent] {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(127);  // we died between fork and prctl
    });
}

std::vector<long long> processesWithEnvironment(const std::string& wanted) {
    std::vector<long long> found;
    DIR* proc = ::opendir("/proc");
    if (proc == nullptr) return found;
    while (const dirent* entry = ::readdir(proc)) {
        const long long pid = std::atoll(entry->d_name);
        if (pid <= 1 || pid == ::getpid()) continue;
        const std::string environment = slurp(std::string("/proc/") + entry->d_name + "/environ");
        if (environment.find(wanted) != std::string::npos && !isZombie(pid)) found.push_back(pid);
    }
    ::closedir(proc);
    return found;
}

std::vector<long long> processesWithToken(const std::string& token) {
    return processesWithEnvironment(std::string(kTokenVariable) + "=" + token);
}

void signalAll(long long leader, const std::string& token, int signal) {
    if (leader > 1) ::kill(static_cast<pid_t>(-leader), signal);
    for (const long long pid : processesWithToken(token))
        ::kill(static_cast<pid_t>(pid), signal);
}

void killAll(long long leader, const std::string& token, std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    do {
        signalAll(leader, token, SIGKILL);
        if (processesWithToken(token).empty()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    } while (std::chrono::steady_clock::now() < deadline);
}

}  // namespace aether::app
