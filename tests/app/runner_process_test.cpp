// SPDX-License-Identifier: GPL-3.0-only
#include "app/runner_process.h"

#include <gtest/gtest.h>

#include "support.h"

namespace aether::app {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::kGreeting;
using test::shell;

/// Starts, sends one measure, and waits for the end of everything.
struct Outcome {
    Reply greeting, reply;
    int ends = 0;
    double seconds = 0;
    std::string log;
};

Task<> drive(RunnerProcess& process, Outcome& out, bool measure) {
    out.greeting = co_await process.start();
    if (!out.greeting.ok() || !measure) co_return;
    json command = {{"command", "measure"}, {"steps", 1}};
    out.reply = co_await process.request(command, "sample");
}

Outcome outcomeOf(const RunnerManifest& manifest, std::chrono::milliseconds silence = 20s,
                  bool measure = true) {
    Outcome out;
    std::string token;
    {
        RunnerProcess process(manifest, silence);
        token = process.token();
        QObject::connect(&process, &RunnerProcess::ended, &process, [&] { ++out.ends; });
        QElapsedTimer clock;
        clock.start();
        Task<> task = drive(process, out, measure);
        QTimer::singleShot(0, &process, [&] { task.start(); });
        EXPECT_TRUE(test::waitFor(&process, &RunnerProcess::ended, 15s));
        out.seconds = static_cast<double>(clock.elapsed()) / 1e3;
        test::waitFor(&process, &RunnerProcess::ended, 50ms);  // a second signal would come now
        out.log = process.log().tail(10);
    }
    EXPECT_EQ(out.ends, 1) << "exactly one terminal signal";
    EXPECT_TRUE(processesWithToken(token).empty()) << "a process survived";
    return out;
}

std::string sentence(const Reply& reply) {
    return reply.failure ? reply.failure->sentence : "no failure";
}

struct ShellCase {
    const char* name;
    std::string script;
    const char* kind;
    const char* part;
    friend void PrintTo(const ShellCase& c, std::ostream* out) { *out << c.name; }
};

class ShellMisbehaviour : public testing::TestWithParam<ShellCase> {};

TEST_P(ShellMisbehaviour, EndsInOneFailureWithASentence) {
    const Outcome out = outcomeOf(shell(
        std::string(kGreeting) + "read line; echo 'last stderr line' >&2; " + GetParam().script));
    ASSERT_TRUE(out.greeting.ok()) << sentence(out.greeting);
    ASSERT_FALSE(out.reply.ok());
    EXPECT_EQ(out.reply.failure->kind, GetParam().kind) << sentence(out.reply);
    EXPECT_NE(sentence(out.reply).find(GetParam().part), std::string::npos) << sentence(out.reply);
    EXPECT_NE(sentence(out.reply).find("last stderr line"), std::string::npos)
        << sentence(out.reply);
}

INSTANTIATE_TEST_SUITE_P(
    All, ShellMisbehaviour,
    testing::Values(
        ShellCase{"ExitZero", "exit 0", "crashed", "exited with 0 without a final answer"},
        ShellCase{"ExitThree", "exit 3", "crashed", "exited with code 3"},
        ShellCase{"Segfault", "kill -SEGV $$", "crashed", "SIGSEGV"},
        ShellCase{"Killed", "kill -KILL $$", "killed", "possibly for lack of memory"},
        ShellCase{"Exit137", "exit 137", "killed", "possibly for lack of memory"},
        ShellCase{"Malformed", "echo '{\"event\": }'; read x", "protocol", "no JSON object"},
        ShellCase{"Nan", "echo '{\"event\":\"sample\",\"id\":1,\"wall_ns\":NaN}'; read x",
                  "protocol", "NaN"},
        ShellCase{"HalfAnswer", "printf '{\"event\":\"sample\",\"id\"'", "crashed",
                  "in the middle of an answer"},
        ShellCase{"OtherId", "echo '{\"event\":\"sample\",\"id\":7}'; read x", "protocol",
                  "answered command 7 while command 1"},
        ShellCase{"OtherEvent", "echo '{\"event\":\"stages\",\"id\":1}'; read x", "protocol",
                  "\"sample\" was expected"}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(RunnerProcess, IsHungOnlyWhenNoLineComes) {
    const std::string progress =
        R"(echo '{"event":"progress","id":1,"phase":"compiling","done":0,"total":1,"message":""}';)";
    const std::string answer = R"(echo '{"event":"sample","id":1}'; sleep 0.2)";
    std::string script = std::string(kGreeting) + "read line;";
    for (int i = 0; i < 5; ++i)
        script += progress + "sleep 0.4;";
    const Outcome out = outcomeOf(shell(script + answer + "; exit 1"), 1000ms);
    EXPECT_TRUE(out.reply.ok()) << sentence(out.reply)
                                << ": two seconds of work, but never one without a line";
}

TEST(RunnerProcess, SaysHungAndEndsIt) {
    const Outcome out = outcomeOf(shell(std::string(kGreeting) + "read line; sleep 1000"), 1000ms);
    EXPECT_EQ(out.reply.failure->kind, "hung");
    EXPECT_NE(sentence(out.reply).find("no line for 1 s"), std::string::npos)
        << sentence(out.reply);
    EXPECT_LT(out.seconds, 2.9);
}

TEST(RunnerProcess, EndsARunnerThatIgnoresSigterm) {
    const Outcome out = outcomeOf(
        shell(std::string("trap '' TERM; ") + kGreeting + "read line; while :; do sleep 100; done"),
        500ms);
    EXPECT_EQ(out.reply.failure->kind, "hung");
    EXPECT_LT(out.seconds, 5);
}

TEST(RunnerProcess, EndsGrandchildrenEvenInASessionOfTheirOwn) {
    const Outcome out = outcomeOf(shell(
        std::string(kGreeting) + "read line; sleep 1000 & setsid sleep 1001 & sleep 0.3; exit 4"));
    EXPECT_NE(sentence(out.reply).find("exited with code 4"), std::string::npos)
        << sentence(out.reply);
    EXPECT_LT(out.seconds, 4) << "reading must end with the process, not with the pipe";
}

TEST(RunnerProcess, RefusesAnotherProtocolNamingBoth) {
    const Outcome out = outcomeOf(test::fake("protocol-2"));
    EXPECT_NE(sentence(out.greeting).find("speaks run protocol 2.0, this program speaks 1.0"),
              std::string::npos);
}

TEST(RunnerProcess, SaysWhyAProgramCantStart) {
    RunnerManifest missing = shell("");
    missing.command = {"/no/such/program"};
    const Outcome out = outcomeOf(missing);
    EXPECT_EQ(out.greeting.failure->kind, "unavailable");
    const Outcome silent = outcomeOf(shell("echo 'No module named torch' >&2; exit 1"));
    EXPECT_EQ(silent.greeting.failure->kind, "unavailable");
    EXPECT_NE(
        sentence(silent.greeting).find("before its greeting; last words: No module named torch"),
        std::string::npos)
        << sentence(silent.greeting);
}

Task<> askAndClose(RunnerProcess& process, Reply& reply, bool& well) {
    Reply greeting = co_await process.start();
    const auto workload = test::sourceRoot() / "resources/workloads/cifar10-v1.json";
    json prepare = {{"command", "prepare"},
                    {"device", "cpu-0"},
                    {"workload", workload.string()},
                    {"layout", "nhwc"}};
    Reply prepared = co_await process.request(prepare, "prepared");
    json command = {{"command", "measure"}, {"steps", 1}};
    reply = co_await process.request(command, "sample");
    well = co_await process.close();
}

class StillWorks : public testing::TestWithParam<const char*> {};

TEST_P(StillWorks, AndClosesWell) {
    RunnerProcess process(test::fake(GetParam()), 20s);
    Reply reply;
    bool well = false;
    Task<> task = askAndClose(process, reply, well);
    QTimer::singleShot(0, &process, [&] { task.start(); });
    ASSERT_TRUE(test::waitFor(&process, &RunnerProcess::ended, 20s));
    test::waitFor(&process, &RunnerProcess::ended, 20ms);
    EXPECT_TRUE(reply.ok()) << sentence(reply);
    EXPECT_TRUE(well) << (process.failure() ? process.failure()->sentence : "");
    EXPECT_LE(process.log().lines().size(), 2000u);
}

INSTANTIATE_TEST_SUITE_P(All, StillWorks,
                         testing::Values("good", "banner-before-json", "invalid-utf8", "half-line",
                                         "five-megabyte-line", "noisy-stderr",
                                         "ten-thousand-lines"),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(RunnerProcess, AnswersARequestAfterItsEndWithTheSameFailure) {
    RunnerProcess process(shell(std::string(kGreeting) + "exit 5"), 5s);
    Outcome out;
    Task<> task = drive(process, out, true);
    QTimer::singleShot(0, &process, [&] { task.start(); });
    test::waitFor(&process, &RunnerProcess::ended, 10s);
    test::waitFor(&process, &RunnerProcess::ended, 50ms);
    EXPECT_NE(sentence(out.reply).find("exited with code 5"), std::string::npos)
        << sentence(out.reply);
}

TEST(RunnerProcess, DiesWithItsOwner) {
    std::string token;
    {
        RunnerProcess process(shell(std::string(kGreeting) + "trap '' TERM; sleep 1000"), 20s);
        token = process.token();
        Outcome out;
        Task<> task = drive(process, out, false);
        task.start();
        test::waitFor(&process, &RunnerProcess::ended, 300ms);
        EXPECT_FALSE(processesWithToken(token).empty());
        task = {};
    }
    EXPECT_TRUE(processesWithToken(token).empty());
}

}  // namespace
}  // namespace aether::app
