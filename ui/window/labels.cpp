// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/labels.h"

#include <QStyle>

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

void setRole(QWidget* widget, const char* role) {
    const QString wanted = QString::fromLatin1(role);
    if (widget->property("role").toString() == wanted) return;
    widget->setProperty("role", wanted);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

}  // namespace aether::ui
