// SPDX-License-Identifier: GPL-3.0-only
#include "app/line_buffer.h"

#include <QString>

namespace aether::app {

void LineBuffer::append(const QByteArray& chunk) {
    compact();
    bytes_ += chunk;
}

void LineBuffer::compact() {
    if (start_ == 0) return;
    bytes_.remove(0, start_);
    scanned_ -= start_;
    start_ = 0;
}

std::string LineBuffer::decode(qsizetype from, qsizetype size) {
    if (size > limit_) {
        overflowed_ = true;
        size = limit_;
    }
    return validUtf8(QByteArray(bytes_.constData() + from, size));
}

std::optional<std::string> LineBuffer::takeLine() {
    const qsizetype end = bytes_.indexOf('\n', std::max(scanned_, start_));
    if (end < 0) {
        scanned_ = bytes_.size();
        // An endless line: keep its beginning and forget the rest as it comes.
        if (pendingBytes() > limit_ + 1) {
            compact();
            bytes_.truncate(limit_ + 1);
            scanned_ = bytes_.size();
            overflowed_ = true;
        }
        return std::nullopt;
    }
    std::string line = decode(start_, end - start_);
    start_ = end + 1;
    scanned_ = start_;
    return line;
}

std::optional<std::string> LineBuffer::takeRest() {
    if (pendingBytes() == 0) return std::nullopt;
    std::string rest = decode(start_, pendingBytes());
    bytes_.clear();
    start_ = scanned_ = 0;
    return rest;
}

std::string validUtf8(const QByteArray& bytes) {
    return QString::fromUtf8(bytes).toStdString();
}

std::string plainText(const std::string& line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto c = static_cast<unsigned char>(line[i]);
        if (c == 0x1b) {
            // ESC [ parameters final byte; ESC ] text BEL; else ESC and one byte.
            if (i + 1 < line.size() && line[i + 1] == '[') {
                i += 2;
                while (i < line.size() && (line[i] < 0x40 || line[i] > 0x7e))
                    ++i;
            } else if (i + 1 < line.size() && line[i + 1] == ']') {
                while (i < line.size() && line[i] != '\a')
                    ++i;
            } else {
                ++i;
            }
        } else if (c == '\r') {
            if (i + 1 < line.size()) out.clear();
        } else if (c == '\t') {
            out += ' ';
        } else if (c >= 0x20 && c != 0x7f) {
            out += line[i];
        }
    }
    return out;
}

}  // namespace aether::app
