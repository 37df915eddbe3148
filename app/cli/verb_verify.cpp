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
#include "app/verification.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace {

struct VerifyArguments {
    RunnerArguments runners;
    VariantArguments variants;
    bool details = false;
};

void printFinding(const Finding& finding) {
    std::cout << "      " << (finding.distance <= finding.allowed ? "ok " : "BAD") << ' '
              << finding.name << ": " << scientific(finding.distance) << " of "
              << scientific(finding.allowed) << " (yardstick " << scientific(finding.yardstick)
              << ")\n";
}

void print(const VerificationEntry& entry, bool details) {
    const Run& run = entry.run;
    const std::string label = run.framework.empty() ? run.runnerTitle : run.label();
    std::cout << oneLine(label) << " [" << oneLine(run.runner) << "]";
    if (run.status != "measured") {
        std::cout << ": " << run.status << ": " << oneLine(run.reason) << std::endl;
        return;
    }
    std::cout << ", batch " << entry.batch << ": ";
    switch (run.parity.state) {
        case Parity::State::Passed:
            std::cout << "passed ✓";
            break;
        case Parity::State::Failed:
            std::cout << "FAILED ✗";
            break;
        case Parity::State::NotChecked:
            std::cout << "not checked ?";
            break;
    }
    std::cout << ": " << oneLine(run.parity.reason) << '\n';
    if (details) {
        for (const Finding& finding : entry.report.findings)
            printFinding(finding);
    } else {
        for (const QuantityKind kind : {QuantityKind::Loss, QuantityKind::Gradient,
                                        QuantityKind::Update, QuantityKind::Running}) {
            if (const Finding* worst = worstOf(entry.report.findings, kind)) printFinding(*worst);
        }
    }
    std::cout.flush();
}

Task<int> verify(const VerifyArguments& arguments) {
    Console console(arguments.runners.quiet);
    Interrupt interrupt;
    SessionOptions options = arguments.variants.options();
    options.silence = arguments.runners.silence();
    std::vector<RunnerInfo> runners = co_await discover(arguments.runners, console, interrupt);
    if (interrupt.seen()) co_return kInterrupted;
    const std::vector<std::int64_t> batches =
        options.batch ? std::vector<std::int64_t>{*options.batch} : std::vector<std::int64_t>{};
    Verification verification(options, runners, batches);
    int failed = 0, checked = 0;
    QObject::connect(&verification, &Verification::progressed, &verification,
                     [&](const std::string& message) { console.progress(message); });
    QObject::connect(&verification, &Verification::verified, &verification, [&](int index) {
        console.clearStatus();
        const VerificationEntry& entry = verification.entries()[static_cast<std::size_t>(index)];
        print(entry, arguments.details);
        if (entry.run.status == "unavailable") return;
        const bool traced = entry.run.status == "measured";
        if (!traced || entry.run.parity.state == Parity::State::Failed) ++failed;
        if (traced && entry.run.parity.state != Parity::State::NotChecked) ++checked;
    });
    QObject::connect(&interrupt, &Interrupt::raised, &verification, &Verification::cancel);
    const Completion<bool> done = signalOf(&verification, &Verification::finished);
    verification.start();
    co_await done;
    console.clearStatus();
    if (!verification.trouble().empty())
        throw Failure(FailureKind::Internal, verification.trouble());
    if (interrupt.seen()) co_return kInterrupted;
    if (failed > 0) co_return kRegression;
    co_return checked > 0 ? kFine : kNothingMeasured;
}

}  // namespace

void addVerifyVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<VerifyArguments>();
    CLI::App* verb = app.add_subcommand(
        "verify",
        "Compare losses, gradients, updates and running statistics of every variant with float64");
    arguments->variants.addTo(*verb);
    verb->add_flag("--details", arguments->details,
                   "Print every quantity, not only the worst of each kind");
    arguments->runners.addTo(*verb);
    verb->footer(
        "Without --batch: batch 8, then the workload's.\n"
        "Examples:\n  aether-bench verify --framework aether\n  aether-bench verify --precision "
        "bf16 --details");
    verb->callback([arguments, &chosen] {
        chosen = [arguments] { return runOnEventLoop(verify(*arguments)); };
    });
}

}  // namespace aether::app::cli
