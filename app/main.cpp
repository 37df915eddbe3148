// SPDX-License-Identifier: GPL-3.0-only
// The program: without arguments the window, with a verb the terminal. The only file that knows
// both.
#include <QCoreApplication>

#include "app/cli/command_line.h"

#ifdef AETHER_HAVE_WINDOW
#include "ui/launch.h"
#endif

int main(int argc, char** argv) {
#ifdef AETHER_HAVE_WINDOW
    if (aether::ui::needsGraphics(argc, argv)) return aether::ui::launch(argc, argv);
#endif
    const QCoreApplication application(argc, argv);
    return aether::app::cli::runCommandLine(argc, argv);
}
