// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/share_delegate.h"

#include <QPainter>

namespace aether::ui {
namespace {

enum Role { kLength = Qt::UserRole, kPhase, kPale };
constexpr int kTextWidth = 54;

}  // namespace

ShareDelegate::ShareDelegate(const Tokens& tokens, QObject* parent)
    : QStyledItemDelegate(parent), tokens_(tokens) {}

void ShareDelegate::set(QTableWidgetItem& item, double length, Phase phase, bool pale) {
    item.setData(kLength, length);
    item.setData(kPhase, static_cast<int>(phase));
    item.setData(kPale, pale);
}

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const double length = index.data(kLength).toDouble();
    const auto phase = static_cast<Phase>(index.data(kPhase).toInt());
    const QColor color =
        mix(tokens_.of(phase), tokens_.surface, index.data(kPale).toBool() ? 0.5 : 0);
    const double room = option.rect.width() - kTextWidth - 8;
    painter->fillRect(
        QRectF(option.rect.left() + 6, option.rect.center().y() - 3, room * length, 8), color);
}

}  // namespace aether::ui
