// SPDX-License-Identifier: GPL-3.0-only
// Printers of results. They take their stream, never a locale.
#pragma once

#include <ostream>

#include "common/result.h"

namespace aether::app {

/// Aligned columns for a terminal of that width; long names end in "…".
void writeTable(std::ostream& out, const Result& result, int width);

/// RFC 4180 with a header line; times in milliseconds per step. A text that a spreadsheet would
/// take for a formula
/// (= + - @ in front) gets a leading apostrophe.
void writeCsv(std::ostream& out, const Result& result, bool header = true);

/// GitHub tables, one per device; names are escaped.
void writeMarkdown(std::ostream& out, const Result& result);

/// The whole document, indented.
void writeJson(std::ostream& out, const Result& result);

/// One line per run, its keys as in the document's `runs`.
void writeJsonLines(std::ostream& out, const Result& result);

std::string csvField(std::string text);
std::string markdownText(std::string_view text);

}  // namespace aether::app
