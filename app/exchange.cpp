// SPDX-License-Identifier: GPL-3.0-only
#include "app/exchange.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "app/text.h"
#include "common/failure.h"

namespace aether::app {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kBreakdown = "breakdown_";
constexpr std::string_view kTorch = "torch_";

/// The other file of the pair: "torch_x.json" of "breakdown_x.json"; empty when the name is not of
/// that form.
fs::path partner(const fs::path& file, std::string_view prefix, std::string_view other) {
    const std::string name = file.filename().string();
    if (!name.starts_with(prefix)) return {};
    return file.parent_path() / (std::string(other) + name.substr(prefix.size()));
}

/// One spelling for one file, so that a file named twice is read once.
fs::path oneSpelling(const fs::path& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    return error ? file : path;
}

std::string nameOf(const fs::path& file) {
    return oneLine(file.string());
}

/// The files to read, each once, and what can't be one.
class Listing {
  public:
    explicit Listing(std::vector<std::string>& problems) : problems_(problems) {}

    void add(const fs::path& path) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            addFolder(path);
            return;
        }
        addFile(path);
        const fs::path torch = partner(path, kBreakdown, kTorch);
        if (!torch.empty() && fs::is_regular_file(torch, error)) addFile(torch);
    }
    const std::vector<fs::path>& files() const { return files_; }

  private:
    void addFile(const fs::path& file) {
        if (seen_.insert(oneSpelling(file)).second) files_.push_back(file);
    }
    void addFolder(const fs::path& folder) {
        std::error_code error;
        std::vector<fs::path> names;
        auto entry = fs::directory_iterator(folder, error);
        for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
            if (entry->path().extension() == ".json") names.push_back(entry->path());
        }
        if (error) {
            problems_.push_back(nameOf(folder) + ": can't be read: " + error.message());
        } else if (names.empty()) {
            problems_.push_back(nameOf(folder) + ": holds no result (*.json)");
        }
        std::sort(names.begin(), names.end());
        for (const fs::path& name : names) {
            // A pipe would be waited for without end.
            if (fs::is_regular_file(name, error)) {
                addFile(name);
            } else {
                problems_.push_back(nameOf(name) + ": is not a regular file");
            }
        }
    }

    std::vector<std::string>& problems_;
    std::vector<fs::path> files_;
    std::set<fs::path> seen_;
};

std::optional<Result> load(const fs::path& file, std::vector<std::string>& problems) {
    try {
        return readResult(file);
    } catch (const std::exception& error) {
        const std::string text = error.what();
        problems.push_back(
            oneLine(text.starts_with(file.string()) ? text : file.string() + ": " + text));
        return std::nullopt;
    }
}

}  // namespace

SavedResults readResults(const std::vector<fs::path>& filesAndFolders) {
    SavedResults out;
    Listing listing(out.problems);
    for (const fs::path& path : filesAndFolders)
        listing.add(path);
    std::vector<SavedResult> loaded;
    std::map<fs::path, Result*> byPath;
    for (const fs::path& file : listing.files()) {
        if (auto result = load(file, out.problems)) loaded.push_back({std::move(*result), {file}});
    }
    for (SavedResult& saved : loaded)
        byPath[oneSpelling(saved.files.front())] = &saved.result;
    const auto known = [&](const fs::path& file) -> Result* {
        const auto found = file.empty() ? byPath.end() : byPath.find(oneSpelling(file));
        return found == byPath.end() ? nullptr : found->second;
    };
    for (SavedResult& saved : loaded) {
        const fs::path file = saved.files.front();
        if (known(partner(file, kTorch, kBreakdown)) != nullptr) continue;  // merged over there
        const fs::path torchFile = partner(file, kBreakdown, kTorch);
        const Result* torch = known(torchFile);
        if (torch == nullptr) {
            out.results.push_back(std::move(saved));
            continue;
        }
        try {
            out.results.push_back({mergePair(saved.result, *torch), {file, torchFile}});
        } catch (const Failure& failure) {
            out.problems.push_back(nameOf(file) + " and " + nameOf(torchFile) + ": " +
                                   failure.what());
        }
    }
    return out;
}

}  // namespace aether::app
