// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/discover.h"
#include "app/cli/event_loop.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/print_result.h"
#include "app/cli/verbs.h"
#include "app/paths.h"
#include "app/report/rows.h"
#include "app/result_store.h"
#include "app/session.h"
#include "app/text.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
    RunnerArguments runners;
    VariantArguments variants;
    int rounds = SessionOptions{}.rounds;
    std::string maxNoise;
    int relaunch = 0;
    double timeout = 0;
    double blockSeconds = 0.5;
    int settleMs = 250;
    std::string maxLoad = "50%";
    std::vector<std::string> ids;
    bool dryRun = false, noVerify = false, noProfile = false, aa = false;
    std::string output = "table";
    std::string exportJson, outputFolder, exportChart;
    std::string theme = "light";
    ChartWriter writeChart;
    std::vector<std::string> argv;

    SessionOptions options() const;
};

SessionOptions RunArguments::options() const {
    SessionOptions out = variants.options();
    if (aa) {
        out.plan.copies = 2;
        if (out.plan.frameworks.empty()) out.plan.frameworks = {"aether"};
    }
    out.plan.ids = ids;
    out.rounds = rounds;
    if (!maxNoise.empty()) out.maxNoise = parseShare(maxNoise, "--max-noise");
    out.relaunchEvery = relaunch;
    out.timeoutSeconds = timeout;
    out.blockSeconds = blockSeconds;
    out.settle = std::chrono::milliseconds(settleMs);
    out.loadLimit = parseShare(maxLoad, "--max-load");
    out.loadWarning = std::min(out.loadWarning, out.loadLimit);
    out.silence = runners.silence();
    out.verify = !noVerify;
    out.profile = !noProfile;
    out.argv = argv;
    return out;
}

int exitCode(const Result& result, const SessionOutcome& outcome) {
    switch (outcome.end) {
        case SessionEnd::InvalidInput:
            return kInvalidInput;
        case SessionEnd::Cancelled:
            return kInterrupted;
        case SessionEnd::NothingMeasured:
            return kNothingMeasured;
        case SessionEnd::Finished:
            break;
    }
    const bool good = std::all_of(result.runs.begin(), result.runs.end(), [](const Run& run) {
        return run.status == "unavailable" ||
               (run.status == "measured" && run.parity.state != Parity::State::Failed);
    });
    return good && outcome.writeError.empty() ? kFine : kRegression;
}

void printPlan(const Session& session, const SessionOptions& options, const std::string& format) {
    const double seconds =
        estimatedSeconds(session.variants(), options, session.result().flopsPerStep);
    if (format == "json") {
        nlohmann::json plan = toJson(session.result());
        plan["estimated_seconds"] = seconds;
        std::cout << plan.dump(1) << '\n';
        return;
    }
    int able = 0;
    for (const Variant& variant : session.variants())
        able += variant.unavailable.empty() ? 1 : 0;
    std::cout << setting(session.result()) << ", threads on cores";
    for (const int core : options.cores)
        std::cout << ' ' << core;
    std::cout << "\n"
              << able << " variants, " << options.rounds << " rounds, about " << duration(seconds)
              << "\n\n";
    for (const Run& run : session.result().runs) {
        std::cout << (run.status == "unavailable" ? "  - " : "  * ") << oneLine(run.id);
        if (run.status == "unavailable") std::cout << ": unavailable: " << oneLine(run.reason);
        std::cout << '\n';
    }
}

/// What a person sees while it runs.
void listen(Session& session, Console& console, const std::string& format) {
    QObject::connect(&session, &Session::variantChanged, &session,
                     [&console](const VariantUpdate& update) {
                         if (update.phase == "waiting" || update.phase == "queued") return;
                         std::string line = update.id + ": " + update.phase;
                         if (!update.message.empty()) line += ": " + update.message;
                         if (update.phase == "failed" || update.phase == "unavailable")
                             return console.status(line);
                         // Progress inside a phase only where a line can be rewritten.
                         if (update.message.empty() || update.phase == "measuring") {
                             console.status(line);
                         } else {
                             console.progress(line);
                         }
                     });
    QObject::connect(
        &session, &Session::progressed, &session, [&console](const SessionProgress& progress) {
            std::string line = "[" + std::to_string(progress.done) + "/" +
                               std::to_string(progress.total) + "] " + progress.message;
            if (progress.etaSeconds >= 0)
                line += ", about " + duration(progress.etaSeconds) + " left";
            console.progress(line);
        });
    QObject::connect(&session, &Session::timing, &session,
                     [&console](bool active) { console.hold(active); });
    if (format != "jsonl") return;
    QObject::connect(&session, &Session::sampleTaken, &session,
                     [](const std::string& id, const RoundSample& sample) {
                         const nlohmann::json line = {
                             {"event", "sample"},        {"id", id},
                             {"round", sample.round},    {"steps", sample.steps},
                             {"step_ns", sample.stepNs}, {"flags", sample.flags}};
                         std::cout << line.dump() << '\n' << std::flush;
                     });
}

/// "aether,torch", or "any" when nothing was chosen.
std::string choice(const std::vector<std::string>& words) {
    return words.empty() ? "any" : oneLine(join(words, ","));
}

std::string nothingChosen(const VariantArguments& chosen, const std::vector<RunnerInfo>& runners) {
    std::string names;
    for (const RunnerInfo& runner : runners) {
        names += (names.empty() ? "" : ", ") + oneLine(runner.manifest.name);
        if (runner.usable()) names += " (" + oneLine(runner.hello.framework) + ")";
    }
    return "nothing was measured: no runner and device match --framework " +
           choice(chosen.frameworks) + " and --device " + choice(chosen.devices) +
           "; runners here: " + (names.empty() ? "none" : names);
}

/// The first of the ids that no variant answers to.
std::string missingId(const std::vector<Variant>& variants, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        const bool planned =
            std::any_of(variants.begin(), variants.end(),
                        [&](const Variant& variant) { return standsFor(variant, id); });
        if (!planned) return id;
    }
    return {};
}

Task<int> runSession(const RunArguments& arguments) {
    Console console(arguments.runners.quiet);
    Interrupt interrupt;
    const SessionOptions options = arguments.options();
    std::error_code ignored;
    if (!arguments.exportJson.empty() && fs::exists(arguments.exportJson, ignored)) {
        throw Failure(FailureKind::Usage, "--export-json: " + arguments.exportJson +
                                              " exists; results are never overwritten");
    }
    if (!arguments.exportChart.empty() && !arguments.writeChart)
        throw Failure(FailureKind::Usage,
                      "--export-chart: this program was built without graphics");
    std::vector<RunnerInfo> runners = co_await discover(arguments.runners, console, interrupt);
    if (interrupt.seen()) co_return kInterrupted;

    Session session(options, runners);
    if (!session.plan()) throw Failure(FailureKind::Internal, session.outcome().sentence);
    if (const std::string stranger = missingId(session.variants(), options.plan.ids);
        !stranger.empty()) {
        throw Failure(FailureKind::Usage, "--variant: " + oneLine(stranger) +
                                              " is not in the plan; --dry-run prints it");
    }
    if (session.variants().empty()) {
        console.error("aether-bench: " + nothingChosen(arguments.variants, runners));
        co_return kNothingMeasured;
    }
    if (arguments.dryRun) {
        printPlan(session, options, arguments.output);
        co_return kFine;
    }
    const ReservedResultFile file(
        arguments.outputFolder.empty() ? defaultResultFolder() : fs::path(arguments.outputFolder),
        session.result());
    session.saveTo(file.path());
    listen(session, console, arguments.output);
    QObject::connect(&interrupt, &Interrupt::raised, &session, [&] {
        console.say("interrupted: ending the runners, keeping what was measured");
        session.cancel();
    });
    const Completion<bool> done = signalOf(&session, &Session::finished);
    session.start();
    co_await done;
    console.clearStatus();
    const SessionOutcome& outcome = session.outcome();
    printResult(session.result(), arguments.output);
    if (!outcome.sentence.empty()) console.error("aether-bench: " + outcome.sentence);
    if (!outcome.writeError.empty())
        console.error("aether-bench: the result was not saved: " + outcome.writeError);
    if (!arguments.exportJson.empty()) writeResult(session.result(), arguments.exportJson);
    if (!arguments.exportChart.empty())
        arguments.writeChart(session.result(), arguments.exportChart, arguments.theme);
    if (outcome.writeError.empty()) console.say("result: " + file.path().string());
    co_return exitCode(session.result(), outcome);
}

}  // namespace

void addRunVerb(CLI::App& app, Verb& chosen, const std::vector<std::string>& argv,
                const ChartWriter& writeChart) {
    auto arguments = std::make_shared<RunArguments>();
    arguments->argv = argv;
    arguments->writeChart = writeChart;
    CLI::App* run =
        app.add_subcommand("run", "Measure variants against each other and print a table");
    arguments->variants.addTo(*run);
    run->add_option("--variant", arguments->ids,
                    "Only this variant of what the options above choose, as --dry-run names it; "
                    "may be repeated")
        ->type_name("ID");
    run->add_option("-r,--rounds", arguments->rounds,
                    "Interleaved rounds; every variant gives one sample in each")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, kMostRounds));
    run->add_option(
           "--max-noise", arguments->maxNoise,
           "More rounds until the ratio's 95 % interval is within ± this share, such as 1%")
        ->type_name("SHARE");
    run->add_option("--relaunch", arguments->relaunch,
                    "Start every runner anew after so many rounds, to average over processes; 0: "
                    "never")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    run->add_option("--timeout", arguments->timeout,
                    "Seconds after which no further round begins; 0: none (600 with --max-noise)")
        ->type_name("S")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    run->add_option("--block-seconds", arguments->blockSeconds,
                    "Length of a timed block in seconds, at least one step")
        ->type_name("S")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    run->add_option("--settle", arguments->settleMs, "Pause before each block in milliseconds")
        ->type_name("MS")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    run->add_option(
           "--max-load", arguments->maxLoad,
           "A sample does not count when other processes took more than this share of the cores")
        ->type_name("SHARE")
        ->capture_default_str();
    run->add_flag("--aa", arguments->aa,
                  "Measure every variant (default: the engine's) against itself");
    run->add_flag("--dry-run", arguments->dryRun,
                  "Print the plan and a rough time (with -o json as a result of queued runs), "
                  "measure nothing");
    run->add_flag("--no-verify", arguments->noVerify,
                  "Skip the comparison of numbers with float64");
    run->add_flag("--no-profile", arguments->noProfile, "Skip the breakdown into stages");
    run->add_option("-o,--output", arguments->output, "What goes to stdout")
        ->type_name("FORMAT")
        ->capture_default_str()
        ->check(CLI::IsMember({"table", "json", "jsonl", "csv", "md"}));
    run->add_option("--export-json", arguments->exportJson,
                    "Also write the result to this new file")
        ->type_name("FILE");
    run->add_option("--export-chart", arguments->exportChart,
                    "Also draw the result: .png, .svg or .pdf")
        ->type_name("FILE");
    run->add_option("--theme", arguments->theme, "Colours of the figure")
        ->capture_default_str()
        ->check(CLI::IsMember({"light", "dark"}));
    run->add_option("--output-dir", arguments->outputFolder,
                    "Folder of the result file (default: ./results if it exists, else "
                    "~/.local/share/aether-bench/results)")
        ->type_name("DIR");
    arguments->runners.addTo(*run);
    run->footer(
        "Examples:\n"
        "  aether-bench run --precision fp32\n"
        "  aether-bench run --framework aether,torch --mode compiled --max-noise 1% --timeout 120\n"
        "  aether-bench run --aa -r 10 -o csv");
    run->callback([arguments, &chosen] {
        chosen = [arguments] { return runOnEventLoop(runSession(*arguments)); };
    });
}

}  // namespace aether::app::cli
