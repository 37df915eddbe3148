// SPDX-License-Identifier: GPL-3.0-only
#include "app/trainer.h"

#include <algorithm>
#include <set>

#include "app/text.h"
#include "common/failure.h"
#include "common/statistics.h"

namespace aether::app {
namespace {

double epochSeconds(const TrainedRun& run) {
    std::vector<double> seconds;
    for (const protocol::Epoch& epoch : run.epochs)
        seconds.push_back(static_cast<double>(epoch.wallNs) / 1e9);
    return median(seconds);
}

}  // namespace

Trainer::Trainer(SessionOptions options, std::vector<RunnerInfo> runners,
                 std::vector<Variant> variants, int epochs, QObject* parent)
    : QObject(parent),
      options_(std::move(options)),
      runners_(std::move(runners)),
      variants_(std::move(variants)),
      epochs_(epochs) {}

Trainer::~Trainer() {
    job_ = {};
}

void Trainer::start() {
    job_ = run();
    job_.start();
}

void Trainer::cancel() {
    cancelled_ = true;
    if (contender_) contender_->abort({"cancelled", "cancelled"});
}

Task<> Trainer::run() {
    try {
        workload_ = loadWorkload(options_.workload);
    } catch (const Failure& failure) {
        trouble_ = failure.what();
    }
    if (trouble_.empty()) {
        for (const Variant& variant : variants_) {
            if (cancelled_) break;
            co_await trainOne(variant);
        }
    }
    QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

Task<> Trainer::trainOne(Variant variant) {
    contender_ =
        std::make_unique<Contender>(variant, runners_[variant.runner], options_, workload_);
    runs_.push_back({contender_->run(), {}});
    const std::size_t index = runs_.size() - 1;
    Q_EMIT started(runs_[index].run);
    if (contender_->canGoOn()) {
        const bool ready = co_await contender_->prepare();
        if (ready) {
            connect(contender_->process(), &RunnerProcess::epochFinished, this,
                    [this, index](const protocol::Epoch& epoch) {
                        runs_[index].epochs.push_back(epoch);
                        Q_EMIT epochFinished(runs_[index].run, epoch);
                    });
            nlohmann::json command = {{"command", "train"}, {"epochs", epochs_}};
            Reply reply = co_await contender_->process()->request(command, "trained");
            if (!reply.ok()) contender_->fail(*reply.failure);
        }
        co_await contender_->close();
    }
    Run& run = runs_[index].run;
    run = contender_->run();
    if (run.status == "queued") run.status = "measured";
    Q_EMIT ended(run);
}

std::vector<Variant> defaultTraining(const std::vector<Variant>& plan,
                                     const std::vector<RunnerInfo>& runners) {
    std::vector<Variant> chosen;
    std::set<std::string> taken;
    // The compiled variants first, so that eager only stands in where nothing compiles.
    for (const char* mode : {"native", "compiled", "eager"}) {
        for (const Variant& variant : plan) {
            const std::string framework = runners[variant.runner].hello.framework;
            if (variant.mode != mode || variant.precision != "fp32" || !variant.unavailable.empty())
                continue;
            if (taken.insert(framework + variant.device.uuid).second) chosen.push_back(variant);
        }
    }
    return chosen;
}

std::string trainingComparison(const std::vector<TrainedRun>& runs) {
    std::vector<const TrainedRun*> whole;
    for (const TrainedRun& run : runs) {
        if (run.run.status == "measured" && !run.epochs.empty()) whole.push_back(&run);
    }
    if (whole.size() < 2) return {};
    std::string text;
    const TrainedRun& first = *whole.front();
    for (std::size_t i = 1; i < whole.size(); ++i) {
        const TrainedRun& other = *whole[i];
        const double ratio = epochSeconds(other) / epochSeconds(first);
        const bool faster = ratio >= 1;
        text += (i > 1 ? "\n" : "") + first.run.shortLabel() + " trains an epoch " +
                fixed(faster ? ratio : 1 / ratio, 2) + " × " + (faster ? "faster" : "slower") +
                " than " + other.run.shortLabel() + "; test accuracy " +
                fixed(first.epochs.back().testAccuracy, 4) + " against " +
                fixed(other.epochs.back().testAccuracy, 4);
    }
    return text;
}

}  // namespace aether::app
