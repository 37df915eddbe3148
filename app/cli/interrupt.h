// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace aether::app::cli {

/// Ctrl-C, SIGTERM and SIGHUP as a Qt signal. A second one ends the program at once, as the kernel
/// would (children die with it: process_group.h).
class Interrupt : public QObject {
    Q_OBJECT
  public:
    explicit Interrupt(QObject* parent = nullptr);
    ~Interrupt() override;
    bool seen() const { return seen_; }

  Q_SIGNALS:
    void raised();

  private:
    int pipe_[2] = {-1, -1};
    std::unique_ptr<QSocketNotifier> notifier_;
    bool seen_ = false;
};

}  // namespace aether::app::cli
