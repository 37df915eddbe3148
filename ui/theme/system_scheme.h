// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>

#include "ui/theme/tokens.h"

namespace aether::ui {

/// Whether the desktop wants light or dark. Qt 6.5 and later say so (QStyleHints::colorScheme);
/// before, the desktop portal's org.freedesktop.appearance is asked and listened to; without a
/// portal the palette at start decides.
class SystemScheme : public QObject {
    Q_OBJECT
  public:
    /// Before the application's palette is replaced.
    explicit SystemScheme(QObject* parent = nullptr);
    Theme theme() const { return theme_; }

  Q_SIGNALS:
    void changed();

  private Q_SLOTS:
    void onPortalChanged(const QString& group, const QString& key);

  private:
    void update(Theme theme);
    void askPortal();

    Theme theme_;
};

}  // namespace aether::ui
