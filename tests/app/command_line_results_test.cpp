// SPDX-License-Identifier: GPL-3.0-only
// The verbs that read saved results: show, compare, export.
#include <gtest/gtest.h>

#include <QProcess>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "app/exchange.h"
#include "program.h"
#include "sample_result.h"
#include "support.h"

namespace aether::app {
namespace {

using test::holds;
using test::Output;
using test::pathOf;

class SavedResultVerbs : public testing::Test {
  protected:
    Output bench(const std::vector<std::string>& arguments) {
        QProcess process;
        test::startProgram(process, arguments);
        return test::outputOf(process);
    }
    std::string in(const std::string& name) { return (pathOf(folder_) / name).string(); }
    /// A result whose engine takes about this long.
    std::string save(const std::string& name, double stepMs, void (*change)(Result&) = nullptr) {
        Result result = test::sampleResult();
        aether::Run engine = test::sampleRun("aether", "native", "nhwc");
        for (int round = 1; round <= 6; ++round)
            engine.samples.push_back(test::roundSample(round, stepMs * (1 + 0.001 * round)));
        result.runs = {engine};
        result.comparisons.clear();
        if (change != nullptr) change(result);
        writeResult(result, in(name));
        return in(name);
    }

    QTemporaryDir folder_{QDir::tempPath() + QStringLiteral("/aether results ünï 測-XXXXXX")};
};

TEST_F(SavedResultVerbs, ComparesAndGatesOnTheMedian) {
    const std::string a = save("a.json", 100);
    const std::string b = save("b.json", 110);
    const Output plain = bench({"compare", a, b});
    EXPECT_EQ(plain.code, 0) << plain.err;
    EXPECT_TRUE(holds(plain.out, "SLOWER")) << plain.out;
    EXPECT_EQ(plain.err, "");
    EXPECT_EQ(bench({"compare", a, b, "--fail-on", "median:15%"}).code, 0);
    EXPECT_EQ(bench({"compare", b, a, "--fail-on", "median:5%"}).code, 0);
    const Output gate = bench({"compare", a, b, "--fail-on", "median:5%", "-o", "json"});
    EXPECT_EQ(gate.code, 1);
    EXPECT_EQ(nlohmann::json::parse(gate.out)["regressions"].size(), 1u);
}

TEST_F(SavedResultVerbs, CompareRefusesWhatIsNotAlike) {
    const std::string a = save("a.json", 100);
    const std::string b = save("b.json", 110, [](Result& r) { r.session.threads = 9; });
    const Output plain = bench({"compare", a, b});
    EXPECT_EQ(plain.code, 0);
    EXPECT_TRUE(holds(plain.out, "INVALID")) << plain.out;
    EXPECT_TRUE(holds(plain.err, "A and B differ: 2 threads and 9 threads")) << plain.err;
    EXPECT_EQ(bench({"compare", a, b, "--fail-on", "median:5%"}).code, 4);
    EXPECT_EQ(bench({"compare", a, b, "--fail-on", "median:5%", "--force"}).code, 1);
}

TEST_F(SavedResultVerbs, CompareSaysWhenThereIsNothingToCompare) {
    const std::string a = save("a.json", 100);
    EXPECT_EQ(
        bench({"compare", a, save("b.json", 9, [](Result& r) { r.runs[0].version = "x"; })}).code,
        3);
    EXPECT_EQ(bench({"compare", a, in("missing.json")}).code, 4);
    EXPECT_EQ(bench({"compare", a}).code, 2);
    for (const char* wrong : {"median", "median:", "mean:5%", "median:-5%", "median:much"})
        EXPECT_EQ(bench({"compare", a, a, "--fail-on", wrong}).code, 2) << wrong;
}

TEST_F(SavedResultVerbs, ExportsPairsOnceAndShowsTheFolder) {
    writeResult(test::sampleResult(), in("r.json"));
    const Output first = bench({"export", in("r.json"), "--to", in("pairs")});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_TRUE(holds(first.out, "breakdown_ryzen-9-x.json\n")) << first.out;
    EXPECT_TRUE(holds(first.out, "torch_ryzen-9-x.json\n")) << first.out;
    const Output again = bench({"export", in("r.json"), "--to", in("pairs")});
    EXPECT_EQ(again.code, 2);
    EXPECT_TRUE(holds(again.err, "exists; nothing is overwritten")) << again.err;
    const Output show = bench({"show", in("pairs")});
    EXPECT_EQ(show.code, 0) << show.err;
    EXPECT_TRUE(holds(show.out, "Aether direct fp32 NHWC")) << show.out;
    EXPECT_TRUE(holds(show.out, "PyTorch 2.15.0 compiled")) << show.out;
}

TEST_F(SavedResultVerbs, ShowUsesWhatCanBeReadAndNamesTheRest) {
    save("good.json", 100);
    std::ofstream(in("bad.json")) << "{";
    const Output show = bench({"show", pathOf(folder_).string(), in("none.json"), "-o", "csv"});
    EXPECT_EQ(show.code, 4);
    EXPECT_TRUE(holds(show.out, ",aether-runner,")) << show.out;
    EXPECT_TRUE(holds(show.err, "bad.json: is not JSON")) << show.err;
    EXPECT_TRUE(holds(show.err, "none.json: can't be read")) << show.err;
}

TEST_F(SavedResultVerbs, ShowsThePublishedNumbers) {
    const Output show = bench({"show", (test::sourceRoot() / "resources/published").string()});
    EXPECT_EQ(show.code, 0) << show.err;
    EXPECT_TRUE(holds(show.out, "RX 9070 XT (ROCm)")) << show.out;
    EXPECT_TRUE(holds(show.out, "RTX 3050 (CUDA)")) << show.out;
    EXPECT_TRUE(holds(show.out, "published: the original engine and PyTorch")) << show.out;
}

TEST_F(SavedResultVerbs, HaveHelpWithExamples) {
    for (const char* verb : {"compare", "export"})
        EXPECT_TRUE(holds(bench({verb, "--help"}).out, "Example")) << verb;
}

}  // namespace
}  // namespace aether::app
