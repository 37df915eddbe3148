// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/stage_bar.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "app/text.h"
#include "ui/theme/fonts.h"
#include "ui/tool_tip.h"

namespace aether::ui {
namespace {

constexpr double kTop = 4, kHeight = 22;

QString stageText(const app::StageRow& row) {
    return QString::fromStdString(row.name + ": " + app::fixed(row.wallMs, 3) + " ms, " +
                                  app::percent(row.share));
}

}  // namespace

Phase phaseNamed(const std::string& phase) {
    if (phase == "forward") return Phase::Forward;
    if (phase == "backward") return Phase::Backward;
    return phase == "optimizer" ? Phase::Optimizer : Phase::Other;
}

QString phaseTitle(Phase phase) {
    switch (phase) {
        case Phase::Forward:
            return StageBar::tr("Forward");
        case Phase::Backward:
            return StageBar::tr("Backward");
        case Phase::Optimizer:
            return StageBar::tr("Optimizer");
        case Phase::Other:
            break;
    }
    return StageBar::tr("Other");
}

StageBar::StageBar(QWidget* parent) : QWidget(parent), tokens_(&Tokens::get(Theme::Light)) {
    setFixedHeight(58);
    setAccessibleName(tr("Share of forward, backward and optimizer"));
}

void StageBar::setBreakdown(const app::Breakdown& breakdown, double scaleMs) {
    breakdown_ = breakdown;
    scaleMs_ = scaleMs > 0 ? scaleMs : std::max(breakdown.stepMs, breakdown.sumMs);
    QStringList parts;
    for (const app::StageRow& row : breakdown_.rows) {
        if (row.depth == 0) parts << stageText(row);
    }
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    update();
}

void StageBar::setTokens(const Tokens& tokens) {
    tokens_ = &tokens;
    update();
}

/// One rectangle for each row of depth 0, in order.
std::vector<QRectF> StageBar::segments() const {
    std::vector<QRectF> out;
    double x = 0;
    for (const app::StageRow& row : breakdown_.rows) {
        if (row.depth > 0) continue;
        const double length = scaleMs_ > 0 ? row.wallMs / scaleMs_ * width() : 0;
        out.emplace_back(x, kTop, length, kHeight);
        x += length;
    }
    return out;
}

void StageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens_->track);
    painter.drawRoundedRect(QRectF(0, kTop, width(), kHeight), 2, 2);
    struct Group {
        double from = -1, milliseconds = 0;
    };
    std::map<Phase, Group> groups;
    const std::vector<QRectF> areas = segments();
    std::size_t i = 0;
    for (const app::StageRow& row : breakdown_.rows) {
        if (row.depth > 0) continue;
        const QRectF& area = areas[i++];
        const Phase phase = phaseNamed(row.phase);
        painter.fillRect(area.adjusted(0, 0, area.width() > 2 ? -1 : 0, 0), tokens_->of(phase));
        Group& group = groups[phase];
        if (group.from < 0) group.from = area.left();
        group.milliseconds += row.wallMs;
    }
    double free = 0;  // labels of narrow phases move right instead of covering each other
    for (const auto& [phase, group] : groups) {
        const QFont small = uiFont(11), bold = uiFont(11, QFont::DemiBold);
        const QString title = phaseTitle(phase);
        const QString share = QString::fromStdString(
            app::percent(breakdown_.stepMs > 0 ? group.milliseconds / breakdown_.stepMs : 0, 0));
        const double wide = std::max(QFontMetricsF(small).horizontalAdvance(title),
                                     QFontMetricsF(bold).horizontalAdvance(share));
        const double x = std::max(free, std::min(group.from, width() - wide));
        painter.setFont(small);
        painter.setPen(tokens_->muted);
        painter.drawText(QPointF(x, 41), title);
        painter.setFont(bold);
        painter.setPen(tokens_->text);
        painter.drawText(QPointF(x, 55), share);
        free = x + wide + 10;
    }
}

bool StageBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<QRectF> areas = segments();
    std::size_t i = 0;
    for (const app::StageRow& row : breakdown_.rows) {
        if (row.depth > 0) continue;
        if (areas[i++].contains(help->pos())) {
            QToolTip::showText(help->globalPos(), plainToolTip(stageText(row)), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

}  // namespace aether::ui
