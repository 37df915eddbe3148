// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>

#include "app/report/run_details.h"
#include "ui/theme/tokens.h"

namespace aether::ui {

Phase phaseNamed(const std::string& phase);
QString phaseTitle(Phase phase);

/// The stages of one step as one bar in the colours of their phases, with each phase's share of the
/// step; what no stage accounts for stays empty.
class StageBar : public QWidget {
    Q_OBJECT
  public:
    explicit StageBar(QWidget* parent = nullptr);
    /// `scaleMs`: the time of the whole width; the step's by default. Two bars to be compared get
    /// the same.
    void setBreakdown(const app::Breakdown& breakdown, double scaleMs = 0);
    void setTokens(const Tokens& tokens);
    QSize sizeHint() const override { return {200, 58}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<QRectF> segments() const;

    app::Breakdown breakdown_;
    double scaleMs_ = 0;
    const Tokens* tokens_;
};

}  // namespace aether::ui
