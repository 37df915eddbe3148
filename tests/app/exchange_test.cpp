// SPDX-License-Identifier: GPL-3.0-only
#include "app/exchange.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app/comparison.h"
#include "app/report/writers.h"
#include "common/failure.h"
#include "sample_result.h"
#include "support.h"

namespace aether::app {
namespace {

namespace fs = std::filesystem;
using test::holds;
using test::pathOf;
using test::roundSample;
using test::sampleResult;
using test::sampleRun;

/// One device, an engine run and a PyTorch run, as of one session.
Result session(const std::string& device = "RTX 3050", const std::string& uuid = "GPU-1") {
    Result result = sampleResult();
    result.devices = {
        {uuid, device, "gpu", std::nullopt, std::nullopt, std::nullopt, std::nullopt}};
    Run engine = sampleRun("aether", "native", "nhwc");
    Run torch = sampleRun("pytorch", "compiled", "nchw");
    for (int round = 1; round <= 6; ++round) {
        engine.samples.push_back(roundSample(round, 10 + round));
        torch.samples.push_back(roundSample(round, 2 * (10 + round)));
    }
    result.runs = {engine, torch};
    for (Run& run : result.runs)
        run.deviceUuid = uuid;
    result.session.order = {{result.runs[0].id, result.runs[1].id}};
    result.comparisons = compareRuns(result);
    return result;
}

/// Only the runs of the engine, or only the others.
Result only(Result result, bool engine) {
    std::erase_if(result.runs, [&](const Run& r) { return (r.framework == "aether") != engine; });
    result.comparisons.clear();
    return result;
}

std::string failureOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "no failure";
}

TEST(Exchange, SplitsAResultIntoAPairAndReadsItBack) {
    const QTemporaryDir folder;
    const Result whole = session();
    const auto files = writeExchange(whole, pathOf(folder) / "new");
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].filename(), "breakdown_rtx-3050.json");
    EXPECT_EQ(files[1].filename(), "torch_rtx-3050.json");
    EXPECT_EQ(readResult(files[0]).runs.size(), 1u);
    const SavedResults saved = readResults({pathOf(folder) / "new"});
    EXPECT_TRUE(saved.problems.empty());
    ASSERT_EQ(saved.results.size(), 1u);
    EXPECT_EQ(saved.results[0].files, files);
    EXPECT_EQ(toJson(saved.results[0].result), toJson(whole)) << "one session: still paired";
}

TEST(Exchange, TwoSessionsAreComparedUnpaired) {
    Result torch = only(session(), false);
    torch.context.time = "2026-12-01T00:00:00Z";
    const Result merged = mergePair(only(session(), true), torch);
    ASSERT_EQ(merged.comparisons.size(), 1u);
    EXPECT_TRUE(holds(merged.comparisons[0].sentence, "unpaired"))
        << merged.comparisons[0].sentence;
    EXPECT_DOUBLE_EQ(merged.comparisons[0].ratio.value, 2);
    EXPECT_LT(merged.comparisons[0].ratio.interval.low, 1.9) << "wider than of pairs";
    EXPECT_EQ(merged.comparisons[0].verdict, Verdict::Faster);
}

TEST(Exchange, AHalfStandsAlone) {
    const QTemporaryDir folder;
    writeResult(only(session(), true), pathOf(folder) / "breakdown_a.json");
    writeResult(only(session(), false), pathOf(folder) / "torch_b.json");
    const SavedResults saved = readResults({pathOf(folder)});
    EXPECT_TRUE(saved.problems.empty());
    ASSERT_EQ(saved.results.size(), 2u);
    EXPECT_EQ(saved.results[0].result.runs[0].framework, "aether");
    EXPECT_EQ(saved.results[1].result.runs[0].framework, "pytorch");
}

TEST(Exchange, ANamedBreakdownBringsItsTorchFileAlongOnce) {
    const QTemporaryDir folder;
    const auto files = writeExchange(session(), pathOf(folder));
    for (const std::vector<fs::path>& named :
         {std::vector{files[0]}, {files[1], files[0]}, {files[0], pathOf(folder), files[0]}}) {
        const SavedResults saved = readResults(named);
        ASSERT_EQ(saved.results.size(), 1u);
        EXPECT_EQ(saved.results[0].result.runs.size(), 2u);
    }
    EXPECT_EQ(readResults({files[1]}).results[0].result.runs.size(), 1u);
}

TEST(Exchange, SkipsWhatIsDamagedWithPathAndReasonAndUsesTheRest) {
    const QTemporaryDir folder;
    writeExchange(session(), pathOf(folder));
    const auto put = [&](const char* name, const std::string& text) {
        std::ofstream(pathOf(folder) / name) << text;
    };
    put("a-empty.json", "");
    put("b-newer.json", R"({"schema": "aether-bench/result/2.0"})");
    put("c-text.json", "no\x1b[31m JSON");
    put("d-deep.json", std::string(200'000, '['));
    put("ignored.txt", "not a result");
    fs::create_directory(pathOf(folder) / "e-folder.json");
    ASSERT_EQ(::mkfifo((pathOf(folder) / "f-pipe.json").c_str(), 0600), 0);
    put("torch_\n\x1b[2Jx.json", "{");
    const SavedResults saved = readResults({pathOf(folder), pathOf(folder) / "missing.json"});
    ASSERT_EQ(saved.results.size(), 1u);
    EXPECT_EQ(saved.results[0].result.runs.size(), 2u);
    ASSERT_EQ(saved.problems.size(), 8u);
    std::string all;
    for (const std::string& problem : saved.problems) {
        EXPECT_TRUE(holds(problem, folder.path().toStdString())) << problem;
        for (const char c : problem)
            EXPECT_FALSE(std::iscntrl(static_cast<unsigned char>(c))) << problem;
        all += problem + "\n";
    }
    for (const char* part : {"empty", "result/2.0", "not JSON", "nested", "not a regular file",
                             "missing.json: can't be read"})
        EXPECT_TRUE(holds(all, part)) << part << "\n" << all;
}

TEST(Exchange, ADamagedHalfLeavesTheOther) {
    const QTemporaryDir folder;
    const auto files = writeExchange(session(), pathOf(folder));
    std::ofstream(files[0]) << "{";
    const SavedResults saved = readResults({pathOf(folder)});
    ASSERT_EQ(saved.results.size(), 1u);
    EXPECT_EQ(saved.results[0].result.runs[0].framework, "pytorch");
    EXPECT_EQ(saved.problems.size(), 1u);
}

TEST(Exchange, RefusesAPairOfDifferentWorkNamingBoth) {
    const QTemporaryDir folder;
    writeResult(only(session(), true), pathOf(folder) / "breakdown_x.json");
    Result torch = only(session(), false);
    torch.workloadName = "cifar10-v2";
    torch.batch = 128;
    writeResult(torch, pathOf(folder) / "torch_x.json");
    const SavedResults saved = readResults({pathOf(folder)});
    EXPECT_TRUE(saved.results.empty());
    ASSERT_EQ(saved.problems.size(), 1u);
    for (const char* part :
         {"breakdown_x.json", "torch_x.json", "cifar10-v1 and cifar10-v2", "batch 256 and 128"})
        EXPECT_TRUE(holds(saved.problems[0], part)) << saved.problems[0];
    torch = only(session("Other GPU", "GPU-2"), false);
    EXPECT_TRUE(holds(failureOf([&] { mergePair(only(session(), true), torch); }),
                      "RTX 3050 (GPU-1) and Other GPU (GPU-2)"));
}

TEST(Exchange, OneDeviceUnderTwoNamesIsOnePanel) {
    Result torch = only(session("NVIDIA GeForce RTX 3050"), false);
    EXPECT_EQ(mergePair(only(session(), true), torch).devices.size(), 1u);
    torch = only(session("NVIDIA GeForce RTX 3050", ""), false);
    const Result merged = mergePair(only(session(), true), torch);
    EXPECT_EQ(merged.devices.size(), 1u);
    EXPECT_EQ(merged.runs[1].deviceUuid, "GPU-1");
}

TEST(Exchange, MergedRunsKeepUniqueIdsAndSayWhatWasNotAlike) {
    Result torch = only(session(), false);
    torch.runs[0].id = session().runs[0].id;
    torch.session.threads = 7;
    torch.source = "a paper";
    torch.context.host = "elsewhere";
    const Result merged = mergePair(only(session(), true), torch);
    EXPECT_NE(merged.runs[0].id, merged.runs[1].id);
    EXPECT_EQ(merged.source, "") << "the engine's run is an own measurement";
    ASSERT_EQ(merged.runs[1].flags.size(), 2u);
    EXPECT_EQ(merged.runs[1].flags[0],
              "measured in another way than the engine: 2 threads and 7 threads");
    EXPECT_EQ(merged.runs[1].flags[1], "published: a paper");
}

TEST(Exchange, NeverOverwritesAndThenLeavesNothingBehind) {
    const QTemporaryDir folder;
    const auto taken = pathOf(folder) / "torch_rtx-3050.json";
    std::ofstream(taken) << "mine";
    const std::string message = failureOf([&] { writeExchange(session(), pathOf(folder)); });
    EXPECT_TRUE(holds(message, taken.string() + " exists")) << message;
    EXPECT_EQ(test::slurp(taken), "mine");
    EXPECT_FALSE(fs::exists(pathOf(folder) / "breakdown_rtx-3050.json"));
}

TEST(Exchange, FileNamesAreSafeWhateverTheDeviceIsCalled) {
    const QTemporaryDir folder;
    Result result = session("../../etc/\n=GeForce™ \"測\" | 9");
    result.devices.push_back(result.devices[0]);
    result.devices[1].uuid = "GPU-2";
    aether::Run twin = result.runs[0];
    twin.deviceUuid = "GPU-2";
    result.runs.push_back(twin);
    const auto files = writeExchange(result, pathOf(folder));
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].filename(), "breakdown_etc-geforce-9.json");
    EXPECT_EQ(files[2].filename(), "breakdown_etc-geforce-9-2.json");
    for (const auto& file : files)
        EXPECT_EQ(file.parent_path(), pathOf(folder));
    EXPECT_TRUE(holds(failureOf([&] { writeExchange(Result{}, pathOf(folder)); }), "no run"));
}

TEST(Published, GivesTheSeedsRatiosFromMedians) {
    const SavedResults saved = readResults({test::sourceRoot() / "resources/published"});
    EXPECT_TRUE(saved.problems.empty());
    ASSERT_EQ(saved.results.size(), 2u);
    const auto ratio = [](const Result& result, const std::string& engine) {
        for (const Comparison& c : result.comparisons) {
            if (c.candidate == engine) return std::pair{c.baseline, c.ratio.value};
        }
        return std::pair{std::string(), 0.0};
    };
    const Result& nvidia = saved.results[0].result;
    const Result& amd = saved.results[1].result;
    const std::string reference = "pytorch/compiled/nchw/fp16";
    EXPECT_EQ(ratio(amd, "aether/v1.2/nhwc/fp16").first, reference);
    EXPECT_NEAR(ratio(amd, "aether/v1.2/nhwc/fp16").second, 7.60 / 4.86, 1e-9);
    EXPECT_EQ(ratio(nvidia, "aether/v1.2/nhwc/fp16").first, reference);
    EXPECT_NEAR(1 / ratio(nvidia, "aether/v1.2/nhwc/fp16").second, 21.71 / 16.87, 1e-9);
    std::ostringstream table;
    writeTable(table, amd, 100);
    writeTable(table, nvidia, 100);
    for (const char* part : {"1.56×", "16.83–16.88", "178.70", "published: the original engine and",
                             "PyTorch 2.12.0 compiled fp16 NCHW", "spread not published"})
        EXPECT_TRUE(holds(table.str(), part)) << part << "\n" << table.str();
}

}  // namespace
}  // namespace aether::app
