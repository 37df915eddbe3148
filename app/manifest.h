// SPDX-License-Identifier: GPL-3.0-only
// A runner as its manifest describes it (resources/runners/*.json, schema aether-bench/runner/1):
//   {"schema": "aether-bench/runner/1", "name": "pytorch-python", "title": "PyTorch (Python)",
//    "framework": "pytorch", "command": ["${python}", "-m", "aether_reference"], "environment":
//    {"PYTHONPATH":
//    "${root}/reference/python"}, "launcher": []}
// ${python}, ${root} (resources), ${bin} (folder of aether-bench) are replaced in command,
// environment and launcher.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aether::app {

struct Substitutions {
    std::string python;  ///< empty: none found
    std::string root;
    std::string bin;
};

struct RunnerManifest {
    std::string name;
    std::string title;
    std::string framework;  ///< as its greeting will say; may be empty: not known before it answers
    std::string origin;     ///< path of the manifest or program
    std::vector<std::string> command;
    std::vector<std::string> launcher;  ///< command prefix: ssh host, srun --gres=gpu:1
    std::map<std::string, std::string> environment;
    std::string unavailable;  ///< why it can't be started; empty: it can

    /// launcher + command.
    std::vector<std::string> fullCommand() const;
};

/// Never throws: a damaged manifest or a missing program comes back with `unavailable` naming path
/// and reason.
RunnerManifest readManifest(const std::filesystem::path& file, const Substitutions& substitutions);

/// A manifest for a bare program, or the manifest itself when `path` ends in .json.
RunnerManifest manifestForPath(const std::filesystem::path& path,
                               const Substitutions& substitutions);

}  // namespace aether::app
