// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "app/cli/exit_code.h"
#include "app/cli/verbs.h"
#include "app/exchange.h"
#include "common/result.h"

namespace aether::app::cli {

void addExportVerb(CLI::App& app, Verb& chosen) {
    struct ExportArguments {
        std::string result, folder;
    };
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* verb = app.add_subcommand(
        "export", "Write a result as exchange pairs: breakdown_DEVICE.json and torch_DEVICE.json");
    verb->add_option("result", arguments->result, "Result file")->type_name("FILE")->required();
    verb->add_option("--to", arguments->folder, "Folder of the pairs, made when missing")
        ->type_name("DIR")
        ->required();
    verb->footer(
        "Example:\n  aether-bench export results/20261130-150355_CPU_cifar10-v1.json --to pairs\n"
        "Prints the new files. An existing file is never overwritten.");
    verb->callback([arguments, &chosen] {
        chosen = [arguments] {
            SavedResults saved = readResults({arguments->result});
            for (const std::string& problem : saved.problems)
                std::cerr << "aether-bench: " << problem << '\n';
            if (!saved.problems.empty()) return kInvalidInput;
            for (const SavedResult& one : saved.results) {
                for (const auto& file : writeExchange(one.result, arguments->folder))
                    std::cout << file.string() << '\n';
            }
            return kFine;
        };
    });
}

}  // namespace aether::app::cli
