// SPDX-License-Identifier: MIT
#include "reference/libtorch/backend.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <sys/resource.h>
#include <torch/headeronly/version.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <numeric>

#include "common/failure.h"
#include "common/random.h"
#include "common/system.h"
#include "common/version.h"

namespace aether::reference {
namespace {

constexpr const char* kDevice = "cpu-0";

/// Runs an action; PyTorch's errors become Failure with the first line of their text (the rest is a
/// C++ stack).
template <class Action>
auto translated(Action action) {
    try {
        return action();
    } catch (const c10::Error& error) {
        std::string text = error.what_without_backtrace();
        text.resize(std::min(text.find('\n'), text.size()));
        const bool memory = text.find("allocate memory") != std::string::npos;
        throw Failure(memory ? FailureKind::OutOfMemory : FailureKind::Internal,
                      "PyTorch: " + text);
    }
}

bool cpuHasBf16() {
    return __builtin_cpu_supports("avx512bf16") != 0;
}

/// What PyTorch's own kernels were chosen for: "avx2", "avx512", "default".
std::string instructionSet() {
    std::string name = at::get_cpu_capability();
    for (char& c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

std::int64_t peakResidentBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

std::int64_t nanosecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                begin)
        .count();
}

double finite(const at::Tensor& scalar, const char* what) {
    const double value = scalar.item<double>();
    if (!std::isfinite(value))
        throw Failure(FailureKind::Numerics, std::string(what) + " is not finite");
    return value;
}

void require(const std::string& value, std::initializer_list<const char*> known, const char* what) {
    for (const char* candidate : known) {
        if (value == candidate) return;
    }
    throw Failure(FailureKind::Unsupported,
                  std::string("aether-reference has no ") + what + " '" + value + "'");
}

/// A mask of zeros and ones in the workload's order (N, C or N, H, W, C) as the network wants it.
at::Tensor maskOf(std::vector<float> values, const Layer& layer, std::int64_t batch) {
    const Shape& shape = layer.input;
    const bool spatial = layer.type == LayerType::SpatialDropout;
    const bool flat = !spatial && shape.height == 1 && shape.width == 1;
    const std::vector<std::int64_t> sizes =
        spatial ? std::vector<std::int64_t>{batch, 1, 1, shape.channels}
                : std::vector<std::int64_t>{batch, shape.height, shape.width, shape.channels};
    const at::Tensor mask = at::from_blob(values.data(), sizes, at::kFloat).div(1 - layer.rate);
    return flat ? mask.reshape({batch, shape.channels}) : mask.permute({0, 3, 1, 2});
}

bool isDropout(const Layer& layer) {
    return layer.type == LayerType::SpatialDropout || layer.type == LayerType::Dropout;
}

}  // namespace

protocol::Hello Backend::hello() const {
    return {std::to_string(protocol::kMajor) + "." + std::to_string(protocol::kMinor),
            "aether-reference",
            "pytorch",
            TORCH_VERSION,
            kCommit,
            kDirty};
}

protocol::Description Backend::describe() {
    protocol::Device device;
    device.uuid = kDevice;
    device.name = cpuName();
    device.kind = "cpu";
    device.memoryBytes = physicalMemoryBytes();
    device.cores = at::get_num_threads();
    device.instructionSets = {instructionSet()};
    device.layouts = {"nchw", "nhwc"};
    device.modes = {"eager"};
    device.precisions = {
        {"fp32", true, ""},
        {"bf16", cpuHasBf16(),
         cpuHasBf16() ? "" : "this CPU has no bf16 instructions; PyTorch falls back to slow code"}};
    return {{device}, {}};
}

protocol::Prepared Backend::prepare(const protocol::PrepareRequest& request) {
    return translated([&] {
        if (request.device != kDevice) {
            throw Failure(FailureKind::Unavailable,
                          "aether-reference has no device '" + request.device + "'");
        }
        require(request.layout, {"nchw", "nhwc"}, "layout");
        require(request.mode, {"eager"}, "mode");
        require(request.precision, {"fp32", "bf16"}, "precision");
        if (request.instructionSet.value_or(instructionSet()) != instructionSet()) {
            throw Failure(FailureKind::Unsupported, "instruction set '" + *request.instructionSet +
                                                        "': PyTorch chose " + instructionSet() +
                                                        " when it started and can't change");
        }
        if (request.threads < 1) throw Failure(FailureKind::Usage, "'threads' must be at least 1");
        // Cores first: PyTorch's threads inherit the set when they start.
        pinToCores(request.cores);
        at::set_num_threads(request.threads);

        const auto begin = std::chrono::steady_clock::now();
        const std::int64_t before = peakResidentBytes();
        training_.reset();
        workload_ = loadWorkload(request.workload);
        seed_ = request.seed.value_or(workload_->seed);
        batch_ = request.batch.value_or(workload_->batch);
        bf16_ = request.precision == "bf16";
        format_ = request.layout == "nhwc" ? at::MemoryFormat::ChannelsLast
                                           : at::MemoryFormat::Contiguous;
        data_ = loadDataset(
            *workload_,
            request.data ? std::optional<std::filesystem::path>(*request.data) : std::nullopt,
            seed_);
        batches_.clear();
        for (std::size_t first = 0; first + static_cast<std::size_t>(batch_) <= data_.train.count();
             first += static_cast<std::size_t>(batch_)) {
            std::vector<std::uint32_t> indices(static_cast<std::size_t>(batch_));
            std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(first));
            batches_.push_back(batchOf(data_.train, indices));
        }
        if (batches_.empty()) {
            throw Failure(FailureKind::Usage, "a batch of " + std::to_string(batch_) +
                                                  " is larger than the training set of " +
                                                  std::to_string(data_.train.count()) + " images");
        }
        restart();
        const std::int64_t count = training_->network().parameterCount();
        if (count != workload_->parameterCount()) {
            throw Failure(FailureKind::Internal, "the network has " + std::to_string(count) +
                                                     " parameters, the workload " +
                                                     std::to_string(workload_->parameterCount()));
        }
        const std::int64_t buildNs = nanosecondsSince(begin);
        timedStep(nullptr);  // allocates everything and shows the layout the convolutions choose

        protocol::Prepared prepared;
        prepared.parameters = count;
        prepared.batch = batch_;
        prepared.requestedLayout = request.layout;
        prepared.effectiveLayout = training_->network().effectiveLayout();
        if (prepared.effectiveLayout->empty()) {
            prepared.effectiveLayout.reset();
            prepared.effectiveLayoutReason = "the network has no convolution";
        }
        prepared.deviceUuid = kDevice;
        prepared.deviceName = cpuName();
        prepared.threads = at::get_num_threads();
        prepared.instructionSet = instructionSet();
        prepared.data = data_.kind();
        prepared.buildNs = buildNs;
        prepared.compileNs = protocol::Maybe::unknown("eager: nothing to compile");
        prepared.memoryBytes =
            protocol::Maybe::of(static_cast<double>(peakResidentBytes() - before));
        restart();
        return prepared;
    });
}

void Backend::restart() {
    training_ = std::make_unique<Training>(*workload_, seed_, format_, bf16_);
    at::manual_seed(seed_);
    visit_ = 0;
}

Backend::Batch Backend::batchOf(const ImageSet& set,
                                const std::vector<std::uint32_t>& indices) const {
    const auto count = static_cast<std::int64_t>(indices.size());
    const auto bytes = static_cast<std::size_t>(set.shape.elements());
    Batch batch{
        at::empty({count, set.shape.height, set.shape.width, set.shape.channels}, at::kByte),
        at::empty({count}, at::kLong)};
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::copy_n(set.image(indices[i]), bytes,
                    batch.images.mutable_data_ptr<std::uint8_t>() + i * bytes);
        batch.labels.mutable_data_ptr<std::int64_t>()[i] = set.labels[indices[i]];
    }
    batch.images = batch.images.permute({0, 3, 1, 2}).contiguous(format_);
    return batch;
}

Backend::Batch Backend::nextBatch() {
    return batches_[visit_++ % batches_.size()];
}

StepOutcome Backend::timedStep(LayerClock* clock) {
    if (clock != nullptr) clock->start();
    const Batch batch = nextBatch();
    const Masks masks = training_->drawMasks(batch_);
    if (clock != nullptr) clock->mark("masks", "forward");
    return training_->step(batch.images, batch.labels, masks, clock);
}

protocol::Sample Backend::measure(std::int64_t steps) {
    return translated([&] {
        StepOutcome outcome;
        protocol::Sample sample;
        sample.steps = steps;
        sample.wallNs = timeBlock(steps, [&] { outcome = timedStep(nullptr); });
        sample.loss = finite(outcome.loss, "loss");
        sample.accuracy = protocol::Maybe::of(outcome.accuracy.item<double>());
        sample.deviceNs = protocol::Maybe::unknown("a CPU has no device clock");
        sample.clockMhz = protocol::Maybe::unknown("not read on a CPU");
        sample.throttledReason = "not read on a CPU";
        return sample;
    });
}

protocol::Stages Backend::profile(std::int64_t steps) {
    return translated([&] {
        LayerClock clock;
        const std::int64_t wallNs = timeBlock(steps, [&] { timedStep(&clock); });
        return protocol::Stages{steps, wallNs / steps, clock.stages(steps)};
    });
}

protocol::Traced Backend::trace(const protocol::TraceRequest& request) {
    return translated([&] {
        const TensorMap inputs = readSafetensors(request.inputs);
        restart();
        Network& network = training_->network();
        for (std::size_t i = 0; i < workload_->parameters.size(); ++i) {
            const Parameter& parameter = workload_->parameters[i];
            network.assign(
                i, requireTensor(inputs, "parameter." + parameter.name, parameter.elements()));
        }
        protocol::Traced traced;
        TensorMap outputs;
        for (int k = 0; k < request.steps; ++k) {
            const std::string suffix = "." + std::to_string(k);
            const auto pixels =
                requireTensor(inputs, "image" + suffix, batch_ * workload_->input.elements()).u8();
            const auto labels = requireTensor(inputs, "label" + suffix, batch_).i32();
            const ImageSet images{
                workload_->input, {pixels.begin(), pixels.end()}, {labels.begin(), labels.end()}};
            std::vector<std::uint32_t> all(images.count());
            std::iota(all.begin(), all.end(), 0U);
            const Batch batch = batchOf(images, all);
            Masks masks;
            for (std::size_t i = 0; i < workload_->layers.size(); ++i) {
                const Layer& layer = workload_->layers[i];
                if (!isDropout(layer)) continue;
                const auto values = requireTensor(inputs, "mask." + layer.name + suffix,
                                                  batch_ * maskElements(layer))
                                        .f32();
                masks[i] = maskOf({values.begin(), values.end()}, layer, batch_);
            }
            traced.losses.push_back(
                finite(training_->step(batch.images, batch.labels, masks).loss, "loss"));
            for (std::size_t i = 0; k == 0 && i < workload_->parameters.size(); ++i) {
                outputs.emplace("gradient." + workload_->parameters[i].name,
                                network.canonical(i, network.parameters()[i].grad()));
            }
        }
        traced.steps = request.steps;
        outputs.emplace("loss",
                        Tensor::of({request.steps}, std::span<const double>(traced.losses)));
        for (std::size_t i = 0; i < workload_->parameters.size(); ++i) {
            outputs.emplace("parameter." + workload_->parameters[i].name,
                            network.canonical(i, network.parameters()[i]));
        }
        outputs.merge(network.runningStatistics());
        writeSafetensors(outputs, request.outputs);
        return traced;
    });
}

Masks Backend::definedMasks(std::int64_t batch) const {
    Masks masks;
    for (std::size_t i = 0; i < workload_->layers.size(); ++i) {
        const Layer& layer = workload_->layers[i];
        if (!isDropout(layer)) continue;
        std::vector<float> values(static_cast<std::size_t>(batch * maskElements(layer)));
        dropoutMask(values, 0, layer.rate, seed_,
                    static_cast<std::uint32_t>(training_->stepNumber()),
                    static_cast<std::uint32_t>(i));
        masks[i] = maskOf(std::move(values), layer, batch);
    }
    return masks;
}

protocol::Epoch Backend::trainEpoch(int epoch) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::uint32_t> order =
        epochOrder(data_.train.count(), seed_, static_cast<std::uint32_t>(epoch));
    const auto size = static_cast<std::size_t>(batch_);
    double loss = 0;
    double correct = 0;
    for (std::size_t first = 0; first < order.size(); first += size) {
        const std::size_t last = std::min(first + size, order.size());
        const Batch batch = batchOf(data_.train, {order.begin() + static_cast<long>(first),
                                                  order.begin() + static_cast<long>(last)});
        const auto count = static_cast<std::int64_t>(last - first);
        const StepOutcome outcome =
            training_->step(batch.images, batch.labels, definedMasks(count));
        loss += finite(outcome.loss, "loss") * static_cast<double>(count);
        correct += outcome.accuracy.item<double>() * static_cast<double>(count);
    }
    const auto images = static_cast<double>(order.size());
    protocol::Epoch result{epoch + 1, loss / images,          correct / images, 0,
                           0,         nanosecondsSince(begin)};
    for (std::size_t first = 0; first < data_.test.count(); first += size) {
        std::vector<std::uint32_t> indices(std::min(size, data_.test.count() - first));
        std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(first));
        const Batch batch = batchOf(data_.test, indices);
        const StepOutcome outcome = training_->evaluate(batch.images, batch.labels);
        const double share =
            static_cast<double>(indices.size()) / static_cast<double>(data_.test.count());
        result.testLoss += finite(outcome.loss, "test loss") * share;
        result.testAccuracy += outcome.accuracy.item<double>() * share;
    }
    return result;
}

protocol::Trained Backend::train(int epochs,
                                 const std::function<void(const protocol::Epoch&)>& onEpoch) {
    return translated([&] {
        restart();
        protocol::Trained trained{epochs, 0};
        for (int epoch = 0; epoch < epochs; ++epoch) {
            const protocol::Epoch result = trainEpoch(epoch);
            trained.testAccuracy = result.testAccuracy;
            onEpoch(result);
        }
        return trained;
    });
}

}  // namespace aether::reference
