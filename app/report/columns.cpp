// SPDX-License-Identifier: GPL-3.0-only
#include "app/report/columns.h"

#include <algorithm>

#include "app/text.h"

namespace aether::app {

void writeColumns(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& rightAligned, int width) {
    std::vector<int> widths(rightAligned.size(), 0);
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < widths.size(); ++c)
            widths[c] = std::max(widths[c], displayWidth(row[c]));
    }
    int rest = 0;
    for (std::size_t c = 1; c < widths.size(); ++c)
        rest += widths[c] + 2;
    widths[0] = std::min(widths[0], std::max(12, width - rest));
    for (const auto& row : rows) {
        std::string line = padded(elided(row[0], widths[0]), widths[0], rightAligned[0]);
        for (std::size_t c = 1; c < widths.size(); ++c)
            line += "  " + padded(row[c], widths[c], rightAligned[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

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

}  // namespace aether::app
