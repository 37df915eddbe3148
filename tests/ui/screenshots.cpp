// SPDX-License-Identifier: GPL-3.0-only
// `./aether screenshots`: pictures of the window's states, into the folder AETHER_SCREENSHOTS, with
// AETHER_SCREENSHOT_SUFFIX in their names (such as @2x beside QT_SCALE_FACTOR=2). The
// sessions in them are of fake runners and say so; the published results are the published ones.
#include <QApplication>
#include <QPixmap>

#include "ui/figure/figure_export.h"
#include "window_fixture.h"

namespace aether::ui {
namespace {

class Screenshot : public test::WindowTest {
  protected:
    void save(const char* name) {
        QTest::qWait(150);
        // While a block is timed nothing is drawn, not even a picture.
        ASSERT_TRUE(QTest::qWaitFor([&] { return window_->updatesEnabled(); }, 5000));
        const QString folder = qEnvironmentVariable("AETHER_SCREENSHOTS", QStringLiteral("."));
        const QString file = folder + u'/' + QString::fromLatin1(name) +
                             qEnvironmentVariable("AETHER_SCREENSHOT_SUFFIX") +
                             QStringLiteral(".png");
        ASSERT_TRUE(window_->grab().save(file)) << file.toStdString();
    }

    void addRunners() {
        addFake("good", "aether", {"--step-ms", "31", "--noise", "0.03"});
        addFake("good", "pytorch",
                {"--step-ms", "67", "--noise", "0.04", "--modes", "eager,compiled", "--layouts",
                 "nchw,nhwc"});
    }

    /// Stops in the middle of the third round and keeps the runners measuring.
    void startAndWait() {
        app::SessionOptions options = quick();
        options.rounds = 50;
        options.blockSeconds = 0.3;
        options.settle = std::chrono::milliseconds(250);
        window_->controller().start(options);
        ASSERT_TRUE(QTest::qWaitFor([&] { return barOf("pytorch-good") != nullptr; }, 10'000));
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return window_->panels()[0].bars.back().step.n >= 2; }, 30'000));
    }

    void cancel() {
        QSignalSpy finished(&window_->controller(), &RunController::finished);
        window_->controller().cancel();
        if (finished.count() == 0) finished.wait(10'000);
    }
};

TEST_F(Screenshot, FirstLaunch) {
    addRunners();
    theme_.choose(ThemeChoice::Light);
    open();
    save("first-launch-light");
    theme_.choose(ThemeChoice::Dark);
    save("first-launch-dark");
}

TEST_F(Screenshot, Running) {
    addRunners();
    theme_.choose(ThemeChoice::Light);
    open();
    startAndWait();
    save("running-light");
    theme_.choose(ThemeChoice::Dark);
    save("running-dark");
    cancel();
}

TEST_F(Screenshot, Failed) {
    addRunners();
    addFake("dies-by-signal", "fake");
    addFake("protocol-2", "other");
    addFake("refuses-prepare", "jax");
    theme_.choose(ThemeChoice::Light);
    open();
    runToEnd(quick());
    save("failed-light");
    theme_.choose(ThemeChoice::Dark);
    save("failed-dark");
}

TEST_F(Screenshot, InspectorAndCompare) {
    addRunners();
    theme_.choose(ThemeChoice::Light);
    open();
    runToEnd(quick());
    window_->select(barOf("aether-good")->key, false);
    save("inspector-light");
    window_->select(barOf("pytorch-good")->key, true);
    save("compare-light");
    theme_.choose(ThemeChoice::Dark);
    save("compare-dark");
}

TEST_F(Screenshot, Small) {
    addRunners();
    theme_.choose(ThemeChoice::Light);
    open(800, 600);
    save("small-light");
    runToEnd(quick());
    window_->select(barOf("aether-good")->key, false);
    save("small-inspector-light");
}

TEST_F(Screenshot, Wide) {
    theme_.choose(ThemeChoice::Dark);
    addRunners();
    open(1720, 900);
    window_->select(window_->panels()[0].bars[0].key, false);
    save("wide-dark");
}

TEST_F(Screenshot, Results) {
    addRunners();
    theme_.choose(ThemeChoice::Light);
    open();
    runToEnd(quick());
    child<QToolButton>(QStringLiteral("Results"))->click();
    save("results-light");
}

TEST_F(Screenshot, Exports) {
    open();
    const QString folder = qEnvironmentVariable("AETHER_SCREENSHOTS", QStringLiteral("."));
    exportFigure(window_->panels(), folder + QStringLiteral("/export-light.png"), {});
    exportFigure(window_->panels(), folder + QStringLiteral("/export-dark.png"), {Theme::Dark});
}

}  // namespace
}  // namespace aether::ui
