// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/live_result.h"

#include <gtest/gtest.h>

#include "app/support.h"
#include "panels.h"

namespace aether::ui {
namespace {

using app::test::fake;

class Live : public testing::Test {
  protected:
    Live()
        : session(options(),
                  app::test::describeAll({fake("good", "aether"), fake("good", "pytorch")})) {
        EXPECT_TRUE(session.plan());
        live.begin(session);
        id = session.result().runs[0].id;
    }

    static app::SessionOptions options() {
        app::SessionOptions out = app::test::quickOptions();
        out.rounds = 6;
        return out;
    }
    Bar bar() const { return live.panels()[0].bars[0]; }

    app::Session session;
    LiveResult live;
    std::string id;
};

TEST_F(Live, StartsWithEveryVariantWaiting) {
    EXPECT_EQ(live.panels()[0].bars.size(), 2u);
    EXPECT_EQ(bar().state, BarState::Waiting);
    EXPECT_FALSE(bar().hasValue());
}

TEST_F(Live, SaysWhatAVariantIsDoing) {
    live.onVariantChanged({id, "compiling", ""});
    EXPECT_EQ(bar().state, BarState::Active);
    EXPECT_EQ(bar().activity, QStringLiteral("compiling"));
    live.onVariantChanged({id, "measuring", "round 2"});
    EXPECT_EQ(bar().activity, QStringLiteral("round 2 of 6"));
    live.onVariantChanged({id, "waiting", ""});
    EXPECT_EQ(bar().state, BarState::Waiting);
    EXPECT_EQ(bar().activity, QStringLiteral("ready"));
}

TEST_F(Live, ShowsSamplesAtOnce) {
    live.onSample(id, app::test::roundSample(1, 100));
    live.onSample(id, app::test::roundSample(2, 104));
    EXPECT_EQ(bar().state, BarState::Measured);
    EXPECT_DOUBLE_EQ(bar().step.median, 102);
    EXPECT_EQ(bar().step.n, 2u);
}

TEST_F(Live, ShowsAFailureWithItsReasonBeforeTheRoundIsOver) {
    live.onVariantChanged({id, "failed", "crashed with signal 11"});
    EXPECT_EQ(bar().state, BarState::Failed);
    EXPECT_EQ(bar().reason, QStringLiteral("crashed with signal 11"));
}

TEST_F(Live, ForgetsActivitiesAtTheEnd) {
    live.onVariantChanged({id, "measuring", "round 2"});
    live.end();
    EXPECT_EQ(bar().activity, QString());
}

}  // namespace
}  // namespace aether::ui
