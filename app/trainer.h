// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/async.h"
#include "app/contender.h"
#include "common/protocol.h"

namespace aether::app {

struct TrainedRun {
    Run run;  ///< status "measured" stands for "trained"
    std::vector<protocol::Epoch> epochs;
};

/// Trains every variant over epochs, one after another, the other processes not yet started. One
/// terminal signal.
class Trainer : public QObject {
    Q_OBJECT
  public:
    Trainer(SessionOptions options, std::vector<RunnerInfo> runners, std::vector<Variant> variants,
            int epochs, QObject* parent = nullptr);
    ~Trainer() override;
    void start();
    void cancel();
    const std::vector<TrainedRun>& runs() const { return runs_; }
    const std::string& trouble() const { return trouble_; }

  Q_SIGNALS:
    void started(const aether::Run& run);
    void epochFinished(const aether::Run& run, const aether::protocol::Epoch& epoch);
    void ended(const aether::Run& run);
    void finished();

  private:
    Task<> run();
    Task<> trainOne(Variant variant);

    SessionOptions options_;
    std::vector<RunnerInfo> runners_;
    std::vector<Variant> variants_;
    int epochs_;
    Workload workload_;
    std::unique_ptr<Contender> contender_;
    std::vector<TrainedRun> runs_;
    std::string trouble_;
    bool cancelled_ = false;
    Task<> job_;
};

/// Without a choice: the engine's newest version and PyTorch compiled (eager where it can't
/// compile), fp32.
std::vector<Variant> defaultTraining(const std::vector<Variant>& plan,
                                     const std::vector<RunnerInfo>& runners);

/// "Aether direct fp32 NHWC trains an epoch 1.80 × faster than …; test accuracy 0.712 against
/// 0.708".
std::string trainingComparison(const std::vector<TrainedRun>& runs);

}  // namespace aether::app
