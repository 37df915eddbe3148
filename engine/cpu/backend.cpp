// SPDX-License-Identifier: MIT
#include "engine/cpu/backend.h"

#include <chrono>
#include <thread>
#include <utility>

#include "common/failure.h"
#include "common/system.h"
#include "common/version.h"
#include "engine/cpu/fused/network.h"
#include "engine/cpu/instruction_set.h"
#include "engine/cpu/reference/network.h"
#include "engine/cpu/trace.h"

namespace aether::engine::cpu {
namespace {

constexpr const char* kDevice = "cpu-0";
constexpr const char* kReference = "reference";
constexpr const char* kDirect = "direct";
constexpr const char* kWinograd = "winograd";
constexpr int kMostThreads = 1024;

[[noreturn]] void unsupported(const std::string& what) {
    throw Failure(FailureKind::Unsupported, "aether-engine: " + what);
}

void checkRequest(const protocol::PrepareRequest& request, const std::string& version) {
    if (request.device != kDevice) {
        throw Failure(FailureKind::Usage,
                      "device " + request.device + ": aether-engine knows cpu-0");
    }
    if (request.layout != "nhwc") unsupported("layout " + request.layout + "; it has nhwc only");
    if (request.mode != "native") unsupported("mode " + request.mode + "; it has native only");
    if (version != kReference && version != kDirect && version != kWinograd) {
        unsupported("version " + version + "; it has reference, direct and winograd");
    }
    if (request.precision != "fp32" && request.precision != "bf16") {
        unsupported("precision " + request.precision + "; it has fp32 and bf16");
    }
    if (version == kReference && request.precision != "fp32") {
        unsupported("the reference generation computes in fp32 only");
    }
    if (request.threads < 1 || request.threads > kMostThreads) {
        throw Failure(FailureKind::Usage, std::to_string(request.threads) + " threads");
    }
}

Arithmetic arithmeticFor(const std::string& precision, const KernelTable& table) {
    if (precision == "fp32") return Arithmetic::Fp32;
    return table.hasDot ? Arithmetic::Bf16Dot : Arithmetic::Bf16Wide;
}

std::int64_t nsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                begin)
        .count();
}

}  // namespace

protocol::Hello Backend::hello() const {
    protocol::Hello hello;
    hello.protocol = std::to_string(protocol::kMajor) + "." + std::to_string(protocol::kMinor);
    hello.runner = "aether-engine";
    hello.framework = "aether";
    hello.version = kVersion;
    hello.commit = kCommit;
    hello.dirty = kDirty;
    return hello;
}

protocol::Description Backend::describe() {
    const bool dot = selectKernels(std::nullopt).hasDot;
    protocol::Device device;
    device.uuid = kDevice;
    device.name = cpuName();
    device.kind = "cpu";
    device.memoryBytes = physicalMemoryBytes();
    device.cores = static_cast<int>(std::thread::hardware_concurrency());
    device.instructionSets = availableInstructionSets();
    device.layouts = {"nhwc"};
    device.modes = {"native"};
    device.versions = {kReference, kDirect, kWinograd};
    device.precisions = {{"fp32", true, ""},
                         {"bf16", dot, dot ? "" : "bf16 storage, fp32 arithmetic"}};
    protocol::Unsupported reference;
    reference.version = kReference;
    reference.precision = "bf16";
    reference.reason = "the reference generation computes in fp32 only";
    device.unsupported = {reference};
    return {{device}, {}};
}

protocol::Prepared Backend::prepare(const protocol::PrepareRequest& request) {
    training_.reset();
    const std::string version = request.version.value_or(kWinograd);
    checkRequest(request, version);
    const KernelTable& table = selectKernels(request.instructionSet);
    pinToCores(request.cores);

    const auto begin = std::chrono::steady_clock::now();
    const Workload workload = loadWorkload(request.workload);
    const std::int64_t batch = request.batch.value_or(workload.batch);
    if (batch < 1) throw Failure(FailureKind::Usage, "a batch of " + std::to_string(batch));
    const std::uint64_t seed = request.seed.value_or(workload.seed);
    std::optional<std::filesystem::path> folder;
    if (request.data) folder = *request.data;
    Dataset data = loadDataset(workload, folder, seed);

    const bool reference = version == kReference;
    std::unique_ptr<Generation> generation;
    if (reference) {
        generation = std::make_unique<ReferenceNetwork<float>>(workload, batch, seed);
    } else {
        const ConvolutionMethod method =
            version == kWinograd ? ConvolutionMethod::Winograd : ConvolutionMethod::Direct;
        generation =
            std::make_unique<FusedNetwork>(workload, batch, seed, request.threads, table,
                                           arithmeticFor(request.precision, table), method);
    }
    training_ =
        std::make_unique<Training>(workload, std::move(data), batch, seed, std::move(generation));

    protocol::Prepared prepared;
    prepared.parameters = workload.parameterCount();
    prepared.batch = batch;
    prepared.requestedLayout = request.layout;
    prepared.effectiveLayout = "nhwc";
    prepared.deviceUuid = kDevice;
    prepared.deviceName = cpuName();
    prepared.threads = reference ? 1 : request.threads;
    prepared.instructionSet = reference ? "plain" : table.name;
    prepared.data = training_->dataKind();
    prepared.buildNs = nsSince(begin);
    prepared.compileNs = protocol::Maybe::unknown("nothing to compile");
    prepared.memoryBytes =
        protocol::Maybe::of(static_cast<double>(training_->generation().memoryBytes()));
    return prepared;
}

Training& Backend::training() {
    if (!training_) throw Failure(FailureKind::Usage, "nothing is prepared");
    return *training_;
}

protocol::Sample Backend::measure(std::int64_t steps) {
    Training& training = this->training();
    StepResult last;
    protocol::Sample sample;
    sample.steps = steps;
    sample.wallNs = timeBlock(steps, [&] { last = training.next(); });
    sample.deviceNs = protocol::Maybe::unknown("a CPU has no device clock");
    sample.loss = last.loss;
    sample.accuracy = protocol::Maybe::of(last.accuracy);
    sample.clockMhz = protocol::Maybe::unknown("not readable");
    sample.throttledReason = "not readable";
    return sample;
}

protocol::Stages Backend::profile(std::int64_t steps) {
    Training& training = this->training();
    Generation& generation = training.generation();
    const std::vector<StageInfo>& infos = generation.stages();
    generation.clock().start(infos.size());
    std::int64_t wallNs = 0;
    try {
        wallNs = timeBlock(steps, [&] { training.next(); });
    } catch (...) {
        generation.clock().stop();
        throw;
    }
    generation.clock().stop();
    protocol::Stages stages;
    stages.steps = steps;
    stages.stepWallNs = wallNs / steps;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        stages.stages.push_back({infos[i].name,
                                 infos[i].phase,
                                 generation.clock().nanoseconds()[i] / steps,
                                 std::nullopt,
                                 {}});
    }
    return stages;
}

protocol::Traced Backend::trace(const protocol::TraceRequest& request) {
    return runTrace(training(), request);
}

protocol::Trained Backend::train(int epochs,
                                 const std::function<void(const protocol::Epoch&)>& onEpoch) {
    Training& training = this->training();
    training.restart();
    protocol::Trained trained;
    trained.epochs = epochs;
    for (int number = 0; number < epochs; ++number) {
        const protocol::Epoch epoch = training.epoch(number);
        trained.testAccuracy = epoch.testAccuracy;
        onEpoch(epoch);
    }
    return trained;
}

}  // namespace aether::engine::cpu
