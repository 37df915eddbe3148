// SPDX-License-Identifier: MIT
#include "engine/cpu/training.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "common/failure.h"
#include "common/random.h"

namespace aether::engine::cpu {

Training::Training(const Workload& workload, Dataset data, std::int64_t batch, std::uint64_t seed,
                   std::unique_ptr<Generation> generation)
    : workload_(workload),
      data_(std::move(data)),
      batch_(batch),
      seed_(seed),
      generation_(std::move(generation)),
      pixels_(static_cast<std::size_t>(batch * workload.input.elements())),
      labels_(static_cast<std::size_t>(batch)) {
    if (static_cast<std::size_t>(batch) > data_.train.count()) {
        throw Failure(FailureKind::Usage, "a batch of " + std::to_string(batch) +
                                              " is larger than the training set of " +
                                              std::to_string(data_.train.count()) + " images");
    }
    restart();
}

void Training::restart() {
    for (std::size_t i = 0; i < workload_.parameters.size(); ++i) {
        generation_->setParameter(i, initialParameter(workload_, i, seed_));
    }
    generation_->resetState();
    step_ = 0;
    position_ = 0;
}

StepResult Training::next() {
    if (static_cast<std::size_t>(position_ + batch_) > data_.train.count()) position_ = 0;
    const auto first = static_cast<std::size_t>(position_);
    position_ += batch_;
    return step({data_.train.image(first), data_.train.labels.data() + first, batch_});
}

protocol::Epoch Training::epoch(int number) {
    const auto begin = std::chrono::steady_clock::now();
    const auto order = epochOrder(data_.train.count(), seed_, static_cast<std::uint32_t>(number));
    const auto bytes = static_cast<std::size_t>(workload_.input.elements());
    protocol::Epoch result;
    result.epoch = number + 1;
    for (std::size_t first = 0; first < order.size(); first += labels_.size()) {
        const std::size_t count = std::min(labels_.size(), order.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(data_.train.image(order[first + i]), bytes, pixels_.data() + i * bytes);
            labels_[i] = data_.train.labels[order[first + i]];
        }
        const StepResult one =
            step({pixels_.data(), labels_.data(), static_cast<std::int64_t>(count)});
        const double share = static_cast<double>(count) / static_cast<double>(order.size());
        result.loss += one.loss * share;
        result.accuracy += one.accuracy * share;
    }
    result.wallNs = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::steady_clock::now() - begin)
                        .count();
    const StepResult test = evaluate();
    result.testLoss = test.loss;
    result.testAccuracy = test.accuracy;
    return result;
}

StepResult Training::evaluate() const {
    StepResult sum;
    const std::size_t images = data_.test.count();
    for (std::size_t first = 0; first < images; first += labels_.size()) {
        const std::size_t count = std::min(labels_.size(), images - first);
        const StepResult one =
            generation_->evaluate({data_.test.image(first), data_.test.labels.data() + first,
                                   static_cast<std::int64_t>(count)});
        const double share = static_cast<double>(count) / static_cast<double>(images);
        sum.loss += one.loss * share;
        sum.accuracy += one.accuracy * share;
    }
    return sum;
}

}  // namespace aether::engine::cpu
