// SPDX-License-Identifier: MIT
#include "engine/cpu/backend.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "common/dataset.h"
#include "common/failure.h"
#include "common/random.h"
#include "common/safetensors.h"
#include "engine/cpu/instruction_set.h"
#include "tests/engine/cpu/support.h"

namespace aether::engine::cpu::test {
namespace {

constexpr const char* kTiny =
    R"({"schema": "aether-bench/workload/1", "name": "tiny", "title": "tiny",
  "input": {"height": 8, "width": 8, "channels": 3, "classes": 4, "preprocess": "batch_standardise"},
  "batch": 24, "seed": 42, "layers": [
    {"type": "convolution", "name": "conv1", "filters": 8, "kernel": 3},
    {"type": "batch_norm", "name": "bn1", "epsilon": 1e-5, "momentum": 0.9}, {"type": "relu", "name": "relu1"},
    {"type": "max_pool", "name": "pool1", "size": 2}, {"type": "spatial_dropout", "name": "drop1", "rate": 0.25},
    {"type": "global_average_pool", "name": "gap"}, {"type": "dense", "name": "fc", "units": 4, "l2": 1e-4}],
  "loss": {"type": "softmax_cross_entropy", "label_smoothing": 0.05},
  "optimizer": {"type": "adamw", "learning_rate": 1e-3, "learning_rate_decay": 1e-4,
    "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7, "weight_decay": 0.01}})";

class BackendTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("aether-backend-" + std::to_string(::getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "tiny.json") << kTiny;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    protocol::PrepareRequest request(const std::string& version = "direct") const {
        protocol::PrepareRequest request;
        request.device = "cpu-0";
        request.workload = (folder_ / "tiny.json").string();
        request.layout = "nhwc";
        request.mode = "native";
        request.precision = "fp32";
        request.version = version;
        request.threads = 2;
        return request;
    }
    FailureKind kindOfPrepare(const protocol::PrepareRequest& wanted) {
        try {
            backend_.prepare(wanted);
        } catch (const Failure& failure) {
            return failure.kind();
        }
        ADD_FAILURE() << "no failure";
        return FailureKind::Internal;
    }
    /// Inputs of a trace of two steps; the workload's own masks.
    std::string writeTraceInputs(float brokenMask = -1) const {
        const Workload workload = parseWorkload(kTiny, "tiny");
        TensorMap inputs;
        for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
            inputs["parameter." + workload.parameters[i].name] =
                Tensor::of(workload.parameters[i].shape,
                           std::span<const float>(initialParameter(workload, i, 3)));
        }
        for (int k = 0; k < 2; ++k) {
            const std::string suffix = std::to_string(k);
            const Images images = randomImages(workload, workload.batch, static_cast<unsigned>(k));
            inputs["image." + suffix] =
                Tensor::of({workload.batch, 8, 8, 3}, std::span<const std::uint8_t>(images.pixels));
            inputs["label." + suffix] =
                Tensor::of({workload.batch}, std::span<const std::int32_t>(images.labels));
            std::vector<float> mask(static_cast<std::size_t>(workload.batch * 8));
            dropoutMask(mask, 0, 0.25, 42, static_cast<std::uint32_t>(k),
                        static_cast<std::uint32_t>(workload.layerIndex("drop1")));
            if (brokenMask >= 0 && k == 1) mask[17] = brokenMask + (mask[17] == brokenMask ? 1 : 0);
            inputs["mask.drop1." + suffix] =
                Tensor::of({workload.batch, 8}, std::span<const float>(mask));
        }
        const auto path = folder_ / "in.safetensors";
        writeSafetensors(inputs, path);
        return path.string();
    }

    std::filesystem::path folder_;
    Backend backend_;
};

TEST_F(BackendTest, DescribesThisProcessor) {
    const protocol::Description description = backend_.describe();
    ASSERT_EQ(description.devices.size(), 1U);
    const protocol::Device& device = description.devices[0];
    EXPECT_EQ(device.uuid, "cpu-0");
    EXPECT_EQ(device.instructionSets, availableInstructionSets());
    EXPECT_EQ(device.instructionSets.front(), "plain");
    for (const std::string& name : device.instructionSets)
        EXPECT_NE(name, "emulated16");
    EXPECT_EQ(device.versions, (std::vector<std::string>{"reference", "direct", "winograd"}));
    ASSERT_EQ(device.unsupported.size(), 1U);
    EXPECT_EQ(device.unsupported[0].version, "reference");
    EXPECT_EQ(device.unsupported[0].precision, "bf16");
}

TEST_F(BackendTest, PreparesAndMeasuresEveryConfiguration) {
    for (const std::string& set : availableInstructionSets()) {
        for (const char* precision : {"fp32", "bf16"}) {
            auto wanted = request();
            wanted.precision = precision;
            wanted.instructionSet = set;
            const protocol::Prepared prepared = backend_.prepare(wanted);
            EXPECT_EQ(prepared.instructionSet, set);
            EXPECT_EQ(prepared.parameters, 3 * 3 * 3 * 8 + 8 + 16 + 8 * 4 + 4);
            EXPECT_EQ(prepared.batch, 24);
            EXPECT_EQ(prepared.data, "synthetic");
            EXPECT_GT(prepared.memoryBytes.value.value_or(0), 0);
            EXPECT_FALSE(prepared.compileNs.value);
            const protocol::Sample sample = backend_.measure(3);
            EXPECT_EQ(sample.steps, 3);
            EXPECT_GT(sample.wallNs, 0);
            EXPECT_TRUE(std::isfinite(sample.loss));
        }
    }
}

TEST_F(BackendTest, GenerationsAgreeOnMeasuredLosses) {
    backend_.prepare(request("reference"));
    const double expected = backend_.measure(100).loss;  // wraps round the training set
    for (const char* version : {"direct", "winograd"}) {
        backend_.prepare(request(version));
        EXPECT_NEAR(backend_.measure(100).loss, expected, 2e-3 * expected) << version;
    }
}

TEST_F(BackendTest, MeasureVisitsTheTrainingSetInStorageOrder) {
    const Workload workload = parseWorkload(kTiny, "tiny");
    const Dataset data = syntheticDataset(workload, 42);
    FusedNetwork network(workload, 24, 42, 1, selectKernels(std::nullopt), Arithmetic::Fp32,
                         ConvolutionMethod::Winograd);
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        network.setParameter(i, initialParameter(workload, i, 42));
    }
    backend_.prepare(request());
    // 2,048 images are 85 batches and a rest, which is skipped.
    for (std::int64_t k = 0; k < 87; ++k) {
        const auto first = static_cast<std::size_t>(k % 85 * 24);
        const StepResult expected =
            network.step({data.train.image(first), data.train.labels.data() + first, 24}, k);
        const protocol::Sample sample = backend_.measure(1);
        ASSERT_EQ(sample.loss, expected.loss) << "step " << k;
        ASSERT_EQ(sample.accuracy.value, expected.accuracy) << "step " << k;
    }
}

TEST_F(BackendTest, PrepareStartsAnew) {
    backend_.prepare(request());
    const double first = backend_.measure(2).loss;
    backend_.measure(3);
    backend_.prepare(request());
    EXPECT_EQ(backend_.measure(2).loss, first);
}

TEST_F(BackendTest, RefusesWhatItCannotDo) {
    auto wanted = request();
    wanted.layout = "nchw";
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Unsupported);
    wanted = request();
    wanted.precision = "tf32";
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Unsupported);
    wanted = request("reference");
    wanted.precision = "bf16";
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Unsupported);
    wanted = request();
    wanted.device = "cuda-0";
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Usage);
    wanted = request();
    wanted.instructionSet = "sse9";
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Usage);
    wanted = request();
    wanted.batch = 100000;
    EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Usage);
    if (availableInstructionSets().back() != "avx512-amx") {
        wanted = request();
        wanted.instructionSet = "avx512-amx";
        EXPECT_EQ(kindOfPrepare(wanted), FailureKind::Unavailable);
    }
    try {
        backend_.measure(1);
        ADD_FAILURE() << "a failed prepare leaves nothing prepared";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), FailureKind::Usage);
    }
}

TEST_F(BackendTest, ProfileReportsTheFusedStages) {
    backend_.prepare(request());
    const protocol::Stages stages = backend_.profile(5);
    std::vector<std::string> names;
    std::int64_t sum = 0;
    for (const protocol::Stage& stage : stages.stages) {
        names.push_back(stage.name + " " + stage.phase);
        sum += stage.wallNs;
        EXPECT_GE(stage.wallNs, 0);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"preprocess other", "conv1 forward", "head other",
                                               "conv1 backward", "optimizer optimizer"}));
    EXPECT_LE(sum, stages.stepWallNs);
}

TEST_F(BackendTest, TraceMatchesTheReferenceAndDoesNotDependOnWhatRanBefore) {
    protocol::TraceRequest trace{writeTraceInputs(), (folder_ / "out.safetensors").string(), 2};
    backend_.prepare(request("reference"));
    const protocol::Traced expected = backend_.trace(trace);
    const TensorMap truth = readSafetensors(trace.outputs);
    backend_.prepare(request("direct"));
    backend_.measure(3);
    const protocol::Traced traced = backend_.trace(trace);
    ASSERT_EQ(traced.losses.size(), 2U);
    const TensorMap outputs = readSafetensors(trace.outputs);
    EXPECT_EQ(outputs.size(), truth.size());
    EXPECT_TRUE(outputs.contains("running.bn1.variance"));
    EXPECT_EQ(outputs.at("gradient.conv1.weight").shape, (std::vector<std::int64_t>{3, 3, 3, 8}));
    for (const auto& [name, tensor] : truth) {
        // In front of a batch norm the bias' gradient is rounding around zero, which the optimizer
        // makes steps of.
        if (name == "gradient.conv1.bias" || name == "parameter.conv1.bias") continue;
        const double tolerance = name == "running.bn1.mean" ? 2e-3 : 1e-5;
        EXPECT_LT(relativeDistance(outputs.at(name).toDouble(), tensor.toDouble()), tolerance)
            << name;
    }
    for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(traced.losses[static_cast<std::size_t>(k)],
                    expected.losses[static_cast<std::size_t>(k)], 1e-5);
    EXPECT_TRUE(std::isfinite(backend_.measure(1).loss));
}

TEST_F(BackendTest, ForeignMaskFailsTheTrace) {
    for (const char* version : {"reference", "direct"}) {
        backend_.prepare(request(version));
        try {
            backend_.trace({writeTraceInputs(0), (folder_ / "out.safetensors").string(), 2});
            ADD_FAILURE() << "no failure";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), FailureKind::Numerics);
            EXPECT_NE(std::string(failure.what()).find("drop1"), std::string::npos);
        }
    }
}

TEST_F(BackendTest, TrainingLearnsAndReportsEpochs) {
    auto wanted = request();
    wanted.batch = 100;  // 2,048 images: the last batch has 48
    backend_.prepare(wanted);
    std::vector<protocol::Epoch> epochs;
    const protocol::Trained trained =
        backend_.train(3, [&](const protocol::Epoch& epoch) { epochs.push_back(epoch); });
    ASSERT_EQ(epochs.size(), 3U);
    EXPECT_EQ(epochs[0].epoch, 1);
    EXPECT_LT(epochs[2].loss, epochs[0].loss);
    EXPECT_GT(epochs[2].wallNs, 0);
    EXPECT_EQ(trained.testAccuracy, epochs[2].testAccuracy);

    backend_.prepare([&] {
        auto plain = wanted;
        plain.version = "reference";
        return plain;
    }());
    std::vector<protocol::Epoch> expected;
    backend_.train(1, [&](const protocol::Epoch& epoch) { expected.push_back(epoch); });
    EXPECT_NEAR(epochs[0].loss, expected[0].loss, 1e-4);
    EXPECT_NEAR(epochs[0].testLoss, expected[0].testLoss, 1e-3);
}

}  // namespace
}  // namespace aether::engine::cpu::test
