// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/discover.h"
#include "app/cli/event_loop.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/verbs.h"
#include "app/text.h"
#include "app/trainer.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace {

struct TrainArguments {
    RunnerArguments runners;
    VariantArguments variants;
    int epochs = 10;
};

void printEpoch(const protocol::Epoch& e) {
    std::cout << padded(std::to_string(e.epoch), 5, true) << padded(fixed(e.loss, 4), 10, true)
              << padded(fixed(e.accuracy, 4), 10, true) << padded(fixed(e.testLoss, 4), 11, true)
              << padded(fixed(e.testAccuracy, 4), 15, true)
              << padded(fixed(static_cast<double>(e.wallNs) / 1e9, 2), 10, true) << std::endl;
}

Task<int> train(const TrainArguments& arguments) {
    Console console(arguments.runners.quiet);
    Interrupt interrupt;
    SessionOptions options = arguments.variants.options();
    options.silence = arguments.runners.silence();
    std::vector<RunnerInfo> runners = co_await discover(arguments.runners, console, interrupt);
    if (interrupt.seen()) co_return kInterrupted;
    const VariantArguments& v = arguments.variants;
    const bool chose = !v.frameworks.empty() || !v.layouts.empty() || !v.modes.empty() ||
                       !v.precisions.empty() || !v.versions.empty();
    std::vector<Variant> plan = makePlan(options.plan, runners);
    if (!chose) plan = defaultTraining(plan, runners);

    Trainer trainer(options, runners, plan, arguments.epochs);
    QObject::connect(&trainer, &Trainer::started, &trainer, [&](const Run& run) {
        std::cout << oneLine(run.framework.empty() ? run.runnerTitle : run.label()) << '\n';
        if (run.status == "queued")
            std::cout << "epoch      loss  accuracy  test loss  test accuracy   seconds\n";
        std::cout.flush();
        console.progress("preparing " + run.id);
    });
    QObject::connect(&trainer, &Trainer::epochFinished, &trainer,
                     [&](const Run&, const protocol::Epoch& epoch) {
                         console.clearStatus();
                         printEpoch(epoch);
                     });
    QObject::connect(&trainer, &Trainer::ended, &trainer, [&](const Run& run) {
        console.clearStatus();
        if (run.status != "measured")
            std::cout << run.status << ": " << oneLine(run.reason) << '\n';
        std::cout << std::endl;
    });
    QObject::connect(&interrupt, &Interrupt::raised, &trainer, &Trainer::cancel);
    const Completion<bool> done = signalOf(&trainer, &Trainer::finished);
    trainer.start();
    co_await done;
    if (!trainer.trouble().empty()) throw Failure(FailureKind::Internal, trainer.trouble());
    const std::string comparison = trainingComparison(trainer.runs());
    if (!comparison.empty()) std::cout << comparison << std::endl;
    if (interrupt.seen()) co_return kInterrupted;
    bool any = false, failed = false;
    for (const TrainedRun& run : trainer.runs()) {
        any = any || run.run.status == "measured";
        failed = failed || (run.run.status != "measured" && run.run.status != "unavailable");
    }
    if (!any) co_return kNothingMeasured;
    co_return failed ? kRegression : kFine;
}

}  // namespace

void addTrainVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<TrainArguments>();
    CLI::App* verb = app.add_subcommand(
        "train", "Train variants over epochs, one after another, and compare them");
    verb->add_option("--epochs", arguments->epochs, "Passes over the training images")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    arguments->variants.addTo(*verb);
    arguments->runners.addTo(*verb);
    verb->footer(
        "Without a choice of variants: the engine's newest version and PyTorch compiled (else "
        "eager), fp32.\n"
        "Example:\n  aether-bench train --data ~/cifar-10-batches-bin --epochs 10");
    verb->callback([arguments, &chosen] {
        chosen = [arguments] { return runOnEventLoop(train(*arguments)); };
    });
}

}  // namespace aether::app::cli
