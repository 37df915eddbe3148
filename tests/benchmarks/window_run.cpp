// SPDX-License-Identifier: GPL-3.0-only
// One session of the engine in the real window, for window_or_terminal.py: window_run ROUNDS prints
// the path of the result.
#include <QApplication>
#include <cstdlib>
#include <iostream>

#include "ui/theme/fonts.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"

int main(int argc, char** argv) {
    using namespace aether;
    QApplication application(argc, argv);
    ui::loadFonts();
    ui::ThemeController theme;
    ui::MainWindow window(theme);
    window.resize(1280, 800);
    window.show();
    QObject::connect(&window.controller(), &ui::RunController::runnersChanged, &window, [&] {
        app::SessionOptions options = window.runPage().options();
        options.plan.frameworks = {"aether"};
        options.plan.layouts = {};
        options.plan.modes = {};
        options.plan.precisions = {"fp32"};
        options.rounds = argc > 1 ? std::atoi(argv[1]) : options.rounds;
        options.verify = options.profile = false;
        window.controller().start(options);
    });
    QObject::connect(&window.controller(), &ui::RunController::finished, &window, [&] {
        std::cout << window.controller().resultFile().string() << std::endl;
        QApplication::exit(0);
    });
    return QApplication::exec();
}
