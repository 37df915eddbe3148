// SPDX-License-Identifier: MIT
#include "common/protocol.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/failure.h"

namespace aether::protocol {
namespace {

using Json = nlohmann::json;

Json sampleJson() {
    return Json(Sample{4, 1000, Maybe::unknown("no device clock"), 2.3, Maybe::of(0.1),
                       Maybe::unknown("x"), false, ""});
}

std::string messageOf(const Json& json) {
    try {
        json.get<Sample>();
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

TEST(Protocol, UnknownNumbersAreNullWithAReason) {
    const Json json = sampleJson();
    EXPECT_TRUE(json.at("device_ns").is_null());
    EXPECT_EQ(json.at("device_ns_reason"), "no device clock");
    EXPECT_EQ(json.get<Sample>().deviceNs.reason, "no device clock");
    EXPECT_DOUBLE_EQ(*json.get<Sample>().accuracy.value, 0.1);
}

TEST(Protocol, NeverWritesANumberThatIsNotFinite) {
    Sample sample;
    sample.accuracy = Maybe::of(NAN);
    EXPECT_TRUE(Json(sample).at("accuracy").is_null());
}

TEST(Protocol, NamesTheKeyThatIsWrong) {
    Json json = sampleJson();
    json["wall_ns"] = nullptr;
    EXPECT_EQ(messageOf(json), "'wall_ns' must be a whole number");
    json = sampleJson();
    json["loss"] = "low";
    EXPECT_EQ(messageOf(json), "'loss' must be a finite number");
    json.erase("loss");
    EXPECT_EQ(messageOf(json), "'loss' must be a finite number");
}

TEST(Protocol, IgnoresUnknownKeys) {
    Json json = sampleJson();
    json["from_the_future"] = {1, 2, 3};
    EXPECT_EQ(json.get<Sample>().steps, 4);
}

TEST(Protocol, DescriptionSurvivesARoundTrip) {
    Description description;
    Device device;
    device.uuid = "cpu-0";
    device.name = "Name \"with\" | 漢字";
    device.kind = "cpu";
    device.cores = 2;
    device.layouts = {"nhwc"};
    device.modes = {"native", "slow"};
    device.modesOnRequest = {"slow"};
    device.versions = {"reference", "direct"};
    device.precisions = {{"fp32", true, ""}, {"bf16", false, "emulated"}};
    Unsupported unsupported;
    unsupported.version = "reference";
    unsupported.precision = "bf16";
    unsupported.reason = "fp32 only";
    device.unsupported = {unsupported};
    description.devices = {device};
    description.unavailable = {{"cuda", "no NVIDIA driver"}};
    const auto back = Json::parse(Json(description).dump()).get<Description>();
    EXPECT_EQ(Json(back), Json(description));
    EXPECT_FALSE(back.devices[0].precisions[1].native);
    EXPECT_EQ(back.devices[0].modesOnRequest, (std::vector<std::string>{"slow"}));
    EXPECT_EQ(*back.devices[0].unsupported[0].version, "reference");
}

TEST(Protocol, ADescriptionWithoutModesOnRequestHasNone) {
    const Json json = {{"devices", {{{"uuid", "cpu-0"}, {"name", "A CPU"}, {"kind", "cpu"}}}}};
    EXPECT_TRUE(json.get<Description>().devices[0].modesOnRequest.empty());
}

TEST(Protocol, StagesNest) {
    Stages stages{
        2, 100, {{"forward", "forward", 60, std::nullopt, {{"conv1", "forward", 50, 40, {}}}}}};
    const auto back = Json::parse(Json(stages).dump()).get<Stages>();
    EXPECT_EQ(back.stages[0].children[0].name, "conv1");
    EXPECT_EQ(*back.stages[0].children[0].deviceNs, 40);
}

}  // namespace
}  // namespace aether::protocol
