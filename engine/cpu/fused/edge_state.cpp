// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/edge_state.h"

#include <cmath>

namespace aether::engine::cpu {
namespace {
/// A tensor larger than this has left the last-level cache before it is read again.
constexpr std::int64_t kStreamBytes = std::int64_t{12} << 20;
}  // namespace

EdgeState::EdgeState(const Context& context, const Edge& edge)
    : context_(context), edge_(edge), channels_(context.padded(edge.stored.channels)) {
    const std::int64_t bytes = context.kernels.storedBytes * channels_;
    storedBytes_ = storedPixels() * bytes;
    gradientBytes_ = loadedPixels() * bytes;
    totals_.resize(static_cast<std::size_t>(2 * channels_));
    inverse_.resize(static_cast<std::size_t>(channels_));
    if (edge.link.norm) {
        runningMean_.resize(static_cast<std::size_t>(edge.stored.channels));
        runningVariance_.resize(static_cast<std::size_t>(edge.stored.channels));
    }
}

void EdgeState::request(Arena& arena) {
    if (!edge_.bytes) {
        arena.requestBytes(stored_, context_.batch * storedBytes_);
        if (edge_.needsGradient) arena.requestBytes(dz_, context_.batch * gradientBytes_);
    }
    if (pools() && edge_.needsGradient)
        arena.requestBytes(pooled_, context_.batch * gradientBytes_);
    arena.request(sums_, context_.batch * 2 * channels_);
    if (edge_.link.drop) arena.request(drop_, context_.batch * channels_);
    for (float** row : {&mean_, &scale_, &shift_, &gain_, &slant_, &level_}) {
        arena.request(*row, channels_);
    }
}

void EdgeState::reset() {
    if (!edge_.link.norm) {
        for (std::int64_t c = 0; c < channels_; ++c)
            scale_[c] = gain_[c] = 1;
    }
    std::fill(runningMean_.begin(), runningMean_.end(), 0.0);
    std::fill(runningVariance_.begin(), runningVariance_.end(), 1.0);
}

LinkArguments EdgeState::link(std::int64_t image, bool training) const {
    return {.stored = static_cast<const std::byte*>(stored_) + image * storedBytes_,
            .height = edge_.stored.height,
            .width = edge_.stored.width,
            .channels = channels_,
            .mean = mean_,
            .scale = scale_,
            .shift = shift_,
            .slope = static_cast<float>(edge_.link.slope),
            .pool = edge_.link.edge,
            .drop = training && drop_ != nullptr ? drop_ + image * channels_ : context_.ones};
}

void* EdgeState::pooled(std::int64_t image) const {
    return pooled_ != nullptr ? static_cast<std::byte*>(pooled_) + image * gradientBytes_ : nullptr;
}

LinkArguments EdgeState::linkAgain(std::int64_t image) const {
    LinkArguments again = link(image, true);
    if (!pools()) return again;
    again.stored = pooled(image);
    again.height = edge_.loaded.height;
    again.width = edge_.loaded.width;
    again.pool = 1;
    return again;
}

StoreArguments EdgeState::store(std::int64_t image, const float* bias, bool training) const {
    const bool wanted = training && edge_.link.norm;
    return {.stored = static_cast<std::byte*>(stored_) + image * storedBytes_,
            .bias = bias,
            .sums = wanted ? sums_ + image * 2 * channels_ : nullptr,
            .stream = context_.batch * storedBytes_ > kStreamBytes};
}

GradientStoreArguments EdgeState::gradientStore(std::int64_t image) const {
    const LinkArguments forward = linkAgain(image);
    return {.dz = static_cast<std::byte*>(dz_) + image * gradientBytes_,
            .at = forward.stored,
            .mean = mean_,
            .scale = scale_,
            .shift = shift_,
            .slope = forward.slope,
            .drop = forward.drop,
            .sums = sums_ + image * 2 * channels_,
            .stream = context_.batch * gradientBytes_ > kStreamBytes};
}

GradientLoadArguments EdgeState::gradientLoad(std::int64_t image, void* loaded, std::int64_t border,
                                              bool floatScratch) const {
    return {.link = link(image, true),
            .dz = static_cast<const std::byte*>(dz_) + image * gradientBytes_,
            .gain = gain_,
            .slant = slant_,
            .level = level_,
            .loaded = loaded,
            .border = border,
            .floatScratch = floatScratch};
}

void EdgeState::loadImage(std::int64_t image, std::int64_t stride, std::int64_t border,
                          float* loaded) const {
    const Shape& s = edge_.stored;
    context_.kernels.loadBytes(context_.images + image * s.elements(), context_.byteValues,
                               s.height, s.width, s.channels, stride, border, loaded);
}

Ahead EdgeState::storedAhead(std::int64_t first, std::int64_t last) const {
    if (edge_.bytes) return {};
    return {static_cast<const std::byte*>(stored_) + first * storedBytes_,
            (last - first) * storedBytes_};
}

Ahead EdgeState::againAhead(std::int64_t first, std::int64_t last) const {
    if (!pools()) return storedAhead(first, last);
    return {pooled(first), (last - first) * gradientBytes_};
}

Ahead EdgeState::gradientAhead(std::int64_t first, std::int64_t last) const {
    return {static_cast<const std::byte*>(dz_) + first * gradientBytes_,
            (last - first) * gradientBytes_};
}

void EdgeState::sumOverImages(std::int64_t images) {
    std::fill(totals_.begin(), totals_.end(), 0.0);
    for (std::int64_t n = 0; n < images; ++n) {
        const float* const row = sums_ + n * 2 * channels_;
        for (std::size_t i = 0; i < totals_.size(); ++i)
            totals_[i] += static_cast<double>(row[i]);
    }
}

void EdgeState::finishForward(std::int64_t images, bool training) {
    if (!edge_.link.norm) return;
    const Layer& norm = context_.workload.layers[*edge_.link.norm];
    const std::size_t parameter = firstParameter(context_.workload, *edge_.link.norm);
    const float* const scale = context_.parameters[parameter].value;
    const float* const shift = context_.parameters[parameter + 1].value;
    const auto count = static_cast<double>(images * storedPixels());
    if (training) sumOverImages(images);
    for (std::int64_t c = 0; c < edge_.stored.channels; ++c) {
        const auto i = static_cast<std::size_t>(c);
        double mean = runningMean_[i], variance = runningVariance_[i];
        if (training) {
            mean = totals_[i] / count;
            variance = std::max(
                totals_[static_cast<std::size_t>(channels_ + c)] / count - mean * mean, 0.0);
            const double unbiased = count > 1 ? variance * count / (count - 1) : variance;
            runningMean_[i] = norm.momentum * runningMean_[i] + (1 - norm.momentum) * mean;
            runningVariance_[i] =
                norm.momentum * runningVariance_[i] + (1 - norm.momentum) * unbiased;
        }
        inverse_[i] = 1 / std::sqrt(variance + norm.epsilon);
        mean_[c] = static_cast<float>(mean);
        scale_[c] = static_cast<float>(static_cast<double>(scale[c]) * inverse_[i]);
        shift_[c] = shift[c];
    }
}

void EdgeState::finishBackward(std::int64_t images) {
    sumOverImages(images);
    if (!edge_.link.norm) return;
    const std::size_t parameter = firstParameter(context_.workload, *edge_.link.norm);
    const ParameterTensors& scale = context_.parameters[parameter];
    const ParameterTensors& shift = context_.parameters[parameter + 1];
    const auto count = static_cast<double>(images * storedPixels());
    for (std::int64_t c = 0; c < edge_.stored.channels; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const double sum = totals_[i], products = totals_[static_cast<std::size_t>(channels_ + c)];
        const double inverse = inverse_[i];
        const double gain = static_cast<double>(scale.value[c]) * inverse;
        shift.gradient[c] = static_cast<float>(sum);
        scale.gradient[c] = static_cast<float>(products * inverse);
        gain_[c] = static_cast<float>(gain);
        slant_[c] = static_cast<float>(-gain * inverse * inverse * products / count);
        level_[c] = static_cast<float>(-gain * sum / count);
    }
}

void EdgeState::biasGradient(float* gradient) const {
    for (std::int64_t c = 0; c < edge_.stored.channels; ++c) {
        // With batch norm: gain · Σ dz + slant · Σ (y − mean) + count · level = gain · (Σ dz − Σ
        // dz) = 0.
        gradient[c] =
            edge_.link.norm ? 0.0F : static_cast<float>(totals_[static_cast<std::size_t>(c)]);
    }
}

void EdgeState::setMask(std::int64_t first, const float* mask, std::int64_t count) {
    const double rate = context_.workload.layers[*edge_.link.drop].rate;
    const auto kept = static_cast<float>(1 / (1 - rate));
    const std::int64_t real = edge_.stored.channels;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t element = first + i;
        drop_[element / real * channels_ + element % real] = mask[i] * kept;
    }
}

std::vector<float> EdgeState::mask() const {
    const std::int64_t real = edge_.stored.channels;
    std::vector<float> all;
    for (std::int64_t n = 0; n < context_.batch; ++n) {
        for (std::int64_t c = 0; c < real; ++c) {
            all.push_back(drop_[n * channels_ + c] != 0 ? 1.0F : 0.0F);
        }
    }
    return all;
}

}  // namespace aether::engine::cpu
