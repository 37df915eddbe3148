// SPDX-License-Identifier: GPL-3.0-only
// Everything a runner started, found and ended: its process group, and those that left the group.
#pragma once

#include <QProcess>
#include <chrono>
#include <string>
#include <vector>

namespace aether::app {

/// Environment variable that marks a runner and, by inheritance, everything it starts.
inline constexpr const char* kTokenVariable = "AETHER_RUNNER_TOKEN";

/// Before exec: a session of its own, and SIGKILL when we die. (The kernel sends it when the thread
/// that started the child ends: start runners from a thread that lives as long as the program.)
void leadOwnSession(QProcess& process);

/// Live (not zombie) processes, other than this one, whose environment began with "NAME=value" in
/// it, whatever group or parent they have.
std::vector<long long> processesWithEnvironment(const std::string& entry);
std::vector<long long> processesWithToken(const std::string& token);

/// Sends the signal to the group `leader` leads and to every process with the token.
void signalAll(long long leader, const std::string& token, int signal);

/// SIGKILL to the same, and again until none of them is left, for at most `patience`: a killed
/// process is still there for a moment. Blocks; for the end of an owner.
void killAll(long long leader, const std::string& token, std::chrono::milliseconds patience);

}  // namespace aether::app
