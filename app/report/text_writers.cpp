// SPDX-License-Identifier: GPL-3.0-only
#include <nlohmann/json.hpp>

#include "app/report/rows.h"
#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

using nlohmann::json;

std::string msField(double ns, bool known) {
    return known ? fixed(ns / 1e6, 6) : "";
}

std::string dumpLine(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string csvField(std::string text) {
    if (!text.empty() &&
        std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) {
        text.insert(text.begin(), '\'');
    }
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string markdownText(std::string_view text) {
    std::string out;
    for (const char c : oneLine(text)) {
        if (std::string_view("\\|`*_<>[]#~").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

void writeCsv(std::ostream& out, const Result& result, bool header) {
    if (header) {
        out << "time,workload,device,device_uuid,runner,framework,framework_version,commit,version,"
               "mode,precision,"
               "requested_layout,effective_layout,batch,threads,data,status,reason,n,median_step_"
               "ms,min_step_ms,"
               "max_step_ms,ratio,ratio_low,ratio_high,parity,compile_seconds,memory_bytes,"
               "flags\r\n";
    }
    for (const ReportPanel& panel : reportPanels(result)) {
        for (const ReportRow& row : panel.rows) {
            const Run& run = *row.run;
            const Summary& s = row.stepNs;
            const bool has = s.n > 0;
            std::vector<std::string> flags = run.flags;
            for (const RoundSample& sample : run.samples) {
                for (const std::string& f : sample.flags)
                    flags.push_back(f);
            }
            const std::vector<std::string> fields{
                result.context.time,
                result.workloadName,
                panel.device != nullptr ? panel.device->name : "",
                run.deviceUuid,
                run.runner,
                run.framework,
                run.frameworkVersion,
                run.runnerCommit,
                run.version,
                run.mode,
                run.precision,
                run.requestedLayout,
                run.effectiveLayout.value_or(""),
                std::to_string(run.batch),
                std::to_string(run.threads),
                result.data,
                run.status,
                run.reason,
                std::to_string(s.n),
                msField(s.median, has),
                msField(s.min, has),
                msField(s.max, has),
                row.ratio ? fixed(row.ratio->value, 4) : "",
                row.ratio ? fixed(row.ratio->interval.low, 4) : "",
                row.ratio ? fixed(row.ratio->interval.high, 4) : "",
                std::string(name(run.parity.state)),
                run.compileSeconds ? fixed(*run.compileSeconds, 3) : "",
                run.memoryBytes ? std::to_string(*run.memoryBytes) : "",
                join(flags, "; ")};
            for (std::size_t i = 0; i < fields.size(); ++i)
                out << (i > 0 ? "," : "") << csvField(fields[i]);
            out << "\r\n";
        }
    }
}

void writeMarkdown(std::ostream& out, const Result& result) {
    for (const ReportPanel& panel : reportPanels(result)) {
        out << "### "
            << (panel.device != nullptr ? markdownText(panel.device->name) : "Without a device")
            << "\n\n"
            << markdownText(setting(result)) << "\n\n"
            << "| variant | median ms | min–max | N | ratio | parity "
               "|\n|---|--:|--:|--:|--:|:-:|\n";
        for (const ReportRow& row : panel.rows) {
            out << "| " << markdownText(row.label) << " | ";
            if (row.measured) {
                out << milliseconds(row.stepNs.median) << " | " << milliseconds(row.stepNs.min)
                    << "–" << milliseconds(row.stepNs.max) << " | " << row.stepNs.n << " | "
                    << row.relative << " | " << row.parityMark << " |\n";
            } else {
                out << markdownText(row.run->status) << " | | | | |\n";
            }
        }
        out << '\n';
    }
    for (const std::string& note : reportNotes(result))
        out << "- " << markdownText(note) << '\n';
}

void writeJson(std::ostream& out, const Result& result) {
    out << toJson(result).dump(1, ' ', false, json::error_handler_t::replace) << '\n';
}

void writeJsonLines(std::ostream& out, const Result& result) {
    const json document = toJson(result);
    for (json run : document["runs"]) {
        run["event"] = "run";
        out << dumpLine(run) << '\n';
    }
    for (json comparison : document["comparisons"]) {
        comparison["event"] = "comparison";
        out << dumpLine(comparison) << '\n';
    }
}

}  // namespace aether::app
