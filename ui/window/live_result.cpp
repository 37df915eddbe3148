// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/live_result.h"

#include <algorithm>

#include "app/text.h"

namespace aether::ui {
namespace {

constexpr qint64 kWorthTellingMs = 2000;

/// A session's phases that are a state of rest or an end, not something that goes on.
bool isRest(const std::string& phase) {
    return phase.empty() || phase == "waiting" || phase == "queued" || phase == "measured" ||
           phase == "failed" || phase == "unavailable" || phase == "cancelled";
}

QString phaseText(const std::string& phase) {
    return QString::fromStdString(app::oneLine(phase));
}

}  // namespace

LiveResult::LiveResult(QObject* parent) : QObject(parent) {}

void LiveResult::begin(const app::Session& session) {
    activities_.clear();
    result_ = session.result();
    running_ = true;
}

void LiveResult::end() {
    running_ = false;
    activities_.clear();
}

void LiveResult::refresh(const Result& result) {
    result_ = result;
}

void LiveResult::onVariantChanged(const app::VariantUpdate& update) {
    Activity& activity = activities_[update.id];
    if (activity.phase != update.phase) activity.since.start();
    activity.phase = update.phase;
    activity.message = update.message;
    for (aether::Run& run : result_.runs) {
        if (run.id != update.id) continue;
        if (update.phase == "failed" || update.phase == "unavailable") {
            run.status = update.phase;
            run.reason = update.message;
        }
    }
}

void LiveResult::onSample(const std::string& id, const RoundSample& sample) {
    for (aether::Run& run : result_.runs) {
        if (run.id != id) continue;
        run.samples.push_back(sample);
        if (run.status == "queued") run.status = "measured";
    }
}

std::vector<Panel> LiveResult::panels() const {
    std::vector<Panel> panels = panelsOf(result_);
    if (!running_) return panels;
    for (Panel& panel : panels) {
        for (Bar& bar : panel.bars) {
            const auto activity = activities_.find(bar.id);
            if (activity != activities_.end()) apply(bar, activity->second);
        }
    }
    return panels;
}

void LiveResult::apply(Bar& bar, const Activity& activity) const {
    if (isRest(activity.phase)) {
        if (bar.state == BarState::Waiting && activity.phase == "waiting")
            bar.activity = tr("ready");
        return;
    }
    if (bar.state != BarState::ParityFailed) bar.state = BarState::Active;
    if (activity.phase == "measuring" && !activity.message.empty()) {
        bar.activity = tr("%1 of %2")
                           .arg(QString::fromStdString(activity.message))
                           .arg(result_.session.rounds);
        return;
    }
    bar.activity = phaseText(activity.phase);
    if (activity.since.isValid() && activity.since.elapsed() > kWorthTellingMs) {
        bar.activity += QStringLiteral(", ") +
                        QString::fromStdString(
                            app::duration(static_cast<double>(activity.since.elapsed()) / 1000));
    }
}

}  // namespace aether::ui
