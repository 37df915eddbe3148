// SPDX-License-Identifier: GPL-3.0-only
#include "app/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace aether::app {
namespace {

/// Decodes one character; broken bytes count as one column each.
char32_t next(std::string_view text, std::size_t& i) {
    const auto c = static_cast<unsigned char>(text[i++]);
    if (c < 0x80) return c;
    const int extra = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : c >= 0xC0 ? 1 : 0;
    char32_t value = c & (0x3F >> extra);
    for (int k = 0; k < extra && i < text.size(); ++k) {
        value = (value << 6) | (static_cast<unsigned char>(text[i++]) & 0x3F);
    }
    return value;
}

/// Ranges from Unicode's EastAsianWidth.txt (W and F), coarsely.
int columns(char32_t c) {
    if (c == 0x200B || c == 0x200D || (c >= 0x0300 && c <= 0x036F) || (c >= 0xFE00 && c <= 0xFE0F))
        return 0;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                      (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

}  // namespace

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return "-";
    std::array<char, 400> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals);
    return std::string(buffer.data(), end.ptr);
}

std::string milliseconds(double nanoseconds) {
    const double ms = nanoseconds / 1e6;
    if (!std::isfinite(ms)) return "-";
    const double size = std::abs(ms);
    if (size == 0 || size >= 0.995) return fixed(ms, size >= 1000 ? 0 : 2);
    const int digits = 2 - static_cast<int>(std::floor(std::log10(size)));
    return fixed(ms, std::min(digits, 9));
}

std::string bytesText(double bytes) {
    const std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1024 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return fixed(bytes, unit == 0 || bytes >= 100 ? 0 : 1) + " " + units[unit];
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "-";
    const long long s = std::llround(seconds);
    const auto two = [](long long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    if (s < 60) return std::to_string(s) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + two(s % 60) + " s";
    return std::to_string(s / 3600) + " h " + two(s / 60 % 60) + " min";
}

std::string scientific(double value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific, 1);
    return std::string(buffer.data(), end.ptr);
}

std::string percent(double share, int decimals) {
    return fixed(share * 100, decimals) + " %";
}

int displayWidth(std::string_view text) {
    int width = 0;
    for (std::size_t i = 0; i < text.size();)
        width += columns(next(text, i));
    return width;
}

std::string elided(std::string_view text, int width) {
    if (displayWidth(text) <= width) return std::string(text);
    if (width <= 0) return {};
    int used = 0;
    std::size_t end = 0;
    for (std::size_t i = 0; i < text.size();) {
        used += columns(next(text, i));
        if (used > width - 1) break;
        end = i;
    }
    return std::string(text.substr(0, end)) + "…";
}

std::string padded(std::string_view text, int width, bool right) {
    const std::string space(static_cast<std::size_t>(std::max(0, width - displayWidth(text))), ' ');
    return right ? space + std::string(text) : std::string(text) + space;
}

std::string oneLine(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool control = byte < 0x20 || byte == 0x7f;
        if (!control) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    return out;
}

std::string fileNamePart(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool safe =
            byte < 0x80 && (std::isalnum(byte) || c == '-' || (c == '.' && !out.empty()));
        if (safe) {
            out += c;
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    if (out.size() > limit) out.resize(limit);
    while (!out.empty() && (out.back() == '-' || out.back() == '.'))
        out.pop_back();
    return out.empty() ? "unnamed" : out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string out;
    for (const std::string& part : parts) {
        if (!out.empty()) out += separator;
        out += part;
    }
    return out;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

}  // namespace aether::app
