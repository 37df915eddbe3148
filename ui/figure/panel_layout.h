// SPDX-License-Identifier: GPL-3.0-only
// Where everything in a panel stands: a pure function of panel, width and tokens, so that tests can
// ask for overlaps and the exports draw what the window draws.
#pragma once

#include <QJsonObject>
#include <QLineF>
#include <QRectF>
#include <optional>
#include <vector>

#include "ui/figure/axis.h"
#include "ui/figure/panel.h"
#include "ui/figure/placed_text.h"

namespace aether::ui {

/// One row of the chart: a bar, or the heading of a group of bars with one precision.
struct RowLayout {
    int bar = -1;  ///< index into Panel::bars, -1: a heading
    QRectF slot;   ///< the whole row, what a click hits
    QRectF band;   ///< from the zero line to the right end of the plot, as high as a bar
    QRectF fill;   ///< the bar itself; empty without a value
    QRectF hatch;  ///< the part drawn hatched; empty for a bar that counts
    struct Whisker {
        double low = 0, high = 0;  ///< x
    };
    std::optional<Whisker> whisker;
    bool torn = false;  ///< longer than the axis
    QRectF plate;       ///< behind a reason that stands on hatching
    std::vector<PlacedText> texts;
};

/// The dashed 1.00× line through the rows of one precision, interrupted where it would cross text.
struct ReferenceLine {
    double x = 0;
    std::vector<QLineF> segments;
};

struct PanelLayout {
    QSizeF size;
    bool compact = false;  ///< names stand above the bars, not left of them
    QRectF plot;
    double slotHeight = 0, barHeight = 0;
    Axis axis;
    std::vector<RowLayout> rows;
    std::vector<PlacedText> texts;   ///< title, subtitle, tick labels, footer
    std::optional<PlacedText> chip;  ///< on a rounded plate at the right of the title
    std::vector<ReferenceLine> lines;

    double x(double milliseconds) const;
    /// Row at that height, or -1.
    int rowAt(double y) const;
    int rowOf(int bar) const;
};

/// `axisFloor`: the axis is at least that long; a live panel keeps it from jumping.
PanelLayout layOut(const Panel& panel, double width, const Tokens& tokens, double axisFloor = 0);
double heightFor(const Panel& panel, double width);

/// Texts, rectangles and colours, for golden tests.
QJsonObject describe(const PanelLayout& layout);

}  // namespace aether::ui
