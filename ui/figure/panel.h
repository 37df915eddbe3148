// SPDX-License-Identifier: GPL-3.0-only
// What one panel of the figure shows: plain values, made from a result, without any drawing.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "ui/theme/tokens.h"

namespace aether::ui {

enum class BarState {
    Waiting,       ///< has its turn later: queued, or ready and waiting
    Active,        ///< something is happening, `activity` says what
    Measured,      ///< counts
    ParityFailed,  ///< measured, but it did not do the same work: drawn hatched, never wins
    Failed,        ///< `reason` says why
    Unavailable,
    Cancelled
};

struct Bar {
    std::string key;         ///< unique among all panels: the result's number and the run's id
    std::size_t result = 0;  ///< which of the results shown holds the run
    std::string id;          ///< of the run
    QString name;            ///< "Aether direct", "PyTorch compiled"
    QString detail;          ///< "NCHW → NHWC · fp32 · C++"
    QString precision;       ///< bars of one precision are compared with each other
    Series series = Series::Other;
    BarState state = BarState::Waiting;
    QString activity;  ///< "compiling, 41 s", "round 2 of 6"; empty: nothing is happening
    QString reason;    ///< one sentence, of Failed, Unavailable and ParityFailed
    Summary step;      ///< milliseconds per step; n = 0: no value
    /// Fastest PyTorch's time / this one's: above 1, this one is faster. From pairs of the same
    /// round where the result has them, else of the medians.
    std::optional<double> ratio;
    std::optional<Verdict> verdict;  ///< of the comparison with the reference, if there is one
    bool reference = false;          ///< the fastest valid PyTorch bar of its precision

    bool hasValue() const { return step.n > 0; }
    bool counts() const { return hasValue() && state != BarState::ParityFailed; }
};

struct Panel {
    std::string deviceUuid;  ///< empty: runs without a device
    QString title;           ///< the device's name
    QString subtitle;        ///< "CPU · 16 cores · 24 GB"
    QString setting;         ///< "cifar10-v1, batch 256, 2 threads, synthetic data, 6 rounds"
    QString badge;           ///< "Emulated", "Published"; empty: an ordinary measurement
    QString source;          ///< where published numbers come from; empty: measured here
    std::vector<Bar> bars;   ///< of one precision side by side, in the order of the plan

    /// Index of the reference among the bars of that precision, or -1.
    int referenceOf(const QString& precision) const;
    /// Every precision once, in the order of the bars.
    std::vector<QString> precisions() const;
};

/// One panel per device, in the order of the file. `index`: of this result among those shown.
std::vector<Panel> panelsOf(const Result& result, std::size_t index = 0);
std::vector<Panel> panelsOf(const std::vector<Result>& results);

/// "1.56× faster than PyTorch", "1.00×, the reference", "1.01×, too noisy to call"; empty without a
/// ratio.
QString relativeText(const Bar& bar);
/// "4.86", "21.71", "178.7", "1017": as many digits as a reader can use.
QString stepText(double milliseconds);
/// The bar in one sentence, for tooltips and screen readers.
QString sentenceOf(const Bar& bar);

}  // namespace aether::ui
