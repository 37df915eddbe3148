// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/panel.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "app/report/rows.h"
#include "app/text.h"

namespace aether::ui {
namespace {

QString text(const std::string& utf8) {
    return QString::fromStdString(app::oneLine(utf8));
}

struct PanelWords {
    Q_DECLARE_TR_FUNCTIONS(Panel)
};

Series seriesOf(const std::string& framework) {
    if (framework == "aether") return Series::Aether;
    if (framework == "pytorch") return Series::PyTorch;
    return framework == "jax" ? Series::Third : Series::Other;
}

QString layoutText(const Run& run) {
    QString requested = text(app::upper(run.requestedLayout));
    if (!run.effectiveLayout || *run.effectiveLayout == run.requestedLayout) return requested;
    return requested + QStringLiteral(" → ") + text(app::upper(*run.effectiveLayout));
}

QString detailOf(const Run& run) {
    QStringList parts;
    for (const QString& part : {layoutText(run), text(run.precision), text(run.runnerSuffix())}) {
        if (!part.isEmpty()) parts << part;
    }
    return parts.join(QStringLiteral(" · "));
}

BarState stateOf(const Run& run) {
    if (run.status == "failed") return BarState::Failed;
    if (run.status == "unavailable") return BarState::Unavailable;
    if (run.status == "cancelled") return BarState::Cancelled;
    if (run.parity.state == Parity::State::Failed) return BarState::ParityFailed;
    return run.status == "measured" ? BarState::Measured : BarState::Waiting;
}

Summary inMilliseconds(Summary ns) {
    for (double* value : {&ns.median, &ns.min, &ns.max, &ns.lowerQuartile, &ns.upperQuartile})
        *value /= 1e6;
    return ns;
}

Bar barOf(const app::ReportRow& row, std::size_t index) {
    const Run& run = *row.run;
    Bar bar;
    bar.key = std::to_string(index) + "/" + run.id;
    bar.result = index;
    bar.id = run.id;
    bar.name = run.framework.empty() ? text(run.runnerTitle) : text(run.title());
    bar.detail = detailOf(run);
    bar.precision = text(run.precision);
    bar.series = seriesOf(run.framework);
    bar.state = stateOf(run);
    bar.reason = bar.state == BarState::ParityFailed ? text(run.parity.reason) : text(run.reason);
    bar.step = inMilliseconds(row.stepNs);
    return bar;
}

/// The reference is the fastest PyTorch bar that counts, as in app/comparison.cpp.
void compareBars(Panel& panel, const Result& result) {
    for (const QString& precision : panel.precisions()) {
        Bar* reference = nullptr;
        for (Bar& bar : panel.bars) {
            if (bar.precision == precision && bar.series == Series::PyTorch && bar.counts() &&
                (reference == nullptr || bar.step.median < reference->step.median)) {
                reference = &bar;
            }
        }
        if (reference == nullptr) continue;
        reference->reference = true;
        for (Bar& bar : panel.bars) {
            if (bar.precision == precision && bar.counts())
                bar.ratio = reference->step.median / bar.step.median;
        }
    }
    for (const Comparison& comparison : result.comparisons) {
        for (Bar& bar : panel.bars) {
            if (bar.id != comparison.candidate || comparison.ratio.pairs < kFewestSamples) continue;
            bar.verdict = comparison.verdict;
            bar.ratio = comparison.ratio.value;
        }
    }
}

QString subtitleOf(const ResultDevice& device) {
    QStringList parts;
    if (device.kind == "cpu") parts << PanelWords::tr("CPU");
    if (device.kind == "gpu") parts << PanelWords::tr("GPU");
    if (device.kind == "emulated") parts << PanelWords::tr("emulated on the CPU");
    if (device.cores) parts << PanelWords::tr("%1 cores").arg(*device.cores);
    if (device.memoryBytes) {
        parts << PanelWords::tr("%1 GB").arg(
            qRound(static_cast<double>(*device.memoryBytes) / 1e9));
    }
    if (device.driver) parts << text(*device.driver);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

int Panel::referenceOf(const QString& precision) const {
    const auto found = std::find_if(bars.begin(), bars.end(), [&](const Bar& bar) {
        return bar.reference && bar.precision == precision;
    });
    return found == bars.end() ? -1 : static_cast<int>(found - bars.begin());
}

std::vector<QString> Panel::precisions() const {
    std::vector<QString> all;
    for (const Bar& bar : bars) {
        if (std::find(all.begin(), all.end(), bar.precision) == all.end())
            all.push_back(bar.precision);
    }
    return all;
}

std::vector<Panel> panelsOf(const Result& result, std::size_t index) {
    std::vector<Panel> panels;
    for (const app::ReportPanel& source : app::reportPanels(result)) {
        Panel panel;
        if (source.device != nullptr) {
            panel.deviceUuid = source.device->uuid;
            panel.title = text(source.device->name);
            panel.subtitle = subtitleOf(*source.device);
            if (source.device->kind == "emulated") panel.badge = PanelWords::tr("Emulated");
        } else {
            panel.title = PanelWords::tr("Without a device");
        }
        panel.source = text(result.source);
        if (!result.source.empty()) panel.badge = PanelWords::tr("Published");
        panel.setting = text(app::setting(result));
        for (const app::ReportRow& row : source.rows)
            panel.bars.push_back(barOf(row, index));
        // Bars of one precision together; their order is otherwise that of the plan.
        const std::vector<QString> order = panel.precisions();
        std::stable_sort(panel.bars.begin(), panel.bars.end(), [&](const Bar& a, const Bar& b) {
            return std::find(order.begin(), order.end(), a.precision) <
                   std::find(order.begin(), order.end(), b.precision);
        });
        compareBars(panel, result);
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::vector<Panel> panelsOf(const std::vector<Result>& results) {
    std::vector<Panel> all;
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (Panel& panel : panelsOf(results[i], i))
            all.push_back(std::move(panel));
    }
    return all;
}

QString stepText(double milliseconds) {
    if (milliseconds >= 1000) return QString::number(milliseconds, 'f', 0);
    return QString::number(milliseconds, 'f', milliseconds >= 100 ? 1 : 2);
}

QString relativeText(const Bar& bar) {
    if (bar.reference) return PanelWords::tr("1.00×, the reference");
    if (!bar.ratio) return {};
    const double ratio = *bar.ratio;
    const auto times = [](double value) {
        return QString::number(value, 'f', value < 10 ? 2 : 1) + QStringLiteral("×");
    };
    if (bar.verdict == Verdict::Ambiguous)
        return PanelWords::tr("%1, too noisy to call").arg(times(ratio));
    if (bar.series == Series::PyTorch) {
        return ratio < 0.995 ? PanelWords::tr("%1 slower than the fastest").arg(times(1 / ratio))
                             : PanelWords::tr("as fast as the fastest");
    }
    if (bar.verdict == Verdict::Same)
        return PanelWords::tr("%1, as fast as PyTorch").arg(times(ratio));
    if (ratio >= 1.005) return PanelWords::tr("%1 faster than PyTorch").arg(times(ratio));
    if (ratio <= 0.995) return PanelWords::tr("%1 slower than PyTorch").arg(times(1 / ratio));
    return PanelWords::tr("as fast as PyTorch");
}

QString sentenceOf(const Bar& bar) {
    const QString who = bar.name + QStringLiteral(", ") + bar.detail + QStringLiteral(": ");
    QStringList parts;
    if (bar.hasValue()) {
        parts << PanelWords::tr("%1 ms per step, from %2 to %3 in %4 rounds")
                     .arg(stepText(bar.step.median), stepText(bar.step.min), stepText(bar.step.max))
                     .arg(bar.step.n);
        if (bar.counts() && bar.ratio) parts << relativeText(bar);
    }
    if (bar.state == BarState::ParityFailed)
        parts << PanelWords::tr("parity failed: %1").arg(bar.reason);
    if (bar.state == BarState::Failed) parts << PanelWords::tr("failed: %1").arg(bar.reason);
    if (bar.state == BarState::Unavailable)
        parts << PanelWords::tr("unavailable: %1").arg(bar.reason);
    if (bar.state == BarState::Cancelled && !bar.hasValue()) parts << PanelWords::tr("cancelled");
    if (!bar.activity.isEmpty()) parts << bar.activity;
    if (parts.isEmpty()) parts << PanelWords::tr("not measured yet");
    return who + parts.join(QStringLiteral("; "));
}

}  // namespace aether::ui
