// SPDX-License-Identifier: GPL-3.0-only
// The real window with a catalogue of fake runners.
#pragma once

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/paths.h"
#include "app/support.h"
#include "ui/settings.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/inspector.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/panel_grid.h"
#include "ui/window/results_page.h"
#include "ui/window/run_page.h"

namespace aether::ui::test {

class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        namespace fs = std::filesystem;
        const fs::path source = app::test::sourceRoot() / "resources";
        fs::create_directories(root() / "resources" / "runners");
        for (const char* part : {"workloads", "published"})
            fs::create_directory_symlink(source / part, root() / "resources" / part);
        qputenv("AETHER_ROOT", root().string().c_str());
        fs::remove_all(app::defaultResultFolder());
        settings().clear();
    }

    void TearDown() override {
        window_.reset();
        qunsetenv("AETHER_ROOT");
        EXPECT_TRUE(app::test::survivors().empty()) << "a runner outlived its window";
    }

    std::filesystem::path root() const { return app::test::pathOf(folder_); }

    void addFake(const std::string& behaviour, const std::string& framework,
                 const std::vector<std::string>& more = {}) {
        const app::RunnerManifest fake = app::test::fake(behaviour, framework, more);
        const nlohmann::json manifest = {{"schema", "aether-bench/runner/1"},
                                         {"name", fake.name},
                                         {"title", fake.title},
                                         {"framework", framework},
                                         {"command", fake.command}};
        std::ofstream(root() / "resources" / "runners" / (fake.name + ".json")) << manifest.dump();
    }

    MainWindow& open(int width = 1280, int height = 800) {
        window_ = std::make_unique<MainWindow>(theme_);
        window_->resize(width, height);
        window_->show();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !window_->controller().discovering(); }, 20'000));
        return *window_;
    }

    /// Short blocks, no verification: the fakes have no numbers to trace.
    app::SessionOptions quick() {
        app::SessionOptions options = window_->runPage().options();
        const app::SessionOptions fast = app::test::quickOptions();
        options.workload = fast.workload;
        options.batch = fast.batch;
        options.rounds = 6;
        options.blockSeconds = fast.blockSeconds;
        options.settle = fast.settle;
        options.silence = std::chrono::milliseconds(1500);
        options.loadWarning = options.loadLimit = 2;
        options.verify = false;
        return options;
    }

    bool runToEnd(const app::SessionOptions& options) {
        QSignalSpy finished(&window_->controller(), &RunController::finished);
        window_->controller().start(options);
        return finished.count() > 0 || finished.wait(40'000);
    }

    const Bar* barOf(const std::string& part) const {
        for (const Panel& panel : window_->panels()) {
            for (const Bar& bar : panel.bars) {
                if (bar.id.find(part) != std::string::npos) return &bar;
            }
        }
        return nullptr;
    }

    template <class Widget>
    Widget* child(const QString& accessibleOrText) const {
        for (Widget* widget : window_->findChildren<Widget*>()) {
            if (widget->accessibleName() == accessibleOrText) return widget;
            if (widget->property("text").toString().remove(u'&') == accessibleOrText) return widget;
        }
        ADD_FAILURE() << "no widget " << accessibleOrText.toStdString();
        return nullptr;
    }

    QTemporaryDir folder_;
    ThemeController theme_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace aether::ui::test
