// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/discover.h"
#include "app/cli/event_loop.h"
#include "app/cli/exit_code.h"
#include "app/cli/verbs.h"
#include "app/conformance.h"
#include "app/paths.h"
#include "app/text.h"

namespace aether::app::cli {
namespace {

std::string precisionsText(const protocol::Device& device) {
    std::vector<std::string> names;
    for (const protocol::Precision& p : device.precisions) {
        names.push_back(p.native ? p.name
                                 : p.name + " (not native" + (p.note.empty() ? "" : ": " + p.note) +
                                       ")");
    }
    return join(names, ", ");
}

std::string modesText(const protocol::Device& device) {
    std::vector<std::string> names = device.modes;
    for (std::string& name : names) {
        const auto& asked = device.modesOnRequest;
        if (std::find(asked.begin(), asked.end(), name) != asked.end()) name += " (on request)";
    }
    return join(names, ", ");
}

void printAbilities(const RunnerInfo& runner, const protocol::Device& device) {
    std::cout << "    " << oneLine(runner.manifest.title) << " " << runner.hello.version << ": "
              << modesText(device) << "; " << join(device.layouts, ", ") << "; "
              << precisionsText(device);
    if (!device.versions.empty()) std::cout << "; versions " << join(device.versions, ", ");
    std::cout << '\n';
    for (const protocol::Unsupported& entry : device.unsupported) {
        std::vector<std::string> what;
        for (const auto* part : {&entry.version, &entry.mode, &entry.precision, &entry.layout}) {
            if (*part) what.push_back(**part);
        }
        std::cout << "      not " << join(what, " ") << ": " << oneLine(entry.reason) << '\n';
    }
}

Task<int> listDevices(const RunnerArguments& arguments) {
    Console console(arguments.quiet);
    Interrupt interrupt;
    const std::vector<RunnerInfo> runners = co_await discover(arguments, console, interrupt);
    if (interrupt.seen()) co_return kInterrupted;
    std::vector<std::string> seen;
    for (const RunnerInfo& owner : runners) {
        for (const protocol::Device& device : owner.description.devices) {
            if (std::find(seen.begin(), seen.end(), device.uuid) != seen.end()) continue;
            seen.push_back(device.uuid);
            std::cout << oneLine(device.name) << "\n    " << oneLine(device.uuid) << ", "
                      << device.kind;
            if (device.pci) std::cout << ", PCI " << *device.pci;
            if (device.cores) std::cout << ", " << *device.cores << " cores";
            if (device.memoryBytes)
                std::cout << ", " << bytesText(static_cast<double>(*device.memoryBytes));
            if (!device.instructionSets.empty())
                std::cout << ", " << join(device.instructionSets, " ");
            std::cout << '\n';
            for (const RunnerInfo& runner : runners) {
                for (const protocol::Device& same : runner.description.devices) {
                    if (same.uuid == device.uuid) printAbilities(runner, same);
                }
            }
        }
    }
    for (const RunnerInfo& runner : runners) {
        if (!runner.usable()) {
            std::cout << oneLine(runner.manifest.title)
                      << ": unavailable: " << oneLine(runner.unavailable) << '\n';
        }
        for (const protocol::UnavailableDevice& device : runner.description.unavailable) {
            std::cout << oneLine(runner.manifest.title) << ", " << oneLine(device.device)
                      << ": unavailable: " << oneLine(device.reason) << '\n';
        }
    }
    co_return seen.empty() ? kNothingMeasured : kFine;
}

Task<int> listRunners(const RunnerArguments& arguments) {
    Console console(arguments.quiet);
    Interrupt interrupt;
    const std::vector<RunnerInfo> runners = co_await discover(arguments, console, interrupt);
    if (interrupt.seen()) co_return kInterrupted;
    for (const RunnerInfo& runner : runners) {
        std::cout << oneLine(runner.manifest.name) << ": " << oneLine(runner.manifest.title);
        if (runner.usable()) {
            std::cout << ", " << runner.hello.framework << " " << runner.hello.version;
            if (!runner.hello.commit.empty()) {
                std::cout << " (" << runner.hello.commit
                          << (runner.hello.dirty.value_or(false) ? ", dirty)" : ")");
            }
            std::cout << ", protocol " << runner.hello.protocol << '\n';
        } else {
            std::cout << ": unavailable: " << oneLine(runner.unavailable) << '\n';
        }
        std::cout << "    " << oneLine(join(runner.manifest.fullCommand(), " ")) << "\n    "
                  << oneLine(runner.manifest.origin) << '\n';
    }
    co_return kFine;
}

struct CheckArguments {
    RunnerArguments runners;
    std::string path;
    std::string workload = "cifar10-v2";
    int batch = 8;
};

Task<int> checkRunner(const CheckArguments& arguments) {
    Interrupt interrupt;
    const RunnerManifest manifest =
        manifestForPath(arguments.path, findSubstitutions(arguments.runners.python));
    Conformance conformance(manifest, workloadPath(arguments.workload), arguments.batch,
                            arguments.runners.silence());
    QObject::connect(
        &conformance, &Conformance::checked, &conformance, [](const ConformanceCheck& check) {
            const char* mark = check.state == ConformanceCheck::State::Passed   ? "ok     "
                               : check.state == ConformanceCheck::State::Failed ? "FAILED "
                                                                                : "skipped";
            std::cout << mark << ' ' << check.name;
            if (!check.detail.empty()) std::cout << ": " << oneLine(check.detail);
            std::cout << '\n' << std::flush;
        });
    QObject::connect(&interrupt, &Interrupt::raised, &conformance, &Conformance::cancel);
    const Completion<bool> done = signalOf(&conformance, &Conformance::finished);
    conformance.start();
    co_await done;
    if (interrupt.seen()) co_return kInterrupted;
    std::cout << conformance.passed() << " passed, " << conformance.failed() << " failed, "
              << conformance.skipped() << " skipped\n";
    co_return conformance.failed() == 0 ? kFine : kRegression;
}

}  // namespace

void addDevicesVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<RunnerArguments>();
    CLI::App* devices =
        app.add_subcommand("devices", "List devices and what every runner can do on them");
    arguments->addTo(*devices);
    devices->footer("Example:\n  aether-bench devices");
    devices->callback([arguments, &chosen] {
        chosen = [arguments] { return runOnEventLoop(listDevices(*arguments)); };
    });
}

void addRunnersVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App* runners =
        app.add_subcommand("runners", "List the runners, or check one against the run protocol");
    arguments->runners.addTo(*runners);
    CLI::App* check = runners->add_subcommand(
        "check", "Drive a runner program or manifest through the whole protocol");
    check
        ->add_option("path", arguments->path,
                     "Program (.py with the reference Python) or manifest (.json)")
        ->required();
    check
        ->add_option("--workload", arguments->workload,
                     "Workload file, or the name of a shipped one")
        ->capture_default_str();
    check->add_option("--batch", arguments->batch, "Images per step")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    check
        ->add_option("--hang-timeout", arguments->runners.hangTimeout,
                     "Seconds without any line after which it counts as hung")
        ->type_name("S")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    check->add_option("--python", arguments->runners.python, "Python for ${python}")
        ->type_name("FILE");
    check->footer(
        "Example:\n  aether-bench runners check ./my_runner.py\nOne line per check; exit code 1 "
        "when one fails.");
    runners->footer(
        "Examples:\n  aether-bench runners\n  aether-bench runners check "
        "resources/runners/aether-engine.json");
    runners->callback([arguments, check, &chosen] {
        chosen = [arguments, checking = check->parsed()] {
            return runOnEventLoop(checking ? checkRunner(*arguments)
                                           : listRunners(arguments->runners));
        };
    });
}

}  // namespace aether::app::cli
