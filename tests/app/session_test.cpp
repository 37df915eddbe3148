// SPDX-License-Identifier: GPL-3.0-only
// Every misbehaviour of tests/fakes through a whole session: the variant fails with its reason, the
// others go on, nothing survives.
#include "app/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/failure.h"
#include "support.h"

namespace aether::app {
namespace {

using namespace std::chrono_literals;
using test::fake;
using test::quickOptions;
using test::runOf;

struct Ran {
    Result result;
    SessionOutcome outcome;
    int terminalSignals = 0;
    std::vector<std::pair<int, std::string>> samples;
};

Ran runSession(SessionOptions options, const std::vector<RunnerManifest>& manifests,
               std::chrono::milliseconds cancelAfter = 0ms, int cancelInRound = 0) {
    Ran ran;
    Session session(std::move(options), test::describeAll(manifests));
    QObject::connect(&session, &Session::finished, &session, [&] { ++ran.terminalSignals; });
    QObject::connect(&session, &Session::sampleTaken, &session,
                     [&](const std::string& id, const RoundSample& s) {
                         ran.samples.emplace_back(s.round, id);
                         if (s.round == cancelInRound) session.cancel();
                     });
    QTimer::singleShot(0, &session, [&] { session.start(); });
    if (cancelAfter > 0ms) QTimer::singleShot(cancelAfter, &session, &Session::cancel);
    EXPECT_TRUE(test::waitFor(&session, &Session::finished, 40s));
    test::waitFor(&session, &Session::finished, 20ms);
    EXPECT_EQ(ran.terminalSignals, 1);
    EXPECT_TRUE(test::survivors().empty()) << "a runner outlived the session";
    ran.result = session.result();
    ran.outcome = session.outcome();
    return ran;
}

TEST(Session, MeasuresGoodRunnersInterleavedAndComparesThem) {
    const QTemporaryDir folder;
    SessionOptions options = quickOptions();
    options.rounds = 6;
    options.resultFile = test::pathOf(folder) / "result.json";
    const Ran ran =
        runSession(options, {fake("good", "aether"), fake("good", "pytorch", {"--step-ms", "40"})});
    EXPECT_EQ(ran.outcome.end, SessionEnd::Finished);
    ASSERT_EQ(ran.result.runs.size(), 2u);
    for (const aether::Run& run : ran.result.runs) {
        EXPECT_EQ(run.status, "measured") << run.reason;
        EXPECT_EQ(run.samples.size(), 6u);
        EXPECT_TRUE(run.stages.has_value());
        EXPECT_GE(run.warmUpSteps, 3);
    }
    ASSERT_EQ(ran.result.comparisons.size(), 1u);
    EXPECT_EQ(ran.result.comparisons[0].verdict, Verdict::Faster)
        << ran.result.comparisons[0].sentence;
    EXPECT_NEAR(ran.result.comparisons[0].ratio.value, 2, 0.1);
    ASSERT_EQ(ran.result.session.order.size(), 6u);
    ASSERT_EQ(ran.samples.size(), 12u);
    for (std::size_t i = 0; i < ran.samples.size(); ++i)
        EXPECT_EQ(ran.samples[i].first, static_cast<int>(i / 2) + 1) << "rounds are interleaved";
    EXPECT_EQ(readResult(options.resultFile).runs.size(), 2u);
}

struct Case {
    const char* behaviour;
    const char* status;
    const char* kind;
    const char* reason;  ///< part of the run's reason
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.behaviour; }
};

class Misbehaviour : public testing::TestWithParam<Case> {};

TEST_P(Misbehaviour, CostsThatVariantOnly) {
    SessionOptions options = quickOptions();
    options.silence = 1500ms;
    const Case& c = GetParam();
    const Ran ran = runSession(options, {fake(c.behaviour, "aether"), fake("good", "pytorch")});
    const aether::Run& bad = runOf(ran.result, c.behaviour);
    EXPECT_EQ(bad.status, c.status);
    EXPECT_EQ(bad.failureKind, c.kind) << bad.reason;
    EXPECT_NE(bad.reason.find(c.reason), std::string::npos) << bad.reason;
    const aether::Run& good = runOf(ran.result, "pytorch");
    EXPECT_EQ(good.status, "measured") << good.reason;
    EXPECT_EQ(good.samples.size(), 2u);
    for (const Comparison& comparison : ran.result.comparisons)
        EXPECT_EQ(comparison.verdict, Verdict::Invalid);
}

INSTANTIATE_TEST_SUITE_P(
    All, Misbehaviour,
    testing::Values(
        Case{"hangs", "failed", "hung", "wrote no line for"},
        Case{"hangs-in-prepare", "failed", "hung", "\"prepared\" was expected"},
        Case{"ignores-sigterm", "failed", "hung", "wrote no line for"},
        Case{"dies-by-signal", "failed", "crashed", "SIGSEGV"},
        Case{"killed", "failed", "killed", "possibly for lack of memory"},
        Case{"exits-zero-without-answer", "failed", "crashed",
             "exited with 0 without a final answer"},
        Case{"exits-nonzero", "failed", "crashed",
             "exited with code 3; last words: fatal: the flux capacitor is empty"},
        Case{"malformed-json", "failed", "protocol", "no JSON object"},
        Case{"half-line-then-exit", "failed", "crashed", "in the middle of an answer"},
        Case{"answers-twice", "failed", "protocol", "twice"},
        Case{"protocol-2", "unavailable", "unavailable",
             "speaks run protocol 2.0, this program speaks 1.0"},
        Case{"grandchild-keeps-pipe-open", "failed", "crashed", "exited with code 1"},
        Case{"nan-sample", "failed", "protocol", "NaN"},
        Case{"null-sample", "failed", "no_valid_samples",
             "no valid samples: not finite: wall_ns is null (the clock broke)"},
        Case{"implausibly-fast", "failed", "no_valid_samples", "no valid samples: implausible"},
        Case{"throttled", "failed", "no_valid_samples",
             "no valid samples: throttled: clock 800 MHz"},
        Case{"out-of-memory", "failed", "out_of_memory",
             "out of memory, alone too: can't allocate 8589934592 bytes"},
        Case{"refuses-prepare", "failed", "unsupported", "layer conv1: kernel 3 is too prime"},
        Case{"wrong-parameter-count", "failed", "protocol",
             "parameter count: the runner reports 111499, expected 111498"},
        Case{"wrong-device", "failed", "protocol",
             "device: the runner reports GPU-00000000-dead-beef, expected cpu-0"}),
    [](const auto& instance) {
        std::string name = instance.param.behaviour;
        std::erase(name, '-');
        return name;
    });

TEST(Session, CancelKeepsWhatWasMeasuredAndEndsEveryone) {
    SessionOptions options = quickOptions();
    options.rounds = 1000;
    const Ran ran = runSession(options, {fake("good", "aether"), fake("good", "pytorch")}, 0ms, 2);
    EXPECT_EQ(ran.outcome.end, SessionEnd::Cancelled);
    EXPECT_TRUE(ran.result.session.cancelled);
    for (const aether::Run& run : ran.result.runs) {
        EXPECT_EQ(run.status, "measured") << run.reason;
        EXPECT_GT(run.samples.size(), 0u);
    }
}

TEST(Session, CancelDuringPrepareEndsAtOnce) {
    const Ran ran = runSession(
        quickOptions(), {fake("hangs-in-prepare", "aether"), fake("good", "pytorch")}, 500ms);
    EXPECT_EQ(ran.outcome.end, SessionEnd::Cancelled);
    for (const aether::Run& run : ran.result.runs)
        EXPECT_EQ(run.status, "cancelled") << run.reason;
}

TEST(Session, AddsRoundsUntilTheNoiseIsLowOrTimeIsUp) {
    SessionOptions options = quickOptions();
    options.maxNoise = 0.05;
    const Ran quiet =
        runSession(options, {fake("good", "aether", {"--noise", "0.01", "--instant"})});
    EXPECT_TRUE(quiet.result.session.noiseConverged);
    EXPECT_LT(quiet.result.session.roundsDone, 20);

    options.maxNoise = 0.0001;
    options.timeoutSeconds = 1;
    const Ran noisy =
        runSession(options, {fake("good", "aether", {"--noise", "0.5", "--instant"})});
    EXPECT_FALSE(noisy.result.session.noiseConverged);
    EXPECT_GT(noisy.result.session.roundsDone, 2);
    EXPECT_EQ(noisy.outcome.end, SessionEnd::Finished);
}

TEST(Session, StartsEveryRunnerAnewAfterSoManyRounds) {
    const QTemporaryDir folder;
    const std::string log = (test::pathOf(folder) / "starts").string();
    RunnerManifest manifest = fake("good", "aether");
    // Every start leaves a line.
    manifest.launcher = {"/bin/sh", "-c", "echo started >> '" + log + "'; exec \"$@\"", "sh"};
    SessionOptions options = quickOptions();
    options.rounds = 6;
    options.relaunchEvery = 2;
    const Ran ran = runSession(options, {manifest});
    EXPECT_EQ(ran.outcome.end, SessionEnd::Finished);
    ASSERT_EQ(ran.result.runs.size(), 1u);
    EXPECT_EQ(ran.result.runs[0].samples.size(), 6u) << ran.result.runs[0].reason;
    const std::string starts = test::slurp(log);
    EXPECT_EQ(std::count(starts.begin(), starts.end(), '\n'), 4)
        << "described, prepared, and anew after rounds 2 and 4";
}

TEST(Session, MeasuresAnEngineAgainstItself) {
    SessionOptions options = quickOptions();
    options.plan.copies = 2;
    options.rounds = 6;
    const Ran ran = runSession(options, {fake("good", "aether", {"--noise", "0.001"})});
    ASSERT_EQ(ran.result.comparisons.size(), 1u);
    EXPECT_EQ(ran.result.comparisons[0].verdict, Verdict::Same)
        << ran.result.comparisons[0].sentence;
}

TEST(Session, SaysNothingMeasured) {
    const Ran ran = runSession(quickOptions(), {fake("refuses-prepare", "aether")});
    EXPECT_EQ(ran.outcome.end, SessionEnd::NothingMeasured);
}

TEST(Session, RefusesADamagedWorkloadBeforeItStartsAnything) {
    SessionOptions options = quickOptions();
    options.workload = "/no/such/workload.json";
    const Ran ran = runSession(options, {fake("good", "aether")});
    EXPECT_EQ(ran.outcome.end, SessionEnd::InvalidInput);
    EXPECT_NE(ran.outcome.sentence.find("/no/such/workload.json"), std::string::npos);
}

TEST(Session, SaysWhenTheResultCantBeWritten) {
    SessionOptions options = quickOptions();
    options.resultFile = "/no/such/folder/result.json";
    const Ran ran = runSession(options, {fake("good", "aether")});
    EXPECT_EQ(ran.outcome.end, SessionEnd::Finished);
    EXPECT_NE(ran.outcome.writeError.find("/no/such/folder"), std::string::npos)
        << ran.outcome.writeError;
}

}  // namespace
}  // namespace aether::app
