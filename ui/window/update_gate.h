// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>

namespace aether::ui {

/// Closed while a block is being timed: then this process paints nothing and wakes up for nothing,
/// because the device under test may be the one that draws.
class UpdateGate : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    bool closed() const { return closed_; }
    void setClosed(bool closed) {
        if (closed == closed_) return;
        closed_ = closed;
        Q_EMIT changed(closed);
    }

  Q_SIGNALS:
    void changed(bool closed);

  private:
    bool closed_ = false;
};

}  // namespace aether::ui
