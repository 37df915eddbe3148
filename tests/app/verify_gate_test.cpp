// SPDX-License-Identifier: GPL-3.0-only
#include "app/verify_gate.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "app/hypotheses.h"
#include "app/verify_inputs.h"
#include "common/dataset.h"
#include "common/failure.h"
#include "common/files.h"
#include "common/random.h"
#include "support.h"

namespace aether::app {
namespace {

using test::pathOf;

constexpr int kSteps = 2;

Workload workload() {
    return loadWorkload(test::sourceRoot() / "resources/workloads/cifar10-v2.json");
}

/// A complete trace with made-up, smooth numbers.
TensorMap outputs(const Workload& w, const TensorMap& inputs) {
    TensorMap out;
    out["loss"] = Tensor::of({kSteps}, std::span<const double>(std::vector<double>{2.3, 2.2}));
    for (std::size_t p = 0; p < w.parameters.size(); ++p) {
        const Parameter& parameter = w.parameters[p];
        std::vector<double> gradient(static_cast<std::size_t>(parameter.elements()));
        for (std::size_t i = 0; i < gradient.size(); ++i)
            gradient[i] = 0.01 * std::sin(static_cast<double>(i + p));
        if (cancelsInBatchNorm(w, parameter)) std::fill(gradient.begin(), gradient.end(), 0.0);
        out["gradient." + parameter.name] =
            Tensor::of(parameter.shape, std::span<const double>(gradient));
        std::vector<double> after = inputs.at("parameter." + parameter.name).toDouble();
        for (std::size_t i = 0; i < after.size(); ++i)
            after[i] -= 0.1 * gradient[i];
        out["parameter." + parameter.name] =
            Tensor::of(parameter.shape, std::span<const double>(after));
    }
    for (const Layer& layer : w.layers) {
        if (layer.type != LayerType::BatchNorm) continue;
        const std::vector<double> values(static_cast<std::size_t>(layer.output.channels), 0.5);
        out["running." + layer.name + ".mean"] =
            Tensor::of({layer.output.channels}, std::span<const double>(values));
        out["running." + layer.name + ".variance"] =
            Tensor::of({layer.output.channels}, std::span<const double>(values));
    }
    return out;
}

class VerifyGate : public testing::Test {
  protected:
    TraceValues read(const TensorMap& tensors) {
        const auto file = pathOf(folder_) / "out.safetensors";
        writeSafetensors(tensors, file);
        return readTrace(file, workload_, inputs_, kSteps);
    }
    std::string trouble(const TensorMap& tensors) {
        try {
            read(tensors);
        } catch (const Failure& failure) {
            return failure.what();
        }
        return {};
    }
    static void scale(Tensor& tensor, double factor) {
        std::vector<double> values = tensor.toDouble();
        for (double& v : values)
            v *= factor;
        tensor = Tensor::of(tensor.shape, std::span<const double>(values));
    }
    const Finding& worst(const TensorMap& subject,
                         const GateSetting& setting = {"fp32", 8, kSteps}) {
        findings_ = compareTraces(workload_, read(subject), read(truth_), {read(truth_)}, setting);
        return *worstOf(findings_);
    }

    QTemporaryDir folder_;
    Workload workload_ = workload();
    TensorMap inputs_ = traceInputs(workload_, syntheticDataset(workload_, 42), 8, 42, kSteps);
    TensorMap truth_ = outputs(workload_, inputs_);
    std::vector<Finding> findings_;
};

TEST_F(VerifyGate, InputsAreWhatTheProtocolSays) {
    EXPECT_EQ(inputs_.at("image.1").shape, (std::vector<std::int64_t>{8, 32, 32, 3}));
    EXPECT_EQ(inputs_.at("label.0").shape, (std::vector<std::int64_t>{8}));
    EXPECT_EQ(inputs_.at("mask.dropout2.1").shape, (std::vector<std::int64_t>{8, 64}));
    EXPECT_EQ(inputs_.at("mask.dropout4.0").shape, (std::vector<std::int64_t>{8, 128}));
    const Dataset data = syntheticDataset(workload_, 42);
    EXPECT_EQ(inputs_.at("label.1").i32()[0], data.train.labels[8])
        << "storage order, batch after batch";
    std::vector<float> mask(8 * 64);
    dropoutMask(mask, 0, 0.10, 42, 1, static_cast<std::uint32_t>(workload_.layerIndex("dropout2")));
    EXPECT_TRUE(std::equal(mask.begin(), mask.end(), inputs_.at("mask.dropout2.1").f32().begin()));
    TensorMap confused = inputs_;
    confuseImageLayout(confused, workload_, kSteps);
    EXPECT_NE(confused.at("image.0").bytes, inputs_.at("image.0").bytes);
}

TEST_F(VerifyGate, PassesTheTruthItself) {
    EXPECT_EQ(worst(truth_).excess(), 0);
}

TEST_F(VerifyGate, NamesAMissingWrongOrNotFiniteTensor) {
    TensorMap subject = truth_;
    subject.erase("gradient.conv2.weight");
    EXPECT_EQ(trouble(subject), "the trace lacks tensor gradient.conv2.weight");
    subject = truth_;
    subject["running.bn1.mean"].shape = {1, 32};
    EXPECT_EQ(trouble(subject),
              "the trace's tensor running.bn1.mean has shape [1, 32], expected [32]");
    subject = truth_;
    scale(subject["parameter.fc2.bias"], INFINITY);
    EXPECT_EQ(trouble(subject), "the trace's tensor parameter.fc2.bias is not finite");
}

TEST_F(VerifyGate, CatchesASlightlyWrongGradientAndSaysBackward) {
    TensorMap subject = truth_;
    scale(subject["gradient.conv2.weight"], 1.00002);
    EXPECT_EQ(worst(subject).name, "gradient conv2.weight");
    EXPECT_GT(findings_.empty() ? 0 : worstOf(findings_)->excess(), 1);
    EXPECT_NE(causalDiagnosis(findings_).find("backward"), std::string::npos);
    subject = truth_;
    scale(subject["gradient.conv2.weight"], 1.000005);
    EXPECT_LT(worst(subject).excess(), 1) << "fp32 rounding is allowed";
}

TEST_F(VerifyGate, CatchesAWrongLossAndSaysForward) {
    TensorMap subject = truth_;
    scale(subject["loss"], 1.0001);
    EXPECT_EQ(worst(subject).kind, QuantityKind::Loss);
    EXPECT_NE(causalDiagnosis(findings_).find("forward"), std::string::npos);
}

TEST_F(VerifyGate, CatchesAWrongUpdateAndSaysOptimizer) {
    TensorMap subject = truth_;
    std::vector<double> moved = subject["parameter.conv1.weight"].toDouble();
    for (double& v : moved)
        v += 1e-5 * v;
    subject["parameter.conv1.weight"] =
        Tensor::of(subject["parameter.conv1.weight"].shape, std::span<const double>(moved));
    EXPECT_EQ(worst(subject).name, "update conv1.weight");
    EXPECT_GT(worstOf(findings_)->excess(), 1);
    EXPECT_NE(causalDiagnosis(findings_).find("optimizer"), std::string::npos);
}

TEST_F(VerifyGate, CatchesWrongRunningStatisticsAndSaysMomentum) {
    TensorMap subject = truth_;
    scale(subject["running.bn2.variance"], 1.01);
    EXPECT_EQ(worst(subject).name, "running bn2.variance");
    EXPECT_NE(causalDiagnosis(findings_).find("momentum"), std::string::npos);
}

TEST_F(VerifyGate, MeasuresNoiseOfAZeroGradientAgainstGradientsThatMatter) {
    TensorMap subject = truth_;
    const auto bias = [&](double size) {
        const std::vector<double> values(32, size);
        subject["gradient.conv1.bias"] = Tensor::of({32}, std::span<const double>(values));
        return worst(subject).excess();
    };
    EXPECT_LT(bias(3e-10), 1) << "rounding";
    EXPECT_GT(bias(1e-7), 1) << "a real gradient";
}

TEST_F(VerifyGate, HoldsTheUpdateOfThatBiasToTheLearningRateOnly) {
    TensorMap subject = truth_;
    const auto bias = [&](double size) {
        std::vector<double> values(32, size);
        subject["parameter.conv1.bias"] = Tensor::of({32}, std::span<const double>(values));
        return worst(subject).excess();
    };
    EXPECT_LT(bias(0.0019), 1) << "two steps of at most 1e-3";
    EXPECT_GT(bias(0.0023), 1);
}

TEST_F(VerifyGate, LargerBatchesAndSixteenBitFollowTheYardstick) {
    TensorMap yardstick = truth_, subject = truth_;
    scale(yardstick["gradient.conv1.weight"], 1.001);
    const auto excess = [&](double factor, const GateSetting& setting) {
        scale(subject["gradient.conv1.weight"] = truth_["gradient.conv1.weight"], factor);
        findings_ =
            compareTraces(workload_, read(subject), read(truth_), {read(yardstick)}, setting);
        return worstOf(findings_)->excess();
    };
    EXPECT_LT(excess(1.0019, {"fp32", 256, kSteps}), 1);
    EXPECT_GT(excess(1.0021, {"fp32", 256, kSteps}), 1);
    EXPECT_LT(excess(1.0024, {"bf16", 256, kSteps}), 1) << "1.5 × 1e-3 + 1e-3";
    EXPECT_GT(excess(1.0026, {"bf16", 256, kSteps}), 1);
}

TEST_F(VerifyGate, TiesInALargeBatchExcuseWhatLiesInFrontOfThemAndNothingElse) {
    TensorMap yardstick = truth_;
    scale(yardstick["gradient.conv1.weight"], 1.001);
    const auto excess = [&](const std::string& tensor, double factor, std::int64_t batch) {
        TensorMap subject = truth_;
        scale(subject[tensor], factor);
        findings_ = compareTraces(workload_, read(subject), read(truth_),
                                  {read(truth_), read(yardstick)}, {"fp32", batch, kSteps});
        return worstOf(findings_)->excess();
    };
    EXPECT_LT(excess("gradient.conv2.weight", 1.0019, 256), 1) << "another tensor was hit by a tie";
    EXPECT_GT(excess("gradient.conv2.weight", 1.0021, 256), 1);
    EXPECT_GT(excess("gradient.conv2.weight", 1.0019, 8), 1) << "a small batch has no such excuse";
    EXPECT_GT(excess("gradient.fc2.weight", 1.0001, 256), 1) << "no ReLU or pool behind it";
    EXPECT_GT(excess("running.bn1.variance", 1.001, 256), 1) << "another kind has its own noise";
}

TEST_F(VerifyGate, SeesSkippedBackwardAndConstantLossAtOnce) {
    TensorMap subject = truth_;
    for (auto& [name, tensor] : subject) {
        if (name.rfind("gradient.", 0) == 0) scale(tensor, 0);
    }
    EXPECT_EQ(plainDiagnosis(read(subject)),
              "every gradient is zero: the backward pass is skipped");
    subject = truth_;
    subject["loss"] =
        Tensor::of({kSteps}, std::span<const double>(std::vector<double>{2.302585, 2.302585}));
    EXPECT_EQ(plainDiagnosis(read(subject)), "the reported loss is constant");
    EXPECT_EQ(plainDiagnosis(read(truth_)), "");
}

TEST(Hypotheses, ChangeOnePlaceEachAndOnlyWhereThereIsOne) {
    const auto document =
        nlohmann::json::parse(readFile(test::sourceRoot() / "resources/workloads/cifar10-v2.json"));
    const std::vector<Hypothesis> all = hypothesesFor(document);
    EXPECT_EQ(all.size(), 10u);
    for (const Hypothesis& h : all) {
        EXPECT_NO_THROW(parseWorkload(h.workload.dump(), h.name)) << h.name;
        EXPECT_EQ(h.workload == document, h.confusedLayout) << h.name;
    }
    auto plain = document;
    plain["optimizer"]["weight_decay"] = 0;
    EXPECT_EQ(hypothesesFor(plain).size(), 9u);
}

}  // namespace
}  // namespace aether::app
