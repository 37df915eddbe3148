// SPDX-License-Identifier: GPL-3.0-only
#include <QJsonArray>

#include "ui/figure/panel_layout.h"

namespace aether::ui {
namespace {

QJsonArray json(const QRectF& rect) {
    return {qRound(rect.x()), qRound(rect.y()), qRound(rect.width()), qRound(rect.height())};
}

QJsonObject json(const PlacedText& text) {
    return {{QStringLiteral("text"), text.text},
            {QStringLiteral("rect"), json(text.rect)},
            {QStringLiteral("color"), text.color.name()}};
}

template <class Texts>
QJsonArray texts(const Texts& all) {
    QJsonArray out;
    for (const PlacedText& text : all)
        out.append(json(text));
    return out;
}

QJsonObject json(const RowLayout& row) {
    QJsonObject out{{QStringLiteral("bar"), row.bar}, {QStringLiteral("texts"), texts(row.texts)}};
    if (!row.fill.isEmpty()) out[QStringLiteral("fill")] = json(row.fill);
    if (!row.hatch.isEmpty()) out[QStringLiteral("hatch")] = json(row.hatch);
    if (row.torn) out[QStringLiteral("torn")] = true;
    if (row.whisker) {
        out[QStringLiteral("whisker")] =
            QJsonArray{qRound(row.whisker->low), qRound(row.whisker->high)};
    }
    return out;
}

}  // namespace

QJsonObject describe(const PanelLayout& layout) {
    QJsonArray rows, lines;
    for (const RowLayout& row : layout.rows)
        rows.append(json(row));
    for (const ReferenceLine& line : layout.lines)
        lines.append(qRound(line.x));
    QJsonObject out{{QStringLiteral("width"), qRound(layout.size.width())},
                    {QStringLiteral("height"), qRound(layout.size.height())},
                    {QStringLiteral("axis_step"), layout.axis.step},
                    {QStringLiteral("texts"), texts(layout.texts)},
                    {QStringLiteral("rows"), rows},
                    {QStringLiteral("lines"), lines}};
    if (layout.chip) out[QStringLiteral("chip")] = json(*layout.chip);
    return out;
}

}  // namespace aether::ui
