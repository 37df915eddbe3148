// SPDX-License-Identifier: MIT
#include "common/workload.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/files.h"

namespace aether {
namespace {

using Json = nlohmann::json;

constexpr const char* kV1 = AETHER_RESOURCES "/workloads/cifar10-v1.json";

Json v1Json() {
    return Json::parse(readFile(kV1));
}

std::string messageOf(const Json& json) {
    try {
        parseWorkload(json.dump(), "net.json");
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

TEST(Workload, HasThePublishedParameterCountAndFlops) {
    const Workload v1 = loadWorkload(kV1);
    EXPECT_EQ(v1.parameterCount(), 141354);
    EXPECT_NEAR(v1.flopsPerStep(256) / 1e9, 44.39, 0.005);
    // Outputs of 32, 32, 64, 64, 128 channels, written once and read twice.
    EXPECT_EQ(v1.bytesPerStep(256, 4), 3.0 * (2 * 32768 + 2 * 16384 + 8192) * 256 * 4);
    EXPECT_EQ(v1.batch, 256);
    EXPECT_EQ(v1.seed, 42U);
    EXPECT_EQ(loadWorkload(AETHER_RESOURCES "/workloads/cifar10-v2.json").parameterCount(), 111498);
}

TEST(Workload, NamesParametersInTheCanonicalOrderAndLayout) {
    const Workload v1 = loadWorkload(kV1);
    EXPECT_EQ(v1.parameters[0].name, "conv1.weight");
    EXPECT_EQ(v1.parameters[0].shape, (std::vector<std::int64_t>{3, 3, 3, 32}));
    EXPECT_EQ(v1.parameters[0].fanIn, 27);
    EXPECT_EQ(v1.parameters[2].name, "bn1.scale");
    EXPECT_FALSE(v1.parameters[1].decays());
    EXPECT_EQ(v1.parameters.back().name, "fc.bias");
    EXPECT_EQ(v1.parameters[8].name, "conv3.weight");
    EXPECT_DOUBLE_EQ(v1.parameters[8].l2, 1e-5);
}

TEST(Workload, FollowsShapesThroughPools) {
    const Workload v1 = loadWorkload(kV1);
    EXPECT_EQ(v1.layers[v1.layerIndex("pool3")].output, (Shape{4, 4, 128}));
    EXPECT_THROW((void)v1.layerIndex("pool9"), Failure);
}

TEST(Workload, DecaysTheLearningRate) {
    const AdamW optimizer = loadWorkload(kV1).optimizer;
    EXPECT_DOUBLE_EQ(optimizer.rateAt(0), 1e-3);
    EXPECT_DOUBLE_EQ(optimizer.rateAt(10'000), 5e-4);
}

TEST(Workload, SaysWhatIsWrongAndWhere) {
    EXPECT_THROW(loadWorkload("/nowhere/net.json"), Failure);
    EXPECT_THROW(parseWorkload("{", "net.json"), Failure);

    Json json = v1Json();
    json["layers"][0]["kernel"] = 4;
    EXPECT_EQ(messageOf(json), "net.json: layers[0]: 'kernel' must be odd");

    json = v1Json();
    json["layers"][3]["type"] = "attention";
    EXPECT_EQ(messageOf(json), "net.json: layers[3]: unknown layer type \"attention\"");

    json = v1Json();
    json["layers"][3]["name"] = "conv1";
    EXPECT_NE(messageOf(json).find("stands twice"), std::string::npos);

    json = v1Json();
    json["layers"].back()["units"] = 7;
    EXPECT_NE(messageOf(json).find("1x1x7"), std::string::npos);

    json = v1Json();
    json["batch"] = 0;
    EXPECT_NE(messageOf(json).find("'batch' must be a whole number"), std::string::npos);

    json = v1Json();
    json.erase("optimizer");
    EXPECT_EQ(messageOf(json), "net.json: 'optimizer' is missing");

    json = v1Json();
    json["optimizer"]["beta1"] = "high";
    EXPECT_NE(messageOf(json).find("net.json.optimizer: 'beta1' must be a number"),
              std::string::npos);
}

TEST(Workload, DigestTellsFilesApart) {
    Json json = v1Json();
    const std::string first = parseWorkload(json.dump(), "a").digest;
    json["seed"] = 43;
    EXPECT_NE(first, parseWorkload(json.dump(), "a").digest);
}

}  // namespace
}  // namespace aether
