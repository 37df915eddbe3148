// SPDX-License-Identifier: GPL-3.0-only
#include <QCoreApplication>

#include "app/cli/command_line.h"

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    return aether::app::cli::runCommandLine(argc, argv);
}
