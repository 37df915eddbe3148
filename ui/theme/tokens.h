// SPDX-License-Identifier: GPL-3.0-only
// Every colour of window and figure, by what it means. tokens.cpp is the only file with colour
// literals.
#pragma once

#include <QColor>

namespace aether::ui {

enum class Theme { Light, Dark };

/// Whose bar it is: one colour each.
enum class Series { Aether, PyTorch, Third, Other };
/// Whose stage it is.
enum class Phase { Forward, Backward, Optimizer, Other };

struct Tokens {
    QColor window, surface, surfaceAlt;    ///< behind cards; cards; table heads and disabled
    QColor border, grid, axis;             ///< lines, faint to clear
    QColor text, text2, muted;             ///< all at least 4.5:1 on window, surface and selection
    QColor accent, onAccent;               ///< focus, selection, the primary button; text on it
    QColor ok, warn, danger;               ///< as text
    QColor hatch, track;                   ///< a bar that does not count; an empty bar
    QColor rowHover, rowSelected;          ///< behind a row
    QColor aether, pytorch, third, other;  ///< Series
    QColor forward, backward, optimizer;   ///< Phase

    QColor of(Series series) const;
    QColor of(Phase phase) const;

    static const Tokens& get(Theme theme);
};

/// Contrast ratio of WCAG 2.1, 1 … 21.
double contrast(const QColor& a, const QColor& b);
/// Near-black or white, whichever reads better on `background`.
QColor textOn(const QColor& background);
/// share 0: a, 1: b.
QColor mix(const QColor& a, const QColor& b, double share);

}  // namespace aether::ui
