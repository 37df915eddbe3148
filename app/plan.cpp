// SPDX-License-Identifier: GPL-3.0-only
#include "app/plan.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/text.h"

namespace aether::app {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// A value of one axis and why the device can't do it (empty: it can).
struct Choice {
    std::string value;
    std::string reason;
};

std::vector<Choice> choose(const std::vector<std::string>& wanted,
                           const std::vector<std::string>& offered, const char* what) {
    std::vector<Choice> out;
    for (const std::string& value : wanted.empty() ? offered : wanted) {
        if (contains(offered, value)) {
            out.push_back({value, {}});
        } else {
            out.push_back({value, std::string(what) + " " + value + " is not offered (offered: " +
                                      (offered.empty() ? "none" : join(offered, ", ")) + ")"});
        }
    }
    return out;
}

std::vector<Choice> chooseModes(const PlanOptions& options, const protocol::Device& device) {
    // A framework without such a choice takes part whatever modes were asked for.
    if (device.modes == std::vector<std::string>{"native"}) return {{"native", {}}};
    if (contains(options.modes, "all")) return choose({}, device.modes, "mode");
    if (!options.modes.empty()) return choose(options.modes, device.modes, "mode");
    std::vector<Choice> unasked;
    for (const std::string& mode : device.modes) {
        if (!contains(device.modesOnRequest, mode)) unasked.push_back({mode, {}});
    }
    return unasked;
}

std::vector<Choice> chooseVersions(const PlanOptions& options, const protocol::Device& device) {
    if (device.versions.empty()) return {{"", {}}};
    if (options.engineVersions.empty()) return {{device.versions.back(), {}}};
    if (contains(options.engineVersions, "all")) return choose({}, device.versions, "version");
    return choose(options.engineVersions, device.versions, "version");
}

std::vector<Choice> choosePrecisions(const PlanOptions& options, const protocol::Device& device) {
    std::vector<std::string> offered, native;
    for (const protocol::Precision& precision : device.precisions) {
        offered.push_back(precision.name);
        if (precision.native && precision.name != "fp64") native.push_back(precision.name);
    }
    return options.precisions.empty() ? choose(native, offered, "precision")
                                      : choose(options.precisions, offered, "precision");
}

/// Why a CPU's runner can't compute with the instruction set that was asked for.
std::string instructionSetReason(const PlanOptions& options, const protocol::Device& device) {
    if (options.instructionSet.empty() || device.kind == "gpu") return {};
    return choose({options.instructionSet}, device.instructionSets, "instruction set")
        .front()
        .reason;
}

std::string unsupportedReason(const protocol::Device& device, const Variant& v) {
    for (const protocol::Unsupported& entry : device.unsupported) {
        const bool matches = (!entry.layout || *entry.layout == v.layout) &&
                             (!entry.mode || *entry.mode == v.mode) &&
                             (!entry.version || *entry.version == v.version) &&
                             (!entry.precision || *entry.precision == v.precision);
        if (matches) return entry.reason;
    }
    return {};
}

std::string idOf(const RunnerInfo& runner, const Variant& v) {
    std::vector<std::string> parts{runner.manifest.name};
    for (const std::string& part : {v.device.uuid, v.version, v.mode, v.precision, v.layout}) {
        if (!part.empty()) parts.push_back(part);
    }
    return join(parts, "/") + (v.copy > 0 ? "#" + std::to_string(v.copy) : "");
}

class Planner {
  public:
    Planner(const PlanOptions& options, const std::vector<RunnerInfo>& runners)
        : options_(options), runners_(runners) {}

    std::vector<Variant> plan() {
        for (std::size_t i = 0; i < runners_.size(); ++i) {
            if (matchesFramework(options_.frameworks, runners_[i])) addRunner(i);
        }
        return std::move(variants_);
    }

  private:
    void addRunner(std::size_t index) {
        const RunnerInfo& runner = runners_[index];
        if (!runner.usable()) return addUnavailable(index, {}, runner.unavailable);
        bool any = false;
        for (const protocol::Device& device : runner.description.devices) {
            const bool wanted =
                options_.devices.empty()
                    ? device.kind != "emulated"
                    : std::any_of(options_.devices.begin(), options_.devices.end(),
                                  [&](const auto& w) { return matchesDevice(w, device); });
            if (!wanted) continue;
            any = true;
            addDevice(index, device);
        }
        if (any) return;
        for (const protocol::UnavailableDevice& device : runner.description.unavailable) {
            const bool wanted =
                options_.devices.empty() || contains(options_.devices, device.device);
            if (wanted) addUnavailable(index, device.device, device.reason);
        }
    }

    void addUnavailable(std::size_t index, const std::string& device, const std::string& reason) {
        Variant v;
        v.runner = index;
        v.device.uuid = v.device.name = device;
        v.unavailable = reason;
        add(std::move(v));
    }

    void addDevice(std::size_t index, const protocol::Device& device) {
        for (const Choice& version : chooseVersions(options_, device)) {
            for (const Choice& precision : choosePrecisions(options_, device)) {
                for (const Choice& mode : chooseModes(options_, device)) {
                    for (const Choice& layout :
                         choose(options_.layouts, device.layouts, "layout")) {
                        addConfiguration(index, device, {version, precision, mode, layout});
                    }
                }
            }
        }
    }

    void addConfiguration(std::size_t index, const protocol::Device& device,
                          const std::array<Choice, 4>& choices) {
        for (int copy = 1; copy <= options_.copies; ++copy) {
            Variant v;
            v.runner = index;
            v.device = toResultDevice(device);
            v.version = choices[0].value;
            v.precision = choices[1].value;
            v.mode = choices[2].value;
            v.layout = choices[3].value;
            v.copy = options_.copies > 1 ? copy : 0;
            for (const Choice& choice : choices) {
                if (v.unavailable.empty()) v.unavailable = choice.reason;
            }
            if (v.unavailable.empty()) v.unavailable = unsupportedReason(device, v);
            if (v.unavailable.empty()) v.unavailable = instructionSetReason(options_, device);
            add(std::move(v));
        }
    }

    void add(Variant v) {
        v.id = idOf(runners_[v.runner], v);
        const bool wanted = options_.ids.empty() ||
                            std::any_of(options_.ids.begin(), options_.ids.end(),
                                        [&](const std::string& id) { return standsFor(v, id); });
        if (!wanted) return;
        if (ids_.insert(v.id).second) variants_.push_back(std::move(v));
    }

    const PlanOptions& options_;
    const std::vector<RunnerInfo>& runners_;
    std::vector<Variant> variants_;
    std::set<std::string> ids_;
};

}  // namespace

bool standsFor(const Variant& variant, const std::string& id) {
    return id == variant.id || id.rfind(variant.id + "/", 0) == 0;
}

bool matchesDevice(const std::string& wanted, const protocol::Device& device) {
    if (wanted == device.uuid || wanted == device.kind || (device.pci && wanted == *device.pci))
        return true;
    return wanted.size() >= 3 && lower(device.name).find(lower(wanted)) != std::string::npos;
}

bool matchesFramework(const std::vector<std::string>& wanted, const RunnerInfo& runner) {
    if (wanted.empty()) return true;
    return std::any_of(wanted.begin(), wanted.end(), [&](std::string w) {
        if (w == "torch") w = "pytorch";
        // A runner that did not answer has only its manifest's word.
        const std::string& framework =
            runner.usable() ? runner.hello.framework : runner.manifest.framework;
        return w == runner.manifest.name || w == framework;
    });
}

ResultDevice toResultDevice(const protocol::Device& device) {
    return {device.uuid,   device.name,        device.kind, device.pci,
            device.driver, device.memoryBytes, device.cores};
}

std::vector<Variant> makePlan(const PlanOptions& options, const std::vector<RunnerInfo>& runners) {
    return Planner(options, runners).plan();
}

}  // namespace aether::app
