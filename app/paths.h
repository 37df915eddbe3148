// SPDX-License-Identifier: GPL-3.0-only
// Where things lie: resources, settings, the Python of the reference runners, results.
#pragma once

#include <filesystem>
#include <string>

#include "app/manifest.h"

namespace aether::app {

/// The folder that holds resources/: AETHER_ROOT, else <folder of the
/// program>/../share/aether-bench where this program is installed, else the source folder it was
/// built from.
std::filesystem::path resourceRoot();

/// The documentation's Markdown files: docs/ of the source folder or of the installation.
std::filesystem::path documentationFolder();

/// $XDG_CONFIG_HOME/aether-bench, normally ~/.config/aether-bench: settings.ini and runners/.
std::filesystem::path configFolder();

/// Results go to ./results when that folder exists, else to $XDG_DATA_HOME/aether-bench/results
/// (normally ~/.local/share/aether-bench/results).
std::filesystem::path defaultResultFolder();

/// For ${python}: `preferred` (--python), the key `python` of settings.ini, AETHER_PYTHON,
/// .venv/bin/python under or beside the root, python3 on PATH; empty when there is none.
std::string findPython(const std::string& preferred, const std::filesystem::path& root);

Substitutions findSubstitutions(const std::string& preferredPython);

}  // namespace aether::app
