// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <QTemporaryDir>
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
#include "app/verify_gate.h"
#include "common/result.h"
#include "common/safetensors.h"

namespace aether::app {

struct VerifyReport {
    Parity parity;
    std::vector<Finding> findings;  ///< one per quantity; empty when not compared
    std::string diagnosis;          ///< only when parity failed
};

/// Compares a prepared runner's trace of K steps with the same steps in float64 (verify_gate.h says how near is near
/// enough). The truth is the runner that offers precision fp64, preferably no engine, on the CPU; the yardstick is
/// the same runner in eager mode, NCHW, at the precision in question, on the variant's device if it has it. Both run
/// in one process of their own; their traces are kept for the next variant.
class Verifier : public QObject {
    Q_OBJECT
  public:
    static constexpr int kSteps = 5;

    Verifier(const std::vector<RunnerInfo>& runners, const SessionOptions& options, const Workload& workload);

    /// `diagnose`: when parity fails, also try the hypotheses (one more float64 trace each).
    Task<VerifyReport> check(RunnerProcess& process, Variant variant, std::int64_t batch, bool diagnose);
    /// Ends the reference process; the kept traces stay.
    Task<> close();
    void abort();

  Q_SIGNALS:
    void progressed(const std::string& message);

  private:
    struct Inputs {
        std::filesystem::path file;
        TensorMap tensors;
    };
    struct ReferenceQuery {
        std::string precision, device;
        std::filesystem::path workload;
        std::int64_t batch = 0;
        const Inputs* inputs = nullptr;
    };
    struct Truth {
        const RunnerInfo* runner = nullptr;
        const protocol::Device* device = nullptr;
    };

    Truth findTruth() const;
    const Inputs& inputsFor(std::int64_t batch);
    Task<std::optional<TraceValues>> reference(ReferenceQuery query);
    Task<std::string> ensureReferenceProcess();
    nlohmann::json prepareCommand(const ReferenceQuery& query) const;
    Task<std::string> diagnose(TraceValues subject, std::int64_t batch, GateSetting setting,
                               std::vector<Finding> findings, TraceValues truth, TraceValues yardstick);
    Task<std::optional<TraceValues>> hypothesisTruth(Hypothesis hypothesis, std::int64_t batch);
    std::string yardstickDevice(const Variant& variant) const;

    const std::vector<RunnerInfo>& runners_;
    const SessionOptions& options_;
    const Workload& workload_;
    Truth truth_;
    QTemporaryDir folder_;
    std::map<std::int64_t, Inputs> inputs_;
    std::map<std::string, TraceValues> kept_;
    std::unique_ptr<RunnerProcess> process_;
    std::string trouble_;  ///< why the last reference trace failed
    int files_ = 0;
};

}  // namespace aether::app
