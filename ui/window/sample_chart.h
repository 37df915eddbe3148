// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QChartView>

#include "common/result.h"
#include "ui/theme/tokens.h"

namespace aether::ui {

/// Every sample of a run as a dot in the order of the rounds, invalid ones hollow; from
/// kHistogramFrom samples on with a histogram above.
class SampleChart : public QChartView {
    Q_OBJECT
  public:
    static constexpr std::size_t kHistogramFrom = 20;

    explicit SampleChart(QWidget* parent = nullptr);
    void show(const std::vector<RoundSample>& samples, Series series, const Tokens& tokens);
};

}  // namespace aether::ui
