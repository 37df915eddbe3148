// SPDX-License-Identifier: GPL-3.0-only
#include "ui/launch.h"

#include <QAccessible>
#include <QApplication>
#include <QLibraryInfo>
#include <QTranslator>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "app/cli/command_line.h"
#include "app/cli/exit_code.h"
#include "app/paths.h"
#include "common/version.h"
#include "ui/figure/panel_view.h"
#include "ui/plot_verb.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace aether::ui {
namespace {

bool isWindow(int argc, char** argv) {
    return argc == 1 || std::strcmp(argv[1], "window") == 0;
}

bool draws(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "plot") == 0) return true;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--export-chart", 14) == 0) return true;
    }
    return false;
}

/// Qt would abort; a sentence helps more.
bool displayMissing() {
#ifdef Q_OS_LINUX
    return std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr &&
           std::getenv("QT_QPA_PLATFORM") == nullptr;
#else
    return false;
#endif
}

void installTranslations(QApplication& application) {
    for (const auto& [name, folder] :
         {std::pair{QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)},
          std::pair{QStringLiteral("aether-bench"),
                    QString::fromStdString(
                        (app::resourceRoot() / "resources" / "translations").string())}}) {
        auto* translator = new QTranslator(&application);
        if (translator->load(QLocale(), name, QStringLiteral("_"), folder))
            QApplication::installTranslator(translator);
    }
}

int showWindow(int argc, char** argv) {
    if (displayMissing()) {
        std::cerr
            << "aether-bench: there is no display for the window (DISPLAY and WAYLAND_DISPLAY "
               "are not set); in a terminal: aether-bench run, aether-bench --help\n";
        return app::cli::kUsage;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("aether-bench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Aether Bench"));
    QApplication::setApplicationVersion(QString::fromLatin1(kVersion));
    QApplication::setDesktopFileName(QStringLiteral("org.aetherbench.AetherBench"));
    installTranslations(application);
    loadFonts();
    QAccessible::installFactory(panelAccessibleFactory);
    ThemeController theme;
    MainWindow window(theme);
    std::vector<std::filesystem::path> files(argv + std::min(argc, 2), argv + argc);
    if (!files.empty()) window.open(files);
    window.show();
    return QApplication::exec();
}

}  // namespace

bool needsGraphics(int argc, char** argv) {
    return isWindow(argc, argv) || draws(argc, argv);
}

int launch(int argc, char** argv) {
    if (isWindow(argc, argv)) return showWindow(argc, argv);
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const QApplication application(argc, argv);
    return app::cli::runCommandLine(argc, argv, {&addPlotVerb, &writeChart});
}

}  // namespace aether::ui
