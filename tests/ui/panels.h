// SPDX-License-Identifier: GPL-3.0-only
// Panels for tests: few bars, many, every state, names that hurt.
#pragma once

#include <gtest/gtest.h>

#include "app/sample_result.h"
#include "ui/figure/panel.h"

namespace aether::ui::test {

inline const Bar& barNamed(const Panel& panel, const char* name) {
    static const Bar none;
    for (const Bar& bar : panel.bars) {
        if (bar.name == QString::fromUtf8(name)) return bar;
    }
    ADD_FAILURE() << "no bar " << name;
    return none;
}

inline Bar bar(const QString& name, double median, Series series = Series::PyTorch) {
    Bar out;
    out.key = out.id = name.toStdString();
    out.name = name;
    out.detail = QStringLiteral("NCHW → NHWC · fp32 · Python");
    out.precision = QStringLiteral("fp32");
    out.series = series;
    out.state = BarState::Measured;
    out.step = {6, median, median * 0.97, median * 1.08, median * 0.99, median * 1.03};
    return out;
}

inline Panel panelWith(std::vector<Bar> bars) {
    Panel panel;
    panel.deviceUuid = "cpu-0";
    panel.title = QStringLiteral("AMD EPYC 7763 64-Core Processor");
    panel.subtitle = QStringLiteral("CPU · 2 cores · 24 GB");
    panel.setting = QStringLiteral("cifar10-v1, batch 256, 2 threads, synthetic data, 6 rounds");
    panel.bars = std::move(bars);
    return panel;
}

/// Every state there is, in one panel.
inline Panel everyState() {
    std::vector<Bar> bars{bar(QStringLiteral("Aether direct"), 304, Series::Aether),
                          bar(QStringLiteral("PyTorch compiled"), 701),
                          bar(QStringLiteral("PyTorch eager"), 653)};
    bars[0].ratio = 2.15;
    bars[0].verdict = Verdict::Faster;
    bars[2].reference = true;
    bars[2].ratio = 1;
    bars[1].ratio = 0.93;
    Bar wrong = bar(QStringLiteral("Aether winograd"), 120, Series::Aether);
    wrong.state = BarState::ParityFailed;
    wrong.reason = QStringLiteral("gradient conv1.weight is 3.2e-01 from float64, allowed 1e-05");
    Bar failed = bar(QStringLiteral("PyTorch max-autotune"), 0);
    failed.step = {};
    failed.state = BarState::Failed;
    failed.reason = QStringLiteral(
        "crashed with signal 11 (SIGSEGV); last words: a very long "
        "sentence that can't stand in any panel in full, whatever its width");
    Bar missing = failed;
    missing.id = "missing";
    missing.name = QStringLiteral("JAX");
    missing.series = Series::Third;
    missing.state = BarState::Unavailable;
    missing.reason = QStringLiteral("program not found: /opt/jax/bin/runner");
    Bar waiting = failed;
    waiting.id = "waiting";
    waiting.name = QStringLiteral("PyTorch eager (C++)");
    waiting.state = BarState::Waiting;
    waiting.reason.clear();
    Bar compiling = waiting;
    compiling.id = "compiling";
    compiling.state = BarState::Active;
    compiling.activity = QStringLiteral("compiling, 41 s");
    Bar measuring = bar(QStringLiteral("Aether reference"), 640, Series::Aether);
    measuring.state = BarState::Active;
    measuring.activity = QStringLiteral("round 2 of 6");
    for (const Bar& each : {wrong, failed, missing, waiting, compiling, measuring})
        bars.push_back(each);
    return panelWith(bars);
}

/// Two precisions, each with a reference.
inline Panel twoPrecisions() {
    std::vector<Bar> bars{bar(QStringLiteral("Aether direct"), 304, Series::Aether),
                          bar(QStringLiteral("PyTorch eager"), 653),
                          bar(QStringLiteral("Aether direct"), 150, Series::Aether),
                          bar(QStringLiteral("PyTorch eager"), 420)};
    bars[1].reference = bars[3].reference = true;
    bars[0].ratio = 2.15;
    bars[2].ratio = 2.8;
    for (std::size_t i = 2; i < 4; ++i) {
        bars[i].id += "-bf16";
        bars[i].precision = QStringLiteral("bf16");
        bars[i].detail = QStringLiteral("NHWC · bf16");
    }
    return panelWith(bars);
}

inline Panel many(int count) {
    std::vector<Bar> bars;
    for (int i = 0; i < count; ++i)
        bars.push_back(bar(QStringLiteral("PyTorch variant %1").arg(i), 20 + 700.0 * i / count));
    if (count > 0) bars[0].reference = true;
    return panelWith(bars);
}

/// One bar 35 times the others.
inline Panel wideSpread() {
    return panelWith({bar(QStringLiteral("Aether direct"), 4.86, Series::Aether),
                      bar(QStringLiteral("PyTorch compiled"), 7.6),
                      bar(QStringLiteral("PyTorch eager"), 8.21),
                      bar(QStringLiteral("PyTorch eager NHWC"), 170)});
}

inline Panel hostile() {
    Panel panel = everyState();
    panel.title = QStringLiteral("<b>Ryzen™ \"9\" & 測試</b> ") + QString(300, u'W');
    panel.subtitle = QString(200, u'M');
    panel.bars[0].name = QStringLiteral("<img src=x> ") + QString(100, u'W');
    panel.bars[0].detail = QString(100, u'W');
    panel.bars[4].reason = QString(500, u'W');
    return panel;
}

}  // namespace aether::ui::test
