// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QFrame>

#include "ui/theme/theme_controller.h"

class QLabel;
class QMenu;
class QToolButton;

namespace aether::ui {

/// What is shown, export, theme, and the menu that the window gives it.
class TopBar : public QFrame {
    Q_OBJECT
  public:
    TopBar(ThemeController& theme, QMenu* menu, QWidget* parent = nullptr);
    void setSubject(const QString& text);
    void openMenu();

  Q_SIGNALS:
    void exportWanted();

  private:
    QToolButton* button(const QString& title, const QString& hint);
    QMenu* themeMenu();

    ThemeController& theme_;
    QLabel* subject_;
    QToolButton* menu_;
};

}  // namespace aether::ui
