// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QStyledItemDelegate>
#include <QTableWidgetItem>

#include "ui/theme/tokens.h"

namespace aether::ui {

/// A cell with a small bar at its left, in the colour of a phase, and its text at its right.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    ShareDelegate(const Tokens& tokens, QObject* parent);
    /// length in [0, 1]; `pale` for what is part of another row.
    static void set(QTableWidgetItem& item, double length, Phase phase, bool pale);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

  private:
    const Tokens& tokens_;
};

}  // namespace aether::ui
