// SPDX-License-Identifier: GPL-3.0-only
// A result with every kind of row, and with names that hurt.
#pragma once

#include "app/comparison.h"
#include "common/result.h"

namespace aether::app::test {

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline RoundSample roundSample(int round, double stepMs, std::vector<std::string> flags = {}) {
    RoundSample sample;
    sample.round = round;
    sample.steps = 4;
    sample.stepNs = stepMs * 1e6;
    sample.loss = 2.25;
    sample.flags = std::move(flags);
    return sample;
}

inline Run sampleRun(const std::string& framework, const std::string& mode,
                     const std::string& layout) {
    Run run;
    run.id = framework + "/" + mode + "/" + layout;
    run.runner = framework + "-runner";
    run.runnerTitle = framework == "aether" ? "Aether" : "PyTorch (Python)";
    run.framework = framework;
    run.frameworkVersion = framework == "aether" ? "0.1.0" : "2.15.0+cpu";
    run.deviceUuid = "cpu-0";
    run.requestedLayout = layout;
    run.effectiveLayout = layout;
    run.mode = mode;
    run.precision = "fp32";
    run.version = framework == "aether" ? "direct" : "";
    run.threads = 2;
    run.batch = 256;
    run.status = "measured";
    return run;
}

inline Result sampleResult() {
    Result result;
    result.context.time = "2026-11-30T15:03:55Z";
    result.context.host = "host";
    result.context.os = "Linux";
    result.context.cpu = "CPU";
    result.context.argv = {"aether-bench", "run"};
    result.context.appVersion = "0.1.0";
    result.devices = {
        {"cpu-0", "=Ryzen™ \"9\" | 測試, x", "cpu", std::nullopt, std::nullopt, 8LL << 30, 2}};
    result.workloadName = "cifar10-v1";
    result.workloadDigest = "sha256:00";
    result.workloadFile = "cifar10-v1.json";
    result.parameters = 141354;
    result.flopsPerStep = 44.39e9;
    result.batch = 256;
    result.data = "synthetic";
    result.session.rounds = 3;
    result.session.roundsDone = 3;
    result.session.seed = 42;
    result.session.threads = 2;
    result.session.cores = {0, 1};

    Run engine = sampleRun("aether", "native", "nhwc");
    engine.samples = {roundSample(1, 100), roundSample(2, 1, {"implausible: 1.00 ms"}),
                      roundSample(3, 102)};
    engine.parity = {Parity::State::Passed, "fine", "gradient conv1.weight", 1e-6, 1e-5};
    engine.memoryBytes = 1 << 20;
    Run compiled = sampleRun("pytorch", "compiled", "nchw");
    compiled.effectiveLayout = "nhwc";
    compiled.samples = {roundSample(1, 150), roundSample(2, 152), roundSample(3, 156)};
    compiled.parity = {Parity::State::Passed, "fine", "", 0, 0};
    compiled.compileSeconds = 31.5;
    Run eager = sampleRun("pytorch", "eager", "nchw");
    eager.samples = {roundSample(1, 0.0003), roundSample(2, 12000), roundSample(3, 200)};
    Run failed = sampleRun("pytorch", "eager", "nhwc");
    failed.status = "failed";
    failed.failureKind = "crashed";
    failed.reason = "crashed with signal 11 | \"core\"\nlast words: a,b";
    Run missing;
    missing.id = "jax";
    missing.runner = "jax";
    missing.runnerTitle = "JAX | *CPU*";
    missing.mode = missing.precision = "";
    missing.status = "unavailable";
    missing.reason = "program not found: /opt/jax";
    result.runs = {engine, compiled, eager, failed, missing};
    result.comparisons = compareRuns(result);
    return result;
}

}  // namespace aether::app::test
