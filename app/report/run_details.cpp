// SPDX-License-Identifier: GPL-3.0-only
#include "app/report/run_details.h"

#include <algorithm>
#include <sstream>

#include "app/report/writers.h"
#include "app/text.h"

namespace aether::app {
namespace {

double toMs(double ns) {
    return ns / 1e6;
}

void flatten(const protocol::Stage& stage, int depth, double steps, Breakdown& out) {
    StageRow row;
    row.name = oneLine(stage.name);
    row.phase = stage.phase;
    row.depth = depth;
    row.wallMs = toMs(static_cast<double>(stage.wallNs)) / steps;
    if (stage.deviceNs) row.deviceMs = toMs(static_cast<double>(*stage.deviceNs)) / steps;
    row.share = out.stepMs > 0 ? row.wallMs / out.stepMs : 0;
    if (depth == 0) out.sumMs += row.wallMs;
    out.rows.push_back(std::move(row));
    for (const protocol::Stage& child : stage.children)
        flatten(child, depth + 1, steps, out);
}

class DetailList {
  public:
    void add(const char* label, const std::string& value) {
        if (!value.empty()) list_.emplace_back(label, oneLine(value));
    }
    Details take() { return std::move(list_); }

  private:
    Details list_;
};

std::string shortCommit(const std::string& commit, std::optional<bool> dirty) {
    if (commit.empty()) return {};
    return commit.substr(0, 12) + (dirty.value_or(false) ? " (dirty)" : "");
}

std::string coreList(const std::vector<int>& cores) {
    std::vector<std::string> parts;
    for (const int core : cores)
        parts.push_back(std::to_string(core));
    return join(parts, ", ");
}

std::string cell(const std::string& text) {
    return " " + markdownText(text) + " |";
}

void table(std::ostream& out, const std::vector<std::vector<std::string>>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out << "|";
        for (const std::string& text : rows[i])
            out << cell(text);
        out << "\n";
        if (i > 0) continue;
        out << "|";
        for (std::size_t k = 0; k < rows[i].size(); ++k)
            out << (k == 0 ? "---|" : "---:|");
        out << "\n";
    }
    out << "\n";
}

/// First column: the label; then one column per run; labels in the order of their first meeting.
std::vector<std::vector<std::string>> sideBySide(const std::vector<std::string>& heads,
                                                 const std::vector<Details>& columns) {
    std::vector<std::vector<std::string>> rows{heads};
    std::vector<std::string> labels;
    for (const Details& column : columns) {
        for (const auto& [label, value] : column) {
            if (std::find(labels.begin(), labels.end(), label) == labels.end())
                labels.push_back(label);
        }
    }
    for (const std::string& label : labels) {
        std::vector<std::string> row{label};
        for (const Details& column : columns) {
            const auto found = std::find_if(column.begin(), column.end(), [&](const auto& entry) {
                return entry.first == label;
            });
            row.push_back(found == column.end() ? "-" : found->second);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Details summaryOf(const Run& run) {
    const Summary step = run.summary();
    DetailList list;
    list.add("status", run.status + (run.reason.empty() ? "" : ": " + run.reason));
    if (step.n == 0) return list.take();
    list.add("median", milliseconds(step.median) + " ms");
    list.add("min–max", milliseconds(step.min) + "–" + milliseconds(step.max) + " ms");
    list.add("N", std::to_string(step.n));
    return list.take();
}

Details stagesOf(const Run& run) {
    Details list;
    if (!run.stages) return list;
    for (const StageRow& row : breakdownOf(*run.stages).rows) {
        std::string name(static_cast<std::size_t>(row.depth) * 2, ' ');
        name += row.name + " (" + row.phase + ")";
        list.emplace_back(name, fixed(row.wallMs, 3) + " ms, " + percent(row.share));
    }
    return list;
}

}  // namespace

Breakdown breakdownOf(const protocol::Stages& stages) {
    Breakdown out;
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, stages.steps));
    out.stepMs = toMs(static_cast<double>(stages.stepWallNs)) / steps;
    for (const protocol::Stage& stage : stages.stages)
        flatten(stage, 0, steps, out);
    return out;
}

Details parityDetails(const Run& run) {
    DetailList list;
    list.add("parity", std::string(name(run.parity.state)));
    list.add("worst", run.parity.worst);
    if (!run.parity.worst.empty()) {
        list.add("distance", scientific(run.parity.distance));
        list.add("allowed", scientific(run.parity.allowed));
    }
    list.add("reason", run.parity.reason);
    return list.take();
}

Details runDetails(const Result& result, const Run& run) {
    DetailList list;
    list.add("started", result.context.time);
    list.add("runner", run.runner);
    list.add("framework", join({run.framework, run.frameworkVersion}, " "));
    list.add("version", run.version);
    list.add("commit", shortCommit(run.runnerCommit, run.runnerDirty));
    list.add("precision", run.precision);
    list.add("mode", run.mode);
    list.add("layout asked for", upper(run.requestedLayout));
    list.add("layout effective", upper(run.effectiveLayout.value_or("")));
    list.add("instruction set", run.instructionSet);
    if (run.threads > 0) list.add("threads", std::to_string(run.threads));
    list.add("cores", coreList(result.session.cores));
    list.add("workload", result.workloadName + ", batch " + std::to_string(run.batch));
    list.add("data", result.data);
    list.add("seed", std::to_string(result.session.seed));
    if (run.buildSeconds) list.add("build", duration(*run.buildSeconds));
    if (run.compileSeconds) list.add("compile", duration(*run.compileSeconds));
    if (run.memoryBytes) list.add("memory", bytesText(static_cast<double>(*run.memoryBytes)));
    if (run.warmUpSteps > 0) list.add("warm-up", std::to_string(run.warmUpSteps) + " steps");
    list.add("synchronised", result.session.synchronisation);
    list.add("notes", join(run.flags, "; "));
    list.add("host", result.context.host);
    list.add("system", result.context.os);
    list.add("cpu", result.context.cpu);
    list.add("aether-bench", join({result.context.appVersion,
                                   shortCommit(result.context.appCommit, result.context.appDirty)},
                                  " "));
    for (const auto& [variable, value] : result.context.environment)
        list.add(variable.c_str(), value);
    return list.take();
}

std::string runsMarkdown(const std::vector<RunRef>& runs) {
    std::vector<std::string> heads{""};
    std::vector<Details> summaries, stages, parities, details;
    for (const auto& [result, run] : runs) {
        heads.push_back(run->label());
        summaries.push_back(summaryOf(*run));
        stages.push_back(stagesOf(*run));
        parities.push_back(parityDetails(*run));
        details.push_back(runDetails(*result, *run));
    }
    std::ostringstream out;
    for (const auto& [title, columns] :
         {std::pair{"Step", &summaries}, std::pair{"Stages, ms per step", &stages},
          std::pair{"Parity", &parities}, std::pair{"Run", &details}}) {
        const auto rows = sideBySide(heads, *columns);
        if (rows.size() < 2) continue;
        out << "### " << title << "\n\n";
        table(out, rows);
    }
    for (const auto& [result, run] : runs) {
        for (const Comparison& comparison : result->comparisons) {
            if (comparison.candidate == run->id) out << markdownText(comparison.sentence) << "\n";
        }
    }
    return out.str();
}

}  // namespace aether::app
