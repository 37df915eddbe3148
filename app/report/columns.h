// SPDX-License-Identifier: GPL-3.0-only
// Text in columns for a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace aether::app {

/// Rows of cells, two spaces apart; `rightAligned[c]` says how column c is aligned. The first
/// column is elided so that the rows fit into `width`, but to no less than 12.
void writeColumns(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& rightAligned, int width);

/// Breaks a sentence at spaces so that its lines fit; continuation lines are indented.
void writeWrapped(std::ostream& out, const std::string& text, int width);

}  // namespace aether::app
