// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/panel_chart.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QGraphicsLayout>
#include <QHorizontalStackedBarSeries>
#include <QValueAxis>
#include <algorithm>

#include "ui/figure/decoration_item.h"

namespace aether::ui {
namespace {

constexpr double kGrowth = 1.12;  // a live axis grows in steps, so that bars don't tremble

bool anyActive(const Panel& panel) {
    return std::any_of(panel.bars.begin(), panel.bars.end(),
                       [](const Bar& bar) { return bar.state == BarState::Active; });
}

}  // namespace

PanelChart::PanelChart(QGraphicsItem* parent)
    : QChart(QChart::ChartTypeCartesian, parent, {}),
      tokens_(&Tokens::get(Theme::Light)),
      values_(new QValueAxis(this)),
      categories_(new QBarCategoryAxis(this)),
      below_(new DecorationItem(this, DecorationItem::Layer::Below)),
      above_(new DecorationItem(this, DecorationItem::Layer::Above)) {
    legend()->hide();
    setMargins({0, 0, 0, 0});
    layout()->setContentsMargins(0, 0, 0, 0);
    setDropShadowEnabled(false);
    setAnimationOptions(QChart::NoAnimation);
    // QChart's own background does not follow a fixed plot area; the decoration draws the card.
    setBackgroundVisible(false);
    setPlotAreaBackgroundVisible(false);
    setAcceptHoverEvents(false);
    addAxis(values_, Qt::AlignBottom);
    addAxis(categories_, Qt::AlignLeft);
    values_->setTickType(QValueAxis::TicksDynamic);
    values_->setTickAnchor(0);
    values_->setLabelsVisible(false);
    values_->setMinorGridLineVisible(false);
    values_->setLinePen(Qt::NoPen);
    categories_->setLabelsVisible(false);
    categories_->setLineVisible(false);
    categories_->setGridLineVisible(false);
}

void PanelChart::setTokens(const Tokens& tokens) {
    tokens_ = &tokens;
    relayout();
}

void PanelChart::setPanel(const Panel& panel) {
    const bool other = panel.deviceUuid != panel_.deviceUuid;
    panel_ = panel;
    if (other || !anyActive(panel_)) axisFloor_ = 0;
    hovered_ = std::min(hovered_, static_cast<int>(panel_.bars.size()) - 1);
    relayout();
}

void PanelChart::setWidth(double width) {
    const QSizeF wanted(width, heightFor(panel_, width));
    if (wanted == size()) return;
    resize(wanted);
    relayout();
}

void PanelChart::setForExport(bool asPaths) {
    for (DecorationItem* item : {below_, above_})
        item->setForExport(asPaths);
}

void PanelChart::setHovered(int bar) {
    if (hovered_ == bar) return;
    hovered_ = bar;
    below_->update();
}

void PanelChart::setSelected(std::vector<std::string> keys) {
    if (selected_ == keys) return;
    selected_ = std::move(keys);
    repaintDecoration();
}

bool PanelChart::isSelected(int bar) const {
    if (bar < 0) return false;
    const std::string& key = panel_.bars[static_cast<std::size_t>(bar)].key;
    return std::find(selected_.begin(), selected_.end(), key) != selected_.end();
}

void PanelChart::repaintDecoration() {
    below_->update();
    above_->update();
}

void PanelChart::relayout() {
    if (size().width() <= 0) return;
    const double width = size().width();
    if (size().height() != heightFor(panel_, width)) resize(width, heightFor(panel_, width));
    layout_ = layOut(panel_, width, *tokens_, axisFloor_);
    if (anyActive(panel_) && layout_.axis.max > axisFloor_) {
        axisFloor_ = layout_.axis.max * kGrowth;
        layout_ = layOut(panel_, width, *tokens_, axisFloor_);
    }
    if (sets_.size() != layout_.rows.size() || series_ == nullptr) rebuildSeries();
    values_->setGridLinePen(QPen(tokens_->grid, 1));
    bool moved = plotArea() != layout_.plot;
    if (moved) setPlotArea(layout_.plot);
    if (values_->max() != layout_.axis.max || values_->tickInterval() != layout_.axis.step) {
        values_->setTickInterval(layout_.axis.step);
        values_->setRange(0, layout_.axis.max);
        moved = true;
    }
    if (moved) {
        layout()->invalidate();
        layout()->activate();
    }
    fillSeries();
    repaintDecoration();
}

void PanelChart::rebuildSeries() {
    if (series_ != nullptr) {
        removeSeries(series_);
        delete series_;
    }
    sets_.clear();
    series_ = new QHorizontalStackedBarSeries(this);
    const auto rows = static_cast<int>(layout_.rows.size());
    QStringList names;
    for (int row = 0; row < rows; ++row) {
        auto* set = new QBarSet(QString::number(row), series_);
        for (int category = 0; category < rows; ++category)
            *set << 0.0;
        set->setPen(Qt::NoPen);
        series_->append(set);
        sets_.push_back(set);
        names << QString::number(row);
    }
    addSeries(series_);
    categories_->setCategories(names);
    series_->attachAxis(values_);
    series_->attachAxis(categories_);
}

void PanelChart::fillSeries() {
    series_->setBarWidth(layout_.barHeight / layout_.slotHeight);
    const auto rows = static_cast<int>(sets_.size());
    for (int i = 0; i < rows; ++i) {
        const RowLayout& row = layout_.rows[static_cast<std::size_t>(i)];
        QBarSet* set = sets_[static_cast<std::size_t>(i)];
        double value = 0;
        QColor color = Qt::transparent;
        if (row.bar >= 0) {
            const Bar& bar = panel_.bars[static_cast<std::size_t>(row.bar)];
            // Clamped here, because an SVG is not clipped.
            if (bar.hasValue()) value = std::min(bar.step.median, layout_.axis.max);
            // Bars that don't count are drawn by the decoration, hatched.
            if (bar.counts()) color = tokens_->of(bar.series);
            if (bar.state == BarState::Active) color = mix(color, tokens_->surface, 0.35);
        }
        if (set->brush().color() != color) set->setBrush(color);
        // Every replace() is a synchronous layout of the series.
        if (set->at(rows - 1 - i) != value) set->replace(rows - 1 - i, value);
    }
}

}  // namespace aether::ui
