// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>

#include "ui/theme/system_scheme.h"
#include "ui/theme/tokens.h"

namespace aether::ui {

enum class ThemeChoice { System, Light, Dark };

/// Which theme the window has: chosen, or the desktop's. Gives the application its palette, font
/// and style sheet, and remembers the choice.
class ThemeController : public QObject {
    Q_OBJECT
  public:
    explicit ThemeController(QObject* parent = nullptr);

    ThemeChoice choice() const { return choice_; }
    void choose(ThemeChoice choice);
    Theme theme() const;
    const Tokens& tokens() const { return Tokens::get(theme()); }

  Q_SIGNALS:
    void changed();

  private:
    void apply();

    SystemScheme system_;
    ThemeChoice choice_;
};

}  // namespace aether::ui
