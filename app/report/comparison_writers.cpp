// SPDX-License-Identifier: GPL-3.0-only
#include "app/report/comparison_writers.h"

#include <algorithm>

#include "app/report/columns.h"
#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

std::string ratioText(const UnpairedRatio& ratio) {
    if (ratio.verdict == Verdict::Invalid) return "-";
    return fixed(ratio.value, 2) + "×" +
           (ratio.interval
                ? " [" + fixed(ratio.interval->low, 2) + ", " + fixed(ratio.interval->high, 2) + "]"
                : "");
}

/// "median ms", "min–max" and "N" of one side; its status where it has no valid sample.
std::vector<std::string> timeCells(const Run& run) {
    const Summary s = run.summary();
    if (s.n == 0) return {run.status, "", ""};
    return {milliseconds(s.median), milliseconds(s.min) + "–" + milliseconds(s.max),
            std::to_string(s.n)};
}

struct DeviceMatches {
    const ResultDevice* device = nullptr;
    std::vector<const RunMatch*> matches;
};

std::vector<DeviceMatches> byDevice(const ResultComparison& comparison) {
    std::vector<DeviceMatches> groups;
    for (const RunMatch& match : comparison.matches) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const DeviceMatches& g) {
            return g.device->uuid == match.device->uuid && g.device->name == match.device->name;
        });
        if (group == groups.end()) group = groups.insert(groups.end(), {match.device, {}});
        group->matches.push_back(&match);
    }
    return groups;
}

std::string loneText(const LoneRun& lone, const char* side) {
    return std::string("only in ") + side + ": " + oneLine(lone.run->label()) +
           (lone.device != nullptr ? " on " + oneLine(lone.device->name) : "");
}

/// Everything below the tables.
std::vector<std::string> notesOf(const ComparisonReport& report) {
    const ResultComparison& comparison = report.comparison;
    std::vector<std::string> notes;
    for (const RunMatch& match : comparison.matches)
        notes.push_back(match.sentence);
    for (const std::string& warning : comparison.warnings) {
        notes.push_back("A and B differ: " + warning +
                        (comparison.forced ? " (compared by force)" : ""));
    }
    for (const LoneRun& lone : comparison.onlyBaseline)
        notes.push_back(loneText(lone, "A"));
    for (const LoneRun& lone : comparison.onlyCandidate)
        notes.push_back(loneText(lone, "B"));
    for (const std::string& regression : report.regressions)
        notes.push_back("regression: " + regression);
    return notes;
}

}  // namespace

void writeComparisonTable(std::ostream& out, const ComparisonReport& report, int width) {
    out << elided("A  " + oneLine(report.baseline), width) << '\n'
        << elided("B  " + oneLine(report.candidate), width) << "\n\n";
    for (const DeviceMatches& group : byDevice(report.comparison)) {
        out << elided(oneLine(group.device->name) + " (" + oneLine(group.device->uuid) + ")", width)
            << "\n\n";
        std::vector<std::vector<std::string>> rows{
            {"variant", "", "median ms", "min–max", "N", "A/B", "verdict"}};
        for (const RunMatch* match : group.matches) {
            const auto a = timeCells(*match->baseline);
            const auto b = timeCells(*match->candidate);
            rows.push_back({oneLine(match->baseline->label()), "A", a[0], a[1], a[2], "", ""});
            rows.push_back({"", "B", b[0], b[1], b[2], ratioText(match->ratio),
                            std::string(name(match->ratio.verdict))});
        }
        writeColumns(out, rows, {false, false, true, true, true, true, false}, width);
        out << '\n';
    }
    for (const std::string& note : notesOf(report))
        writeWrapped(out, note, std::max(width, 24));
}

void writeComparisonMarkdown(std::ostream& out, const ComparisonReport& report) {
    out << "A: " << markdownText(report.baseline) << "  \nB: " << markdownText(report.candidate)
        << "\n\n";
    for (const DeviceMatches& group : byDevice(report.comparison)) {
        out << "### " << markdownText(group.device->name) << "\n\n"
            << "| variant | A median ms | min–max | N | B median ms | min–max | N | A/B | verdict "
               "|\n"
            << "|---|--:|--:|--:|--:|--:|--:|--:|---|\n";
        for (const RunMatch* match : group.matches) {
            out << "| " << markdownText(match->baseline->label());
            for (const Run* run : {match->baseline, match->candidate}) {
                for (const std::string& cell : timeCells(*run))
                    out << " | " << markdownText(cell);
            }
            out << " | " << markdownText(ratioText(match->ratio)) << " | "
                << name(match->ratio.verdict) << " |\n";
        }
        out << '\n';
    }
    for (const std::string& note : notesOf(report))
        out << "- " << markdownText(note) << '\n';
}

}  // namespace aether::app
