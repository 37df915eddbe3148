// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/panel_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/tool_tip.h"

namespace aether::ui {

PanelView::PanelView(QWidget* parent) : QGraphicsView(parent), chart_(new PanelChart) {
    scene_.addItem(chart_);
    scene_.setItemIndexMethod(QGraphicsScene::NoIndex);
    setScene(&scene_);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    setStyleSheet(QStringLiteral("background: transparent"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PanelView::setPanel(const ui::Panel& panel) {
    chart_->setPanel(panel);
    setAccessibleName(tr("%1 results").arg(panel.title));
    current_ = std::min(current_, static_cast<int>(panel.bars.size()) - 1);
    scene_.setSceneRect(QRectF(QPointF(), chart_->size()));
}

int PanelView::heightForWidth(int width) const {
    return qRound(heightFor(chart_->panel(), width));
}

QSize PanelView::sizeHint() const {
    return {480, heightForWidth(480)};
}

QRect PanelView::barArea(int bar) const {
    const int row = chart_->panelLayout().rowOf(bar);
    if (row < 0) return {};
    const QRectF slot = chart_->panelLayout().rows[static_cast<std::size_t>(row)].slot;
    return mapFromScene(slot).boundingRect();
}

int PanelView::barAt(const QPoint& position) const {
    const PanelLayout& layout = chart_->panelLayout();
    const int row = layout.rowAt(mapToScene(position).y());
    return row < 0 ? -1 : layout.rows[static_cast<std::size_t>(row)].bar;
}

void PanelView::moveTo(int bar) {
    current_ = bar;
    chart_->setHovered(bar);
    setAccessibleDescription(sentenceOf(chart_->panel().bars[static_cast<std::size_t>(bar)]));
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(bar);
    QAccessible::updateAccessibility(&event);
}

void PanelView::choose(int bar, bool add) {
    moveTo(bar);
    Q_EMIT barChosen(chart_->panel().bars[static_cast<std::size_t>(bar)].key, add);
}

void PanelView::resizeEvent(QResizeEvent*) {
    chart_->setWidth(viewport()->width());
    scene_.setSceneRect(QRectF(QPointF(), chart_->size()));
}

void PanelView::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(chart_->panel().bars.size()) - 1;
    if (last < 0) return QGraphicsView::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Down:
            return moveTo(std::min(current_ + 1, last));
        case Qt::Key_Up:
            return moveTo(std::max(current_ - 1, 0));
        case Qt::Key_Home:
            return moveTo(0);
        case Qt::Key_End:
            return moveTo(last);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return choose(std::max(current_, 0), event->modifiers() & Qt::ControlModifier);
        case Qt::Key_Space:
            return choose(std::max(current_, 0), true);
        default:
            QGraphicsView::keyPressEvent(event);
    }
}

void PanelView::paintEvent(QPaintEvent* event) {
    QGraphicsView::paintEvent(event);
    if (!hasFocus()) return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(chart_->tokens().accent, 2));
    painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 12, 12);
}

void PanelView::mousePressEvent(QMouseEvent* event) {
    const int bar = barAt(event->pos());
    if (bar < 0 || event->button() != Qt::LeftButton) return QGraphicsView::mousePressEvent(event);
    choose(bar, event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
}

void PanelView::mouseMoveEvent(QMouseEvent* event) {
    chart_->setHovered(barAt(event->pos()));
}

void PanelView::leaveEvent(QEvent*) {
    chart_->setHovered(hasFocus() ? current_ : -1);
}

void PanelView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    if (current_ >= 0) chart_->setHovered(current_);
    viewport()->update();
}

void PanelView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    chart_->setHovered(-1);
    viewport()->update();
}

/// The scroll area around the panels scrolls, never a panel in itself.
void PanelView::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

bool PanelView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int bar = barAt(help->pos());
        if (bar >= 0) {
            QToolTip::showText(
                help->globalPos(),
                plainToolTip(sentenceOf(chart_->panel().bars[static_cast<std::size_t>(bar)])), this,
                barArea(bar));
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

}  // namespace aether::ui
