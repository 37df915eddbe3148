// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/verbs.h"
#include "app/exchange.h"
#include "app/report/comparison_writers.h"
#include "app/text.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace {

struct CompareArguments {
    std::string baseline, candidate;
    std::string failOn;
    bool force = false;
    std::string output = "table";
};

/// "median:5%" → 0.05. Throws Failure(Usage).
double parseFailOn(const std::string& text) {
    const std::string metric = "median:";
    if (!text.starts_with(metric) || text.size() == metric.size()) {
        throw Failure(FailureKind::Usage,
                      "--fail-on: \"" + text + "\" is not of the form median:5%");
    }
    return parseShare(text.substr(metric.size()), "--fail-on");
}

/// Everything that a path holds; nothing may be missing from a side that is compared.
std::vector<Result> side(const std::string& path) {
    SavedResults saved = readResults({path});
    if (!saved.problems.empty())
        throw Failure(FailureKind::Internal, join(saved.problems, "\naether-bench: "));
    std::vector<Result> results;
    for (SavedResult& one : saved.results)
        results.push_back(std::move(one.result));
    return results;
}

void write(const ComparisonReport& report, const std::string& format) {
    if (format == "json") {
        writeComparisonJson(std::cout, report);
    } else if (format == "csv") {
        writeComparisonCsv(std::cout, report);
    } else if (format == "md") {
        writeComparisonMarkdown(std::cout, report);
    } else {
        writeComparisonTable(std::cout, report, outputWidth());
    }
    std::cout.flush();
}

int compare(const CompareArguments& arguments) {
    std::optional<double> share;
    if (!arguments.failOn.empty()) share = parseFailOn(arguments.failOn);
    const std::vector<Result> baseline = side(arguments.baseline);
    const std::vector<Result> candidate = side(arguments.candidate);
    ComparisonReport report{arguments.baseline, arguments.candidate, {}, {}};
    report.comparison = compareResults(baseline, candidate, arguments.force);
    if (share) report.regressions = regressions(report.comparison, *share);
    write(report, arguments.output);
    if (report.comparison.matches.empty()) {
        std::cerr << "aether-bench: nothing to compare: no variant was measured in both\n";
        return kNothingMeasured;
    }
    for (const std::string& warning : report.comparison.warnings)
        std::cerr << "aether-bench: A and B differ: " << warning << '\n';
    if (!report.regressions.empty()) return kRegression;
    if (!refused(report.comparison)) return kFine;
    std::cerr << "aether-bench: no verdict where A and B differ; --force compares all the same\n";
    return share ? kInvalidInput : kFine;
}

}  // namespace

void addCompareVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App* verb = app.add_subcommand(
        "compare", "Compare two saved results, a baseline A and a candidate B, run by run");
    verb->add_option("baseline", arguments->baseline, "Result file, or folder of result files")
        ->type_name("A")
        ->required();
    verb->add_option("candidate", arguments->candidate, "The same, of the newer measurement")
        ->type_name("B")
        ->required();
    verb->add_option(
            "--fail-on", arguments->failOn,
            "Exit with 1 when a variant's median grew by more than this, such as median:5%")
        ->type_name("METRIC:SHARE");
    verb->add_flag("--force", arguments->force,
                   "Give verdicts although workload, batch, threads, data or device differ");
    verb->add_option("-o,--output", arguments->output, "What goes to stdout")
        ->type_name("FORMAT")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "json", "csv", "md"}));
    verb->footer(
        "Examples:\n"
        "  aether-bench compare before.json after.json\n"
        "  aether-bench compare before.json after.json --fail-on median:5% -o md\n"
        "The ratio is A's median to B's: above 1, B is faster. Samples of two sessions share no "
        "rounds, so they are compared unpaired; a verdict needs 4 valid samples on each side, or 3 "
        "and 5.\n"
        "Exit codes: 1 a median grew by more than --fail-on allows, or is gone; 3 nothing to "
        "compare; 4 a file can't be read, or --fail-on has nothing comparable to judge.");
    verb->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

}  // namespace aether::app::cli
