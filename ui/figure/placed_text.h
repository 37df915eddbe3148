// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QStringList>

namespace aether::ui {

struct PlacedText {
    QRectF rect;
    QString text;  ///< already cut to the rectangle's width
    QFont font;
    QColor color;
    Qt::Alignment align = Qt::AlignLeft | Qt::AlignVCenter;

    /// What the glyphs cover.
    QRectF ink() const;
};

/// With the text cut to the rectangle's width.
PlacedText placeText(QRectF rect, const QString& text, const QFont& font, const QColor& color,
                     Qt::Alignment align = Qt::AlignLeft | Qt::AlignVCenter);
double textWidth(const QString& text, const QFont& font);
/// Broken between words, as many lines as it takes.
QStringList wrapWords(const QString& text, const QFont& font, double width);

}  // namespace aether::ui
