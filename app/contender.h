// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <memory>

#include "app/async.h"
#include "app/runner_process.h"
#include "app/sample_check.h"
#include "app/session_options.h"
#include "common/result.h"
#include "common/workload.h"

namespace aether::app {

/// One variant of a running session: its process and the Run that fills up. Every step returns
/// whether the variant can go on; when not, `run().status`, `reason` and `failureKind` say why and
/// the process is being ended.
class Contender : public QObject {
    Q_OBJECT
  public:
    Contender(Variant variant, const RunnerInfo& runner, const SessionOptions& options,
              const Workload& workload);

    /// Starts the program, prepares, and refuses another parameter count, batch or device than
    /// asked for.
    Task<bool> prepare();
    /// Another process for the same variant, prepared and warm; the samples stay.
    Task<bool> relaunch();
    /// Blocks until two in a row agree within 2 % (at least 3 steps, at most 12 blocks), and
    /// thereby chooses the steps of a timed block.
    Task<bool> warmUp();
    /// One timed block; appends a sample to the run.
    Task<bool> measure(int round);
    Task<bool> profile();
    Task<> close();
    void abort(const RunnerFailure& why);

    void fail(const RunnerFailure& failure);
    bool canGoOn() const { return run_.status == "queued"; }
    /// Forgets a failure and everything measured, for a second try.
    void reset();

    Run& run() { return run_; }
    const Run& run() const { return run_; }
    const Variant& variant() const { return variant_; }
    RunnerProcess* process() { return process_.get(); }
    std::int64_t blockSteps() const { return blockSteps_; }
    double stepSeconds() const { return stepSeconds_; }
    protocol::PrepareRequest prepareRequest() const;
    const std::string& data() const { return data_; }

  Q_SIGNALS:
    void progressed(const aether::protocol::Progress& progress);
    void logged(const std::string& line);

  private:
    /// Sends a command; a failed reply or a breach noticed meanwhile ends the variant and gives
    /// nothing.
    Task<std::optional<nlohmann::json>> ask(nlohmann::json command, std::string expected);
    bool acceptPrepared(const nlohmann::json& answer);
    SampleLimits limits() const;

    Variant variant_;
    const RunnerInfo& runner_;
    const SessionOptions& options_;
    const Workload& workload_;
    std::unique_ptr<RunnerProcess> process_;
    Run run_;
    std::string data_;
    std::int64_t blockSteps_ = 1;
    double stepSeconds_ = 0;
};

}  // namespace aether::app
