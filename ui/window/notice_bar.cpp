// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/notice_bar.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/window/labels.h"

namespace aether::ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent), label_(textLabel({}, 12.5)), action_(new QPushButton) {
    setObjectName(QStringLiteral("notice"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 6, 12, 6);
    row->setSpacing(10);
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(label_, 1);
    row->addWidget(action_);
    auto* dismiss = new QPushButton(tr("Dismiss"));
    row->addWidget(dismiss);
    connect(dismiss, &QPushButton::clicked, this, &QWidget::hide);
    connect(action_, &QPushButton::clicked, this, [this] {
        hide();
        if (act_) act_();
    });
    hide();
}

void NoticeBar::tell(const QString& sentence) {
    offer(sentence, {}, {});
}

void NoticeBar::offer(const QString& sentence, const QString& action, std::function<void()> act) {
    label_->setText(sentence);
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    act_ = std::move(act);
    show();
}

QString NoticeBar::text() const {
    return isHidden() ? QString() : label_->text();
}

}  // namespace aether::ui
