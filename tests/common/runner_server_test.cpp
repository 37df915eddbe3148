// SPDX-License-Identifier: MIT
#include "common/runner_server.h"

#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/failure.h"

namespace aether {
namespace {

using Json = nlohmann::json;

class ScriptedBackend : public RunnerBackend {
  public:
    protocol::Hello hello() const override {
        return {"1.0", "scripted", "test", "1", "", std::nullopt};
    }
    protocol::Description describe() override { return {}; }
    protocol::Prepared prepare(const protocol::PrepareRequest& request) override {
        if (request.device == "none") throw Failure(FailureKind::Unavailable, "no such device");
        protocol::Prepared prepared;
        prepared.deviceUuid = request.device;
        prepared.effectiveLayout = request.layout;
        return prepared;
    }
    protocol::Sample measure(std::int64_t steps) override {
        if (steps == 13) throw std::bad_alloc();
        if (steps == 14) throw std::runtime_error("broken \xff bytes");
        protocol::Sample sample;
        sample.steps = steps;
        return sample;
    }
    protocol::Stages profile(std::int64_t) override { return {}; }
    protocol::Traced trace(const protocol::TraceRequest&) override { return {}; }
    protocol::Trained train(int epochs,
                            const std::function<void(const protocol::Epoch&)>& onEpoch) override {
        for (int i = 1; i <= epochs; ++i)
            onEpoch({i, 1, 0.5, 1, 0.5, 10});
        return {epochs, 0.5};
    }
};

std::vector<Json> converse(const std::string& commands) {
    ScriptedBackend backend;
    std::istringstream in(commands);
    std::ostringstream out;
    EXPECT_EQ(serve(backend, in, out), 0);
    std::vector<Json> events;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
        events.push_back(Json::parse(line));
    return events;
}

const std::string kPrepare =
    R"({"command":"prepare","id":1,"device":"cpu-0","workload":"w","layout":"nhwc","mode":"native","precision":"fp32","threads":2})"
    "\n";

TEST(Serve, GreetsAnswersAndCloses) {
    const auto events = converse(kPrepare + R"({"command":"measure","id":2,"steps":3})"
                                            "\n"
                                            R"({"command":"close","id":3})"
                                            "\n"
                                            R"({"command":"describe","id":4})"
                                            "\n");
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[0].at("event"), "hello");
    EXPECT_EQ(events[1].at("event"), "prepared");
    EXPECT_EQ(events[2].at("steps"), 3);
    EXPECT_EQ(events[2].at("id"), 2);
    EXPECT_EQ(events[3].at("event"), "closed");
}

TEST(Serve, TurnsEveryFailureIntoOneAnswerAndGoesOn) {
    const auto events = converse(
        "not json\n[1]\n\n"
        R"({"command":"dance","id":9})"
        "\n"
        R"({"command":"measure","id":8,"steps":1})"
        "\n" +
        kPrepare +
        R"({"command":"measure","id":2,"steps":0})"
        "\n"
        R"({"command":"measure","id":3,"steps":13})"
        "\n"
        R"({"command":"measure","id":4,"steps":14})"
        "\n"
        R"({"command":"measure","id":5,"steps":1})"
        "\n");
    ASSERT_EQ(events.size(), 10U);
    for (const std::size_t i : {1, 2, 3, 4, 6, 7, 8})
        EXPECT_EQ(events[i].at("event"), "failed") << i;
    EXPECT_EQ(events[1].at("kind"), "usage");
    EXPECT_TRUE(events[1].at("id").is_null());
    EXPECT_EQ(events[3].at("message"), "unknown command 'dance'");
    EXPECT_EQ(events[4].at("message"), "'measure' needs a successful 'prepare' first");
    EXPECT_EQ(events[7].at("kind"), "out_of_memory");
    EXPECT_EQ(events[8].at("kind"), "internal");
    EXPECT_EQ(events[9].at("event"), "sample");
}

TEST(Serve, AFailedPrepareLeavesNothingPrepared) {
    std::string bad = kPrepare;
    bad.replace(bad.find("cpu-0"), 5, "none");
    const auto events = converse(kPrepare + bad +
                                 R"({"command":"measure","id":2,"steps":3})"
                                 "\n");
    EXPECT_EQ(events[2].at("kind"), "unavailable");
    EXPECT_EQ(events[3].at("kind"), "usage");
}

TEST(Serve, ReportsEpochsBeforeTheFinalAnswer) {
    const auto events = converse(kPrepare + R"({"command":"train","id":2,"epochs":2})"
                                            "\n");
    ASSERT_EQ(events.size(), 5U);
    EXPECT_EQ(events[2].at("event"), "epoch");
    EXPECT_EQ(events[4].at("event"), "trained");
    EXPECT_EQ(events[4].at("id"), 2);
}

}  // namespace
}  // namespace aether
