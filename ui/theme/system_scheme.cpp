// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/system_scheme.h"

#include <QGuiApplication>
#include <QPalette>
#include <QStyleHints>
#include <QVariant>

#ifdef AETHER_HAVE_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace aether::ui {
namespace {

constexpr uint kPortalDark = 1;  // 0: no preference, 2: light

Theme themeOfPalette() {
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window).lightness() <
                   palette.color(QPalette::WindowText).lightness()
               ? Theme::Dark
               : Theme::Light;
}

}  // namespace

SystemScheme::SystemScheme(QObject* parent) : QObject(parent), theme_(themeOfPalette()) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    QStyleHints* hints = QGuiApplication::styleHints();
    const auto take = [this, hints] {
        if (hints->colorScheme() != Qt::ColorScheme::Unknown)
            update(hints->colorScheme() == Qt::ColorScheme::Dark ? Theme::Dark : Theme::Light);
    };
    take();
    connect(hints, &QStyleHints::colorSchemeChanged, this, take);
#elif defined(AETHER_HAVE_DBUS)
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(QStringLiteral("org.freedesktop.portal.Desktop"),
                QStringLiteral("/org/freedesktop/portal/desktop"),
                QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("SettingChanged"),
                this, SLOT(onPortalChanged(QString, QString)));
    askPortal();
#endif
}

void SystemScheme::onPortalChanged(const QString& group, const QString& key) {
    if (group == QLatin1String("org.freedesktop.appearance") &&
        key == QLatin1String("color-scheme"))
        askPortal();
}

/// Asynchronous: a hanging portal must not delay the window.
void SystemScheme::askPortal() {
#if QT_VERSION < QT_VERSION_CHECK(6, 5, 0) && defined(AETHER_HAVE_DBUS)
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.portal.Desktop"),
        QStringLiteral("/org/freedesktop/portal/desktop"),
        QStringLiteral("org.freedesktop.portal.Settings"), QStringLiteral("Read"));
    call << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QVariant> reply = *watcher;
        watcher->deleteLater();
        if (reply.isError()) return;
        // The value comes wrapped once or twice, depending on the portal's version.
        QVariant value = reply.value();
        while (value.canConvert<QDBusVariant>())
            value = value.value<QDBusVariant>().variant();
        update(value.toUInt() == kPortalDark ? Theme::Dark : Theme::Light);
    });
#endif
}

void SystemScheme::update(Theme theme) {
    if (theme == theme_) return;
    theme_ = theme;
    Q_EMIT changed();
}

}  // namespace aether::ui
