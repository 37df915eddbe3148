// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QLabel>

namespace aether::ui {

/// The small capitals-like line above a group.
QLabel* headingLabel(const QString& text);
/// Text of a size and weight; `role` gives its colour: "muted", "danger", "warn", "ok" or none.
QLabel* textLabel(const QString& text, double pixels, QFont::Weight weight = QFont::Normal,
                  const char* role = "");

}  // namespace aether::ui
