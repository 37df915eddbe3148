// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>

#include "app/report/columns.h"
#include "app/report/rows.h"
#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

std::vector<std::string> cellsOf(const ReportRow& row) {
    if (!row.measured) return {oneLine(row.label), row.run->status, "", "", "", ""};
    const Summary& s = row.stepNs;
    return {oneLine(row.label),
            milliseconds(s.median),
            milliseconds(s.min) + "–" + milliseconds(s.max),
            std::to_string(s.n),
            row.relative,
            row.parityMark};
}

void writePanel(std::ostream& out, const ReportPanel& panel, const Result& result, int width) {
    if (panel.device != nullptr) {
        out << elided(oneLine(panel.device->name) + " (" + oneLine(panel.device->uuid) + ")", width)
            << '\n';
        out << elided(setting(result), width) << "\n\n";
    } else {
        out << "Without a device\n\n";
    }
    std::vector<std::vector<std::string>> lines{
        {"variant", "median ms", "min–max", "N", "ratio", "parity"}};
    for (const ReportRow& row : panel.rows)
        lines.push_back(cellsOf(row));
    writeColumns(out, lines, {false, true, true, true, true, false}, width);
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
