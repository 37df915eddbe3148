// SPDX-License-Identifier: GPL-3.0-only
#include "app/verification.h"

#include "common/failure.h"

namespace aether::app {

Verification::Verification(SessionOptions options, std::vector<RunnerInfo> runners,
                           std::vector<std::int64_t> batches, QObject* parent)
    : QObject(parent),
      options_(std::move(options)),
      runners_(std::move(runners)),
      batches_(std::move(batches)) {}

Verification::~Verification() {
    job_ = {};
}

void Verification::start() {
    job_ = run();
    job_.start();
}

void Verification::cancel() {
    cancelled_ = true;
    if (contender_) contender_->abort({"cancelled", "cancelled"});
    if (verifier_) verifier_->abort();
}

Task<> Verification::run() {
    try {
        workload_ = loadWorkload(options_.workload);
        if (batches_.empty()) batches_ = {8, options_.batch.value_or(workload_.batch)};
    } catch (const Failure& failure) {
        trouble_ = failure.what();
    }
    if (trouble_.empty()) {
        verifier_ = std::make_unique<Verifier>(runners_, options_, workload_);
        connect(verifier_.get(), &Verifier::progressed, this, &Verification::progressed);
        for (const Variant& variant : makePlan(options_.plan, runners_)) {
            for (std::size_t b = 0; b < batches_.size() && !cancelled_; ++b) {
                if (b > 0 && batches_[b] == batches_[b - 1]) continue;
                const bool good = co_await verifyOne(variant, batches_[b], b == 0);
                if (!good) break;
            }
        }
        co_await verifier_->close();
    }
    QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

Task<bool> Verification::verifyOne(Variant variant, std::int64_t batch, bool diagnose) {
    options_.batch = batch;
    contender_ =
        std::make_unique<Contender>(variant, runners_[variant.runner], options_, workload_);
    VerificationEntry entry;
    entry.batch = batch;
    if (contender_->canGoOn()) {
        Q_EMIT progressed(variant.id + ", batch " + std::to_string(batch) + ": preparing");
        const bool ready = co_await contender_->prepare();
        if (ready) {
            Q_EMIT progressed(variant.id + ", batch " + std::to_string(batch) + ": verifying");
            entry.report =
                co_await verifier_->check(*contender_->process(), variant, batch, diagnose);
            contender_->run().parity = entry.report.parity;
            const std::optional<RunnerFailure> died = contender_->process()->failure();
            if (died) contender_->fail(*died);
        }
        co_await contender_->close();
    }
    entry.run = contender_->run();
    if (entry.run.status == "queued") entry.run.status = "measured";
    entries_.push_back(entry);
    Q_EMIT verified(static_cast<int>(entries_.size()) - 1);
    co_return entry.run.status == "measured" && entry.run.parity.state == Parity::State::Passed;
}

}  // namespace aether::app
