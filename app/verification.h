// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/async.h"
#include "app/contender.h"
#include "app/verifier.h"

namespace aether::app {

struct VerificationEntry {
    Run run;  ///< status "measured" stands for "traced" here; parity inside
    std::int64_t batch = 0;
    VerifyReport report;
};

/// Verifies every variant of a plan at each of the batch sizes, one at a time, without measuring. A
/// variant that fails at a small batch (with a diagnosis) is not tried at a larger one. One
/// terminal signal: finished.
class Verification : public QObject {
    Q_OBJECT
  public:
    Verification(SessionOptions options, std::vector<RunnerInfo> runners,
                 std::vector<std::int64_t> batches, QObject* parent = nullptr);
    ~Verification() override;
    void start();
    void cancel();
    const std::vector<VerificationEntry>& entries() const { return entries_; }
    /// Why nothing could be started (a damaged workload); empty otherwise.
    const std::string& trouble() const { return trouble_; }

  Q_SIGNALS:
    void progressed(const std::string& message);
    void verified(int index);
    void finished();

  private:
    Task<> run();
    Task<bool> verifyOne(Variant variant, std::int64_t batch, bool diagnose);

    SessionOptions options_;
    std::vector<RunnerInfo> runners_;
    std::vector<std::int64_t> batches_;
    Workload workload_;
    std::unique_ptr<Verifier> verifier_;
    std::unique_ptr<Contender> contender_;
    std::vector<VerificationEntry> entries_;
    std::string trouble_;
    bool cancelled_ = false;
    Task<> job_;
};

}  // namespace aether::app
