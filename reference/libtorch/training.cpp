// SPDX-License-Identifier: MIT
#include "reference/libtorch/training.h"

#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>

namespace aether::reference {
namespace {

/// torch.autocast("cpu", torch.bfloat16) for the life of the object.
class Autocast {
  public:
    explicit Autocast(bool enabled) : before_(at::autocast::is_autocast_enabled(at::kCPU)) {
        at::autocast::set_autocast_enabled(at::kCPU, enabled);
        at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
        at::autocast::increment_nesting();
    }
    ~Autocast() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, before_);
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

  private:
    bool before_;
};

at::Tensor accuracyOf(const at::Tensor& logits, const at::Tensor& labels) {
    return logits.argmax(1).eq(labels).to(at::kFloat).mean();
}

}  // namespace

Training::Training(const Workload& workload, std::uint64_t seed, at::MemoryFormat format, bool bf16)
    : workload_(workload), network_(workload, seed, format), format_(format), bf16_(bf16) {
    for (const at::Tensor& parameter : network_.parameters()) {
        firstMoments_.push_back(at::zeros_like(parameter.detach()));
        secondMoments_.push_back(at::zeros_like(parameter.detach()));
        stepCounts_.push_back(at::zeros({}, at::kFloat));
    }
}

Masks Training::drawMasks(std::int64_t batch) const {
    Masks masks;
    for (std::size_t i = 0; i < workload_.layers.size(); ++i) {
        const Layer& layer = workload_.layers[i];
        const double kept = 1 - layer.rate;
        if (layer.type == LayerType::SpatialDropout) {
            masks[i] = at::empty({batch, layer.input.channels, 1, 1}, at::kFloat)
                           .bernoulli_(kept)
                           .div_(kept);
        } else if (layer.type == LayerType::Dropout) {
            const bool flat = layer.input.height == 1 && layer.input.width == 1;
            const std::vector<std::int64_t> shape =
                flat ? std::vector<std::int64_t>{batch, layer.input.channels}
                     : std::vector<std::int64_t>{batch, layer.input.channels, layer.input.height,
                                                 layer.input.width};
            masks[i] = at::empty(shape, at::kFloat).bernoulli_(kept).div_(kept);
        }
    }
    return masks;
}

at::Tensor Training::standardised(const at::Tensor& images) const {
    const at::Tensor x = images.to(at::kFloat).div_(255);
    const auto [deviation, mean] = at::std_mean(x, /*unbiased=*/false);
    return x.sub(mean).div_(deviation + 1e-8).contiguous(format_);
}

at::Tensor Training::logits(const at::Tensor& images, bool training, const Masks& masks,
                            LayerClock* clock) {
    const at::Tensor x = standardised(images);
    if (clock != nullptr) clock->mark("preprocess", "forward");
    const Autocast autocast(bf16_);
    return network_.forward(x, training, masks, clock).to(at::kFloat);
}

StepOutcome Training::step(const at::Tensor& images, const at::Tensor& labels, const Masks& masks,
                           LayerClock* clock) {
    for (const at::Tensor& parameter : network_.parameters())
        parameter.mutable_grad().reset();
    const at::Tensor output = logits(images, true, masks, clock);
    at::Tensor loss = at::cross_entropy_loss(output, labels, {}, at::Reduction::Mean, -100,
                                             workload_.labelSmoothing);
    if (const at::Tensor l2 = network_.l2Term(); l2.defined()) loss = loss + l2;
    const at::Tensor accuracy = accuracyOf(output.detach(), labels);
    if (clock != nullptr) clock->mark("loss", "forward");
    loss.backward();
    if (clock != nullptr) clock->mark(workload_.layers.front().name, "backward");
    update();
    if (clock != nullptr) clock->mark("adamw", "optimizer");
    return {loss.detach(), accuracy};
}

void Training::update() {
    const c10::AutoGradMode noGradient(false);
    const AdamW& recipe = workload_.optimizer;
    const double rate = recipe.rateAt(stepNumber_++);
    // The fused kernel wants one weight decay a call: weights decay, everything else does not.
    for (const bool decays : {true, false}) {
        std::vector<at::Tensor> parameters, gradients, first, second, counts;
        for (std::size_t i = 0; i < workload_.parameters.size(); ++i) {
            if (workload_.parameters[i].decays() != decays) continue;
            parameters.push_back(network_.parameters()[i]);
            gradients.push_back(network_.parameters()[i].grad());
            first.push_back(firstMoments_[i]);
            second.push_back(secondMoments_[i]);
            counts.push_back(stepCounts_[i].add_(1));
        }
        at::_fused_adamw_(parameters, gradients, first, second, {}, counts, rate, recipe.beta1,
                          recipe.beta2, decays ? recipe.weightDecay : 0, recipe.epsilon,
                          /*amsgrad=*/false, /*maximize=*/false);
    }
}

StepOutcome Training::evaluate(const at::Tensor& images, const at::Tensor& labels) {
    const c10::AutoGradMode noGradient(false);
    const at::Tensor output = logits(images, false, {}, nullptr);
    return {at::cross_entropy_loss(output, labels, {}, at::Reduction::Mean, -100,
                                   workload_.labelSmoothing),
            accuracyOf(output, labels)};
}

}  // namespace aether::reference
