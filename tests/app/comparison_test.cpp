// SPDX-License-Identifier: GPL-3.0-only
#include "app/comparison.h"

#include <gtest/gtest.h>

namespace aether::app {
namespace {

/// One round per time, then the same again.
aether::Run run(const std::string& framework, const std::string& mode,
                const std::vector<double>& stepMs) {
    Run r;
    r.framework = framework;
    r.runner = framework;
    r.id = framework + "/" + mode;
    r.deviceUuid = "cpu-0";
    r.requestedLayout = framework == "aether" ? "nhwc" : "nchw";
    r.mode = mode;
    r.precision = "fp32";
    if (framework == "aether") r.version = "direct";
    r.status = "measured";
    for (std::size_t i = 0; i < 2 * stepMs.size(); ++i) {
        RoundSample sample;
        sample.round = static_cast<int>(i) + 1;
        sample.steps = 1;
        sample.stepNs = stepMs[i % stepMs.size()] * 1e6;
        r.samples.push_back(sample);
    }
    return r;
}

Comparison only(std::vector<Run> runs) {
    Result result;
    result.session.seed = 42;
    result.runs = std::move(runs);
    const std::vector<Comparison> all = compareRuns(result);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Comparison{} : all.front();
}

TEST(Comparison, SaysFaster) {
    const Comparison c = only(
        {run("aether", "native", {10, 10, 10}), run("pytorch", "compiled", {15.6, 15.2, 16.0})});
    EXPECT_EQ(c.verdict, Verdict::Faster);
    EXPECT_EQ(
        c.sentence,
        "Aether direct fp32 NHWC is 1.56 × [1.52, 1.60] faster than PyTorch compiled fp32 NCHW");
}

TEST(Comparison, SaysSlowerWithFiguresAboveOne) {
    const Comparison c =
        only({run("aether", "native", {26, 26, 26}), run("pytorch", "compiled", {20, 20, 20})});
    EXPECT_EQ(c.verdict, Verdict::Slower);
    EXPECT_EQ(
        c.sentence,
        "Aether direct fp32 NHWC is 1.30 × [1.30, 1.30] slower than PyTorch compiled fp32 NCHW");
}

TEST(Comparison, SaysSame) {
    const Comparison c =
        only({run("aether", "native", {10, 10.05, 10}), run("pytorch", "eager", {10, 10, 10.05})});
    EXPECT_EQ(c.verdict, Verdict::Same);
    EXPECT_EQ(c.sentence.rfind(
                  "Aether direct fp32 NHWC is as fast as PyTorch eager fp32 NCHW: 1.00 ×", 0),
              0u)
        << c.sentence;
}

TEST(Comparison, SaysAmbiguous) {
    const Comparison c =
        only({run("aether", "native", {10, 12, 8}), run("pytorch", "eager", {11, 9, 10})});
    EXPECT_EQ(c.verdict, Verdict::Ambiguous);
    EXPECT_NE(c.sentence.find("too noisy"), std::string::npos) << c.sentence;
}

TEST(Comparison, GivesNoVerdictFromFewRounds) {
    const Comparison c =
        only({run("aether", "native", {10, 10}), run("pytorch", "eager", {20, 21})});
    EXPECT_EQ(c.verdict, Verdict::Ambiguous);
    EXPECT_EQ(c.sentence,
              "Aether direct fp32 NHWC against PyTorch eager fp32 NCHW: 2.05 × [2.00, 2.10] in 4 "
              "rounds; a verdict needs 6");
}

TEST(Comparison, TakesTheFastestValidReference) {
    aether::Run wrong = run("pytorch", "compiled", {5, 5, 5});
    wrong.parity.state = Parity::State::Failed;
    const Comparison c =
        only({run("aether", "native", {10, 10, 10}), wrong, run("pytorch", "eager", {20, 20, 20})});
    EXPECT_EQ(c.baseline, "pytorch/eager");
    EXPECT_EQ(c.verdict, Verdict::Faster);
}

TEST(Comparison, NeverMixesPrecisionsOrDevices) {
    aether::Run half = run("pytorch", "compiled", {5, 5, 5});
    half.precision = "bf16";
    aether::Run elsewhere = run("pytorch", "compiled", {5, 5, 5});
    elsewhere.deviceUuid = "gpu-1";
    Result result;
    result.runs = {run("aether", "native", {10, 10, 10}), half, elsewhere};
    EXPECT_TRUE(compareRuns(result).empty());
}

TEST(Comparison, IsInvalidWhenAParityFailed) {
    aether::Run candidate = run("aether", "native", {1, 1, 1});
    candidate.parity = {Parity::State::Failed, "gradient conv1.weight is wrong", "", 0, 0};
    const Comparison c = only({candidate, run("pytorch", "eager", {10, 10, 10})});
    EXPECT_EQ(c.verdict, Verdict::Invalid);
    EXPECT_EQ(c.sentence,
              "no verdict for Aether direct fp32 NHWC against PyTorch eager fp32 NCHW: parity "
              "failed: gradient conv1.weight is wrong");
}

TEST(Comparison, OneNotFiniteSampleMakesItInvalidNeverSame) {
    aether::Run candidate = run("aether", "native", {10, 10, 10});
    candidate.samples[1].flags = {"not finite: the loss"};
    const Comparison c = only({candidate, run("pytorch", "eager", {10, 10, 10})});
    EXPECT_EQ(c.verdict, Verdict::Invalid);
    EXPECT_NE(c.sentence.find("round 2 not finite"), std::string::npos) << c.sentence;
}

TEST(Comparison, PairsOnlyRoundsInWhichBothAreValid) {
    aether::Run candidate = run("aether", "native", {10, 1, 10});
    candidate.samples[1].flags = {"implausible: 1 ms"};
    const Comparison c = only({candidate, run("pytorch", "eager", {20, 20, 20})});
    EXPECT_EQ(c.ratio.pairs, 5u);
    EXPECT_DOUBLE_EQ(c.ratio.value, 2.0);
}

TEST(Comparison, SaysWhyThereIsNoReference) {
    aether::Run broken = run("pytorch", "compiled", {});
    broken.status = "failed";
    broken.reason = "no compiler";
    const Comparison c = only({run("aether", "native", {10}), broken});
    EXPECT_EQ(c.sentence,
              "no verdict for Aether direct fp32 NHWC against PyTorch compiled fp32 NCHW: PyTorch "
              "compiled fp32 NCHW: failed: no compiler");
}

TEST(Comparison, ComparesCopiesWithEachOther) {
    aether::Run one = run("aether", "native", {10, 10, 10}),
                two = run("aether", "native", {10, 10, 10});
    one.copy = 1;
    one.id += "#1";
    two.copy = 2;
    two.id += "#2";
    const Comparison c = only({one, two});
    EXPECT_EQ(c.verdict, Verdict::Same);
    EXPECT_EQ(
        c.sentence,
        "Aether direct fp32 NHWC #2 is as fast as Aether direct fp32 NHWC #1: 1.00 × [1.00, 1.00]");
}

TEST(Label, NamesReleaseAndRunner) {
    aether::Run r = run("pytorch", "compiled", {});
    r.frameworkVersion = "2.15.0+cpu";
    r.runnerTitle = "PyTorch (Python)";
    EXPECT_EQ(r.label(), "PyTorch 2.15.0 compiled fp32 NCHW (Python)");
    r.runnerTitle = "PyTorch (C++)";
    EXPECT_EQ(r.label(), "PyTorch 2.15.0 compiled fp32 NCHW (C++)");
    aether::Run engine = run("aether", "native", {});
    engine.frameworkVersion = "0.1.0";
    EXPECT_EQ(engine.label(), "Aether direct fp32 NHWC");
}

}  // namespace
}  // namespace aether::app
