// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/labels.h"

#include "ui/theme/fonts.h"

namespace aether::ui {

QLabel* headingLabel(const QString& text) {
    return textLabel(text.toUpper(), 11, QFont::DemiBold, "heading");
}

QLabel* textLabel(const QString& text, double pixels, QFont::Weight weight, const char* role) {
    auto* label = new QLabel(text);
    label->setFont(uiFont(pixels, weight));
    // Device names and reasons come from elsewhere and are never markup.
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QString::fromLatin1(role));
    return label;
}

}  // namespace aether::ui
