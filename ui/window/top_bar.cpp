// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/top_bar.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include "ui/window/labels.h"

namespace aether::ui {

TopBar::TopBar(ThemeController& theme, QMenu* menu, QWidget* parent)
    : QFrame(parent), theme_(theme), subject_(textLabel({}, 12, QFont::Normal, "muted")) {
    setObjectName(QStringLiteral("topBar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 9, 16, 9);
    row->setSpacing(8);
    row->addWidget(textLabel(tr("One training step"), 15, QFont::DemiBold));
    subject_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addSpacing(6);
    row->addWidget(subject_, 1);
    QToolButton* save = button(tr("Export…"), tr("Figure or table of what is shown (Ctrl+E)"));
    connect(save, &QToolButton::clicked, this, &TopBar::exportWanted);
    QToolButton* look = button(tr("Theme"), tr("Light, dark, or as the desktop"));
    look->setPopupMode(QToolButton::InstantPopup);
    look->setMenu(themeMenu());
    menu_ = button(tr("Menu"), tr("F10"));
    menu_->setPopupMode(QToolButton::InstantPopup);
    menu_->setMenu(menu);
}

void TopBar::setSubject(const QString& text) {
    subject_->setText(text);
}

void TopBar::openMenu() {
    menu_->showMenu();
}

QToolButton* TopBar::button(const QString& title, const QString& hint) {
    auto* out = new QToolButton;
    out->setText(title);
    out->setToolTip(hint);
    out->setFocusPolicy(Qt::StrongFocus);
    layout()->addWidget(out);
    return out;
}

QMenu* TopBar::themeMenu() {
    auto* menu = new QMenu(this);
    auto* group = new QActionGroup(menu);
    const std::pair<QString, ThemeChoice> choices[] = {{tr("As the &system"), ThemeChoice::System},
                                                       {tr("&Light"), ThemeChoice::Light},
                                                       {tr("&Dark"), ThemeChoice::Dark}};
    for (const auto& [title, choice] : choices) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(theme_.choice() == choice);
        group->addAction(action);
        connect(action, &QAction::triggered, this,
                [this, choice = choice] { theme_.choose(choice); });
    }
    return menu;
}

}  // namespace aether::ui
