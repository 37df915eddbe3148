// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <filesystem>
#include <vector>

#include "app/manifest.h"

namespace aether::app {

/// Every runner known: the manifests of resources/runners, then those of the user's runners folder,
/// each folder in order of file name, then `extra` (programs or manifests). A later manifest with
/// the name of an earlier one replaces it: that is how a user overrides a shipped runner.
std::vector<RunnerManifest> loadCatalogue(const std::filesystem::path& root,
                                          const std::filesystem::path& config,
                                          const std::vector<std::filesystem::path>& extra,
                                          const Substitutions& substitutions);

}  // namespace aether::app
