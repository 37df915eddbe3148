// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <vector>

#include "app/discovery.h"

class QWidget;

namespace aether::ui {

/// Versions of everything that takes part, and the licences.
void showAbout(QWidget* parent, const std::vector<app::RunnerInfo>& runners);
/// Every key the window knows.
void showKeyboardHelp(QWidget* parent);

}  // namespace aether::ui
