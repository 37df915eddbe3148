// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/theme_controller.h"

#include <QApplication>

#include "ui/settings.h"
#include "ui/theme/fonts.h"
#include "ui/theme/style.h"

namespace aether::ui {
namespace {

constexpr auto kKey = "theme";

ThemeChoice choiceNamed(const QString& name) {
    if (name == QLatin1String("light")) return ThemeChoice::Light;
    if (name == QLatin1String("dark")) return ThemeChoice::Dark;
    return ThemeChoice::System;
}

QString nameOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Light:
            return QStringLiteral("light");
        case ThemeChoice::Dark:
            return QStringLiteral("dark");
        case ThemeChoice::System:
            break;
    }
    return QStringLiteral("system");
}

}  // namespace

ThemeController::ThemeController(QObject* parent)
    : QObject(parent), choice_(choiceNamed(settings().value(QLatin1String(kKey)).toString())) {
    connect(&system_, &SystemScheme::changed, this, [this] {
        if (choice_ == ThemeChoice::System) apply();
    });
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setFont(uiFont(13));
    apply();
}

void ThemeController::choose(ThemeChoice choice) {
    choice_ = choice;
    settings().setValue(QLatin1String(kKey), nameOf(choice));
    apply();
}

Theme ThemeController::theme() const {
    switch (choice_) {
        case ThemeChoice::Light:
            return Theme::Light;
        case ThemeChoice::Dark:
            return Theme::Dark;
        case ThemeChoice::System:
            break;
    }
    return system_.theme();
}

void ThemeController::apply() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    // Title bar and native dialogs follow as well.
    QGuiApplication::styleHints()->setColorScheme(
        choice_ == ThemeChoice::System ? Qt::ColorScheme::Unknown
        : choice_ == ThemeChoice::Dark ? Qt::ColorScheme::Dark
                                       : Qt::ColorScheme::Light);
#endif
    QApplication::setPalette(paletteOf(tokens()));
    qApp->setStyleSheet(styleSheetOf(tokens()));
    Q_EMIT changed();
}

}  // namespace aether::ui
