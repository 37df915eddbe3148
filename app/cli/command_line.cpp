// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>

#include "app/cli/exit_code.h"
#include "app/cli/verbs.h"
#include "common/failure.h"
#include "common/version.h"

namespace aether::app::cli {

int runCommandLine(int argc, char** argv, const Graphics& graphics) {
    CLI::App app{
        "Aether Bench: how long does one training step take here, in this engine and in PyTorch?",
        "aether-bench"};
    app.set_version_flag("--version", std::string("aether-bench ") + kVersion + " (" + kCommit +
                                          (kDirty ? ", dirty)" : ")"));
    app.require_subcommand(0, 1);
    app.footer(
        "Data goes to stdout, everything else to stderr.\n"
        "Exit codes: 0 fine, 1 a variant failed, parity failed or compare found a regression, 2 "
        "usage, 3 nothing measured, 4 invalid input, 130 interrupted.");
    Verb chosen;
    addRunVerb(app, chosen, {argv, argv + argc}, graphics.writeChart);
    addVerifyVerb(app, chosen);
    addTrainVerb(app, chosen);
    addDevicesVerb(app, chosen);
    addRunnersVerb(app, chosen);
    addShowVerb(app, chosen);
    addCompareVerb(app, chosen);
    addExportVerb(app, chosen);
    addDataVerb(app, chosen);
    if (graphics.addVerb) graphics.addVerb(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kFine : kUsage;
    }
    if (!chosen) {
        std::cerr << app.help();
        return kUsage;
    }
    try {
        return chosen();
    } catch (const Failure& failure) {
        std::cerr << "aether-bench: " << failure.what() << '\n';
        return failure.kind() == FailureKind::Usage ? kUsage : kInvalidInput;
    } catch (const std::exception& error) {
        std::cerr << "aether-bench: " << error.what() << '\n';
        return kInvalidInput;
    }
}

}  // namespace aether::app::cli
