// SPDX-License-Identifier: GPL-3.0-only
// The parts of the inspector, each made for one run or for two.
#pragma once

#include <QWidget>
#include <optional>

#include "app/report/run_details.h"
#include "ui/figure/panel.h"

namespace aether::ui {

/// Name, configuration and device, the three figures, and what is wrong with the run, if anything.
QWidget* headSection(const Bar& bar, const QString& device);
/// Stacked bar and table; says why when there is no breakdown.
QWidget* stageSection(const aether::Run& run, const Tokens& tokens);
/// Two breakdowns on one scale and a table with both times and their ratio.
QWidget* stagePairSection(const aether::Run& left, const QString& leftName,
                          const aether::Run& right, const QString& rightName, const Tokens& tokens);
QWidget* sampleSection(const aether::Run& run, Series series, const Tokens& tokens);
/// Label and value, selectable. With two lists, values that differ stand below each other.
QWidget* detailSection(const QString& heading, const app::Details& left,
                       const app::Details* right = nullptr);

}  // namespace aether::ui
