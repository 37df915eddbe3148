// SPDX-License-Identifier: GPL-3.0-only
// The real program: exit codes, what goes to which stream, what is left behind.
#include <gtest/gtest.h>
#include <signal.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <nlohmann/json.hpp>

#include "program.h"
#include "support.h"

namespace aether::app {
namespace {

using nlohmann::json;
using test::Output;
using test::pathOf;

class CommandLine : public testing::Test {
  protected:
    /// A root without shipped runners, so that only the fakes take part.
    void SetUp() override {
        namespace fs = std::filesystem;
        fs::create_directories(root() / "resources/runners");
        fs::copy(test::sourceRoot() / "resources/workloads", root() / "resources/workloads");
    }
    std::filesystem::path root() const { return pathOf(folder_); }

    std::string manifest(const std::string& behaviour, const std::string& framework,
                         std::vector<std::string> more = {}) {
        const RunnerManifest fake = test::fake(behaviour, framework, more);
        const json document = {{"schema", "aether-bench/runner/1"},
                               {"name", fake.name},
                               {"title", fake.title},
                               {"command", fake.command}};
        const auto file = root() / (fake.name + ".json");
        std::ofstream(file) << document.dump();
        return file.string();
    }

    std::unique_ptr<QProcess> launch(const std::vector<std::string>& arguments) {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("AETHER_ROOT"), QString::fromStdString(root().string()));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"),
                           QString::fromStdString((root() / "config").string()));
        environment.insert(QStringLiteral("XDG_DATA_HOME"),
                           QString::fromStdString((root() / "share").string()));
        process->setProcessEnvironment(environment);
        process->setWorkingDirectory(QString::fromStdString(root().string()));
        test::startProgram(*process, arguments);
        return process;
    }
    static Output finish(QProcess& process) {
        const Output output = test::outputOf(process);
        EXPECT_TRUE(test::survivors().empty()) << "a process survived";
        return output;
    }
    Output bench(const std::vector<std::string>& arguments) {
        const auto process = launch(arguments);
        return finish(*process);
    }
    /// A short `run` with these fakes.
    std::vector<std::string> runArguments(const std::vector<std::string>& manifests,
                                          std::vector<std::string> more = {},
                                          const std::string& rounds = "2") {
        std::vector<std::string> all{
            "run", "--workload", "cifar10-v2", "--batch",         "8",    "--threads",
            "1",   "--rounds",   rounds,       "--block-seconds", "0.02", "--settle",
            "1",   "--max-load", "1000%",      "--hang-timeout",  "2"};
        for (const std::string& file : manifests)
            all.insert(all.end(), {"--runner", file});
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::vector<std::filesystem::path> results() const {
        std::vector<std::filesystem::path> files;
        std::error_code ignored;
        for (const auto& entry :
             std::filesystem::directory_iterator(root() / "share/aether-bench/results", ignored))
            files.push_back(entry.path());
        return files;
    }

    QTemporaryDir folder_{QDir::tempPath() + QStringLiteral("/aether bench ünïcode 測-XXXXXX")};
};

TEST_F(CommandLine, MeasuresAndSavesAndShows) {
    const Output run = bench(runArguments(
        {manifest("good", "aether"), manifest("good", "pytorch", {"--step-ms", "40"})}, {}, "6"));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("Aether"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("faster than PyTorch"), std::string::npos) << run.out;
    EXPECT_EQ(run.err.find('\r'), std::string::npos)
        << "no rewritten line where there is no terminal";
    ASSERT_EQ(results().size(), 1u);
    const Output show = bench({"show", results()[0].string()});
    EXPECT_EQ(show.code, 0);
    EXPECT_EQ(show.out, run.out) << "the saved result prints the same table";
}

TEST_F(CommandLine, WritesDataInEveryFormatToStdoutOnly) {
    const std::vector<std::string> files{manifest("good", "aether")};
    const Output asJson = bench(runArguments(files, {"-o", "json", "-q"}));
    EXPECT_EQ(asJson.code, 0) << asJson.err;
    EXPECT_EQ(json::parse(asJson.out)["runs"].size(), 1u);
    EXPECT_EQ(asJson.err, "");
    const Output lines = bench(runArguments(files, {"-o", "jsonl", "-q"}));
    std::istringstream in(lines.out);
    std::string line;
    int samples = 0;
    while (std::getline(in, line))
        samples += json::parse(line)["event"] == "sample" ? 1 : 0;
    EXPECT_EQ(samples, 2);
}

TEST_F(CommandLine, ExitsWithOneWhenAVariantFailed) {
    const Output run =
        bench(runArguments({manifest("good", "aether"), manifest("dies-by-signal", "pytorch")}));
    EXPECT_EQ(run.code, 1);
    EXPECT_NE(run.out.find("SIGSEGV"), std::string::npos) << run.out;
}

TEST_F(CommandLine, ExitsWithThreeWhenNothingWasMeasured) {
    const Output run = bench(runArguments({manifest("hangs", "aether")}));
    EXPECT_EQ(run.code, 3) << run.err;
    EXPECT_EQ(bench(runArguments({})).code, 3) << "no runner at all";
}

TEST_F(CommandLine, ExitsWithTwoForWrongUsage) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{},
                                               {"frobnicate"},
                                               {"run", "--rounds", "0"},
                                               {"run", "--max-noise", "little"},
                                               {"run", "--cores", "3-1"},
                                               {"run", "--workload", "no-such"},
                                               {"run", "-o", "pdf"},
                                               {"show"}}) {
        const Output run = bench(arguments);
        EXPECT_EQ(run.code, 2) << (arguments.empty() ? "nothing" : arguments.back()) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err, "");
    }
}

TEST_F(CommandLine, ExitsWithFourForInvalidInput) {
    std::ofstream(root() / "bad.json") << "{\"schema\": 1}";
    EXPECT_EQ(bench({"show", (root() / "bad.json").string()}).code, 4);
    EXPECT_EQ(bench({"run", "--workload", (root() / "bad.json").string()}).code, 4);
    EXPECT_EQ(bench({"data", "info", root().string()}).code, 4);
}

TEST_F(CommandLine, DryRunPrintsThePlanAndStartsNoMeasurement) {
    const Output run =
        bench(runArguments({manifest("hangs", "aether"), "/no/such/runner"}, {"--dry-run"}));
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("1 variants, 2 rounds, about"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("unavailable: program not found: /no/such/runner"), std::string::npos)
        << run.out;
    EXPECT_TRUE(results().empty());
}

TEST_F(CommandLine, DryRunAsJsonIsAResultOfQueuedRuns) {
    const Output run =
        bench(runArguments({manifest("good", "aether")}, {"--dry-run", "-o", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    const json plan = json::parse(run.out);
    EXPECT_EQ(plan["runs"][0]["status"], "queued");
    EXPECT_GT(plan["estimated_seconds"], 0);
}

TEST_F(CommandLine, MeasuresOnlyTheVariantsThatAreNamed) {
    const std::string good = manifest("good", "aether", {"--modes", "eager,compiled"});
    const std::string id = "aether-good/cpu-0/compiled/fp32/nhwc";
    const Output run = bench(runArguments({good}, {"--variant", id, "-o", "json", "-q"}));
    EXPECT_EQ(run.code, 0) << run.err;
    const json runs = json::parse(run.out)["runs"];
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]["id"], id);
    const Output wrong = bench(runArguments({good}, {"--variant", "aether-good/cpu-0/fast"}));
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("aether-good/cpu-0/fast is not in the plan"), std::string::npos)
        << wrong.err;
}

TEST_F(CommandLine, TellsEveryRunnerTheInstructionSet) {
    const std::string able =
        manifest("good", "aether", {"--instruction-sets", "plain,avx2,avx512"});
    const std::string fixed = manifest("good", "pytorch", {"--instruction-sets", "avx512"});
    const Output run =
        bench(runArguments({able, fixed}, {"--instruction-set", "avx2", "-o", "json", "-q"}));
    const json result = json::parse(run.out);
    EXPECT_EQ(result["session"]["instruction_set"], "avx2");
    EXPECT_EQ(result["runs"][0]["instruction_set"], "avx2");
    EXPECT_EQ(result["runs"][1]["status"], "unavailable");
    const json best = json::parse(bench(runArguments({able}, {"-o", "json", "-q"})).out);
    EXPECT_EQ(best["session"]["instruction_set"], "");
    EXPECT_EQ(best["runs"][0]["instruction_set"], "avx512");
}

TEST_F(CommandLine, InterruptKeepsWhatWasMeasured) {
    for (const int number : {SIGINT, SIGTERM}) {
        const auto process = launch(runArguments({manifest("good", "aether")}, {}, "1000"));
        ASSERT_TRUE(process->waitForStarted());
        process->setReadChannel(QProcess::StandardError);
        std::string seen;
        while (seen.find("round 2") == std::string::npos && process->waitForReadyRead(20'000)) {
            seen += process->readAllStandardError().toStdString();
        }
        ASSERT_GT(process->processId(), 0) << seen;
        ::kill(static_cast<pid_t>(process->processId()), number);
        const Output run = finish(*process);
        EXPECT_EQ(run.code, 130) << run.err;
        EXPECT_NE(run.out.find("cancelled after"), std::string::npos) << run.out;
    }
    EXPECT_EQ(results().size(), 2u);
}

TEST_F(CommandLine, KilledProgramLeavesNoRunnerBehind) {
    const auto process = launch(runArguments({manifest("good", "aether")}, {}, "1000"));
    process->setReadChannel(QProcess::StandardError);
    ASSERT_TRUE(process->waitForReadyRead(20'000));
    QElapsedTimer clock;
    clock.start();
    while (test::survivors().size() < 2 && clock.elapsed() < 10'000)
        process->waitForReadyRead(100);
    process->kill();
    process->waitForFinished(5000);
    clock.restart();
    while (!test::survivors().empty() && clock.elapsed() < 3000)
        QThread::msleep(50);
    EXPECT_TRUE(test::survivors().empty());
}

TEST_F(CommandLine, ChecksRunnersAgainstTheProtocol) {
    const Output good = bench({"runners", "check", manifest("good", "aether"), "--workload",
                               "cifar10-v2", "--hang-timeout", "5"});
    EXPECT_EQ(good.code, 0) << good.out;
    EXPECT_NE(good.out.find("skipped traces"), std::string::npos) << good.out;
#ifndef __SANITIZE_ADDRESS__  // its epoch takes minutes there
    const auto engine = std::filesystem::path(AETHER_BENCH_PROGRAM).parent_path() / "aether-engine";
    if (std::filesystem::exists(engine)) {
        const Output real =
            bench({"runners", "check", engine.string(), "--workload", "cifar10-v2"});
        EXPECT_EQ(real.code, 0) << real.out << real.err;
    }
#endif
    for (const char* behaviour :
         {"malformed-json", "answers-twice", "answers-again-later", "wrong-parameter-count",
          "exits-nonzero", "protocol-2", "hangs"}) {
        const Output bad = bench({"runners", "check", manifest(behaviour, "aether"), "--workload",
                                  "cifar10-v2", "--hang-timeout", "1"});
        EXPECT_EQ(bad.code, 1) << behaviour << bad.out;
        EXPECT_NE(bad.out.find("1 failed"), std::string::npos) << behaviour << bad.out;
    }
}

TEST_F(CommandLine, ARunnerHasTheModesThatItMeasuresOnRequest) {
    const std::string good = manifest("good", "aether", {"--modes-on-request", "eager"});
    EXPECT_NE(bench({"devices", "--runner", good}).out.find("eager (on request)"),
              std::string::npos);
    const Output bad =
        bench({"runners", "check", manifest("good", "aether", {"--modes-on-request", "compiled"}),
               "--workload", "cifar10-v2", "--hang-timeout", "5"});
    EXPECT_EQ(bad.code, 1) << bad.out;
    EXPECT_NE(bad.out.find("modes_on_request: compiled is not among its modes"), std::string::npos)
        << bad.out;
}

TEST_F(CommandLine, ListsDevicesAndRunnersWithReasons) {
    const std::string good = manifest("good", "aether");
    const Output devices = bench({"devices", "--runner", good});
    EXPECT_EQ(devices.code, 0) << devices.err;
    EXPECT_NE(devices.out.find("Fake CPU\n    cpu-0, cpu, 2 cores, 8.0 GiB"), std::string::npos)
        << devices.out;
    const Output runners = bench({"runners", "--runner", good, "--runner", "/no/such"});
    EXPECT_NE(runners.out.find("such: such: unavailable: program not found: /no/such"),
              std::string::npos)
        << runners.out;
}

TEST_F(CommandLine, TrainsAndCompares) {
    const Output run = bench({"train", "--epochs", "3", "--workload", "cifar10-v2", "--runner",
                              manifest("good", "aether"), "--runner",
                              manifest("good", "pytorch", {"--step-ms", "40"})});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("trains an epoch 2.00 × faster than PyTorch"), std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("    3    0.7667    0.7000     0.7667         0.7000      0.16"),
              std::string::npos)
        << run.out;
}

TEST_F(CommandLine, MakesAndInspectsData) {
    const std::string data = (root() / "small").string();
    EXPECT_EQ(bench({"data", "make", data, "--images", "40"}).code, 0);
    const Output info = bench({"data", "info", data});
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("training: 40 images 32×32×3"), std::string::npos) << info.out;
    EXPECT_EQ(bench({"data", "make", data}).code, 2) << "nothing is overwritten";
}

TEST_F(CommandLine, SaysWhatToDoWhenADownloadFails) {
    const Output fetch = bench(
        {"data", "fetch", (root() / "cifar").string(), "--url", "file:///no/such/archive.tar.gz"});
    EXPECT_EQ(fetch.code, 4);
    EXPECT_NE(fetch.err.find("by hand: download"), std::string::npos) << fetch.err;
    std::ofstream(root() / "wrong.tar.gz") << "not the archive";
    const Output wrong = bench(
        {"data", "fetch", (root() / "cifar").string(), "--url", "file://" + manifest("x", "y")});
    EXPECT_EQ(wrong.code, 4);
    EXPECT_FALSE(std::filesystem::exists(root() / "cifar"));
}

TEST_F(CommandLine, EveryVerbHasHelpWithExamples) {
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"run"},
                                               {"verify"},
                                               {"train"},
                                               {"devices"},
                                               {"runners"},
                                               {"runners", "check"},
                                               {"show"},
                                               {"data"},
                                               {"data", "make"}}) {
        std::vector<std::string> arguments = verb;
        arguments.push_back("--help");
        const Output help = bench(arguments);
        EXPECT_EQ(help.code, 0);
        EXPECT_NE(help.out.find("Example"), std::string::npos) << verb.back();
    }
    EXPECT_NE(bench({"--help"}).out.find("Exit codes"), std::string::npos);
}

}  // namespace
}  // namespace aether::app
