// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QGraphicsScene>
#include <QGraphicsView>

#include "ui/figure/panel_chart.h"

class QAccessibleInterface;

namespace aether::ui {

/// A panel on the screen: the whole row of a bar is the target of the mouse, arrows move between
/// bars, Return selects, Control adds a second bar for a comparison, Space does the same from the
/// keyboard.
class PanelView : public QGraphicsView {
    Q_OBJECT
  public:
    explicit PanelView(QWidget* parent = nullptr);

    PanelChart* chart() const { return chart_; }
    void setPanel(const ui::Panel& panel);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    /// The bar that the keyboard acts on; -1: none yet.
    int current() const { return current_; }
    /// On the screen.
    QRect barArea(int bar) const;

  Q_SIGNALS:
    /// `add`: beside what is selected already.
    void barChosen(const std::string& key, bool add);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    int barAt(const QPoint& position) const;
    void moveTo(int bar);
    void choose(int bar, bool add);

    PanelChart* chart_;
    QGraphicsScene scene_;
    int current_ = -1;
};

/// One accessible child per bar: graphics items are invisible to assistive technology.
/// For QAccessible::installFactory.
QAccessibleInterface* panelAccessibleFactory(const QString& className, QObject* object);

}  // namespace aether::ui
