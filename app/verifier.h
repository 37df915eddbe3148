// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "app/reference_traces.h"
#include "app/verify_gate.h"
#include "common/result.h"

namespace aether::app {

struct VerifyReport {
    Parity parity;
    std::vector<Finding> findings;  ///< one per quantity; empty when not compared
    std::string diagnosis;          ///< only when parity failed
    int attempts = 0;
};

/// Compares a prepared runner's trace of K steps with the same steps in float64 (verify_gate.h says
/// how near is near enough).
///
/// A trace that exceeds a gate is repeated with other images: now and then two values in a pooling
/// window, or one before a ReLU, lie so near to a tie that rounding decides, and from there on an
/// honest trace differs by 1e-3 to 1e-2. Which quantities that hits changes with the images; an
/// error in the recipe is there with all of them. Each quantity counts with its best attempt.
class Verifier : public QObject {
    Q_OBJECT
  public:
    static constexpr int kSteps = 5;

    Verifier(const std::vector<RunnerInfo>& runners, const SessionOptions& options,
             const Workload& workload);

    /// `diagnose`: when parity fails, also try the hypotheses (float64 traces for each).
    Task<VerifyReport> check(RunnerProcess& process, Variant variant, std::int64_t batch,
                             bool diagnose);
    Task<> close() { return references_.close(); }
    void abort() { references_.abort(); }

  Q_SIGNALS:
    void progressed(const std::string& message);

  private:
    struct Attempt {
        TraceValues subject, truth;
        std::vector<TraceValues> yardsticks;
    };

    /// The three traces; else the report that ends the check.
    Task<std::optional<VerifyReport>> attempt(RunnerProcess& process, Variant variant,
                                              std::int64_t batch, int number, Attempt& out);
    Task<std::optional<VerifyReport>> traceSubject(RunnerProcess& process,
                                                   const TraceInputs& inputs, TraceValues& out);
    Task<std::string> diagnose(const std::vector<Attempt>& attempts, GateSetting setting,
                               std::vector<Finding> found);
    Task<std::optional<double>> excessUnder(Hypothesis hypothesis,
                                            const std::vector<Attempt>& attempts,
                                            GateSetting setting, std::vector<Finding> found);

    const SessionOptions& options_;
    const Workload& workload_;
    ReferenceTraces references_;
};

}  // namespace aether::app
