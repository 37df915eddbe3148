// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "app/cli/exit_code.h"
#include "app/cli/print_result.h"
#include "app/cli/verbs.h"
#include "app/exchange.h"

namespace aether::app::cli {

void addShowVerb(CLI::App& app, Verb& chosen) {
    struct ShowArguments {
        std::vector<std::string> paths;
        std::string output = "table";
    };
    auto arguments = std::make_shared<ShowArguments>();
    CLI::App* show = app.add_subcommand("show", "Print saved results");
    show->add_option("files", arguments->paths, "Result files, and folders of them")
        ->type_name("FILE..")
        ->required();
    show->add_option("-o,--output", arguments->output, "What goes to stdout")
        ->type_name("FORMAT")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "json", "jsonl", "csv", "md"}));
    show->footer(
        "Examples:\n"
        "  aether-bench show results/*.json -o md\n"
        "  aether-bench show resources/published\n"
        "breakdown_X.json and torch_X.json of one folder are shown as one result. A file that "
        "can't be read is named and skipped (exit code 4).");
    show->callback([arguments, &chosen] {
        chosen = [arguments] {
            const SavedResults saved =
                readResults({arguments->paths.begin(), arguments->paths.end()});
            const bool text = arguments->output == "table" || arguments->output == "md";
            bool first = true;
            for (const SavedResult& one : saved.results) {
                if (text && !first) std::cout << '\n';
                printResult(one.result, arguments->output, first);
                first = false;
            }
            for (const std::string& problem : saved.problems)
                std::cerr << "aether-bench: " << problem << '\n';
            return saved.problems.empty() ? kFine : kInvalidInput;
        };
    });
}

}  // namespace aether::app::cli
