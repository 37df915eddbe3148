// SPDX-License-Identifier: GPL-3.0-only
// The two halves of an exchange pair put together, and a result taken apart into pairs.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "app/comparison.h"
#include "app/exchange.h"
#include "app/result_settings.h"
#include "app/text.h"
#include "app/unpaired.h"
#include "common/failure.h"

namespace aether::app {
namespace fs = std::filesystem;
namespace {

void moveRuns(std::vector<Run>& runs, const std::string& from, const std::string& to) {
    for (Run& run : runs) {
        if (run.deviceUuid == from) run.deviceUuid = to;
    }
}

/// The identity is the uuid; where one side has none, the name, or being the only one.
bool sameDevice(const ResultDevice& a, const ResultDevice& b, bool onlyOnes) {
    if (!a.uuid.empty() && !b.uuid.empty()) return a.uuid == b.uuid;
    return a.name == b.name || onlyOnes;
}

/// Joins the devices of `torch` to those of `result`; false when they have none in common.
bool joinDevices(Result& result, Result& torch) {
    const bool onlyOnes = result.devices.size() == 1 && torch.devices.size() == 1;
    bool common = result.devices.empty() || torch.devices.empty();
    for (const ResultDevice& device : torch.devices) {
        const auto same =
            std::find_if(result.devices.begin(), result.devices.end(),
                         [&](const ResultDevice& d) { return sameDevice(d, device, onlyOnes); });
        if (same == result.devices.end()) {
            result.devices.push_back(device);
            continue;
        }
        common = true;
        if (same->uuid.empty()) {
            moveRuns(result.runs, same->uuid, device.uuid);
            same->uuid = device.uuid;
        }
        moveRuns(torch.runs, device.uuid, same->uuid);
    }
    return common;
}

std::string deviceNames(const Result& result) {
    std::vector<std::string> names;
    for (const ResultDevice& device : result.devices)
        names.push_back(oneLine(device.name) + " (" + oneLine(device.uuid) + ")");
    return join(names, ", ");
}

/// Ids are unique in a result, whatever the two files say.
void appendRuns(std::vector<Run>& runs, const std::vector<Run>& more) {
    std::set<std::string> ids;
    for (const Run& run : runs)
        ids.insert(run.id);
    for (Run run : more) {
        while (!ids.insert(run.id).second)
            run.id = "torch:" + run.id;
        runs.push_back(std::move(run));
    }
}

/// Moves the source from the result to its runs.
void markPublished(Result& result) {
    if (result.source.empty()) return;
    for (Run& run : result.runs)
        run.flags.push_back("published: " + result.source);
    result.source.clear();
}

/// The half of a result that goes into one file of the pair; rounds and order stay those of the
/// session, so that the halves are known to belong together.
Result half(const Result& whole, const ResultDevice& device, bool engine) {
    Result out = whole;
    out.devices = {device};
    out.comparisons.clear();
    std::erase_if(out.runs, [&](const Run& run) {
        return run.deviceUuid != device.uuid || (run.framework == "aether") != engine;
    });
    return out;
}

/// Files that did not exist before; all are removed again unless kept.
class NewFiles {
  public:
    NewFiles() = default;
    NewFiles(const NewFiles&) = delete;
    ~NewFiles() {
        std::error_code ignored;
        for (const fs::path& file : files_)
            fs::remove(file, ignored);
    }
    void add(const fs::path& file, const Result& result) {
        const int handle = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
        if (handle < 0) {
            throw Failure(FailureKind::Usage,
                          file.string() + (errno == EEXIST ? " exists; nothing is overwritten"
                                                           : std::string(": can't be created: ") +
                                                                 std::strerror(errno)));
        }
        ::close(handle);
        files_.push_back(file);
        writeResult(result, file);
    }
    std::vector<fs::path> keep() { return std::exchange(files_, {}); }

  private:
    std::vector<fs::path> files_;
};

}  // namespace

Result mergePair(Result result, const Result& torchIn) {
    Result torch = torchIn;
    const std::vector<std::string> differences = differentWork(result, torch);
    if (!differences.empty())
        throw Failure(FailureKind::Usage, "not of the same work: " + join(differences, "; "));
    const std::string devices = deviceNames(result) + " and " + deviceNames(torch);
    if (!joinDevices(result, torch))
        throw Failure(FailureKind::Usage, "not of the same device: " + devices);
    const bool paired = sameSession(result, torch);
    for (const std::string& difference : differentMeasurement(result, torch)) {
        for (Run& run : torch.runs)
            run.flags.push_back("measured in another way than the engine: " + difference);
    }
    if (result.source != torch.source) {
        // One of them may be a measurement: then only the other's runs are published ones.
        markPublished(result);
        markPublished(torch);
    }
    appendRuns(result.runs, torch.runs);
    result.session.verified = result.session.verified && torch.session.verified;
    result.session.cancelled = result.session.cancelled || torch.session.cancelled;
    result.session.noiseConverged = result.session.noiseConverged && torch.session.noiseConverged;
    result.comparisons = paired ? compareRuns(result) : compareRunsUnpaired(result);
    return result;
}

std::vector<fs::path> writeExchange(const Result& result, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw Failure(FailureKind::Usage,
                      folder.string() + ": can't be created: " + error.message());
    }
    NewFiles files;
    std::set<std::string> devices, names;
    for (const ResultDevice& device : result.devices) {
        if (!devices.insert(device.uuid).second) continue;
        const std::string stem = lower(fileNamePart(device.name));
        std::string name = stem;
        for (int n = 2; !names.insert(name).second; ++n)
            name = stem + "-" + std::to_string(n);
        for (const bool engine : {true, false}) {
            const Result part = half(result, device, engine);
            if (!part.runs.empty())
                files.add(folder / ((engine ? "breakdown_" : "torch_") + name + ".json"), part);
        }
    }
    std::vector<fs::path> written = files.keep();
    if (written.empty())
        throw Failure(FailureKind::Usage, "the result holds no run of a device, nothing to export");
    return written;
}

}  // namespace aether::app
