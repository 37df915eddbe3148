// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QString>
#include <vector>

#include "ui/figure/panel.h"

namespace aether::ui {

struct FigureOptions {
    Theme theme = Theme::Light;
    double width = 720;  ///< of the figure, in pixels at scale 1
    int columns = 1;
    double scale = 2;       ///< PNG: pixels per unit, 1 … 4
    bool realText = false;  ///< SVG: <text> elements in place of outlines
};

/// Writes the panels as a figure; the ending chooses PNG, SVG or PDF. Uses charts of its own, never
/// those on screen, and works with the offscreen platform. Atomic: a failure leaves no half file
/// and keeps an old one. Throws Failure(Usage) with path and cause.
void exportFigure(const std::vector<Panel>& panels, const QString& file,
                  const FigureOptions& options);

/// "png", "svg", "pdf".
bool isFigureFormat(const QString& ending);

/// Every bar as one sentence per line, for an SVG's description.
QString figureDescription(const std::vector<Panel>& panels);

}  // namespace aether::ui
