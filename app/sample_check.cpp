// SPDX-License-Identifier: GPL-3.0-only
#include "app/sample_check.h"

#include <cmath>

#include "app/text.h"

namespace aether::app {
namespace {

double stageSum(const std::vector<protocol::Stage>& stages) {
    double sum = 0;
    for (const protocol::Stage& stage : stages)
        sum += static_cast<double>(stage.wallNs);
    return sum;
}

const protocol::Stage* outgrownParent(const std::vector<protocol::Stage>& stages) {
    for (const protocol::Stage& stage : stages) {
        if (stageSum(stage.children) > 1.1 * static_cast<double>(stage.wallNs)) return &stage;
        if (const protocol::Stage* deeper = outgrownParent(stage.children)) return deeper;
    }
    return nullptr;
}

}  // namespace

double generousPeakFlops(const std::string& deviceKind, const std::string& precision, int cores) {
    if (deviceKind != "cpu") return 0;
    const double perCycle = precision == "fp64"                          ? 32
                            : precision == "bf16" || precision == "fp16" ? 128
                                                                         : 64;
    return cores * 5e9 * perCycle;
}

std::vector<std::string> sampleFlags(const protocol::Sample& sample,
                                     const std::vector<std::string>& unknown,
                                     const SampleLimits& limits, std::optional<double> otherShare) {
    std::vector<std::string> flags;
    for (const std::string& what : unknown)
        flags.push_back("not finite: " + what);
    if (!flags.empty()) return flags;
    if (sample.steps <= 0 || sample.wallNs <= 0) {
        flags.push_back("not finite: " + std::to_string(sample.steps) + " steps in " +
                        std::to_string(sample.wallNs) + " ns");
        return flags;
    }
    if (!std::isfinite(sample.loss)) flags.emplace_back("not finite: the loss");
    const double stepSeconds =
        static_cast<double>(sample.wallNs) / 1e9 / static_cast<double>(sample.steps);
    if (limits.peakFlops > 0) {
        const double fastest = limits.flopsPerStep * kFewestMultiplications / limits.peakFlops;
        if (stepSeconds < fastest) {
            flags.push_back("implausible: " + milliseconds(stepSeconds * 1e9) +
                            " ms per step, but " + fixed(limits.flopsPerStep / 1e9, 2) +
                            " GFLOP / 4 (Winograd) at " + fixed(limits.peakFlops / 1e9, 0) +
                            " GFLOP/s take " + milliseconds(fastest * 1e9) + " ms");
        }
    }
    if (sample.throttled.value_or(false)) {
        flags.push_back("throttled" + (sample.clockMhz.value
                                           ? ": clock " + fixed(*sample.clockMhz.value, 0) + " MHz"
                                           : std::string()));
    }
    if (otherShare && *otherShare > limits.loadLimit) {
        flags.push_back("busy: other processes took " + percent(*otherShare, 0) +
                        " of the cores (limit " + percent(limits.loadLimit, 0) + ")");
    }
    return flags;
}

std::string loadWarning(const SampleLimits& limits, std::optional<double> otherShare, int round) {
    if (!otherShare || *otherShare <= limits.loadWarning || *otherShare > limits.loadLimit)
        return {};
    return "busy: other processes took " + percent(*otherShare, 0) + " of the cores in round " +
           std::to_string(round);
}

std::vector<std::string> stageFlags(const protocol::Stages& stages) {
    std::vector<std::string> flags;
    const double sum = stageSum(stages.stages);
    const double step = static_cast<double>(stages.stepWallNs);
    if (step > 0 && std::abs(sum - step) > 0.1 * step) {
        flags.push_back("stages: their sum is " + milliseconds(sum) + " ms, the profiled step " +
                        milliseconds(step) + " ms (" + percent(sum / step - 1, 0) + ")");
    }
    if (const protocol::Stage* parent = outgrownParent(stages.stages)) {
        flags.push_back("stages: the children of " + parent->name + " take longer than itself");
    }
    double other = 0;
    for (const protocol::Stage& stage : stages.stages) {
        if (stage.phase == "other") other += static_cast<double>(stage.wallNs);
    }
    if (sum > 0 && other > 0.5 * sum) {
        flags.push_back("stages: " + percent(other / sum, 0) +
                        " is \"other\"; this is no breakdown");
    }
    return flags;
}

}  // namespace aether::app
