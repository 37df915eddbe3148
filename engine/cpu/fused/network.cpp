// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/network.h"

#include <cmath>
#include <string>

#include "common/failure.h"
#include "engine/cpu/fused/convolution_stage.h"
#include "engine/cpu/fused/element_stage.h"

namespace aether::engine::cpu {
namespace {

constexpr std::int64_t kBytePieces = 16;

const ArithmeticKernels& kernelsFor(const KernelTable& table, Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::Fp32:
            return table.fp32;
        case Arithmetic::Bf16Wide:
            return table.bf16Wide;
        case Arithmetic::Bf16Dot:
            break;
    }
    if (!table.hasDot) {
        throw Failure(FailureKind::Unavailable, std::string("instruction set ") + table.name +
                                                    " has no bfloat16 dot product");
    }
    return table.bf16Dot;
}

}  // namespace

FusedNetwork::FusedNetwork(const Workload& workload, std::int64_t batch, std::uint64_t seed,
                           int threads, const KernelTable& table, Arithmetic arithmetic,
                           ConvolutionMethod method)
    : workload_(workload),
      plan_(planNetwork(workload)),
      pool_(threads),
      parameters_(workload.parameters.size()),
      scratch_(static_cast<std::size_t>(threads)),
      context_{.workload = workload_,
               .table = table,
               .kernels = kernelsFor(table, arithmetic),
               .method = method,
               .bf16 = arithmetic != Arithmetic::Fp32,
               .batch = batch,
               .seed = seed,
               .pool = pool_,
               .parameters = parameters_,
               .scratch = scratch_},
      masks_(context_),
      byteSums_(static_cast<std::size_t>(kBytePieces)) {
    buildStages();
    requestMemory();
    resetState();
    stageInfo_ = describeStages(workload_, plan_, batch, context_.kernels.storedBytes);
}

void FusedNetwork::buildStages() {
    for (const Edge& edge : plan_.edges) {
        edges_.emplace_back(context_, edge);
        if (edge.link.drop) masks_.addLink(edges_.back());
    }
    for (const Stage& stage : plan_.stages) {
        EdgeState &from = edges_[stage.from], &to = edges_[stage.to];
        if (stage.kind == StageKind::Convolution) {
            stages_.push_back(std::make_unique<ConvolutionStage>(context_, stage, from, to));
        } else {
            stages_.push_back(std::make_unique<ElementStage>(context_, stage, from, to, masks_));
            if (stage.kind == StageKind::Dropout) masks_.addLayer(stage.layer);
        }
    }
    for (const std::size_t i : plan_.head) {
        const LayerType type = workload_.layers[i].type;
        if (type == LayerType::Dropout || type == LayerType::SpatialDropout) masks_.addLayer(i);
    }
    head_.emplace(context_, plan_, edges_[plan_.headInput], masks_);
}

void FusedNetwork::requestMemory() {
    std::int64_t channels = context_.padded(1);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        ParameterTensors& tensors = parameters_[i];
        tensors.padded = context_.padded(workload_.parameters[i].elements());
        for (float** row : {&tensors.value, &tensors.gradient, &tensors.first, &tensors.second}) {
            arena_.request(*row, tensors.padded);
        }
    }
    for (EdgeState& edge : edges_) {
        channels = std::max(channels, edge.channels());
        edge.request(arena_);
    }
    arena_.request(context_.zeros, channels);
    arena_.request(context_.ones, channels);
    masks_.request(arena_);
    ScratchBytes bytes;
    for (const auto& stage : stages_) {
        stage->request(arena_);
        bytes.cover(stage->scratch());
    }
    head_->request(arena_, pool_.threads());
    for (Scratch& scratch : scratch_) {
        arena_.requestBytes(scratch.input, bytes.input);
        arena_.requestBytes(scratch.gradient, bytes.gradient);
        arena_.requestBytes(scratch.workspace, bytes.workspace);
        arena_.request(scratch.accumulator, bytes.accumulator);
    }
    arena_.commit();
    std::fill_n(context_.ones, channels, 1.0F);
    optimizer_.emplace(context_);
}

void FusedNetwork::resetState() {
    for (EdgeState& edge : edges_)
        edge.reset();
    for (const ParameterTensors& tensors : parameters_) {
        std::fill_n(tensors.first, tensors.padded, 0.0F);
        std::fill_n(tensors.second, tensors.padded, 0.0F);
    }
}

void FusedNetwork::preprocess(const Batch& batch, std::int64_t step, bool training) {
    const std::int64_t elements = batch.images * workload_.input.elements();
    const std::int64_t share = (elements + kBytePieces - 1) / kBytePieces;
    std::int64_t pieces = kBytePieces + head_->packPieces();
    for (const auto& stage : stages_)
        pieces += stage->packPieces();
    const std::int64_t maskPieces = training ? masks_.pieces(batch.images) : 0;
    pool_.run(pieces + maskPieces, [&](std::int64_t piece, int) {
        if (piece < kBytePieces) {
            const std::int64_t first = std::min(piece * share, elements);
            byteSums_[static_cast<std::size_t>(piece)] =
                sumBytes(batch.pixels + first, std::min(share, elements - first));
            return;
        }
        piece -= kBytePieces;
        if (piece < maskPieces) return masks_.make(piece, batch.images, step);
        piece -= maskPieces;
        for (const auto& stage : stages_) {
            if (piece < stage->packPieces()) return stage->pack(piece);
            piece -= stage->packPieces();
        }
        head_->pack(piece);
    });
    ByteSums sums;
    for (const ByteSums& part : byteSums_) {
        sums.sum += part.sum;
        sums.squares += part.squares;
    }
    const auto values = standardisedValues(sums, elements);
    for (std::size_t i = 0; i < values.size(); ++i) {
        context_.byteValues[i] = static_cast<float>(values[i]);
    }
    context_.images = batch.pixels;
}

StepResult FusedNetwork::step(const Batch& batch, std::int64_t step) {
    const ThreadPool::StepScope scope(pool_);
    std::size_t mark = 0;
    clock_.begin();
    preprocess(batch, step, true);
    clock_.mark(mark++);
    for (const auto& stage : stages_) {
        stage->forward(batch.images, true);
        clock_.mark(mark++);
    }
    StepResult result = head_->run(batch, true);
    clock_.mark(mark++);
    for (std::size_t i = stages_.size(); i-- > 0;) {
        stages_[i]->backward(batch.images);
        clock_.mark(mark++);
    }
    result.loss += optimizer_->step(step);
    clock_.mark(mark);
    if (!std::isfinite(result.loss)) {
        throw Failure(FailureKind::Numerics,
                      "the loss of step " + std::to_string(step) + " is not finite");
    }
    return result;
}

StepResult FusedNetwork::evaluate(const Batch& batch) {
    const ThreadPool::StepScope scope(pool_);
    preprocess(batch, 0, false);
    for (const auto& stage : stages_)
        stage->forward(batch.images, false);
    return head_->run(batch, false);
}

void FusedNetwork::setParameter(std::size_t i, std::span<const float> values) {
    std::copy(values.begin(), values.end(), parameters_.at(i).value);
}

namespace {
std::vector<double> toDouble(const float* values, const Parameter& parameter) {
    return {values, values + parameter.elements()};
}
}  // namespace

std::vector<double> FusedNetwork::parameter(std::size_t i) const {
    return toDouble(parameters_.at(i).value, workload_.parameters[i]);
}

std::vector<double> FusedNetwork::gradient(std::size_t i) const {
    return toDouble(parameters_.at(i).gradient, workload_.parameters[i]);
}

Running FusedNetwork::running(std::size_t layer) const {
    for (const EdgeState& edge : edges_) {
        if (edge.edge().link.norm == layer) return edge.running();
    }
    throw Failure(FailureKind::Usage,
                  "layer " + workload_.layers.at(layer).name + " has no running statistics");
}

}  // namespace aether::engine::cpu
