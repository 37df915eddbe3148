// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/async.h"
#include "app/discovery.h"
#include "app/hypotheses.h"
#include "app/runner_process.h"
#include "app/session_options.h"
#include "app/trace_values.h"
#include "common/safetensors.h"

namespace aether::app {

/// Inputs of one trace, on disk and in memory.
struct TraceInputs {
    std::filesystem::path file;
    std::filesystem::path workload;
    TensorMap tensors;
};

/// The traces to compare with: the float64 truth and the yardstick, from the runner that offers
/// fp64 (preferably no engine, on the CPU), in one process of its own. Traces are kept.
class ReferenceTraces {
  public:
    ReferenceTraces(const std::vector<RunnerInfo>& runners, const SessionOptions& options,
                    const Workload& workload, int steps);

    bool available() const { return runner_ != nullptr; }
    /// Attempt 0 begins at the first training image, attempt n at another. Throws Failure.
    const TraceInputs& inputs(std::int64_t batch, int attempt);
    /// The same weights and images for a changed recipe; null where the recipe can't be expressed.
    const TraceInputs* inputs(std::int64_t batch, int attempt, const Hypothesis& hypothesis);

    /// Eager, in that layout and precision; on `device` if the runner offers both there, else on
    /// its own choice. Nothing when it failed: trouble() says why.
    Task<std::optional<TraceValues>> trace(const TraceInputs& inputs, std::int64_t batch,
                                           std::string precision, std::string layout,
                                           std::string device);
    const std::string& trouble() const { return trouble_; }
    const std::filesystem::path& folder() const { return folderPath_; }

    /// Ends the process; the kept traces stay.
    Task<> close();
    void abort();

  private:
    void findRunner(const std::vector<RunnerInfo>& runners);
    std::string deviceFor(const std::string& precision, const std::string& wanted) const;
    Task<std::string> ensureProcess();
    nlohmann::json prepareCommand(const TraceInputs& inputs, std::int64_t batch,
                                  const std::string& precision, const std::string& layout,
                                  const std::string& device) const;
    std::uint64_t seed() const { return options_.seed.value_or(workload_.seed); }

    const SessionOptions& options_;
    const Workload& workload_;
    int steps_;
    const RunnerInfo* runner_ = nullptr;
    const protocol::Device* device_ = nullptr;
    QTemporaryDir folder_;
    std::filesystem::path folderPath_;
    std::map<std::string, TraceInputs> inputs_;
    std::map<std::string, TraceValues> kept_;
    std::unique_ptr<RunnerProcess> process_;
    std::string trouble_;
    bool aborted_ = false;
};

}  // namespace aether::app
