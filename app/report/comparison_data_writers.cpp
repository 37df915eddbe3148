// SPDX-License-Identifier: GPL-3.0-only
// Two compared sides for other programs: CSV and JSON.
#include <nlohmann/json.hpp>

#include "app/report/comparison_writers.h"
#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

using nlohmann::json;

std::vector<std::string> configurationFields(const ResultDevice* device, const Run& run) {
    return {device != nullptr ? device->name : "",
            run.deviceUuid,
            run.framework,
            run.runner,
            run.version,
            run.mode,
            run.precision,
            run.requestedLayout,
            std::to_string(run.copy)};
}

/// N, median, minimum and maximum of a side; empty where the side has no such run or no sample.
void addTimes(std::vector<std::string>& fields, const Run* run) {
    const Summary s = run != nullptr ? run->summary() : Summary{};
    fields.push_back(std::to_string(s.n));
    for (const double ns : {s.median, s.min, s.max})
        fields.push_back(s.n > 0 ? fixed(ns / 1e6, 6) : "");
}

void writeLine(std::ostream& out, const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        out << (i > 0 ? "," : "") << csvField(fields[i]);
    out << "\r\n";
}

json sideJson(const Run& run) {
    const Summary s = run.summary();
    json out = {{"id", run.id},
                {"framework_version", run.frameworkVersion},
                {"commit", run.runnerCommit},
                {"status", run.status},
                {"n", s.n}};
    for (const auto& [key, ns] :
         {std::pair{"median_step_ns", s.median}, {"min_step_ns", s.min}, {"max_step_ns", s.max}})
        out[key] = s.n > 0 ? json(ns) : json(nullptr);
    return out;
}

json configurationJson(const ResultDevice* device, const Run& run) {
    return {{"label", run.label()},
            {"device", {{"uuid", run.deviceUuid}, {"name", device != nullptr ? device->name : ""}}},
            {"framework", run.framework},
            {"runner", run.runner},
            {"version", run.version},
            {"mode", run.mode},
            {"precision", run.precision},
            {"layout", run.requestedLayout},
            {"copy", run.copy}};
}

json matchJson(const RunMatch& match) {
    json out = configurationJson(match.device, *match.baseline);
    const UnpairedRatio& ratio = match.ratio;
    const bool valid = ratio.verdict != Verdict::Invalid;
    out["baseline"] = sideJson(*match.baseline);
    out["candidate"] = sideJson(*match.candidate);
    out["paired"] = false;
    out["ratio"] = valid ? json(ratio.value) : json(nullptr);
    out["ratio_low"] = valid && ratio.interval ? json(ratio.interval->low) : json(nullptr);
    out["ratio_high"] = valid && ratio.interval ? json(ratio.interval->high) : json(nullptr);
    out["verdict"] = std::string(name(ratio.verdict));
    out["sentence"] = match.sentence;
    return out;
}

json lonesJson(const std::vector<LoneRun>& lones, const char* side) {
    json out = json::array();
    for (const LoneRun& lone : lones) {
        out.push_back(configurationJson(lone.device, *lone.run));
        out.back()[side] = sideJson(*lone.run);
    }
    return out;
}

}  // namespace

void writeComparisonCsv(std::ostream& out, const ComparisonReport& report) {
    out << "device,device_uuid,framework,runner,version,mode,precision,layout,copy,side,baseline_n,"
           "baseline_median_step_ms,baseline_min_step_ms,baseline_max_step_ms,candidate_n,"
           "candidate_median_step_ms,candidate_min_step_ms,candidate_max_step_ms,ratio,ratio_low,"
           "ratio_high,verdict,sentence\r\n";
    const auto lone = [&](const LoneRun& run, const char* side, bool isBaseline) {
        std::vector<std::string> fields = configurationFields(run.device, *run.run);
        fields.emplace_back(side);
        addTimes(fields, isBaseline ? run.run : nullptr);
        addTimes(fields, isBaseline ? nullptr : run.run);
        fields.insert(fields.end(), {"", "", "", "", ""});
        writeLine(out, fields);
    };
    for (const RunMatch& match : report.comparison.matches) {
        std::vector<std::string> fields = configurationFields(match.device, *match.baseline);
        fields.emplace_back("both");
        addTimes(fields, match.baseline);
        addTimes(fields, match.candidate);
        const UnpairedRatio& ratio = match.ratio;
        const bool valid = ratio.verdict != Verdict::Invalid;
        fields.push_back(valid ? fixed(ratio.value, 4) : "");
        fields.push_back(valid && ratio.interval ? fixed(ratio.interval->low, 4) : "");
        fields.push_back(valid && ratio.interval ? fixed(ratio.interval->high, 4) : "");
        fields.emplace_back(name(ratio.verdict));
        fields.push_back(match.sentence);
        writeLine(out, fields);
    }
    for (const LoneRun& run : report.comparison.onlyBaseline)
        lone(run, "A", true);
    for (const LoneRun& run : report.comparison.onlyCandidate)
        lone(run, "B", false);
}

void writeComparisonJson(std::ostream& out, const ComparisonReport& report) {
    const ResultComparison& comparison = report.comparison;
    json document = {{"schema", "aether-bench/comparison/1.0"},
                     {"baseline", report.baseline},
                     {"candidate", report.candidate},
                     {"warnings", comparison.warnings},
                     {"forced", comparison.forced},
                     {"matches", json::array()},
                     {"only_baseline", lonesJson(comparison.onlyBaseline, "baseline")},
                     {"only_candidate", lonesJson(comparison.onlyCandidate, "candidate")},
                     {"regressions", report.regressions}};
    for (const RunMatch& match : comparison.matches)
        document["matches"].push_back(matchJson(match));
    out << document.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
}

}  // namespace aether::app
