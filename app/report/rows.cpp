// SPDX-License-Identifier: GPL-3.0-only
#include "app/report/rows.h"

#include <algorithm>

#include "app/text.h"

namespace aether::app {
namespace {

const char* mark(const Parity& parity) {
    switch (parity.state) {
        case Parity::State::Passed: return "✓";
        case Parity::State::Failed: return "✗";
        case Parity::State::NotChecked: break;
    }
    return "?";
}

ReportRow rowOf(const Result& result, const Run& run) {
    ReportRow row;
    row.run = &run;
    row.label = run.framework.empty() ? run.runnerTitle : run.label();
    row.stepNs = run.summary();
    row.measured = run.status == "measured" && row.stepNs.n > 0;
    row.parityMark = mark(run.parity);
    for (const Comparison& c : result.comparisons) {
        if (c.candidate == run.id && c.verdict != Verdict::Invalid) row.ratio = c.ratio;
        if (c.baseline == run.id && c.verdict != Verdict::Invalid) row.reference = true;
    }
    row.relative = row.ratio ? fixed(row.ratio->value, 2) + "×" : row.reference ? "baseline" : "-";
    return row;
}

void addRunNotes(std::vector<std::string>& notes, const ReportRow& row) {
    const Run& run = *row.run;
    const auto add = [&](const std::string& text) { notes.push_back(row.label + ": " + oneLine(text)); };
    if (!row.measured) {
        add(run.status + (run.reason.empty() ? "" : ": " + run.reason));
        if (run.status == "unavailable") return;
    }
    if (run.effectiveLayout && *run.effectiveLayout != run.requestedLayout) {
        add("asked for " + upper(run.requestedLayout) + ", ran in " + upper(*run.effectiveLayout));
    }
    if (run.parity.state == Parity::State::Failed) add("parity failed: " + run.parity.reason);
    if (run.parity.state == Parity::State::NotChecked && !run.parity.reason.empty()) {
        add("parity not checked: " + run.parity.reason);
    }
    for (const std::string& flag : run.flags) add(flag);
    for (const RoundSample& sample : run.samples) {
        for (const std::string& flag : sample.flags) add("round " + std::to_string(sample.round) + " " + flag);
    }
}

}  // namespace

std::vector<ReportPanel> reportPanels(const Result& result) {
    std::vector<ReportPanel> panels;
    for (const ResultDevice& device : result.devices) panels.push_back({&device, {}});
    panels.push_back({nullptr, {}});
    for (const Run& run : result.runs) {
        const auto panel = std::find_if(panels.begin(), panels.end() - 1, [&](const ReportPanel& p) {
            return p.device->uuid == run.deviceUuid;
        });
        panel->rows.push_back(rowOf(result, run));
    }
    std::erase_if(panels, [](const ReportPanel& panel) { return panel.rows.empty(); });
    return panels;
}

std::vector<std::string> reportNotes(const Result& result) {
    std::vector<std::string> notes;
    for (const ReportPanel& panel : reportPanels(result)) {
        for (const ReportRow& row : panel.rows) addRunNotes(notes, row);
    }
    for (const Comparison& comparison : result.comparisons) notes.push_back(oneLine(comparison.sentence));
    const SessionSettings& session = result.session;
    if (session.cancelled) {
        notes.push_back("cancelled after " + std::to_string(session.roundsDone) + " of " +
                        std::to_string(session.rounds) + " rounds");
    } else if (session.maxNoise > 0 && !session.noiseConverged) {
        notes.push_back("noise stayed above " + percent(session.maxNoise) + " when time was up (" +
                        std::to_string(session.roundsDone) + " rounds)");
    } else if (session.roundsDone < session.rounds && session.roundsDone > 0) {
        notes.push_back("time was up after " + std::to_string(session.roundsDone) + " of " +
                        std::to_string(session.rounds) + " rounds");
    }
    return notes;
}

std::string setting(const Result& result) {
    std::string text = oneLine(result.workloadName) + ", batch " + std::to_string(result.batch);
    if (result.session.threads > 0) {
        text += ", " + std::to_string(result.session.threads) +
                (result.session.threads == 1 ? " thread" : " threads");
    }
    if (!result.data.empty()) text += ", " + result.data + " data";
    return text + ", " + std::to_string(result.session.roundsDone) +
           (result.session.roundsDone == 1 ? " round" : " rounds");
}

}  // namespace aether::app
