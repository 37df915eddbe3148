// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/arguments.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>

#include "app/catalogue.h"
#include "app/machine_load.h"
#include "app/paths.h"
#include "app/text.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
    throw Failure(FailureKind::Usage, sentence);
}

bool number(std::string_view text, double& value) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

bool integer(std::string_view text, int& value) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() && end.ptr == text.data() + text.size() && value >= 0;
}

}  // namespace

void RunnerArguments::addTo(CLI::App& app) {
    app.add_option("--runner", extra,
                   "Another runner: a manifest (.json) or a program; may be repeated")
        ->type_name("FILE");
    app.add_option(
           "--python", python,
           "Python of the reference runners (default: settings.ini, AETHER_PYTHON, .venv, PATH)")
        ->type_name("FILE");
    app.add_option("--hang-timeout", hangTimeout,
                   "Seconds without any line after which a runner counts as hung")
        ->type_name("S")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("-q,--quiet", quiet, "Write no progress, only data and errors");
}

std::vector<RunnerManifest> RunnerArguments::catalogue() const {
    const Substitutions substitutions = findSubstitutions(python);
    return loadCatalogue(resourceRoot(), configFolder(), {extra.begin(), extra.end()},
                         substitutions);
}

std::chrono::milliseconds RunnerArguments::silence() const {
    return std::chrono::milliseconds(static_cast<long long>(hangTimeout * 1000));
}

void VariantArguments::addTo(CLI::App& app) {
    const auto list = [&](const char* name, std::vector<std::string>& into, const char* help,
                          const char* type) {
        app.add_option(name, into, help)->delimiter(',')->type_name(type);
    };
    list("--device", devices,
         "Devices: uuid, PCI address, kind or part of the name (default: all but emulated ones)",
         "ID,..");
    list("--framework", frameworks,
         "Frameworks or runners: aether, torch, a runner's name (default: all)", "NAME,..");
    list("--layout", layouts, "Layouts: nchw, nhwc (default: all that a runner has)", "NAME,..");
    list("--mode", modes,
         "Modes: eager, compiled, max-autotune, or all (default: all but max-autotune, which takes "
         "minutes to prepare); an engine without that choice always takes part",
         "NAME,..");
    list("--precision", precisions,
         "Precisions: fp32, tf32, fp16, bf16, fp64 (default: the native ones, never fp64)",
         "NAME,..");
    list("--engine-version", versions,
         "Generations of a runner's own code, or all (default: its newest)", "NAME,..");
    app.add_option("--instruction-set", instructionSet,
                   "Instruction set of every CPU's runner, such as avx2 (default: the best each "
                   "has)")
        ->type_name("NAME");
    app.add_option("--workload", workload, "Workload file, or the name of a shipped one")
        ->type_name("FILE")
        ->capture_default_str();
    app.add_option("--data", data,
                   "Folder with CIFAR-10 in binary form (default: deterministic synthetic images)")
        ->type_name("DIR");
    app.add_option("--batch", batch, "Images per step (default: the workload's)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--threads", threads,
                   "CPU threads of every framework (default: one per physical core)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--cores", cores,
                   "CPU cores of every framework, such as 0-3,6 (default: the first ones)")
        ->type_name("LIST");
    app.add_option("--seed", seed,
                   "Seed of weights, masks and the order of rounds (default: the workload's)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
}

SessionOptions VariantArguments::options() const {
    SessionOptions out;
    out.plan = {devices, frameworks, layouts, modes, precisions, versions, {}, 1, instructionSet};
    out.workload = workloadPath(workload);
    if (!data.empty()) out.data = fs::absolute(data);
    if (batch > 0) out.batch = batch;
    if (seed >= 0) out.seed = static_cast<std::uint64_t>(seed);
    if (cores.empty()) {
        out.cores = coresFor(threads);
    } else {
        const std::vector<int> usable = usableCores();
        out.cores = parseCores(cores);
        for (const int core : out.cores) {
            if (std::find(usable.begin(), usable.end(), core) == usable.end()) {
                refuse("--cores: core " + std::to_string(core) +
                       " is not available to this process");
            }
        }
    }
    out.threads = threads > 0 ? threads : static_cast<int>(out.cores.size());
    return out;
}

fs::path workloadPath(const std::string& text) {
    std::error_code ignored;
    if (fs::exists(text, ignored)) return fs::absolute(text);
    fs::path shipped = resourceRoot() / "resources" / "workloads" / (text + ".json");
    if (text.find('/') == std::string::npos && fs::exists(shipped, ignored)) return shipped;
    refuse("--workload: " + text + " is neither a file nor a shipped workload");
}

double parseShare(const std::string& text, const char* option) {
    const bool isPercent = !text.empty() && text.back() == '%';
    double value = 0;
    if (!number(isPercent ? std::string_view(text).substr(0, text.size() - 1) : text, value) ||
        !(value >= 0)) {
        refuse(std::string(option) + ": \"" + text + "\" is no share such as 1% or 0.01");
    }
    return isPercent ? value / 100 : value;
}

std::vector<int> parseCores(const std::string& text) {
    std::vector<int> cores;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, comma - at);
        const auto dash = part.find('-');
        int first = 0, last = 0;
        const bool good = integer(part.substr(0, dash), first) &&
                          (dash == std::string::npos ? (last = first, true)
                                                     : integer(part.substr(dash + 1), last));
        if (!good || last < first || last > 100'000)
            refuse("--cores: \"" + text + "\" is no list such as 0-3,6");
        for (int core = first; core <= last; ++core)
            cores.push_back(core);
        at = comma + 1;
    }
    return cores;
}

}  // namespace aether::app::cli
