// SPDX-License-Identifier: GPL-3.0-only
// How far a trace may lie from the float64 truth.
//
// Distance of a quantity x from the truth t: ‖x − t‖₂ / max(‖t‖₂, floor).
//
//   gradients: floor = share · (root mean square of all true gradients) · √elements, share 0.01.
//       The bias of a convolution in front of batch norm has the true gradient 0, and frameworks
//       compute rounding noise (PyTorch fp32 at batch 8: 2e-6 of the other gradients). There the
//       share is 1: the noise is measured against the gradients that matter.
//
//   updates: Adam divides that bias's noise by noise, so each step moves it by up to the learning
//       rate in any direction, without effect on the network. Such an update is only held to the
//       bound Σ learning rate.
//
//   running means: that bias moves the batch mean with it, so the gate of such a mean grows by
//       half the most that K steps of such noise can do.
//
// Gates on the distance (y: the largest distance of a yardstick, PyTorch eager of that precision in
// NCHW and, for larger batches, NHWC; constants in verify_gate.cpp, measured on cifar10-v1):
//
//   fp32, batch ≤ 16: losses and gradients 1e-5
//
//   fp32, larger: loss of step 1 1e-5, later losses max(1e-5, 2 y), gradients 2 y + 1e-6
//
//   fp32: updates 2 y + 8e-6, running statistics 2 y + 2e-6
//
//   tf32 and 16 bit: everything 1.5 y + 1e-3
//
// In a larger batch some of the millions of values before a ReLU or in a pooling window are so near
// to a tie that rounding decides, in PyTorch as well (its two layouts differ from the truth by 5e-4
// and 5e-3). Which tensors in front of it that moves is chance, so for them y is the largest
// distance of any tensor of that kind. Tensors behind the last ReLU and pool keep their own y.
#pragma once

#include <string>
#include <vector>

#include "app/trace_values.h"
#include "common/workload.h"

namespace aether::app {

struct Finding {
    QuantityKind kind = QuantityKind::Loss;
    std::string name;
    double distance = 0;
    double allowed = 0;
    double yardstick = 0;
    double excess() const { return allowed > 0 ? distance / allowed : distance; }
};

struct GateSetting {
    std::string precision;
    std::int64_t batch = 0;
    int steps = 0;
};

/// One finding per quantity, in the order of the traces.
std::vector<Finding> compareTraces(const Workload& workload, const TraceValues& subject,
                                   const TraceValues& truth,
                                   const std::vector<TraceValues>& yardsticks,
                                   const GateSetting& setting);

/// The finding of that kind that exceeds its gate most (or is nearest to it); null for an empty
/// list.
const Finding* worstOf(const std::vector<Finding>& findings, QuantityKind kind);
const Finding* worstOf(const std::vector<Finding>& findings);

/// True for the bias of a convolution or dense layer directly in front of batch norm.
bool cancelsInBatchNorm(const Workload& workload, const Parameter& parameter);

/// Which part of the step is wrong, told by what fails first: the forward pass (loss of step 1),
/// the backward pass (gradients), the optimizer (updates), batch norm's running statistics.
std::string causalDiagnosis(const std::vector<Finding>& findings);

/// What the subject's own numbers give away: every gradient zero, or the same loss in every step.
/// Else empty.
std::string plainDiagnosis(const TraceValues& subject);

}  // namespace aether::app
