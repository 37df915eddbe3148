// SPDX-License-Identifier: GPL-3.0-only
#include "app/report/rows.h"

#include <algorithm>

#include "app/text.h"

namespace aether::app {
namespace {

const char* mark(const Parity& parity) {
    switch (parity.state) {
        case Parity::State::Passed:
            return "✓";
        case Parity::State::Failed:
            return "✗";
        case Parity::State::NotChecked:
            break;
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

/// Two runners may give the same label, such as two builds of one engine: then their names follow.
void tellTwinsApart(std::vector<ReportRow>& rows) {
    std::vector<std::string> labels;
    for (const ReportRow& row : rows)
        labels.push_back(row.label);
    for (ReportRow& row : rows) {
        if (std::count(labels.begin(), labels.end(), row.label) > 1)
            row.label += " [" + row.run->runner + "]";
    }
}

/// A sentence and the rows it holds for: the same sentence is printed once.
struct Note {
    std::string text;
    std::vector<std::string> labels;
};

void add(std::vector<Note>& notes, const std::string& label, const std::string& sentence) {
    const std::string text = oneLine(sentence);
    const auto same =
        std::find_if(notes.begin(), notes.end(), [&](const Note& n) { return n.text == text; });
    if (same != notes.end()) {
        same->labels.push_back(label);
    } else {
        notes.push_back({text, {label}});
    }
}

/// Of each kind of flag ("busy", "implausible", …) the first one and how many rounds it concerns.
void addSampleFlags(std::vector<Note>& notes, const ReportRow& row) {
    std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
    for (const RoundSample& sample : row.run->samples) {
        for (const std::string& flag : sample.flags) {
            const std::string kind = flag.substr(0, flag.find(':'));
            auto found = std::find_if(kinds.begin(), kinds.end(),
                                      [&](const auto& k) { return k.first == kind; });
            if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
            found->second.push_back("round " + std::to_string(sample.round) + " " + flag);
        }
    }
    for (const auto& [kind, flags] : kinds) {
        const std::size_t more = flags.size() - 1;
        add(notes, row.label,
            flags.front() +
                (more > 0 ? " (and " + std::to_string(more) + " more " + kind + ")" : ""));
    }
}

void addRunNotes(std::vector<Note>& notes, const ReportRow& row) {
    const Run& run = *row.run;
    if (!row.measured)
        add(notes, row.label, run.status + (run.reason.empty() ? "" : ": " + run.reason));
    if (run.status == "unavailable") return;
    if (run.effectiveLayout && *run.effectiveLayout != run.requestedLayout) {
        add(notes, row.label,
            "asked for " + upper(run.requestedLayout) + ", ran in " + upper(*run.effectiveLayout));
    }
    if (run.parity.state == Parity::State::Failed)
        add(notes, row.label, "parity failed: " + run.parity.reason);
    if (run.parity.state == Parity::State::NotChecked && !run.parity.reason.empty()) {
        add(notes, row.label, "parity not checked: " + run.parity.reason);
    }
    for (const std::string& flag : run.flags)
        add(notes, row.label, flag);
    if (run.failureKind != "no_valid_samples") addSampleFlags(notes, row);
}

std::string withLabels(const Note& note) {
    const std::size_t n = note.labels.size();
    return (n > 2 ? std::to_string(n) + " variants" : join(note.labels, ", ")) + ": " + note.text;
}

}  // namespace

std::vector<ReportPanel> reportPanels(const Result& result) {
    std::vector<ReportPanel> panels;
    for (const ResultDevice& device : result.devices)
        panels.push_back({&device, {}});
    panels.push_back({nullptr, {}});
    for (const Run& run : result.runs) {
        const auto panel =
            std::find_if(panels.begin(), panels.end() - 1,
                         [&](const ReportPanel& p) { return p.device->uuid == run.deviceUuid; });
        panel->rows.push_back(rowOf(result, run));
    }
    for (ReportPanel& panel : panels)
        tellTwinsApart(panel.rows);
    std::erase_if(panels, [](const ReportPanel& panel) { return panel.rows.empty(); });
    return panels;
}

std::vector<std::string> reportNotes(const Result& result) {
    std::vector<Note> rowNotes;
    for (const ReportPanel& panel : reportPanels(result)) {
        for (const ReportRow& row : panel.rows)
            addRunNotes(rowNotes, row);
    }
    std::vector<std::string> notes;
    for (const Note& note : rowNotes)
        notes.push_back(withLabels(note));
    for (const Comparison& comparison : result.comparisons)
        notes.push_back(oneLine(comparison.sentence));
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
    if (!result.source.empty()) notes.push_back("published: " + oneLine(result.source));
    return notes;
}

std::string setting(const Result& result) {
    std::string text = oneLine(result.workloadName) + ", batch " + std::to_string(result.batch);
    if (result.session.threads > 0) {
        text += ", " + std::to_string(result.session.threads) +
                (result.session.threads == 1 ? " thread" : " threads");
    }
    if (!result.session.instructionSet.empty())
        text += ", " + oneLine(result.session.instructionSet) + " only";
    if (!result.data.empty()) text += ", " + result.data + " data";
    const int rounds = result.session.roundsDone;
    if (rounds > 0) text += ", " + std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
    return text;
}

}  // namespace aether::app
