// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/placed_text.h"

#include <QFontMetricsF>
#include <algorithm>

namespace aether::ui {

QRectF PlacedText::ink() const {
    const double width = std::min(textWidth(text, font), rect.width());
    double left = rect.left();
    if (align & Qt::AlignRight) left = rect.right() - width;
    if (align & Qt::AlignHCenter) left = rect.center().x() - width / 2;
    return {left, rect.top(), width, rect.height()};
}

PlacedText placeText(QRectF rect, const QString& text, const QFont& font, const QColor& color,
                     Qt::Alignment align) {
    rect.setWidth(std::max(0.0, rect.width()));
    return {rect, QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()), font, color,
            align};
}

double textWidth(const QString& text, const QFont& font) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

QStringList wrapWords(const QString& text, const QFont& font, double width) {
    QStringList lines;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + u' ' + word;
        if (lines.isEmpty() || textWidth(longer, font) > width) {
            lines << word;
        } else {
            lines.back() = longer;
        }
    }
    return lines;
}

}  // namespace aether::ui
