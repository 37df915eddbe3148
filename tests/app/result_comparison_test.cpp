// SPDX-License-Identifier: GPL-3.0-only
#include "app/result_comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/report/comparison_writers.h"
#include "common/failure.h"
#include "sample_result.h"

namespace aether::app {
namespace {

using test::holds;
using test::roundSample;
using test::sampleResult;
using test::sampleRun;

/// One engine run with these times.
Result measured(const std::vector<double>& stepMs, const std::string& version = "direct") {
    Result result = sampleResult();
    Run run = sampleRun("aether", "native", "nhwc");
    run.version = version;
    for (const double ms : stepMs)
        run.samples.push_back(roundSample(static_cast<int>(run.samples.size()) + 1, ms));
    result.runs = {run};
    result.comparisons.clear();
    return result;
}

const std::vector<double> kSlow{110, 111, 112, 113, 114, 115};
const std::vector<double> kFast{100, 101, 102, 103, 104, 105};

ResultComparison compare(const Result& a, const Result& b, bool force = false) {
    return compareResults({&a, 1}, {&b, 1}, force);
}

TEST(ResultComparison, GivesTheRatioOfMediansAndAnUnpairedInterval) {
    const Result a = measured(kSlow);
    const Result b = measured(kFast);
    const ResultComparison c = compare(a, b);
    ASSERT_EQ(c.matches.size(), 1u);
    const UnpairedRatio& ratio = c.matches[0].ratio;
    EXPECT_DOUBLE_EQ(ratio.value, 112.5 / 102.5);
    ASSERT_TRUE(ratio.interval);
    EXPECT_LT(ratio.interval->low, ratio.value);
    EXPECT_GT(ratio.interval->high, ratio.value);
    EXPECT_EQ(ratio.verdict, Verdict::Faster);
    EXPECT_TRUE(holds(c.matches[0].sentence, "Aether direct fp32 NHWC: B is 1.10 × ["));
    EXPECT_TRUE(holds(c.matches[0].sentence, "faster than A (unpaired)"));
    const ResultComparison back = compare(b, a);
    EXPECT_EQ(back.matches[0].ratio.verdict, Verdict::Slower);
    EXPECT_TRUE(holds(back.matches[0].sentence, "B is 1.10 × [")) << back.matches[0].sentence;
}

TEST(ResultComparison, SaysSameAndAmbiguous) {
    const Result a = measured(kFast);
    EXPECT_EQ(
        compare(a, measured({100.2, 101.2, 102.2, 103.2, 104.2, 105.2})).matches[0].ratio.verdict,
        Verdict::Ambiguous);
    const Result quiet = measured({100, 100.1, 100.2, 100.3, 100.4, 100.5});
    EXPECT_EQ(compare(quiet, quiet).matches[0].ratio.verdict, Verdict::Same);
}

TEST(ResultComparison, GivesNoVerdictOnTooFewSamples) {
    const Result a = measured({110, 111, 112});
    const Result b = measured({100, 101, 102});
    const ResultComparison c = compare(a, b);
    EXPECT_FALSE(c.matches[0].ratio.interval);
    EXPECT_EQ(c.matches[0].ratio.verdict, Verdict::Ambiguous);
    EXPECT_TRUE(holds(c.matches[0].sentence, "too few samples for a verdict (3 and 3)"))
        << c.matches[0].sentence;
    EXPECT_NEAR(c.matches[0].ratio.value, 111.0 / 101, 1e-12) << "the medians still stand";
    EXPECT_EQ(compare(measured({110, 111, 112, 113}), measured({100, 101, 102, 103}))
                  .matches[0]
                  .ratio.verdict,
              Verdict::Faster);
}

TEST(ResultComparison, ListsRunsOfOneSideOnly) {
    Result a = measured(kSlow);
    a.runs.push_back(sampleRun("pytorch", "eager", "nchw"));
    a.runs.back().samples = {roundSample(1, 5)};
    const Result b = measured(kFast, "next");
    const ResultComparison c = compare(a, b);
    EXPECT_TRUE(c.matches.empty());
    EXPECT_EQ(c.onlyBaseline.size(), 2u);
    ASSERT_EQ(c.onlyCandidate.size(), 1u);
    EXPECT_EQ(c.onlyCandidate[0].run->version, "next");
}

TEST(ResultComparison, RefusesToMixUnlessForced) {
    const Result a = measured(kSlow);
    const auto warningOf = [&](void (*change)(Result&)) {
        Result b = measured(kFast);
        change(b);
        const ResultComparison c = compare(a, b);
        EXPECT_EQ(c.matches.at(0).ratio.verdict, Verdict::Invalid);
        EXPECT_TRUE(refused(c));
        EXPECT_TRUE(regressions(compare(b, a), 0.01).empty());
        EXPECT_EQ(c.warnings.size(), 1u);
        const ResultComparison forced = compare(a, b, true);
        EXPECT_EQ(forced.matches.at(0).ratio.verdict, Verdict::Faster);
        EXPECT_FALSE(refused(forced));
        EXPECT_EQ(forced.warnings, c.warnings) << "still named";
        return c.warnings.at(0);
    };
    EXPECT_EQ(warningOf([](Result& b) { b.batch = 128; }), "batch 256 and 128");
    EXPECT_EQ(warningOf([](Result& b) { b.session.threads = 1; }), "2 threads and 1 thread");
    EXPECT_EQ(warningOf([](Result& b) { b.session.instructionSet = "avx2"; }),
              "instruction set the best and avx2");
    EXPECT_EQ(warningOf([](Result& b) { b.session.synchronisation = "every step"; }),
              "synchronised once per block and every step");
    EXPECT_EQ(warningOf([](Result& b) { b.data = "cifar10-binary"; }),
              "synthetic and cifar10-binary data");
    EXPECT_EQ(warningOf([](Result& b) { b.workloadDigest = "sha256:11"; }),
              "two versions of the workload cifar10-v1, sha256:00 and sha256:11");
    EXPECT_EQ(warningOf([](Result& b) { b.workloadName = "mine"; }),
              "workload cifar10-v1 and mine");
    EXPECT_TRUE(
        holds(warningOf([](Result& b) { b.devices[0].name = "Other CPU"; }), "and Other CPU"));
}

TEST(ResultComparison, MatchesAnotherCardOfTheSameNameAndTellsTwinsApart) {
    const auto gpu = [](Result r, const std::string& uuid) {
        r.devices[0].uuid = r.runs[0].deviceUuid = uuid;
        r.devices[0].kind = "gpu";
        return r;
    };
    EXPECT_EQ(compare(gpu(measured(kSlow), "GPU-1"), gpu(measured(kFast), "GPU-2")).matches.size(),
              1u);
    // The baseline knows both cards: the candidate's second is not taken for the first.
    const std::vector<Result> both{gpu(measured(kSlow), "GPU-1"), gpu(measured(kFast), "GPU-2")};
    const Result second = gpu(measured(kFast), "GPU-2");
    const ResultComparison c = compareResults(both, {&second, 1}, false);
    ASSERT_EQ(c.matches.size(), 1u);
    EXPECT_EQ(c.matches[0].baseline->deviceUuid, "GPU-2");
    EXPECT_TRUE(holds(c.matches[0].label, "NHWC on =Ryzen™")) << c.matches[0].label;
    EXPECT_EQ(c.onlyBaseline.size(), 1u);
}

TEST(ResultComparison, RefusesASideThatHoldsAConfigurationTwice) {
    const std::vector<Result> twice{measured(kSlow), measured(kFast)};
    const Result b = measured(kFast);
    try {
        compareResults(twice, {&b, 1}, false);
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_TRUE(holds(failure.what(), "A holds Aether direct fp32 NHWC")) << failure.what();
    }
}

TEST(ResultComparison, FindsRegressionsOfTheMedian) {
    const Result fast = measured(kFast);
    const Result slow = measured(kSlow);  // 9.8 % slower
    EXPECT_TRUE(regressions(compare(slow, fast), 0).empty());
    EXPECT_TRUE(regressions(compare(fast, slow), 0.10).empty());
    const ResultComparison c = compare(fast, slow);
    const auto found = regressions(c, 0.05);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(holds(found[0], "the median is 9.8 % slower (102.50 → 112.50 ms), more than 5.0 %"))
        << found[0];
}

TEST(ResultComparison, ARunThatBrokeIsARegressionAndNoVerdict) {
    const Result a = measured(kFast);
    Result b = measured(kFast);
    b.runs[0].parity = {Parity::State::Failed, "gradient of conv1.weight", "", 1, 0};
    const ResultComparison c = compare(a, b);
    EXPECT_EQ(c.matches[0].ratio.verdict, Verdict::Invalid);
    ASSERT_EQ(regressions(c, 0.05).size(), 1u);
    EXPECT_TRUE(holds(regressions(c, 0.05)[0], "parity failed: gradient of conv1.weight"));
    b = measured({});
    b.runs[0].status = "failed";
    b.runs[0].reason = "crashed";
    const ResultComparison crashed = compare(a, b);
    EXPECT_EQ(regressions(crashed, 0.05).size(), 1u);
    EXPECT_TRUE(regressions(compare(b, a), 0.05).empty()) << "the baseline had none";
    b = measured({100, 100, 100, 100, 100, -1});
    EXPECT_EQ(compare(a, b).matches[0].ratio.verdict, Verdict::Invalid);
}

ComparisonReport report(const Result& a, const Result& b) {
    ComparisonReport out{"before, \"x\".json", "after|1.json", compare(a, b), {}};
    out.regressions = regressions(out.comparison, 0.05);
    return out;
}

TEST(ComparisonWriters, TellTheSameStoryInEveryFormat) {
    const Result a = measured(kFast);
    Result b = measured(kSlow);
    b.runs.push_back(sampleRun("pytorch", "eager", "nchw"));
    const ComparisonReport r = report(a, b);
    std::ostringstream table, md, csv, json;
    writeComparisonTable(table, r, 100);
    for (const char* part : {"A  before, \"x\".json", "=Ryzen™ \"9\" | 測試, x (cpu-0)", "102.50",
                             "110.00–115.00", "0.91× [", "SLOWER", "slower than A (unpaired)",
                             "only in B: PyTorch 2.15.0 eager fp32 NCHW", "regression: Aether"})
        EXPECT_TRUE(holds(table.str(), part)) << part << "\n" << table.str();
    std::istringstream lines(table.str());
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 130u) << line;
    writeComparisonMarkdown(md, r);
    EXPECT_TRUE(holds(md.str(), "B: after\\|1.json")) << md.str();
    EXPECT_TRUE(
        holds(md.str(), "| Aether direct fp32 NHWC | 102.50 | 100.00–105.00 | 6 | 112.50 |"))
        << md.str();
    writeComparisonCsv(csv, r);
    EXPECT_TRUE(holds(csv.str(), ",6,102.500000,100.000000,105.000000,6,112.500000,")) << csv.str();
    EXPECT_TRUE(holds(csv.str(), "\"'=Ryzen™ \"\"9\"\" | 測試, x\"")) << csv.str();
    writeComparisonJson(json, r);
    const auto document = nlohmann::json::parse(json.str());
    EXPECT_EQ(document["schema"], "aether-bench/comparison/1.0");
    EXPECT_EQ(document["matches"][0]["verdict"], "SLOWER");
    EXPECT_EQ(document["matches"][0]["paired"], false);
    EXPECT_EQ(document["only_candidate"].size(), 1u);
    EXPECT_EQ(document["regressions"].size(), 1u);
}

TEST(ComparisonWriters, WriteNullWhereThereIsNoRatio) {
    const Result a = measured(kFast);
    Result b = measured(kSlow);
    b.batch = 1;
    std::ostringstream json;
    writeComparisonJson(json, report(a, b));
    const auto match = nlohmann::json::parse(json.str())["matches"][0];
    EXPECT_TRUE(match["ratio"].is_null());
    EXPECT_EQ(match["verdict"], "INVALID");
}

}  // namespace
}  // namespace aether::app
