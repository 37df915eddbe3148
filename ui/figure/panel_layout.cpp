// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/panel_layout.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/theme/fonts.h"

namespace aether::ui {
namespace {

// Sizes in pixels at scale 1.
constexpr double kPadding = 20, kCompactBelow = 600;
constexpr double kHeader = 64, kLineLabel = 22, kTicks = 24, kFooter = 18, kSourceLine = 15;
constexpr double kLeftGutter = 190, kRightGutter = 178;
constexpr int kManyBars = 10;  // from here on rows are lower

struct LayoutWords {
    Q_DECLARE_TR_FUNCTIONS(PanelLayout)
};

struct Sizes {
    double slot, bar;
};

QStringList sourceLines(const Panel& panel, double width) {
    if (panel.source.isEmpty()) return {};
    return wrapWords(LayoutWords::tr("Published: %1").arg(panel.source), uiFont(11),
                     width - 2 * kPadding);
}

Sizes sizesFor(bool compact, std::size_t bars) {
    const bool many = bars >= kManyBars;
    if (compact) return many ? Sizes{50, 14} : Sizes{60, 18};
    return many ? Sizes{42, 22} : Sizes{56, 28};
}

/// One row per bar; when there is more than one precision, a heading in front of each group.
std::vector<int> rowOrder(const Panel& panel) {
    std::vector<int> order;
    const bool headings = panel.precisions().size() > 1;
    QString group;
    for (int i = 0; i < static_cast<int>(panel.bars.size()); ++i) {
        const QString& precision = panel.bars[static_cast<std::size_t>(i)].precision;
        if (headings && precision != group) order.push_back(-1);
        group = precision;
        order.push_back(i);
    }
    return order;
}

class Builder {
  public:
    Builder(const Panel& panel, double width, const Tokens& tokens, double axisFloor)
        : panel_(panel), tokens_(tokens), order_(rowOrder(panel)) {
        out_.size = {width, heightFor(panel, width)};
        out_.compact = width < kCompactBelow;
        const Sizes sizes = sizesFor(out_.compact, panel.bars.size());
        out_.slotHeight = sizes.slot;
        out_.barHeight = sizes.bar;
        const double left = out_.compact ? kPadding : kPadding + kLeftGutter;
        const double right = out_.compact ? kPadding : kPadding + kRightGutter;
        const auto rows = static_cast<double>(std::max<std::size_t>(1, order_.size()));
        out_.plot =
            QRectF(left, kPadding + kHeader + kLineLabel, width - left - right, sizes.slot * rows);
        out_.axis = axisFor(lengths(), std::clamp(static_cast<int>(out_.plot.width() / 80), 3, 7));
        if (axisFloor > out_.axis.max) stretchAxis(axisFloor);
    }

    PanelLayout build() {
        header();
        rows();
        ticks();
        footer();
        for (const QString& precision : panel_.precisions())
            referenceLine(precision);
        return std::move(out_);
    }

  private:
    std::vector<double> lengths() const {
        std::vector<double> all;
        for (const Bar& bar : panel_.bars) {
            // A whisker far beyond its bar (one slow round) must not shrink every other bar.
            if (bar.hasValue()) all.push_back(std::min(bar.step.max, 1.5 * bar.step.median));
        }
        return all;
    }

    void stretchAxis(double max) {
        const bool cut = out_.axis.cut;
        out_.axis =
            axisFor({max / 1.02}, std::clamp(static_cast<int>(out_.plot.width() / 80), 3, 7));
        out_.axis.cut = cut;
    }

    void header() {
        const double width = out_.size.width() - 2 * kPadding;
        double chip = 0;
        if (const auto [label, color] = chipText(); !label.isEmpty()) {
            const QFont font = uiFont(11.5, QFont::DemiBold);
            chip = textWidth(label, font) + 34;
            out_.chip = PlacedText{
                {kPadding + width - chip, kPadding, chip, 22}, label, font, color, Qt::AlignCenter};
        }
        out_.texts.push_back(placeText({kPadding, kPadding - 2, width - chip - 8, 24}, panel_.title,
                                       uiFont(16, QFont::DemiBold), tokens_.text));
        out_.texts.push_back(placeText({kPadding, kPadding + 24, width, 17}, panel_.subtitle,
                                       uiFont(12), tokens_.muted));
        out_.texts.push_back(placeText({kPadding, kPadding + 41, width, 17}, panel_.setting,
                                       uiFont(12), tokens_.muted));
    }

    struct Chip {
        QString label;
        QColor color;
    };

    Chip chipText() const {
        int active = 0, bad = 0;
        for (const Bar& bar : panel_.bars) {
            active += bar.state == BarState::Active;
            bad += bar.state == BarState::Failed || bar.state == BarState::ParityFailed;
        }
        if (active > 0) return {LayoutWords::tr("Running"), tokens_.accent};
        if (!panel_.badge.isEmpty()) return {panel_.badge, tokens_.text2};
        if (bad > 0) return {LayoutWords::tr("%1 failed").arg(bad), tokens_.danger};
        return {};
    }

    void rows() {
        double y = out_.plot.top();
        QString group;
        for (const int index : order_) {
            RowLayout row;
            row.bar = index;
            row.slot = {8, y, out_.size.width() - 16, out_.slotHeight};
            y += out_.slotHeight;
            if (index < 0) {
                heading(row);
            } else {
                barRow(row, panel_.bars[static_cast<std::size_t>(index)]);
            }
            out_.rows.push_back(std::move(row));
        }
    }

    void heading(RowLayout& row) {
        const auto rows = out_.rows.size();
        const int next = order_[rows + 1];
        const QString& precision = panel_.bars[static_cast<std::size_t>(next)].precision;
        row.texts.push_back(placeText({kPadding, row.slot.bottom() - 24, 120, 18}, precision,
                                      uiFont(12, QFont::DemiBold), tokens_.text2));
    }

    void barRow(RowLayout& row, const Bar& bar) {
        const double centre = row.slot.center().y();
        row.band = {out_.plot.left(), centre - out_.barHeight / 2, out_.plot.width(),
                    out_.barHeight};
        if (bar.hasValue()) {
            row.fill = row.band;
            row.fill.setRight(out_.x(std::min(bar.step.median, out_.axis.max)));
            row.torn = bar.step.median > out_.axis.max;
            if (bar.step.max > bar.step.min && !row.torn)
                row.whisker = RowLayout::Whisker{out_.x(bar.step.min), out_.x(bar.step.max)};
            if (bar.state == BarState::ParityFailed) row.hatch = row.fill;
        } else if (bar.state == BarState::Failed || bar.state == BarState::Unavailable) {
            row.hatch = row.band;
            if (!out_.compact) row.hatch.setRight(out_.size.width() - kPadding);
        }
        if (out_.compact) {
            compactTexts(row, bar);
        } else {
            wideTexts(row, bar);
        }
        if (!row.hatch.isEmpty() && !bar.hasValue()) reasonOn(row, bar);
    }

    /// Second line of a bar's label: what is happening, else how it compares.
    PlacedText note(const Bar& bar) const {
        PlacedText out;
        out.font = uiFont(11.5);
        out.color = tokens_.text2;
        if (bar.state == BarState::ParityFailed) {
            out.text = LayoutWords::tr("parity failed");
            out.color = tokens_.danger;
        } else if (!bar.activity.isEmpty()) {
            out.text = bar.activity;
            out.color = tokens_.accent;
        } else if (bar.hasValue()) {
            out.text = relativeText(bar);
            const bool faster = bar.counts() && bar.ratio && *bar.ratio >= 1.005 &&
                                bar.verdict.value_or(Verdict::Faster) == Verdict::Faster;
            if (faster && !bar.reference) out.color = tokens_.ok;
        } else if (bar.state == BarState::Waiting) {
            out.text = LayoutWords::tr("queued");
            out.color = tokens_.muted;
        } else if (bar.state == BarState::Cancelled) {
            out.text = LayoutWords::tr("cancelled");
            out.color = tokens_.muted;
        }
        return out;
    }

    static QString valueText(const Bar& bar) {
        return bar.hasValue() ? stepText(bar.step.median) + QStringLiteral("\u00a0ms") : QString();
    }

    void wideTexts(RowLayout& row, const Bar& bar) {
        const double centre = row.band.center().y();
        const double width = kLeftGutter - 14;
        row.texts.push_back(placeText({kPadding, centre - 17, width, 18}, bar.name,
                                      uiFont(13, QFont::DemiBold), tokens_.text));
        row.texts.push_back(
            placeText({kPadding, centre + 1, width, 16}, bar.detail, uiFont(11), tokens_.muted));
        const PlacedText second = note(bar);
        const QString value = valueText(bar);
        if (value.isEmpty()) {
            if (row.hatch.isEmpty() && !second.text.isEmpty()) {
                row.texts.push_back(
                    placeText({out_.plot.left() + 10, centre - 9, out_.plot.width() - 10, 18},
                              second.text, second.font, second.color));
            }
            return;
        }
        const double end = std::max(row.fill.right(), row.whisker ? row.whisker->high : 0) + 10;
        const double room = out_.size.width() - kPadding - end;
        row.texts.push_back(placeText({end, centre - 17, room, 18}, value,
                                      uiFont(13, QFont::DemiBold), tokens_.text));
        if (!second.text.isEmpty()) {
            row.texts.push_back(
                placeText({end, centre + 1, room, 16}, second.text, second.font, second.color));
        }
    }

    void compactTexts(RowLayout& row, const Bar& bar) {
        const double y = row.band.top() - 21;
        const QFont nameFont = uiFont(13, QFont::DemiBold), detailFont = uiFont(11);
        PlacedText second = note(bar);
        const QString value = valueText(bar);
        double right = out_.plot.right();
        if (!value.isEmpty()) {
            const double width = textWidth(value, nameFont);
            row.texts.push_back(
                placeText({right - width, y, width + 1, 18}, value, nameFont, tokens_.text));
            right -= width + 10;
        }
        const double name = textWidth(bar.name, nameFont) + 1;
        const double detail = textWidth(bar.detail, detailFont) + 8;
        const double left = out_.plot.left();
        const QString than = LayoutWords::tr(" than PyTorch");
        if (left + name + detail + textWidth(second.text, second.font) + 12 > right)
            second.text.remove(than);
        if (!second.text.isEmpty()) {
            const double width =
                std::min(textWidth(second.text, second.font) + 1, (right - left) * 0.6);
            row.texts.push_back(
                placeText({right - width, y, width, 18}, second.text, second.font, second.color));
            right -= width + 10;
        }
        row.texts.push_back(placeText({left, y, std::min(name, right - left), 18}, bar.name,
                                      nameFont, tokens_.text));
        const double detailLeft = left + name + 8;
        if (right - detailLeft > 40) {
            row.texts.push_back(placeText({detailLeft, y, right - detailLeft, 18}, bar.detail,
                                          detailFont, tokens_.muted));
        }
    }

    void reasonOn(RowLayout& row, const Bar& bar) {
        const bool failed = bar.state == BarState::Failed;
        const QString sentence =
            (failed ? LayoutWords::tr("Failed: %1") : LayoutWords::tr("Unavailable: %1"))
                .arg(bar.reason);
        const QFont font = uiFont(11.5, QFont::Medium);
        const double width = std::min(textWidth(sentence, font) + 1, row.hatch.width() - 48);
        const double height = std::min(20.0, row.hatch.height());
        const double y = row.hatch.center().y() - height / 2;
        row.plate = {row.hatch.left() + 8, y, width + 32, height};
        row.texts.push_back(placeText({row.hatch.left() + 32, y, width, height}, sentence, font,
                                      failed ? tokens_.danger : tokens_.text2));
    }

    void ticks() {
        const QFont font = uiFont(11);
        const double y = out_.plot.bottom() + 6;
        for (int k = 0; k * out_.axis.step <= out_.axis.max * (1 + 1e-9); ++k) {
            const double value = k * out_.axis.step;
            const QString label = QString::number(value, 'f', out_.axis.decimals);
            const double width = textWidth(label, font) + 2;
            const double x =
                std::min(out_.x(value) - width / 2, out_.size.width() - kPadding / 2 - width);
            out_.texts.push_back(placeText({x, y, width, 16}, label, font, tokens_.muted,
                                           Qt::AlignHCenter | Qt::AlignVCenter));
        }
    }

    void footer() {
        std::size_t fewest = 0, most = 0;
        for (const Bar& bar : panel_.bars) {
            if (!bar.hasValue()) continue;
            fewest = fewest == 0 ? bar.step.n : std::min(fewest, bar.step.n);
            most = std::max(most, bar.step.n);
        }
        QString text = out_.compact ? LayoutWords::tr("ms per step, lower is better")
                                    : LayoutWords::tr("ms per training step, lower is better");
        if (most > 0 && panel_.source.isEmpty()) {
            const QString count = fewest == most ? QString::number(most)
                                                 : QStringLiteral("%1–%2").arg(fewest).arg(most);
            text += LayoutWords::tr("  ·  median and min–max, N = %1").arg(count);
        }
        if (out_.axis.cut) text += LayoutWords::tr("  ·  torn bars are longer than the axis");
        double y = out_.plot.bottom() + kTicks;
        const double width = out_.size.width() - 2 * kPadding;
        const auto line = [&](const QString& content) {
            out_.texts.push_back(
                placeText({kPadding, y, width, kFooter}, content, uiFont(11), tokens_.muted));
            y += kSourceLine;
        };
        line(text);
        for (const QString& content : sourceLines(panel_, out_.size.width()))
            line(content);
    }

    void referenceLine(const QString& precision) {
        const int reference = panel_.referenceOf(precision);
        if (reference < 0) return;
        const double median = panel_.bars[static_cast<std::size_t>(reference)].step.median;
        if (median > out_.axis.max) return;
        double top = 0, bottom = 0;
        for (const RowLayout& row : out_.rows) {
            if (row.bar < 0 ||
                panel_.bars[static_cast<std::size_t>(row.bar)].precision != precision)
                continue;
            if (top == 0) top = row.slot.top();
            bottom = row.slot.bottom();
        }
        ReferenceLine line;
        line.x = out_.x(median);
        labelLine(line, top);
        line.segments = segments(line.x, top - 4, bottom, reference);
        out_.lines.push_back(std::move(line));
    }

    void labelLine(const ReferenceLine& line, double top) {
        const QFont font = uiFont(11);
        const QString label = LayoutWords::tr("1.00× PyTorch");
        const double width = textWidth(label, font) + 2;
        const double x =
            std::clamp(line.x - width / 2, kPadding, out_.size.width() - kPadding - width);
        out_.texts.push_back(placeText({x, top - 21, width, 16}, label, font, tokens_.text2,
                                       Qt::AlignHCenter | Qt::AlignVCenter));
    }

    /// The parts of a vertical line that cross no text, no hatching and not the reference's own
    /// bar. Computed, not clipped: SVG and PDF draw the same.
    std::vector<QLineF> segments(double x, double top, double bottom, int reference) const {
        struct Gap {
            double from, to;
        };
        std::vector<Gap> gaps;
        const auto avoid = [&](const QRectF& rect, double margin) {
            if (x > rect.left() - margin && x < rect.right() + margin)
                gaps.push_back({rect.top() - 1, rect.bottom() + 1});
        };
        for (const RowLayout& row : out_.rows) {
            if (row.bar == reference) avoid(row.fill.adjusted(0, 0, 2, 0), 0);
            avoid(row.hatch, 0);
            for (const PlacedText& text : row.texts)
                avoid(text.ink(), 4);
        }
        std::sort(gaps.begin(), gaps.end(),
                  [](const Gap& a, const Gap& b) { return a.from < b.from; });
        std::vector<QLineF> out;
        double y = top;
        for (const Gap& gap : gaps) {
            if (gap.to <= top || gap.from >= bottom) continue;
            if (gap.from > y + 2) out.emplace_back(x, y, x, gap.from);
            y = std::max(y, gap.to);
        }
        if (bottom > y + 2) out.emplace_back(x, y, x, bottom);
        return out;
    }

    const Panel& panel_;
    const Tokens& tokens_;
    const std::vector<int> order_;  ///< rowOrder()
    PanelLayout out_;
};

}  // namespace

double PanelLayout::x(double milliseconds) const {
    return plot.left() + std::min(milliseconds, axis.max) / axis.max * plot.width();
}

int PanelLayout::rowAt(double y) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (y >= rows[i].slot.top() && y < rows[i].slot.bottom()) return static_cast<int>(i);
    }
    return -1;
}

int PanelLayout::rowOf(int bar) const {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [bar](const RowLayout& r) { return r.bar == bar; });
    return bar < 0 || found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

double heightFor(const Panel& panel, double width) {
    const double slot = sizesFor(width < kCompactBelow, panel.bars.size()).slot;
    const auto rows = static_cast<double>(std::max<std::size_t>(1, rowOrder(panel).size()));
    return 2 * kPadding + kHeader + kLineLabel + slot * rows + kTicks + kFooter +
           kSourceLine * static_cast<double>(sourceLines(panel, width).size());
}

PanelLayout layOut(const Panel& panel, double width, const Tokens& tokens, double axisFloor) {
    return Builder(panel, width, tokens, axisFloor).build();
}

}  // namespace aether::ui
