// SPDX-License-Identifier: GPL-3.0-only
#include "common/result.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/result_store.h"
#include "common/failure.h"
#include "sample_result.h"
#include "support.h"

namespace aether::app {
namespace {

using test::pathOf;
using test::sampleResult;

std::string messageOf(const std::filesystem::path& file) {
    try {
        readResult(file);
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "no failure";
}

void put(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

TEST(ResultFile, ComesBackAsItWasWritten) {
    const QTemporaryDir folder;
    const auto file = pathOf(folder) / "räsult 測.json";
    writeResult(sampleResult(), file);
    EXPECT_EQ(toJson(readResult(file)), toJson(sampleResult()));
    EXPECT_EQ(readResult(file).runs[0].samples[1].flags, sampleResult().runs[0].samples[1].flags);
}

TEST(ResultFile, KeepsTheSourceOfPublishedNumbersOnly) {
    const QTemporaryDir folder;
    EXPECT_FALSE(toJson(sampleResult()).contains("source"));
    Result published = sampleResult();
    published.source = "a paper, table 2";
    writeResult(published, pathOf(folder) / "r.json");
    EXPECT_EQ(readResult(pathOf(folder) / "r.json").source, "a paper, table 2");
}

TEST(ResultFile, WritesNullForWhatIsNotFinite) {
    const QTemporaryDir folder;
    Result result = sampleResult();
    result.runs[0].samples[0].loss = std::numeric_limits<double>::quiet_NaN();
    result.comparisons[0].ratio.interval.high = std::numeric_limits<double>::infinity();
    writeResult(result, pathOf(folder) / "r.json");
    const std::string text = test::slurp(pathOf(folder) / "r.json");
    EXPECT_EQ(text.find("NaN"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("Infinity"), std::string::npos);
    EXPECT_FALSE(readResult(pathOf(folder) / "r.json").runs[0].samples[0].loss);
}

TEST(ResultFile, SurvivesTextThatIsNoUtf8) {
    const QTemporaryDir folder;
    Result result = sampleResult();
    result.runs[0].reason = "bad \xff byte";
    writeResult(result, pathOf(folder) / "r.json");
    EXPECT_NO_THROW(readResult(pathOf(folder) / "r.json"));
}

TEST(ResultFile, NamesPathAndReasonOfADamagedFile) {
    const QTemporaryDir folder;
    const auto file = pathOf(folder) / "r.json";
    const auto expect = [&](const std::string& part) {
        const std::string message = messageOf(file);
        EXPECT_NE(message.find(file.string()), std::string::npos) << message;
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    put(file, "");
    expect("empty");
    put(file, "this is text");
    expect("not JSON");
    put(file, "[1, 2]");
    expect("no aether-bench result");
    writeResult(sampleResult(), file);
    put(file, test::slurp(file).substr(0, 700));
    expect("cut short");
    put(file, R"({"schema": "aether-bench/result/2.0"})");
    expect("\"aether-bench/result/2.0\", this program reads aether-bench/result/1.x");
    put(file, R"({"schema": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    expect("nested more than 100 deep");
    put(file, R"({"schema": "something/else"})");
    expect("something/else");
    nlohmann::json document = toJson(sampleResult());
    document["runs"][1].erase("status");
    put(file, document.dump());
    expect("runs[1]: lacks \"status\"");
    document = toJson(sampleResult());
    document["runs"][0]["samples"][0]["step_ns"] = "fast";
    put(file, document.dump());
    expect("runs[0].samples[0]: \"step_ns\" has the wrong type");
    EXPECT_NE(messageOf(pathOf(folder)).find(pathOf(folder).string()), std::string::npos)
        << "a folder";
}

TEST(ResultFile, ReadsANewerMinorVersionWithUnknownKeys) {
    const QTemporaryDir folder;
    nlohmann::json document = toJson(sampleResult());
    document["schema"] = "aether-bench/result/1.9";
    document["weather"] = "fine";
    put(pathOf(folder) / "r.json", document.dump());
    EXPECT_EQ(readResult(pathOf(folder) / "r.json").runs.size(), sampleResult().runs.size());
}

TEST(ResultFile, KeepsTheOldFileWhenItCantWrite) {
    const QTemporaryDir folder;
    const auto file = pathOf(folder) / "missing-folder" / "r.json";
    try {
        writeResult(sampleResult(), file);
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("missing-folder"), std::string::npos)
            << failure.what();
    }
}

TEST(ResultStore, NeverTakesAnExistingFileAndUsesSafeNames) {
    const QTemporaryDir folder;
    const std::string device = "=AMD/EPYC™ (\"測\" | 9)\n../..";
    const auto first = reserveResultFile(pathOf(folder) / "new", device, "cifar10-v1");
    put(first, "taken");
    const auto second = reserveResultFile(pathOf(folder) / "new", device, "cifar10-v1");
    EXPECT_NE(first, second);
    EXPECT_EQ(test::slurp(first), "taken");
    const std::string name = first.filename().string();
    EXPECT_NE(name.find("_AMD-EPYC-9"), std::string::npos) << name;
    for (const char c : name)
        EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.')
            << name;
}

TEST(Context, RecordsOnlyVariablesThatMatter) {
    qputenv("OMP_NUM_THREADS", "3");
    qputenv("SECRET_TOKEN", "x");
    const Context context = currentContext({"aether-bench", "run"});
    EXPECT_EQ(context.environment.at("OMP_NUM_THREADS"), "3");
    EXPECT_EQ(context.environment.count("SECRET_TOKEN"), 0u);
    EXPECT_EQ(context.time.back(), 'Z');
    EXPECT_FALSE(context.cpu.empty());
    qunsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace aether::app
