// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QChart>

#include "ui/figure/panel_layout.h"

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace aether::ui {

class DecorationItem;

/// One panel as a Qt chart: bars, axis and grid are Qt Charts', everything typographic is drawn by
/// two decoration items below and above the series from the same PanelLayout.
///
/// What Qt Charts 6.4 makes necessary: a bar set has one brush, so every row is a set of a stacked
/// series that is zero elsewhere; reversing the category axis has no effect, so row i is category
/// n - 1 - i; moving the plot area leaves the axes behind until the layout is activated again;
/// setTheme() would wipe every brush and is never called.
class PanelChart : public QChart {
    Q_OBJECT
  public:
    explicit PanelChart(QGraphicsItem* parent = nullptr);

    void setTokens(const Tokens& tokens);
    /// Shows this panel; rebuilds the series only when the number of rows changed.
    void setPanel(const Panel& panel);
    void setWidth(double width);
    /// For files: no selection, no hover. `asPaths`: glyphs as outlines, so that an SVG looks the
    /// same where the font is missing.
    void setForExport(bool asPaths);

    const Panel& panel() const { return panel_; }
    const PanelLayout& panelLayout() const { return layout_; }
    const Tokens& tokens() const { return *tokens_; }
    /// Indices into the panel's bars; -1: none.
    int hovered() const { return hovered_; }
    void setHovered(int bar);
    const std::vector<std::string>& selected() const { return selected_; }
    void setSelected(std::vector<std::string> keys);
    bool isSelected(int bar) const;

  private:
    void relayout();
    void rebuildSeries();
    void fillSeries();
    void repaintDecoration();

    Panel panel_;
    PanelLayout layout_;
    const Tokens* tokens_;
    QHorizontalStackedBarSeries* series_ = nullptr;
    std::vector<QBarSet*> sets_;
    QValueAxis* values_;
    QBarCategoryAxis* categories_;
    DecorationItem* below_;
    DecorationItem* above_;
    double axisFloor_ = 0;
    int hovered_ = -1;
    std::vector<std::string> selected_;
};

}  // namespace aether::ui
