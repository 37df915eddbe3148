// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QTemporaryDir>

#include "app/support.h"
#include "ui/figure/panel_view.h"
#include "ui/theme/fonts.h"

int main(int argc, char** argv) {
    // The settings and results of whoever runs the tests are none of their business.
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", (home.path() + QStringLiteral("/config")).toUtf8());
    qputenv("XDG_DATA_HOME", (home.path() + QStringLiteral("/data")).toUtf8());
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    qputenv(aether::app::test::kTestMark,
            QByteArray::number(QCoreApplication::applicationPid()) + ".");
    aether::ui::loadFonts();
    QAccessible::installFactory(aether::ui::panelAccessibleFactory);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
