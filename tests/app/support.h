// SPDX-License-Identifier: GPL-3.0-only
// Fakes as runners, short sessions, and waiting with a limit.
#pragma once

#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/discovery.h"
#include "app/manifest.h"
#include "app/process_group.h"
#include "app/session_options.h"
#include "common/result.h"

namespace aether::app::test {

inline std::filesystem::path sourceRoot() {
    return AETHER_TEST_SOURCE_ROOT;
}

/// tests/fakes/fake_runner.py as a runner.
inline RunnerManifest fake(const std::string& behaviour, const std::string& framework = "fake",
                           const std::vector<std::string>& more = {}) {
    RunnerManifest manifest;
    manifest.name = framework + "-" + behaviour;
    manifest.title = "Fake (" + behaviour + ")";
    manifest.command = {"python3",     (sourceRoot() / "tests/fakes/fake_runner.py").string(),
                        "--behaviour", behaviour,
                        "--framework", framework,
                        "--layouts",   "nhwc",
                        "--modes",     "eager",
                        "--step-ms",   "20"};
    manifest.command.insert(manifest.command.end(), more.begin(), more.end());
    return manifest;
}

/// A runner that is this shell script; greets first unless the script does.
inline RunnerManifest shell(const std::string& script) {
    RunnerManifest manifest;
    manifest.name = manifest.title = "shell";
    manifest.command = {"/bin/sh", "-c", script};
    return manifest;
}

inline const char* kGreeting =
    R"(echo '{"event":"hello","protocol":"1.0","runner":"r","framework":"f","version":"1","commit":null,"dirty":null}';)";

/// Blocks, quiet fakes, no reliance on an idle machine.
inline SessionOptions quickOptions() {
    SessionOptions options;
    options.workload = sourceRoot() / "resources/workloads/cifar10-v2.json";
    options.batch = 8;
    options.cores = {0};
    options.threads = 1;
    options.rounds = 2;
    options.blockSeconds = 0.02;
    options.settle = std::chrono::milliseconds(1);
    options.silence = std::chrono::milliseconds(20'000);
    options.loadWarning = options.loadLimit = 2;  // this machine may well be busy
    options.verify = false;
    return options;
}

/// Runs the event loop until the signal or the limit; false: the limit came first.
template <class Object, class... Arguments>
bool waitFor(Object* object, void (Object::*signal)(Arguments...),
             std::chrono::milliseconds limit) {
    QEventLoop loop;
    bool came = false;
    const auto connection = QObject::connect(object, signal, &loop, [&] {
        came = true;
        loop.quit();
    });
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    loop.exec();
    QObject::disconnect(connection);
    return came;
}

inline std::vector<RunnerInfo> describeAll(const std::vector<RunnerManifest>& manifests) {
    Discovery discovery(manifests, std::chrono::milliseconds(20'000));
    QTimer::singleShot(0, &discovery, [&] { discovery.start(); });
    waitFor(&discovery, &Discovery::finished, std::chrono::milliseconds(30'000));
    return discovery.runners();
}

/// Live processes that this test program started, directly or not: main() marks its environment.
inline constexpr const char* kTestMark = "AETHER_TEST_RUN";
inline std::vector<long long> survivors() {
    return processesWithEnvironment(std::string(kTestMark) + "=" +
                                    qEnvironmentVariable(kTestMark).toStdString());
}

inline const Run& runOf(const Result& result, const std::string& part) {
    static const Run none;
    for (const Run& run : result.runs) {
        if (run.id.find(part) != std::string::npos) return run;
    }
    return none;
}

inline std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::filesystem::path pathOf(const QTemporaryDir& folder) {
    return folder.path().toStdString();
}

}  // namespace aether::app::test
