// SPDX-License-Identifier: GPL-3.0-only
// Numbers and texts for people; always in the C locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aether::app {

/// Fixed notation with a point, whatever the locale; "-" when not finite.
std::string fixed(double value, int decimals);
/// Three significant digits or two decimals: 0.0003, 4.86, 21.71, 178.70, 12000. Of nanoseconds, in
/// milliseconds.
std::string milliseconds(double nanoseconds);
std::string bytesText(double bytes);
/// "45 s", "3 min 20 s", "2 h 05 min".
std::string duration(double seconds);
/// "1.2e-05"
std::string scientific(double value);
std::string percent(double share, int decimals = 1);

/// Columns on a terminal: wide (CJK, emoji) characters count two, combining ones none.
int displayWidth(std::string_view utf8);
/// Cut to that width with "…" at its end.
std::string elided(std::string_view utf8, int width);
std::string padded(std::string_view utf8, int width, bool right = false);
/// One line: line breaks and control characters become spaces.
std::string oneLine(std::string_view utf8);
/// Only letters, digits, '.', '-' of ASCII; runs of others become one '-'; at most `limit`
/// characters; never empty.
std::string fileNamePart(std::string_view text, std::size_t limit = 60);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lower(std::string text);
std::string upper(std::string text);

}  // namespace aether::app
