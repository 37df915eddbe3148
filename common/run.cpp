// SPDX-License-Identifier: MIT
// What a run says about itself: its valid samples, their summary and its names.
#include <algorithm>
#include <cctype>

#include "common/result.h"

namespace aether {
namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

void append(std::string& text, const std::string& word) {
    if (word.empty()) return;
    if (!text.empty()) text += ' ';
    text += word;
}

std::string configuration(const Run& run) {
    std::string text;
    append(text, run.version);
    if (run.mode != "native") append(text, run.mode);
    append(text, run.precision);
    append(text, upper(run.requestedLayout));
    if (run.copy > 0) text += " #" + std::to_string(run.copy);
    return text;
}

}  // namespace

std::string frameworkTitle(const std::string& framework) {
    if (framework == "aether") return "Aether";
    if (framework == "pytorch") return "PyTorch";
    if (framework == "jax") return "JAX";
    return framework;
}

std::string_view name(Parity::State state) {
    switch (state) {
        case Parity::State::Passed:
            return "passed";
        case Parity::State::Failed:
            return "failed";
        case Parity::State::NotChecked:
            break;
    }
    return "not checked";
}

std::vector<double> Run::validStepNs() const {
    std::vector<double> values;
    for (const RoundSample& sample : samples) {
        if (sample.valid()) values.push_back(sample.stepNs);
    }
    return values;
}

Summary Run::summary() const {
    return summarise(validStepNs());
}

std::string Run::shortLabel() const {
    std::string text = frameworkTitle(framework);
    append(text, configuration(*this));
    return text;
}

std::string Run::label() const {
    std::string text = frameworkTitle(framework);
    // An engine is named by its generation; a reference by its release, without a build tag such as
    // "+cpu".
    if (version.empty()) append(text, frameworkVersion.substr(0, frameworkVersion.find('+')));
    append(text, configuration(*this));
    const std::string suffix = runnerSuffix();
    if (!suffix.empty()) append(text, "(" + suffix + ")");
    return text;
}

std::string Run::title() const {
    std::string text = frameworkTitle(framework);
    append(text, version.empty() && mode != "native" ? mode : version);
    if (copy > 0) text += " #" + std::to_string(copy);
    return text;
}

std::string Run::runnerSuffix() const {
    const auto open = runnerTitle.rfind('(');
    if (open == std::string::npos || runnerTitle.back() != ')') return {};
    return runnerTitle.substr(open + 1, runnerTitle.size() - open - 2);
}

}  // namespace aether
