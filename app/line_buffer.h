// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QByteArray>
#include <optional>
#include <string>

namespace aether::app {

/// Turns chunks of one stream into lines. Chunks may end anywhere, inside a character too: bytes
/// are cut at '\n' only and decoded per line. A line longer than `limit` bytes is cut there and its
/// rest dropped, so memory is bounded; `overflowed()` then stays true.
class LineBuffer {
  public:
    explicit LineBuffer(qsizetype limit) : limit_(limit) {}

    void append(const QByteArray& chunk);
    /// The next complete line without its end, as UTF-8; bytes that are none are replaced by
    /// U+FFFD.
    std::optional<std::string> takeLine();
    /// What is left behind the last '\n' when the stream has ended.
    std::optional<std::string> takeRest();
    bool overflowed() const { return overflowed_; }
    qsizetype pendingBytes() const { return bytes_.size() - start_; }

  private:
    void compact();
    std::string decode(qsizetype from, qsizetype size);

    QByteArray bytes_;
    qsizetype limit_;
    qsizetype start_ = 0;    ///< of the first line not yet taken
    qsizetype scanned_ = 0;  ///< no '\n' in start_ … scanned_
    bool overflowed_ = false;
};

/// Valid UTF-8: every broken sequence is replaced by U+FFFD.
std::string validUtf8(const QByteArray& bytes);

/// Without ANSI escape sequences and other control characters; of text that a '\r' rewrites only
/// the last state stays.
std::string plainText(const std::string& line);

}  // namespace aether::app
