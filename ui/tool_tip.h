// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QString>

namespace aether::ui {

/// Text for a tool tip, wrapped, and never taken for markup: names and reasons come from runners
/// and files.
inline QString plainToolTip(const QString& plain) {
    return plain.isEmpty() ? plain : QStringLiteral("<p>%1</p>").arg(plain.toHtmlEscaped());
}

}  // namespace aether::ui
