// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QLayout>
#include <vector>

namespace aether::ui {

/// Items side by side, wrapped into as many lines as the width asks for.
class FlowLayout : public QLayout {
  public:
    explicit FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& area) override;

  private:
    int arrange(const QRect& area, bool move) const;

    std::vector<QLayoutItem*> items_;
};

}  // namespace aether::ui
