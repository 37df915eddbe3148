// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/rerun.h"

#include <algorithm>

#include "app/machine_load.h"
#include "app/paths.h"
#include "common/failure.h"

namespace aether::ui {
namespace {

void addOnce(std::vector<std::string>& list, const std::string& value) {
    if (!value.empty() && std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

/// The file it was measured with, or the shipped one of that name when it was measured elsewhere.
std::filesystem::path workloadOf(const Result& result) {
    std::error_code ignored;
    if (std::filesystem::exists(result.workloadFile, ignored)) return result.workloadFile;
    auto shipped =
        app::resourceRoot() / "resources" / "workloads" / (result.workloadName + ".json");
    if (std::filesystem::exists(shipped, ignored)) return shipped;
    throw Failure(FailureKind::Usage, result.workloadFile + ": the workload file is gone");
}

}  // namespace

app::SessionOptions sameAgain(const Result& result) {
    app::SessionOptions options;
    options.workload = workloadOf(result);
    options.batch = result.batch;
    options.seed = result.session.seed;
    options.rounds = std::max(1, result.session.rounds);
    options.maxNoise = result.session.maxNoise;
    options.relaunchEvery = result.session.relaunchEvery;
    options.timeoutSeconds = result.session.timeoutSeconds;
    options.blockSeconds = result.session.blockSeconds;
    options.settle =
        std::chrono::milliseconds(static_cast<std::int64_t>(result.session.settleSeconds * 1000));
    options.verify = result.session.verified;
    options.threads = std::max(1, result.session.threads);
    options.cores = result.session.cores;
    const std::vector<int> usable = app::usableCores();
    const bool coresHere = std::all_of(options.cores.begin(), options.cores.end(), [&](int core) {
        return std::find(usable.begin(), usable.end(), core) != usable.end();
    });
    if (options.cores.empty() || !coresHere) options.cores = app::coresFor(options.threads);
    for (const aether::Run& run : result.runs) {
        options.plan.ids.push_back(run.id);
        addOnce(options.plan.devices, run.deviceUuid);
        addOnce(options.plan.precisions, run.precision);
        addOnce(options.plan.modes, run.mode);
        options.plan.copies = std::max(options.plan.copies, run.copy);
    }
    options.plan.engineVersions = {"all"};
    options.plan.instructionSet = result.session.instructionSet;
    options.argv = {"aether-bench"};
    return options;
}

}  // namespace aether::ui
