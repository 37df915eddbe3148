// SPDX-License-Identifier: GPL-3.0-only
#include "app/reference_traces.h"

#include <algorithm>

#include "app/verify_inputs.h"
#include "common/dataset.h"
#include "common/failure.h"
#include "common/files.h"

namespace aether::app {
namespace {

using nlohmann::json;

bool offers(const protocol::Device& device, const std::string& precision) {
    return std::any_of(device.precisions.begin(), device.precisions.end(),
                       [&](const protocol::Precision& p) { return p.name == precision; });
}

std::string preferred(const std::vector<std::string>& offered, const std::string& wanted) {
    const bool has = std::find(offered.begin(), offered.end(), wanted) != offered.end();
    return has || offered.empty() ? wanted : offered.front();
}

std::string stem(std::int64_t batch, int attempt) {
    return std::to_string(batch) + "-" + std::to_string(attempt);
}

}  // namespace

ReferenceTraces::ReferenceTraces(const std::vector<RunnerInfo>& runners,
                                 const SessionOptions& options, const Workload& workload, int steps)
    : options_(options),
      workload_(workload),
      steps_(steps),
      folderPath_(folder_.path().toStdString()) {
    findRunner(runners);
}

void ReferenceTraces::findRunner(const std::vector<RunnerInfo>& runners) {
    int bestScore = -1;
    for (const RunnerInfo& runner : runners) {
        if (!runner.usable()) continue;
        for (const protocol::Device& device : runner.description.devices) {
            if (!offers(device, "fp64")) continue;
            const int score =
                (runner.hello.framework != "aether" ? 2 : 0) + (device.kind == "cpu" ? 1 : 0);
            if (score <= bestScore) continue;
            runner_ = &runner;
            device_ = &device;
            bestScore = score;
        }
    }
}

const TraceInputs& ReferenceTraces::inputs(std::int64_t batch, int attempt) {
    const std::string key = stem(batch, attempt);
    const auto found = inputs_.find(key);
    if (found != inputs_.end()) return found->second;
    TraceInputs made;
    made.workload = options_.workload;
    made.file = folderPath_ / ("in-" + key + ".safetensors");
    const auto first = static_cast<std::size_t>(attempt * steps_ * batch);
    made.tensors = traceInputs(workload_, loadDataset(workload_, options_.data, seed()), batch,
                               seed(), steps_, first);
    writeSafetensors(made.tensors, made.file);
    return inputs_[key] = std::move(made);
}

const TraceInputs* ReferenceTraces::inputs(std::int64_t batch, int attempt,
                                           const Hypothesis& hypothesis) {
    const std::string key = stem(batch, attempt) + "-" + hypothesis.name;
    const auto found = inputs_.find(key);
    if (found != inputs_.end()) return &found->second;
    try {
        TraceInputs made;
        made.workload = folderPath_ / (hypothesis.name + ".json");
        writeFileAtomically(made.workload, hypothesis.workload.dump());
        const Workload changed = loadWorkload(made.workload);
        made.file = folderPath_ / ("in-" + key + ".safetensors");
        const auto first = static_cast<std::size_t>(attempt * steps_ * batch);
        made.tensors = traceInputs(changed, loadDataset(changed, options_.data, seed()), batch,
                                   seed(), steps_, first);
        if (hypothesis.confusedLayout) confuseImageLayout(made.tensors, changed, steps_);
        writeSafetensors(made.tensors, made.file);
        return &(inputs_[key] = std::move(made));
    } catch (const Failure&) {
        return nullptr;
    }
}

std::string ReferenceTraces::deviceFor(const std::string& precision,
                                       const std::string& wanted) const {
    for (const protocol::Device& device : runner_->description.devices) {
        if (device.uuid == wanted && offers(device, precision)) return device.uuid;
    }
    return device_->uuid;
}

json ReferenceTraces::prepareCommand(const TraceInputs& inputs, std::int64_t batch,
                                     const std::string& precision, const std::string& layout,
                                     const std::string& device) const {
    protocol::PrepareRequest request;
    request.device = deviceFor(precision, device);
    request.workload = inputs.workload.string();
    if (options_.data) request.data = options_.data->string();
    request.layout = preferred(device_->layouts, layout);
    request.mode = preferred(device_->modes, "eager");
    request.precision = precision;
    request.batch = batch;
    request.seed = seed();
    request.threads = options_.threads;
    request.cores = options_.cores;
    json command = request;
    command["command"] = "prepare";
    return command;
}

Task<std::string> ReferenceTraces::ensureProcess() {
    if (aborted_) co_return std::string("cancelled");
    if (process_ && process_->alive() && !process_->failure()) co_return std::string();
    process_ = std::make_unique<RunnerProcess>(runner_->manifest, options_.silence);
    Reply reply = co_await process_->start();
    co_return reply.ok() ? std::string() : reply.failure->sentence;
}

Task<std::optional<TraceValues>> ReferenceTraces::trace(const TraceInputs& inputs,
                                                        std::int64_t batch, std::string precision,
                                                        std::string layout, std::string device) {
    const std::string key = precision + "|" + layout + "|" + device + "|" + inputs.file.string();
    const auto found = kept_.find(key);
    if (found != kept_.end()) co_return found->second;
    trouble_ = co_await ensureProcess();
    if (!trouble_.empty()) co_return std::nullopt;
    json prepare = prepareCommand(inputs, batch, precision, layout, device);
    Reply reply = co_await process_->request(prepare, "prepared");
    const auto outputs = folderPath_ / "reference-out.safetensors";
    if (reply.ok()) {
        json command = protocol::TraceRequest{inputs.file.string(), outputs.string(), steps_};
        command["command"] = "trace";
        reply = co_await process_->request(command, "traced");
    }
    if (!reply.ok()) {
        trouble_ = reply.failure->sentence;
        co_return std::nullopt;
    }
    std::optional<TraceValues> values;
    try {
        values = readTrace(outputs, workload_, inputs.tensors, steps_);
        kept_[key] = *values;
    } catch (const std::exception& error) {
        trouble_ = error.what();
    }
    co_return values;
}

Task<> ReferenceTraces::close() {
    if (process_) co_await process_->close();
    process_.reset();
}

void ReferenceTraces::abort() {
    aborted_ = true;
    if (process_) process_->abort({"cancelled", "cancelled"});
}

}  // namespace aether::app
