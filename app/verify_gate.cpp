// SPDX-License-Identifier: GPL-3.0-only
#include "app/verify_gate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/text.h"

namespace aether::app {
namespace {

constexpr double kGradientFloor = 1e-2;
constexpr double kZeroGradientFloor = 1;
constexpr double kSmallBatchGate = 1e-5;
constexpr double kGradientSlack = 1e-6;
constexpr double kUpdateSlack = 8e-6;
constexpr double kRunningSlack = 2e-6;
constexpr double kHalfSlack = 1e-3;
constexpr std::int64_t kSmallBatch = 16;

double norm(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values)
        sum += v * v;
    return std::sqrt(sum);
}

double differenceNorm(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

double gradientRms(const TraceValues& truth) {
    double sum = 0, count = 0;
    for (const Quantity& q : truth) {
        if (q.kind != QuantityKind::Gradient) continue;
        for (const double v : q.values)
            sum += v * v;
        count += static_cast<double>(q.values.size());
    }
    return count > 0 ? std::sqrt(sum / count) : 0;
}

double floorOf(const Workload& workload, const Quantity& q, double rms) {
    if (q.kind != QuantityKind::Gradient) return 1e-12;
    const bool zero = cancelsInBatchNorm(workload, workload.parameters[q.parameter]);
    const double share = zero ? kZeroGradientFloor : kGradientFloor;
    return std::max(1e-30, share * rms * std::sqrt(static_cast<double>(q.values.size())));
}

/// Most that a parameter whose gradient is noise can have moved after `steps` steps.
double noiseWalk(const Workload& workload, int steps) {
    double sum = 0;
    for (int s = 0; s < steps; ++s)
        sum += workload.optimizer.rateAt(s);
    return sum;
}

/// Half the most that the noise in the bias in front of batch norm can have moved a running mean.
double meanSlack(const Workload& workload, const Layer& norm, int steps) {
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
        sum +=
            (1 - norm.momentum) * std::pow(norm.momentum, steps - 1 - k) * noiseWalk(workload, k);
    }
    return 0.5 * sum;
}

bool hasBiasInFront(const Workload& workload, std::size_t layer) {
    return layer > 0 && (workload.layers[layer - 1].type == LayerType::Convolution ||
                         workload.layers[layer - 1].type == LayerType::Dense);
}

/// The gate for a quantity whose yardstick is y away from the truth.
double gate(QuantityKind kind, double y, const GateSetting& setting) {
    if (setting.precision != "fp32" && setting.precision != "fp64") return 1.5 * y + kHalfSlack;
    const bool small = setting.batch <= kSmallBatch;
    switch (kind) {
        case QuantityKind::Loss:
            return small ? kSmallBatchGate : std::max(kSmallBatchGate, 2 * y);
        case QuantityKind::Gradient:
            return small ? kSmallBatchGate : 2 * y + kGradientSlack;
        case QuantityKind::Update:
            return 2 * y + kUpdateSlack;
        case QuantityKind::Running:
            break;
    }
    return 2 * y + kRunningSlack;
}

bool isKink(LayerType type) {
    return type == LayerType::Relu || type == LayerType::LeakyRelu || type == LayerType::MaxPool;
}

bool isRunningMean(const Quantity& q) {
    return q.kind == QuantityKind::Running && q.name.ends_with(".mean");
}

/// Whether a tie in a ReLU or a pool can move the quantity at this place of a trace.
bool feelsTies(const Workload& workload, const Quantity& q, std::size_t place) {
    if (q.kind == QuantityKind::Loss) return place > 0;  // the loss of step 1 is continuous
    const bool ofLayer = q.kind == QuantityKind::Running;
    const std::size_t layer = ofLayer ? q.layer : workload.parameters[q.parameter].layer;
    return std::any_of(workload.layers.begin() + static_cast<std::ptrdiff_t>(layer),
                       workload.layers.end(), [](const Layer& l) { return isKink(l.type); });
}

/// Only noise, and bounded as such: what the idle bias in front of batch norm moves.
bool isIdle(const Workload& workload, const Quantity& q) {
    return isRunningMean(q) || (q.kind == QuantityKind::Update &&
                                cancelsInBatchNorm(workload, workload.parameters[q.parameter]));
}

/// For every quantity the y of verify_gate.h.
std::vector<double> noiseOf(const Workload& workload, const TraceValues& truth,
                            const std::vector<TraceValues>& yardsticks,
                            const std::vector<double>& sizes, std::int64_t batch) {
    std::vector<double> own(truth.size(), 0);
    std::map<QuantityKind, double> ofTies;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        for (const TraceValues& yardstick : yardsticks) {
            own[i] =
                std::max(own[i], differenceNorm(yardstick[i].values, truth[i].values) / sizes[i]);
        }
        if (isIdle(workload, truth[i]) || !feelsTies(workload, truth[i], i)) continue;
        ofTies[truth[i].kind] = std::max(ofTies[truth[i].kind], own[i]);
    }
    for (std::size_t i = 0; batch > kSmallBatch && i < truth.size(); ++i) {
        if (feelsTies(workload, truth[i], i)) own[i] = std::max(own[i], ofTies[truth[i].kind]);
    }
    return own;
}

/// An update that is only noise: every element within the bound, else its excess over it.
Finding noiseFinding(const Quantity& q, double bound) {
    double most = 0;
    for (const double v : q.values)
        most = std::max(most, std::abs(v));
    return {q.kind, q.name, most, 1.05 * bound, 0};
}

}  // namespace

bool cancelsInBatchNorm(const Workload& workload, const Parameter& parameter) {
    return parameter.role == ParameterRole::Bias && parameter.layer + 1 < workload.layers.size() &&
           workload.layers[parameter.layer + 1].type == LayerType::BatchNorm;
}

std::vector<Finding> compareTraces(const Workload& workload, const TraceValues& subject,
                                   const TraceValues& truth,
                                   const std::vector<TraceValues>& yardsticks,
                                   const GateSetting& setting) {
    const double rms = gradientRms(truth);
    std::vector<double> sizes;
    for (const Quantity& t : truth)
        sizes.push_back(std::max(norm(t.values), floorOf(workload, t, rms)));
    const std::vector<double> noise = noiseOf(workload, truth, yardsticks, sizes, setting.batch);
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const Quantity& t = truth[i];
        if (t.kind == QuantityKind::Update && isIdle(workload, t)) {
            findings.push_back(noiseFinding(subject[i], noiseWalk(workload, setting.steps)));
            continue;
        }
        Finding finding{t.kind, t.name, differenceNorm(subject[i].values, t.values) / sizes[i],
                        gate(t.kind, noise[i], setting), noise[i]};
        if (isRunningMean(t) && hasBiasInFront(workload, t.layer)) {
            finding.allowed += meanSlack(workload, workload.layers[t.layer], setting.steps) *
                               std::sqrt(static_cast<double>(t.values.size())) / sizes[i];
        }
        findings.push_back(finding);
    }
    return findings;
}

const Finding* worstOf(const std::vector<Finding>& findings, QuantityKind kind) {
    const Finding* worst = nullptr;
    for (const Finding& finding : findings) {
        if (finding.kind == kind && (worst == nullptr || finding.excess() > worst->excess()))
            worst = &finding;
    }
    return worst;
}

const Finding* worstOf(const std::vector<Finding>& findings) {
    const auto worst = std::max_element(
        findings.begin(), findings.end(),
        [](const Finding& a, const Finding& b) { return a.excess() < b.excess(); });
    return worst == findings.end() ? nullptr : &*worst;
}

std::string plainDiagnosis(const TraceValues& subject) {
    double largestGradient = 0, lowestLoss = INFINITY, highestLoss = -INFINITY;
    for (const Quantity& q : subject) {
        if (q.kind == QuantityKind::Gradient)
            largestGradient = std::max(largestGradient, norm(q.values));
        if (q.kind != QuantityKind::Loss) continue;
        lowestLoss = std::min(lowestLoss, q.values.front());
        highestLoss = std::max(highestLoss, q.values.front());
    }
    if (largestGradient == 0) return "every gradient is zero: the backward pass is skipped";
    if (highestLoss - lowestLoss <= 1e-7 * std::abs(highestLoss))
        return "the reported loss is constant";
    return {};
}

std::string causalDiagnosis(const std::vector<Finding>& findings) {
    const auto fails = [&](QuantityKind kind) {
        const Finding* worst = worstOf(findings, kind);
        return worst != nullptr && worst->excess() > 1;
    };
    if (!findings.empty() && findings.front().kind == QuantityKind::Loss &&
        findings.front().excess() > 1) {
        return "the loss of step 1 is wrong already: the forward pass, its inputs or the loss "
               "differ";
    }
    if (fails(QuantityKind::Gradient))
        return "the first loss is right, gradients are not: the backward pass differs";
    if (fails(QuantityKind::Update))
        return "loss and gradients of step 1 are right, updates are not: the optimizer differs";
    if (fails(QuantityKind::Running)) {
        return "all but the running statistics are right: batch norm's momentum or variance "
               "differs";
    }
    if (fails(QuantityKind::Loss))
        return "step 1 is right, later losses are not: something drifts between steps";
    return {};
}

}  // namespace aether::app
