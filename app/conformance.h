// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/async.h"
#include "app/runner_process.h"
#include "common/workload.h"

namespace aether::app {

struct ConformanceCheck {
    enum class State { Passed, Failed, Skipped };
    std::string name;
    State state = State::Passed;
    std::string detail;
};

/// Drives any runner through the whole of docs/protocol.md on its first device in its first
/// configuration. A breach that ends the process fails the check at hand and skips the rest. One
/// terminal signal: finished.
class Conformance : public QObject {
    Q_OBJECT
  public:
    Conformance(RunnerManifest manifest, std::filesystem::path workload, std::int64_t batch,
                std::chrono::milliseconds silence, QObject* parent = nullptr);
    ~Conformance() override;
    void start();
    void cancel();

    const std::vector<ConformanceCheck>& checks() const { return checks_; }
    int passed() const { return count(ConformanceCheck::State::Passed); }
    int failed() const { return count(ConformanceCheck::State::Failed); }
    int skipped() const { return count(ConformanceCheck::State::Skipped); }

  Q_SIGNALS:
    void checked(const aether::app::ConformanceCheck& check);
    void finished();

  private:
    Task<> run();
    Task<> checkGreeting();
    Task<> checkDescription();
    Task<> checkRefusals();
    Task<> checkPrepare();
    Task<> checkMeasure();
    Task<> checkProfile();
    Task<> checkTrace();
    Task<> checkTrain();
    Task<> checkIdle();
    Task<> checkClose();
    Task<> checkEndOfInput();
    Task<> expectFailure(std::string name, nlohmann::json command, std::string expectedEvent);
    /// The typed final answer; nothing when it failed (then the check has been reported).
    Task<std::optional<nlohmann::json>> ask(std::string name, nlohmann::json command,
                                            std::string expected);

    void report(const std::string& name, bool good, const std::string& detail = {});
    void skip(const std::string& name, const std::string& why);
    /// Whether the runner can take this check. If not, the check has been reported: as failed where
    /// it is the first to notice, as skipped after that.
    bool stillThere(const std::string& name);
    bool usable() const { return process_ && process_->alive() && !process_->failure(); }
    int count(ConformanceCheck::State state) const;
    nlohmann::json prepareCommand(std::size_t layout) const;

    RunnerManifest manifest_;
    std::filesystem::path workloadFile_;
    Workload workload_;
    std::int64_t batch_;
    std::chrono::milliseconds silence_;
    QTemporaryDir folder_;
    std::unique_ptr<RunnerProcess> process_;
    protocol::Device device_;
    bool hasDevice_ = false;
    bool prepared_ = false;
    bool endReported_ = false;
    int epochs_ = 0;
    std::vector<ConformanceCheck> checks_;
    Task<> job_;
};

}  // namespace aether::app
