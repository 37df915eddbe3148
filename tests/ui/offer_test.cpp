// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/offer.h"

#include <gtest/gtest.h>

namespace aether::ui {
namespace {

app::RunnerInfo runner(const std::string& framework, std::vector<std::string> layouts,
                       std::vector<std::string> modes, std::vector<std::string> versions = {}) {
    app::RunnerInfo info;
    info.manifest.name = framework;
    info.hello.framework = info.manifest.framework = framework;
    protocol::Device device;
    device.uuid = "cpu-0";
    device.name = "A CPU";
    device.kind = "cpu";
    device.cores = 8;
    device.instructionSets = {"plain", "avx2"};
    device.layouts = std::move(layouts);
    device.modes = std::move(modes);
    device.versions = std::move(versions);
    device.precisions = {
        {"fp32", true, ""}, {"bf16", false, "no instructions"}, {"fp64", true, ""}};
    info.description.devices = {device};
    return info;
}

std::vector<app::RunnerInfo> two() {
    return {runner("aether", {"nhwc"}, {"native"}, {"reference", "direct"}),
            runner("pytorch", {"nchw", "nhwc"}, {"eager", "compiled"})};
}

const ChipItem& item(const std::vector<ChipItem>& items, const std::string& value) {
    static const ChipItem none;
    for (const ChipItem& each : items) {
        if (each.value == value) return each;
    }
    ADD_FAILURE() << "no " << value;
    return none;
}

TEST(Offer, ListsADeviceOnceHoweverManyRunnersHaveIt) {
    const std::vector<DeviceItem> devices = devicesOf(two());
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].detail, QStringLiteral("CPU · 8 cores · AVX2"));
    EXPECT_TRUE(devices[0].on);
}

TEST(Offer, NamesWhyADeviceOrFrameworkIsMissing) {
    std::vector<app::RunnerInfo> runners = two();
    runners[0].description.unavailable = {{"cuda", "no NVIDIA driver"}};
    runners[1].unavailable = "no module named torch";
    const std::vector<DeviceItem> devices = devicesOf(runners);
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_FALSE(devices[1].available);
    EXPECT_EQ(devices[1].detail, QStringLiteral("no NVIDIA driver"));
    EXPECT_EQ(item(frameworksOf(runners), "pytorch").reason,
              QStringLiteral("no module named torch"));
}

TEST(Offer, OffersWhatAnyChosenRunnerCanDo) {
    const Offer offer = offerOf(two(), {{"cpu-0"}, {"aether", "pytorch"}});
    EXPECT_EQ(offer.layouts.size(), 2u);
    EXPECT_EQ(item(offer.layouts, "nchw").label, QStringLiteral("NCHW"));
    EXPECT_EQ(offer.modes.size(), 2u) << "native is no choice";
    EXPECT_TRUE(item(offer.precisions, "fp32").on);
    EXPECT_FALSE(item(offer.precisions, "bf16").on) << "possible, but not native";
    EXPECT_TRUE(item(offer.precisions, "bf16").reason.isEmpty());
    EXPECT_FALSE(item(offer.precisions, "tf32").reason.isEmpty());
    EXPECT_FALSE(item(offer.versions, "reference").on);
    EXPECT_TRUE(item(offer.versions, "direct").on) << "the newest";
}

TEST(Offer, LeavesAModeOnRequestOffUntilItIsChosen) {
    std::vector<app::RunnerInfo> runners = two();
    runners[1].description.devices[0].modesOnRequest = {"compiled"};
    const Offer offer = offerOf(runners, {{"cpu-0"}, {"pytorch"}});
    EXPECT_TRUE(item(offer.modes, "eager").on);
    EXPECT_FALSE(item(offer.modes, "compiled").on);
    EXPECT_TRUE(item(offer.modes, "compiled").reason.isEmpty());
}

TEST(Offer, NarrowsWithTheFramework) {
    const Offer offer = offerOf(two(), {{"cpu-0"}, {"aether"}});
    EXPECT_EQ(offer.layouts.size(), 1u);
    EXPECT_TRUE(offer.modes.empty());
}

TEST(Offer, PassesOnTheRunnersReason) {
    std::vector<app::RunnerInfo> runners = two();
    protocol::Unsupported entry;
    entry.mode = "compiled";
    entry.reason = "no C++ compiler on PATH";
    runners[1].description.devices[0].unsupported = {entry};
    const Offer offer = offerOf(runners, {{"cpu-0"}, {"pytorch"}});
    EXPECT_EQ(item(offer.modes, "compiled").reason, QStringLiteral("no C++ compiler on PATH"));
    EXPECT_TRUE(item(offer.modes, "eager").reason.isEmpty());
}

}  // namespace
}  // namespace aether::ui
