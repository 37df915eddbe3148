// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/decoration_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QtMath>

#include "ui/figure/panel_chart.h"

namespace aether::ui {
namespace {

constexpr double kCardRadius = 12;
constexpr double kHatchStep = 7;

/// Diagonals computed to end at the rectangle's edge.
QVector<QLineF> hatchLines(const QRectF& rect) {
    QVector<QLineF> lines;
    const double start = rect.left() - rect.height() + kHatchStep / 2;
    const int count = qCeil((rect.right() - start) / kHatchStep);
    for (int i = 0; i < count; ++i) {
        const double x = start + i * kHatchStep;
        QPointF from(x, rect.bottom()), to(x + rect.height(), rect.top());
        if (from.x() < rect.left()) from += QPointF(rect.left() - from.x(), from.x() - rect.left());
        if (to.x() > rect.right()) to += QPointF(rect.right() - to.x(), to.x() - rect.right());
        if (to.x() > from.x()) lines << QLineF(from, to);
    }
    return lines;
}

QPen flatPen(const QColor& color, double width) {
    return {color, width, Qt::SolidLine, Qt::FlatCap};
}

}  // namespace

DecorationItem::DecorationItem(PanelChart* chart, Layer layer)
    : QGraphicsItem(chart), chart_(*chart), layer_(layer) {
    setZValue(layer == Layer::Below ? -2 : 1000);
    setAcceptedMouseButtons(Qt::NoButton);
}

void DecorationItem::setForExport(bool asPaths) {
    forExport_ = true;
    asPaths_ = asPaths;
}

QRectF DecorationItem::boundingRect() const {
    return {QPointF(), chart_.size()};
}

void DecorationItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    painter->setRenderHint(QPainter::Antialiasing);
    if (layer_ == Layer::Below) {
        paintBelow(*painter);
    } else {
        paintAbove(*painter);
    }
}

void DecorationItem::paintBelow(QPainter& painter) const {
    const Tokens& t = chart_.tokens();
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(t.surface);
    painter.drawRoundedRect(boundingRect().adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius,
                            kCardRadius);
    painter.setPen(Qt::NoPen);
    for (const RowLayout& row : chart_.panelLayout().rows) {
        if (row.bar < 0) continue;
        const bool selected = chart_.isSelected(row.bar);
        if (!forExport_ && (selected || row.bar == chart_.hovered())) {
            painter.setBrush(selected ? t.rowSelected : t.rowHover);
            painter.drawRoundedRect(row.slot.adjusted(0, 1, 0, -1), 8, 8);
        }
        if (row.fill.isEmpty() && row.hatch.isEmpty()) {
            painter.setBrush(t.track);
            painter.drawRoundedRect(row.band, 2, 2);
        }
    }
}

void DecorationItem::paintAbove(QPainter& painter) const {
    const PanelLayout& layout = chart_.panelLayout();
    const Tokens& t = chart_.tokens();
    for (const RowLayout& row : layout.rows)
        paintRow(painter, row);
    QPen dashed = flatPen(t.text2, 1.2);
    dashed.setDashPattern({4, 3});
    painter.setPen(dashed);
    for (const ReferenceLine& line : layout.lines)
        painter.drawLines(line.segments.data(), static_cast<int>(line.segments.size()));
    for (const PlacedText& text : layout.texts)
        paintText(painter, text);
    for (const RowLayout& row : layout.rows) {
        for (const PlacedText& text : row.texts)
            paintText(painter, text);
    }
    if (layout.chip) {
        const PlacedText& chip = *layout.chip;
        painter.setPen(Qt::NoPen);
        painter.setBrush(mix(chip.color, t.surface, 0.86));
        painter.drawRoundedRect(chip.rect, 11, 11);
        painter.setBrush(chip.color);
        painter.drawEllipse(QPointF(chip.rect.left() + 12, chip.rect.center().y()), 3, 3);
        PlacedText label = chip;
        label.rect.adjust(10, 0, 0, 0);
        paintText(painter, label);
    }
}

void DecorationItem::paintRow(QPainter& painter, const RowLayout& row) const {
    if (row.bar < 0) return;
    const Tokens& t = chart_.tokens();
    const Bar& bar = chart_.panel().bars[static_cast<std::size_t>(row.bar)];
    if (!row.hatch.isEmpty()) paintHatch(painter, row, bar);
    painter.setPen(flatPen(t.axis, 1));
    const double x = row.band.left();
    painter.drawLine(QLineF(x, row.band.top() - 3, x, row.band.bottom() + 3));
    if (row.torn) paintTornEdge(painter, row.fill);
    if (row.whisker) paintWhisker(painter, row);
    if (!forExport_ && chart_.isSelected(row.bar) && !row.fill.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(row.fill.adjusted(-2, -2, 2, 2), 2, 2);
    }
}

void DecorationItem::paintHatch(QPainter& painter, const RowLayout& row, const Bar& bar) const {
    const Tokens& t = chart_.tokens();
    const bool measured = bar.hasValue();
    QColor color = bar.state == BarState::Unavailable ? t.hatch : mix(t.danger, t.surface, 0.45);
    if (measured) color = t.of(bar.series);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(color, t.surface, 0.90));
    painter.drawRect(row.hatch);
    painter.setPen(flatPen(mix(color, t.surface, measured ? 0.1 : 0.35), measured ? 1.6 : 1.1));
    painter.drawLines(hatchLines(row.hatch));
    if (!row.plate.isNull()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.surface);
        painter.drawRoundedRect(row.plate, 4, 4);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1));
    painter.drawRect(row.hatch.adjusted(0.5, 0.5, -0.5, -0.5));
    if (!row.plate.isNull()) paintReasonIcon(painter, row, bar);
}

/// A cross for what failed, a struck circle for what is not there.
void DecorationItem::paintReasonIcon(QPainter& painter, const RowLayout& row,
                                     const Bar& bar) const {
    const QPointF centre(row.plate.left() + 12, row.plate.center().y());
    painter.setPen(QPen(row.texts.back().color, 1.6, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    if (bar.state == BarState::Failed) {
        painter.drawLine(centre + QPointF(-3.5, -3.5), centre + QPointF(3.5, 3.5));
        painter.drawLine(centre + QPointF(-3.5, 3.5), centre + QPointF(3.5, -3.5));
    } else {
        painter.drawEllipse(centre, 4.5, 4.5);
        painter.drawLine(centre + QPointF(-3.1, 3.1), centre + QPointF(3.1, -3.1));
    }
}

void DecorationItem::paintTornEdge(QPainter& painter, const QRectF& fill) const {
    const double x = fill.right() - 18, y = fill.top() - 2, step = (fill.height() + 4) / 4;
    QPainterPath tear;
    tear.moveTo(x + 4, y);
    for (int k = 1; k <= 4; ++k)
        tear.lineTo(x + (k % 2 == 1 ? 0 : 4), y + step * k);
    for (int k = 4; k >= 0; --k)
        tear.lineTo(x + (k % 2 == 1 ? 0 : 4) + 5, y + step * k);
    tear.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(chart_.tokens().surface);
    painter.drawPath(tear);
}

/// On a halo, so that it can be read on the bar and beside it.
void DecorationItem::paintWhisker(QPainter& painter, const RowLayout& row) const {
    const Tokens& t = chart_.tokens();
    const auto [low, high] = *row.whisker;
    const double y = row.band.center().y(), cap = 5;
    for (const bool halo : {true, false}) {
        painter.setPen(halo ? flatPen(t.surface, 3.4) : flatPen(t.text, 1.4));
        const double more = halo ? 1 : 0;
        painter.drawLine(QLineF(low - more, y, high + more, y));
        painter.drawLine(QLineF(low, y - cap - more, low, y + cap + more));
        painter.drawLine(QLineF(high, y - cap - more, high, y + cap + more));
    }
}

void DecorationItem::paintText(QPainter& painter, const PlacedText& text) const {
    if (asPaths_) {
        const QFontMetricsF metrics(text.font);
        QPainterPath path;
        // Overlapping contours would become holes with the odd-even rule.
        path.setFillRule(Qt::WindingFill);
        path.addText(text.ink().left(),
                     text.rect.center().y() + (metrics.ascent() - metrics.descent()) / 2, text.font,
                     text.text);
        painter.fillPath(path, text.color);
        return;
    }
    painter.setFont(text.font);
    painter.setPen(text.color);
    painter.drawText(
        text.rect, static_cast<int>(text.align) | Qt::TextSingleLine | Qt::TextDontClip, text.text);
}

}  // namespace aether::ui
