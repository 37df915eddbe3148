// SPDX-License-Identifier: GPL-3.0-only
// Options that several verbs share, and what they mean.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/manifest.h"
#include "app/session_options.h"

namespace CLI {
class App;
}

namespace aether::app::cli {

/// Which runners there are.
struct RunnerArguments {
    std::vector<std::string> extra;
    std::string python;
    double hangTimeout = 300;
    bool quiet = false;

    void addTo(CLI::App& app);
    std::vector<RunnerManifest> catalogue() const;
    std::chrono::milliseconds silence() const;
};

/// Which variants, on what, with which data.
struct VariantArguments {
    std::vector<std::string> devices, frameworks, layouts, modes, precisions, versions;
    std::string workload = "cifar10-v1";
    std::string instructionSet;
    std::string data;
    std::int64_t batch = 0;
    int threads = 0;
    std::string cores;
    std::int64_t seed = -1;

    void addTo(CLI::App& app);
    /// Throws Failure(Usage) naming the option.
    SessionOptions options() const;
};

/// A path, or the name of a shipped workload. Throws Failure(Usage) when neither exists.
std::filesystem::path workloadPath(const std::string& text);

/// "1%" or "0.01" → 0.01. Throws Failure(Usage) naming the option.
double parseShare(const std::string& text, const char* option);

/// "0-3,6" → 0 1 2 3 6. Throws Failure(Usage).
std::vector<int> parseCores(const std::string& text);

}  // namespace aether::app::cli
