// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/sample_chart.h"

#include <QAreaSeries>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/figure/axis.h"
#include "ui/theme/fonts.h"

namespace aether::ui {
namespace {

constexpr int kBins = 28;
constexpr double kStripHeight = 1.0;      // of the dots, in units of the vertical axis
constexpr double kHistogramHeight = 1.8;  // above them

struct Range {
    double low = 0, high = 1;
};

Range rangeOf(const std::vector<RoundSample>& samples) {
    std::vector<double> values;
    for (const RoundSample& sample : samples) {
        if (sample.stepNs > 0 && std::isfinite(sample.stepNs))
            values.push_back(sample.stepNs / 1e6);
    }
    if (values.empty()) return {};
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double margin = std::max((*high - *low) * 0.06, *high * 0.002);
    return {*low - margin, *high + margin};
}

/// A staircase over the bins, its highest step kHistogramHeight.
QAreaSeries* histogram(const std::vector<RoundSample>& samples, const Range& range, QChart* chart) {
    std::vector<int> counts(kBins, 0);
    const double width = (range.high - range.low) / kBins;
    for (const RoundSample& sample : samples) {
        if (!sample.valid()) continue;
        const auto bin = static_cast<int>((sample.stepNs / 1e6 - range.low) / width);
        ++counts[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))];
    }
    const int most = std::max(1, *std::max_element(counts.begin(), counts.end()));
    auto* top = new QLineSeries(chart);
    auto* bottom = new QLineSeries(chart);
    for (int i = 0; i < kBins; ++i) {
        const double y =
            kStripHeight + kHistogramHeight * counts[static_cast<std::size_t>(i)] / most;
        top->append(range.low + i * width, y);
        top->append(range.low + (i + 1) * width, y);
    }
    bottom->append(range.low, kStripHeight);
    bottom->append(range.high, kStripHeight);
    return new QAreaSeries(top, bottom);
}

QScatterSeries* dots(const std::vector<RoundSample>& samples, bool valid) {
    auto* series = new QScatterSeries;
    const auto count = static_cast<double>(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i].valid() != valid || !(samples[i].stepNs > 0)) continue;
        // Earlier rounds above later ones.
        const double y = kStripHeight * (1 - (static_cast<double>(i) + 0.75) / (count + 0.5));
        series->append(samples[i].stepNs / 1e6, y);
    }
    return series;
}

}  // namespace

SampleChart::SampleChart(QWidget* parent) : QChartView(parent) {
    setFixedHeight(150);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Samples, milliseconds per step"));
}

void SampleChart::show(const std::vector<RoundSample>& samples, Series series,
                       const Tokens& tokens) {
    auto* chart = new QChart;
    chart->legend()->hide();
    chart->setMargins({0, 0, 0, 0});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundVisible(false);
    const Range range = rangeOf(samples);
    const bool withHistogram = samples.size() >= kHistogramFrom;
    const QColor color = tokens.of(series);
    if (withHistogram) {
        QAreaSeries* area = histogram(samples, range, chart);
        area->setBrush(color);
        area->setPen(Qt::NoPen);
        chart->addSeries(area);
    }
    for (const bool valid : {true, false}) {
        QScatterSeries* scatter = dots(samples, valid);
        scatter->setMarkerSize(withHistogram ? 4 : 7);
        scatter->setColor(valid ? mix(color, tokens.surface, withHistogram ? 0.4 : 0)
                                : tokens.surface);
        scatter->setBorderColor(valid ? QColor(Qt::transparent) : tokens.danger);
        chart->addSeries(scatter);
    }
    auto* x = new QValueAxis;
    auto* y = new QValueAxis;
    chart->addAxis(x, Qt::AlignBottom);
    chart->addAxis(y, Qt::AlignLeft);
    const Axis ticks = axisFor({range.high - range.low}, 4);
    x->setTickType(QValueAxis::TicksDynamic);
    x->setTickAnchor(0);
    x->setTickInterval(ticks.step);
    x->setLabelFormat(QStringLiteral("%.%1f").arg(ticks.decimals));
    x->setRange(range.low, range.high);
    x->setLabelsFont(uiFont(11));
    x->setLabelsBrush(tokens.muted);
    x->setGridLinePen(QPen(tokens.grid, 1));
    x->setLinePen(QPen(tokens.axis, 1));
    y->setRange(0, kStripHeight + (withHistogram ? kHistogramHeight : 0));
    y->setVisible(false);
    for (QAbstractSeries* each : chart->series()) {
        each->attachAxis(x);
        each->attachAxis(y);
    }
    setFixedHeight(withHistogram ? 150 : 104);
    const QChart* before = this->chart();
    setChart(chart);
    delete before;
    setBackgroundBrush(tokens.surface);
}

}  // namespace aether::ui
