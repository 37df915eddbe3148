// SPDX-License-Identifier: GPL-3.0-only
// What the window costs: start to first paint, memory, and CPU share and longest block of the event
// loop while 1,000 samples a second arrive for eight bars. Prints one JSON object.
//     ./aether build && cmake --build --preset release --target window_cost
//     xvfb-run build/release/bin/window_cost
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "ui/theme/fonts.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/live_result.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_grid.h"

namespace {

using namespace aether;

constexpr int kBars = 8, kSamplesPerTick = 1, kSeconds = 20;
constexpr int kTickMs = 1, kUpdateMs = 250, kSettleMs = 1500;

double cpuSeconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double residentMegabytes() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

Result eightBars() {
    Result result;
    result.devices = {{"cpu-0", "Fed by the benchmark", "cpu", {}, {}, {}, 2}};
    result.workloadName = "cifar10-v1";
    result.batch = 256;
    result.session.rounds = 1'000'000;
    for (int i = 0; i < kBars; ++i) {
        aether::Run run;
        run.id = "bar-" + std::to_string(i);
        run.framework = i % 2 == 0 ? "aether" : "pytorch";
        run.mode = i % 2 == 0 ? "native" : "eager";
        run.version = i % 2 == 0 ? "direct" : "";
        run.precision = "fp32";
        run.requestedLayout = "nhwc";
        run.deviceUuid = "cpu-0";
        run.status = "queued";
        result.runs.push_back(run);
    }
    return result;
}

class FirstPaint : public QObject {
  public:
    QElapsedTimer since;
    qint64 ms = -1;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && ms < 0) ms = since.elapsed();
        return false;
    }
};

}  // namespace

int main(int argc, char** argv) {
    FirstPaint paint;
    paint.since.start();
    QApplication application(argc, argv);
    ui::loadFonts();
    ui::ThemeController theme;
    ui::MainWindow window(theme);
    window.resize(1280, 800);
    window.grid().installEventFilter(&paint);
    window.show();

    ui::LiveResult live;
    live.refresh(eightBars());
    int samples = 0, updates = 0;
    qint64 longest = 0;
    double cpu = 0;
    QElapsedTimer beat, whole;
    QTimer feed, draw;
    feed.setTimerType(Qt::PreciseTimer);
    feed.setInterval(kTickMs);
    draw.setInterval(kUpdateMs);
    QObject::connect(&feed, &QTimer::timeout, [&] {
        longest = std::max(longest, beat.restart());
        // As many as are due: a late tick must not lower the rate.
        while (samples < whole.elapsed() * kSamplesPerTick / kTickMs) {
            RoundSample sample;
            sample.round = samples / kBars + 1;
            sample.steps = 1;
            sample.stepNs = 1e7 * (1 + samples % kBars) * (1 + 0.0001 * (samples % 97));
            live.onSample("bar-" + std::to_string(samples % kBars), sample);
            ++samples;
        }
    });
    QObject::connect(&draw, &QTimer::timeout, [&] {
        window.grid().setPanels(live.panels());
        ++updates;
    });
    QTimer::singleShot(kSettleMs, [&] {
        cpu = cpuSeconds();
        whole.start();
        beat.start();
        feed.start();
        draw.start();
    });
    QTimer::singleShot(kSettleMs + kSeconds * 1000, [&] {
        const double seconds = static_cast<double>(whole.elapsed()) / 1e3;
        const nlohmann::json out = {{"first_paint_ms", paint.ms},
                                    {"resident_mb", residentMegabytes()},
                                    {"samples_per_second", samples / seconds},
                                    {"updates_per_second", updates / seconds},
                                    {"cpu_share_of_one_core", (cpuSeconds() - cpu) / seconds},
                                    {"longest_event_loop_block_ms", longest}};
        std::cout << out.dump(1) << '\n';
        QApplication::quit();
    });
    return QApplication::exec();
}
