// SPDX-License-Identifier: GPL-3.0-only
#include "app/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/session.h"

namespace aether::app {
namespace {

RunnerInfo runner(const std::string& name, const std::string& framework,
                  std::vector<std::string> layouts, std::vector<std::string> modes,
                  std::vector<std::string> versions) {
    RunnerInfo info;
    info.manifest.name = name;
    info.manifest.title = name;
    info.hello.framework = framework;
    protocol::Device device;
    device.uuid = "cpu-0";
    device.name = "A CPU";
    device.kind = "cpu";
    device.layouts = std::move(layouts);
    device.modes = std::move(modes);
    device.versions = std::move(versions);
    device.precisions = {{"fp32", true, ""}, {"bf16", false, ""}, {"fp64", true, ""}};
    info.description.devices = {device};
    return info;
}

std::vector<RunnerInfo> two() {
    return {
        runner("aether-engine", "aether", {"nhwc"}, {"native"}, {"reference", "direct"}),
        runner("aether-reference-python", "pytorch", {"nchw", "nhwc"}, {"eager", "compiled"}, {})};
}

std::vector<std::string> ids(const std::vector<Variant>& plan) {
    std::vector<std::string> out;
    for (const Variant& v : plan)
        out.push_back(v.id + (v.unavailable.empty() ? "" : " !"));
    return out;
}

TEST(Plan, TakesEverythingNativeButFp64AndTheNewestVersion) {
    EXPECT_EQ(ids(makePlan({}, two())),
              (std::vector<std::string>{"aether-engine/cpu-0/direct/native/fp32/nhwc",
                                        "aether-reference-python/cpu-0/eager/fp32/nchw",
                                        "aether-reference-python/cpu-0/eager/fp32/nhwc",
                                        "aether-reference-python/cpu-0/compiled/fp32/nchw",
                                        "aether-reference-python/cpu-0/compiled/fp32/nhwc"}));
}

TEST(Plan, KeepsWhatWasAskedForAndCantBeDone) {
    PlanOptions options;
    options.layouts = {"nchw"};
    options.modes = {"compiled"};
    const std::vector<Variant> plan = makePlan(options, two());
    ASSERT_EQ(ids(plan),
              (std::vector<std::string>{"aether-engine/cpu-0/direct/native/fp32/nchw !",
                                        "aether-reference-python/cpu-0/compiled/fp32/nchw"}));
    EXPECT_EQ(plan[0].unavailable, "layout nchw is not offered (offered: nhwc)");
}

TEST(Plan, MeasuresAskedForPrecisionsEvenIfNotNative) {
    PlanOptions options;
    options.precisions = {"bf16", "fp16"};
    options.frameworks = {"aether"};
    EXPECT_EQ(ids(makePlan(options, two())),
              (std::vector<std::string>{"aether-engine/cpu-0/direct/native/bf16/nhwc",
                                        "aether-engine/cpu-0/direct/native/fp16/nhwc !"}));
}

TEST(Plan, TakesUnsupportedCombinationsOut) {
    std::vector<RunnerInfo> runners = two();
    protocol::Unsupported entry;
    entry.mode = "compiled";
    entry.reason = "no C++ compiler on PATH";
    runners[1].description.devices[0].unsupported = {entry};
    const std::vector<Variant> plan = makePlan({}, runners);
    const auto compiled = std::find_if(plan.begin(), plan.end(),
                                       [](const Variant& v) { return v.mode == "compiled"; });
    ASSERT_NE(compiled, plan.end());
    EXPECT_EQ(compiled->unavailable, "no C++ compiler on PATH");
}

TEST(Plan, ChoosesVersionsAndExemptsRunnersWithoutAny) {
    PlanOptions options;
    options.engineVersions = {"reference", "winograd"};
    options.layouts = {"nhwc"};
    options.modes = {"eager"};
    EXPECT_EQ(ids(makePlan(options, two())),
              (std::vector<std::string>{"aether-engine/cpu-0/reference/native/fp32/nhwc",
                                        "aether-engine/cpu-0/winograd/native/fp32/nhwc !",
                                        "aether-reference-python/cpu-0/eager/fp32/nhwc"}));
}

TEST(Plan, CopiesForAgainstItself) {
    PlanOptions options;
    options.frameworks = {"aether"};
    options.copies = 2;
    EXPECT_EQ(ids(makePlan(options, two())),
              (std::vector<std::string>{"aether-engine/cpu-0/direct/native/fp32/nhwc#1",
                                        "aether-engine/cpu-0/direct/native/fp32/nhwc#2"}));
}

TEST(Plan, KeepsOnlyTheVariantsAskedForById) {
    PlanOptions options;
    options.ids = {"aether-reference-python/cpu-0/eager/fp32/nhwc"};
    EXPECT_EQ(ids(makePlan(options, two())), options.ids);
}

TEST(Plan, NamesAMissingRunnerInPlaceOfItsVariantThatWasAskedForById) {
    std::vector<RunnerInfo> runners = two();
    runners[1].unavailable = "no module named torch";
    PlanOptions options;
    options.ids = {"aether-reference-python/cpu-0/eager/fp32/nhwc"};
    EXPECT_EQ(ids(makePlan(options, runners)),
              (std::vector<std::string>{"aether-reference-python !"}));
}

TEST(Plan, TakesAModeOnRequestOnlyWhenItIsNamed) {
    std::vector<RunnerInfo> runners = two();
    protocol::Device& device = runners[1].description.devices[0];
    device.modes = {"eager", "max-autotune"};
    device.layouts = {"nhwc"};
    device.modesOnRequest = {"max-autotune"};
    PlanOptions options;
    options.frameworks = {"pytorch"};
    EXPECT_EQ(ids(makePlan(options, runners)),
              (std::vector<std::string>{"aether-reference-python/cpu-0/eager/fp32/nhwc"}));
    options.modes = {"max-autotune"};
    EXPECT_EQ(ids(makePlan(options, runners)),
              (std::vector<std::string>{"aether-reference-python/cpu-0/max-autotune/fp32/nhwc"}));
    options.modes = {"all"};
    EXPECT_EQ(makePlan(options, runners).size(), 2u);
    options.modes = {};
    device.modesOnRequest = device.modes;
    EXPECT_TRUE(makePlan(options, runners).empty());
}

TEST(Plan, AsksEveryCpuRunnerForTheInstructionSetAndNoGpu) {
    std::vector<RunnerInfo> runners = two();
    runners[0].description.devices[0].instructionSets = {"plain", "avx2", "avx512"};
    runners[1].description.devices[0].instructionSets = {"avx512"};
    PlanOptions options;
    options.instructionSet = "avx2";
    options.layouts = {"nhwc"};
    options.modes = {"eager"};
    std::vector<Variant> plan = makePlan(options, runners);
    ASSERT_EQ(plan.size(), 2u);
    EXPECT_EQ(plan[0].unavailable, "");
    EXPECT_EQ(plan[1].unavailable, "instruction set avx2 is not offered (offered: avx512)");
    runners[1].description.devices[0].kind = "gpu";
    EXPECT_EQ(makePlan(options, runners)[1].unavailable, "");
}

TEST(Plan, NamesWhyARunnerOrDeviceIsMissing) {
    std::vector<RunnerInfo> runners = two();
    runners[0].unavailable = "program not found: x";
    runners[1].description.devices.clear();
    runners[1].description.unavailable = {{"cuda", "no NVIDIA driver"}};
    const std::vector<Variant> plan = makePlan({}, runners);
    ASSERT_EQ(plan.size(), 2u);
    EXPECT_EQ(plan[0].unavailable, "program not found: x");
    EXPECT_EQ(plan[0].id, "aether-engine");
    EXPECT_EQ(plan[1].unavailable, "no NVIDIA driver");
    EXPECT_EQ(plan[1].device.uuid, "cuda");
}

TEST(Plan, TakesTheManifestsWordForTheFrameworkOfARunnerThatDidNotAnswer) {
    std::vector<RunnerInfo> runners = two();
    for (RunnerInfo& info : runners)
        info.unavailable = "program not found: x";
    runners[0].manifest.name = "aether-like";
    runners[1].manifest.framework = "pytorch";
    PlanOptions options;
    options.frameworks = {"torch"};
    EXPECT_EQ(ids(makePlan(options, runners)),
              (std::vector<std::string>{"aether-reference-python !"}));
    options.frameworks = {"aether"};
    EXPECT_TRUE(makePlan(options, runners).empty());
}

TEST(Plan, NeverTakesAnEmulatedDeviceUnasked) {
    std::vector<RunnerInfo> runners = two();
    for (RunnerInfo& info : runners)
        info.description.devices[0].kind = "emulated";
    EXPECT_TRUE(makePlan({}, runners).empty());
    PlanOptions options;
    options.devices = {"cpu-0"};
    EXPECT_EQ(makePlan(options, runners).size(), 5u);
}

TEST(RoundOrder, IsAPermutationThatDependsOnSeedAndRoundOnly) {
    for (int round = 1; round <= 20; ++round) {
        std::vector<std::size_t> order = roundOrder(7, 42, round);
        EXPECT_EQ(order, roundOrder(7, 42, round));
        std::sort(order.begin(), order.end());
        EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
    }
    int different = 0;
    for (int round = 1; round <= 20; ++round)
        different += roundOrder(7, 42, round) != roundOrder(7, 43, round);
    EXPECT_GT(different, 15);
    EXPECT_TRUE(roundOrder(0, 42, 1).empty());
}

TEST(RoundOrder, PutsEveryVariantFirstAboutEquallyOften) {
    int first[3] = {};
    for (int round = 1; round <= 600; ++round)
        ++first[roundOrder(3, 7, round)[0]];
    for (const int count : first)
        EXPECT_NEAR(count, 200, 60);
}

}  // namespace
}  // namespace aether::app
