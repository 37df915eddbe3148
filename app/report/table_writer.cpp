// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <array>

#include "app/report/rows.h"
#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

constexpr int kColumns = 6;
using Cells = std::array<std::string, kColumns>;
const Cells kHeader{"variant", "median ms", "min–max", "N", "ratio", "parity"};

Cells cellsOf(const ReportRow& row) {
    if (!row.measured) return {oneLine(row.label), row.run->status, "", "", "", ""};
    const Summary& s = row.stepNs;
    return {oneLine(row.label),
            milliseconds(s.median),
            milliseconds(s.min) + "–" + milliseconds(s.max),
            std::to_string(s.n),
            row.relative,
            row.parityMark};
}

void writeLine(std::ostream& out, const Cells& cells, const std::array<int, kColumns>& widths) {
    std::string line = padded(elided(cells[0], widths[0]), widths[0]);
    for (std::size_t c = 1; c < kColumns; ++c)
        line += "  " + padded(cells[c], widths[c], c < 5);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

/// Breaks a sentence at spaces so that its lines fit; continuation lines are indented.
void writeWrapped(std::ostream& out, const std::string& text, int width) {
    std::string line;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && displayWidth(line) + 1 + displayWidth(word) > width) {
            out << line << '\n';
            line = "    " + word;
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
        at = end + 1;
    }
    if (!line.empty()) out << line << '\n';
}

void writePanel(std::ostream& out, const ReportPanel& panel, const Result& result, int width) {
    if (panel.device != nullptr) {
        out << elided(oneLine(panel.device->name) + " (" + oneLine(panel.device->uuid) + ")", width)
            << '\n';
        out << elided(setting(result), width) << "\n\n";
    } else {
        out << "Without a device\n\n";
    }
    std::array<int, kColumns> widths{};
    std::vector<Cells> lines{kHeader};
    for (const ReportRow& row : panel.rows)
        lines.push_back(cellsOf(row));
    for (const Cells& cells : lines) {
        for (std::size_t c = 0; c < kColumns; ++c)
            widths[c] = std::max(widths[c], displayWidth(cells[c]));
    }
    int rest = 0;
    for (std::size_t c = 1; c < kColumns; ++c)
        rest += widths[c] + 2;
    widths[0] = std::min(widths[0], std::max(12, width - rest));
    for (const Cells& cells : lines)
        writeLine(out, cells, widths);
    out << '\n';
}

}  // namespace

void writeTable(std::ostream& out, const Result& result, int width) {
    for (const ReportPanel& panel : reportPanels(result))
        writePanel(out, panel, result, width);
    for (const std::string& note : reportNotes(result))
        writeWrapped(out, note, std::max(width, 24));
}

}  // namespace aether::app
