// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QGraphicsItem>

#include "ui/figure/panel_layout.h"

namespace aether::ui {

class PanelChart;

/// Draws a panel's card, row highlights and tracks (Below the series), or its texts, whiskers,
/// hatching and reference lines (Above). Without clipping and pattern brushes, which differ between
/// raster, SVG and PDF.
class DecorationItem : public QGraphicsItem {
  public:
    enum class Layer { Below, Above };
    DecorationItem(PanelChart* chart, Layer layer);
    void setForExport(bool asPaths);

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    void paintBelow(QPainter& painter) const;
    void paintAbove(QPainter& painter) const;
    void paintRow(QPainter& painter, const RowLayout& row) const;
    void paintHatch(QPainter& painter, const RowLayout& row, const Bar& bar) const;
    void paintReasonIcon(QPainter& painter, const RowLayout& row, const Bar& bar) const;
    void paintTornEdge(QPainter& painter, const QRectF& fill) const;
    void paintWhisker(QPainter& painter, const RowLayout& row) const;
    void paintText(QPainter& painter, const PlacedText& text) const;

    const PanelChart& chart_;
    Layer layer_;
    bool forExport_ = false;
    bool asPaths_ = false;
};

}  // namespace aether::ui
