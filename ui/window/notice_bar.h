// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;

namespace aether::ui {

/// One line above the panels for what went wrong or can be undone; stays until it is dismissed or
/// replaced, never in the way.
class NoticeBar : public QFrame {
    Q_OBJECT
  public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void tell(const QString& sentence);
    void offer(const QString& sentence, const QString& action, std::function<void()> act);
    QString text() const;

  private:
    QLabel* label_;
    QPushButton* action_;
    std::function<void()> act_;
};

}  // namespace aether::ui
