// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/panel.h"

#include <gtest/gtest.h>

#include "app/sample_result.h"
#include "panels.h"

namespace aether::ui {
namespace {

using test::barNamed;

TEST(Panel, HasABarForEveryRunOfItsDevice) {
    const std::vector<Panel> panels = panelsOf(app::test::sampleResult());
    ASSERT_EQ(panels.size(), 2u);
    EXPECT_EQ(panels[0].title, QStringLiteral("=Ryzen™ \"9\" | 測試, x"));
    EXPECT_EQ(panels[0].subtitle, QStringLiteral("CPU · 2 cores · 9 GB"));
    EXPECT_TRUE(panels[0].setting.contains(QStringLiteral("synthetic data")));
    EXPECT_EQ(panels[0].bars.size(), 4u);
    EXPECT_EQ(panels[1].title, QStringLiteral("Without a device"));
    const Bar& engine = barNamed(panels[0], "Aether direct");
    EXPECT_EQ(engine.series, Series::Aether);
    EXPECT_EQ(engine.step.n, 2u) << "the implausible round does not count";
    EXPECT_DOUBLE_EQ(engine.step.median, 101);
}

TEST(Panel, ShowsTheEffectiveLayoutBesideTheOneAskedFor) {
    const std::vector<Panel> panels = panelsOf(app::test::sampleResult());
    EXPECT_EQ(barNamed(panels[0], "PyTorch compiled").detail,
              QStringLiteral("NCHW → NHWC · fp32 · Python"));
}

TEST(Panel, ComparesWithTheFastestPyTorchOfThePrecision) {
    Result result = app::test::sampleResult();
    result.comparisons.clear();
    aether::Run half = app::test::sampleRun("pytorch", "compiled", "nhwc");
    half.id += "/bf16";
    half.precision = "bf16";
    half.samples = {app::test::roundSample(1, 10)};
    result.runs.push_back(half);
    const std::vector<Panel> panels = panelsOf(result);
    EXPECT_EQ(panels[0].precisions().size(), 2u);
    const int reference = panels[0].referenceOf(QStringLiteral("fp32"));
    ASSERT_GE(reference, 0);
    const Bar& best = panels[0].bars[static_cast<std::size_t>(reference)];
    EXPECT_EQ(best.name, QStringLiteral("PyTorch compiled"));
    EXPECT_EQ(relativeText(best), QStringLiteral("1.00×, the reference"));
    EXPECT_NEAR(*barNamed(panels[0], "Aether direct").ratio, 152.0 / 101, 1e-12);
    EXPECT_TRUE(panels[0].bars.back().reference) << "bf16 has a reference of its own";
}

TEST(Panel, ABarThatFailedParityNeverIsTheReferenceNorHasARatio) {
    Result result = app::test::sampleResult();
    result.runs[1].parity = {Parity::State::Failed, "gradient conv1.weight is wrong", "", 0, 0};
    const std::vector<Panel> panels = panelsOf(result);
    const Bar& wrong = barNamed(panels[0], "PyTorch compiled");
    EXPECT_EQ(wrong.state, BarState::ParityFailed);
    EXPECT_FALSE(wrong.reference);
    EXPECT_FALSE(wrong.ratio);
    EXPECT_TRUE(sentenceOf(wrong).contains(QStringLiteral("parity failed: gradient conv1.weight")));
}

TEST(Panel, TellsTheVerdictNotJustTheNumber) {
    Bar bar;
    bar.series = Series::Aether;
    bar.ratio = 1.03;
    bar.verdict = Verdict::Ambiguous;
    EXPECT_EQ(relativeText(bar), QStringLiteral("1.03×, too noisy to call"));
    bar.verdict = Verdict::Same;
    EXPECT_EQ(relativeText(bar), QStringLiteral("1.03×, as fast as PyTorch"));
    bar.verdict = Verdict::Faster;
    EXPECT_EQ(relativeText(bar), QStringLiteral("1.03× faster than PyTorch"));
    bar.verdict.reset();
    bar.ratio = 0.777;
    EXPECT_EQ(relativeText(bar), QStringLiteral("1.29× slower than PyTorch"));
}

TEST(Panel, NumbersKeepAReadableLength) {
    EXPECT_EQ(stepText(4.86), QStringLiteral("4.86"));
    EXPECT_EQ(stepText(178.7), QStringLiteral("178.7"));
    EXPECT_EQ(stepText(1017.4), QStringLiteral("1017"));
}

TEST(Panel, SentenceOfAFailureNamesItsReason) {
    const std::vector<Panel> panels = panelsOf(app::test::sampleResult());
    const Bar& failed = panels[0].bars[3];
    EXPECT_EQ(failed.state, BarState::Failed);
    EXPECT_TRUE(sentenceOf(failed).contains(QStringLiteral("failed: crashed with signal 11")));
    EXPECT_FALSE(sentenceOf(failed).contains(u'\n'));
}

}  // namespace
}  // namespace aether::ui
