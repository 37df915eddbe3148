// SPDX-License-Identifier: GPL-3.0-only
#include "app/result_comparison.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/comparison.h"
#include "app/result_settings.h"
#include "app/text.h"
#include "common/failure.h"

namespace aether::app {
namespace {

/// A run and where it stands.
struct Place {
    const Result* result = nullptr;
    const ResultDevice* device = nullptr;
    const Run* run = nullptr;
};

std::vector<Place> placesOf(std::span<const Result> results) {
    std::vector<Place> places;
    for (const Result& result : results) {
        for (const Run& run : result.runs) {
            const auto device =
                std::find_if(result.devices.begin(), result.devices.end(),
                             [&](const ResultDevice& d) { return d.uuid == run.deviceUuid; });
            places.push_back({&result, device == result.devices.end() ? nullptr : &*device, &run});
        }
    }
    return places;
}

auto configuration(const Run& run) {
    return std::tie(run.framework, run.runner, run.requestedLayout, run.mode, run.precision,
                    run.version, run.copy);
}

bool sameUuid(const Place& a, const Place& b) {
    return !a.device->uuid.empty() && a.device->uuid == b.device->uuid;
}

bool sameConfiguration(const Place& a, const Place& b) {
    return a.device != nullptr && b.device != nullptr &&
           configuration(*a.run) == configuration(*b.run);
}

void refuseTwins(const std::vector<Place>& places, const char* side) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = i + 1; j < places.size(); ++j) {
            if (sameConfiguration(places[i], places[j]) && sameUuid(places[i], places[j])) {
                throw Failure(FailureKind::Internal, std::string(side) + " holds " +
                                                         oneLine(places[i].run->label()) + " on " +
                                                         oneLine(places[i].device->name) +
                                                         " twice: name one result");
            }
        }
    }
}

/// The twin of `a` among the rest of the other side: on the device with its uuid, else on one of
/// the same name that is none of the baseline's other devices.
std::vector<Place>::iterator twinOf(const Place& a, std::vector<Place>& rest,
                                    const std::vector<Place>& baseline) {
    const auto byUuid = std::find_if(rest.begin(), rest.end(), [&](const Place& b) {
        return sameConfiguration(a, b) && sameUuid(a, b);
    });
    if (byUuid != rest.end()) return byUuid;
    return std::find_if(rest.begin(), rest.end(), [&](const Place& b) {
        return sameConfiguration(a, b) && a.device->name == b.device->name &&
               std::none_of(baseline.begin(), baseline.end(), [&](const Place& other) {
                   return other.device != nullptr && sameUuid(other, b);
               });
    });
}

void addOnce(std::vector<std::string>& texts, const std::string& text) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

/// What makes these two no comparison of like with like.
std::vector<std::string> differences(const Place& a, const Place& b) {
    std::vector<std::string> out = differentWork(*a.result, *b.result);
    for (const std::string& more : differentMeasurement(*a.result, *b.result))
        out.push_back(more);
    // Every CPU has the same uuid, cpu-0: its name tells two machines apart.
    if (a.device->kind == "cpu" && a.device->name != b.device->name)
        out.push_back("device " + oneLine(a.device->name) + " and " + oneLine(b.device->name));
    return out;
}

RunMatch matchOf(const Place& a, const Place& b, bool manyDevices,
                 const std::vector<std::string>& differences) {
    RunMatch match;
    match.device = a.device;
    match.baseline = a.run;
    match.candidate = b.run;
    match.label = oneLine(a.run->label() + (manyDevices ? " on " + a.device->name : ""));
    match.comparable = differences.empty();
    if (match.comparable) {
        match.ratio = compareUnpaired(*a.run, *b.run);
    } else {
        match.ratio.reason = "not comparable: " + join(differences, "; ");
    }
    match.sentence = match.label + ": " + oneLine(unpairedSentence("B", "A", match.ratio));
    return match;
}

bool measured(const Run& run) {
    return run.status == "measured";
}

}  // namespace

ResultComparison compareResults(std::span<const Result> baseline, std::span<const Result> candidate,
                                bool force) {
    const std::vector<Place> before = placesOf(baseline);
    std::vector<Place> after = placesOf(candidate);
    refuseTwins(before, "A");
    refuseTwins(after, "B");
    ResultComparison out;
    out.forced = force;
    std::set<std::string> devices;
    for (const Place& a : before) {
        if (a.device != nullptr) devices.insert(a.device->uuid);
    }
    for (const Place& a : before) {
        const auto b = twinOf(a, after, before);
        if (b == after.end()) {
            if (measured(*a.run)) out.onlyBaseline.push_back({a.device, a.run});
            continue;
        }
        if (measured(*a.run) || measured(*b->run)) {
            const std::vector<std::string> unlike = differences(a, *b);
            for (const std::string& text : unlike)
                addOnce(out.warnings, text);
            out.matches.push_back(
                matchOf(a, *b, devices.size() > 1, force ? std::vector<std::string>{} : unlike));
        }
        after.erase(b);
    }
    for (const Place& b : after) {
        if (measured(*b.run)) out.onlyCandidate.push_back({b.device, b.run});
    }
    return out;
}

std::vector<std::string> regressions(const ResultComparison& comparison, double share) {
    std::vector<std::string> out;
    for (const RunMatch& match : comparison.matches) {
        const std::string label = match.label + ": ";
        if (!match.comparable || !whyNotValid(*match.baseline).empty()) continue;
        const std::string trouble = whyNotValid(*match.candidate);
        if (!trouble.empty()) {
            out.push_back(label + "B has no valid measurement: " + oneLine(trouble));
            continue;
        }
        const double before = match.baseline->summary().median;
        const double after = match.candidate->summary().median;
        if (after > before * (1 + share)) {
            out.push_back(label + "the median is " + percent(after / before - 1) + " slower (" +
                          milliseconds(before) + " → " + milliseconds(after) + " ms), more than " +
                          percent(share));
        }
    }
    return out;
}

bool refused(const ResultComparison& comparison) {
    return std::any_of(comparison.matches.begin(), comparison.matches.end(),
                       [](const RunMatch& match) { return !match.comparable; });
}

}  // namespace aether::app
