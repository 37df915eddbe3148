// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/run_controller.h"

#include <algorithm>

#include "app/catalogue.h"
#include "app/paths.h"
#include "common/failure.h"

namespace aether::ui {
namespace {

using namespace std::chrono_literals;

constexpr auto kUpdateEvery = 250ms;
constexpr auto kDescribeSilence = 60s;

}  // namespace

RunController::RunController(QObject* parent) : QObject(parent) {
    pending_.setSingleShot(true);
    connect(&pending_, &QTimer::timeout, this, &RunController::update);
    connect(&gate_, &UpdateGate::changed, this, [this](bool closed) {
        if (closed) {
            pending_.stop();
        } else {
            announce();
        }
    });
}

RunController::~RunController() = default;

void RunController::discover(const std::vector<std::filesystem::path>& extra) {
    if (discovering()) return;
    const app::Substitutions with = app::findSubstitutions({});
    discovery_ = std::make_unique<app::Discovery>(
        app::loadCatalogue(app::resourceRoot(), app::configFolder(), extra, with),
        kDescribeSilence);
    connect(discovery_.get(), &app::Discovery::finished, this, [this] {
        runners_ = discovery_->runners();
        discovery_.release()->deleteLater();
        Q_EMIT runnersChanged();
    });
    discovery_->start();
}

RunController::Preview RunController::preview(const app::SessionOptions& options) const {
    Preview out;
    const std::vector<app::Variant> variants = app::makePlan(options.plan, runners_);
    for (const app::Variant& variant : variants)
        (variant.unavailable.empty() ? out.able : out.unavailable) += 1;
    try {
        const Workload workload = loadWorkload(options.workload);
        out.seconds = app::estimatedSeconds(
            variants, options, workload.flopsPerStep(options.batch.value_or(workload.batch)));
    } catch (const Failure& failure) {
        out.problem = QString::fromUtf8(failure.what());
        return out;
    }
    if (out.able == 0) out.problem = tr("nothing that can be measured is chosen");
    return out;
}

void RunController::start(app::SessionOptions options) {
    if (running()) return;
    session_ = std::make_unique<app::Session>(std::move(options), runners_);
    progress_ = {};
    resultFile_.clear();
    if (session_->plan()) {
        try {
            file_ = std::make_unique<app::ReservedResultFile>(app::defaultResultFolder(),
                                                              session_->result());
            resultFile_ = file_->path();
            session_->saveTo(resultFile_);
        } catch (const Failure& failure) {
            Q_EMIT troubled(
                tr("The result will not be saved: %1").arg(QString::fromUtf8(failure.what())));
        }
    }
    live_.begin(*session_);
    listen();
    session_->start();
    Q_EMIT started();
    announce();
}

void RunController::listen() {
    app::Session* session = session_.get();
    connect(session, &app::Session::variantChanged, this, [this](const app::VariantUpdate& update) {
        live_.onVariantChanged(update);
        announce();
    });
    connect(session, &app::Session::sampleTaken, this,
            [this](const std::string& id, const RoundSample& sample) {
                live_.onSample(id, sample);
                announce();
            });
    connect(session, &app::Session::roundFinished, this,
            [this, session] { live_.refresh(session->result()); });
    connect(session, &app::Session::progressed, this, [this](const app::SessionProgress& progress) {
        progress_ = progress;
        announce();
    });
    connect(session, &app::Session::timing, &gate_, &UpdateGate::setClosed);
    connect(session, &app::Session::finished, this, [this](const app::SessionOutcome& outcome) {
        live_.refresh(session_->result());
        live_.end();
        gate_.setClosed(false);
        pending_.stop();
        session_.release()->deleteLater();
        file_.reset();
        Q_EMIT valuesChanged();
        Q_EMIT finished(outcome);
    });
}

void RunController::cancel() {
    if (running()) session_->cancel();
}

/// At the next moment that is allowed: the pauses between two blocks may be shorter than the time
/// between two updates.
void RunController::announce() {
    if (gate_.closed() || pending_.isActive()) return;
    const auto since = std::chrono::milliseconds(lastUpdate_.isValid() ? lastUpdate_.elapsed() : 0);
    pending_.start(std::max(0ms, kUpdateEvery - since));
}

void RunController::update() {
    lastUpdate_.start();
    Q_EMIT valuesChanged();
    // Phases that last show how long they do.
    if (running()) announce();
}

}  // namespace aether::ui
