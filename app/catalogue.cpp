// SPDX-License-Identifier: GPL-3.0-only
#include "app/catalogue.h"

#include <algorithm>

namespace aether::app {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> manifestsIn(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

void addOrReplace(std::vector<RunnerManifest>& all, RunnerManifest manifest) {
    const auto twin = std::find_if(all.begin(), all.end(), [&](const RunnerManifest& other) {
        return other.name == manifest.name;
    });
    if (twin == all.end()) {
        all.push_back(std::move(manifest));
    } else {
        *twin = std::move(manifest);
    }
}

}  // namespace

std::vector<RunnerManifest> loadCatalogue(const fs::path& root, const fs::path& config,
                                          const std::vector<fs::path>& extra,
                                          const Substitutions& substitutions) {
    std::vector<RunnerManifest> all;
    for (const fs::path& folder : {root / "resources" / "runners", config / "runners"}) {
        for (const fs::path& file : manifestsIn(folder))
            addOrReplace(all, readManifest(file, substitutions));
    }
    for (const fs::path& path : extra)
        addOrReplace(all, manifestForPath(path, substitutions));
    return all;
}

}  // namespace aether::app
