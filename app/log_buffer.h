// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <deque>
#include <string>

namespace aether::app {

/// The last lines of a stream; older ones are counted and forgotten.
class LogBuffer {
  public:
    explicit LogBuffer(std::size_t lines = 2000, std::size_t charactersPerLine = 2000)
        : limit_(lines), width_(charactersPerLine) {}

    void add(std::string line) {
        if (line.size() > width_) {
            line.resize(width_);
            while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80)
                line.pop_back();
            if (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80) != 0)
                line.pop_back();
            line += "…";
        }
        lines_.push_back(std::move(line));
        if (lines_.size() > limit_) {
            lines_.pop_front();
            ++dropped_;
        }
    }
    const std::deque<std::string>& lines() const { return lines_; }
    std::size_t dropped() const { return dropped_; }

    /// The last non-empty lines joined by " | ", shortened to about 300 characters, for a failure's
    /// sentence.
    std::string tail(std::size_t count = 3) const {
        std::string text;
        for (auto it = lines_.rbegin(); it != lines_.rend() && count > 0; ++it) {
            if (it->find_first_not_of(' ') == std::string::npos) continue;
            if (!text.empty() && text.size() + it->size() > 300) break;
            if (!text.empty()) text.insert(0, " | ");
            text.insert(0, *it);
            --count;
        }
        return text;
    }

  private:
    std::size_t limit_, width_, dropped_ = 0;
    std::deque<std::string> lines_;
};

}  // namespace aether::app
