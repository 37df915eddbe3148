// SPDX-License-Identifier: GPL-3.0-only
#include "app/runner_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "app/line_buffer.h"
#include "common/protocol.h"

namespace aether::app {

using nlohmann::json;

std::optional<json> findGreeting(const std::string& line) {
    const std::string text = plainText(line);
    for (auto at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        json object =
            json::parse(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), nullptr, false);
        if (object.is_object() && object.value("event", json()) == json("hello")) return object;
    }
    return std::nullopt;
}

std::string protocolRefusal(const std::string& version) {
    int major = -1;
    std::from_chars(version.data(), version.data() + version.size(), major);
    if (major == protocol::kMajor) return {};
    return "speaks run protocol " + (version.empty() ? std::string("(none)") : version) +
           ", this program speaks " + std::to_string(protocol::kMajor) + "." +
           std::to_string(protocol::kMinor);
}

bool isFinalEvent(const std::string& event) {
    static constexpr std::array<std::string_view, 8> kFinal{
        "description", "prepared", "sample", "stages", "traced", "trained", "closed", "failed"};
    return std::find(kFinal.begin(), kFinal.end(), event) != kFinal.end();
}

std::string textOfEvent(const std::string& line) {
    if (!line.empty() && line.front() == '{')
        return line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
    const std::string text = plainText(line);
    const auto start = text.find_first_not_of(' ');
    return start != std::string::npos && text[start] == '{' ? text.substr(start) : std::string();
}

std::string notJsonSentence(const std::string& line) {
    const bool nan =
        line.find("NaN") != std::string::npos || line.find("Infinity") != std::string::npos;
    std::string start = plainText(line).substr(0, 120);
    while (!start.empty() && (static_cast<unsigned char>(start.back()) & 0x80) != 0)
        start.pop_back();
    return std::string("sent a line that is no JSON object") +
           (nan ? " (it holds NaN or Infinity, which JSON does not have)" : "") + ": " + start;
}

}  // namespace aether::app
