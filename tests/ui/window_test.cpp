// SPDX-License-Identifier: GPL-3.0-only
// The window as a user drives it, offscreen, with runners that behave and that don't.
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QUrl>

#include "ui/window/export_dialog.h"
#include "window_fixture.h"

namespace aether::ui {
namespace {

using test::WindowTest;

TEST_F(WindowTest, FirstLaunchShowsThePublishedResults) {
    MainWindow& window = open();
    ASSERT_EQ(window.panels().size(), 2u);
    EXPECT_EQ(window.panels()[0].badge, QStringLiteral("Published"));
    EXPECT_EQ(window.notice().text(), QString());
}

TEST_F(WindowTest, OffersOnlyWhatARunnerCanDoAndSaysWhyNot) {
    addFake("good", "aether");
    addFake("protocol-2", "pytorch");
    open();
    EXPECT_TRUE(child<QToolButton>(QStringLiteral("Framework: Aether"))->isEnabled());
    const auto* torch = child<QToolButton>(QStringLiteral("Framework: PyTorch"));
    EXPECT_FALSE(torch->isEnabled());
    EXPECT_TRUE(torch->toolTip().contains(QStringLiteral("speaks run protocol 2.0")));
    EXPECT_TRUE(child<QToolButton>(QStringLiteral("Precision: fp32"))->isChecked());
    EXPECT_FALSE(child<QToolButton>(QStringLiteral("Precision: tf32"))->isEnabled());
}

TEST_F(WindowTest, PlanSummaryFollowsTheChoice) {
    addFake("good", "aether");
    addFake("good", "pytorch", {"--layouts", "nchw,nhwc"});
    open();
    auto* run = child<QPushButton>(QStringLiteral("Run benchmark"));
    EXPECT_TRUE(run->isEnabled());
    const auto summary = [&] {
        for (const QLabel* label : window_->runPage().findChildren<QLabel*>()) {
            if (label->text().contains(QStringLiteral("variant"))) return label->text();
        }
        return QString();
    };
    EXPECT_TRUE(summary().startsWith(QStringLiteral("3 variants"))) << summary().toStdString();
    EXPECT_FALSE(summary().contains(QStringLiteral("unavailable")))
        << "the engine has one layout only and is not asked for the other";
    child<QToolButton>(QStringLiteral("Framework: PyTorch"))->click();
    EXPECT_TRUE(summary().startsWith(QStringLiteral("1 variant"))) << summary().toStdString();
    child<QToolButton>(QStringLiteral("Framework: Aether"))->click();
    EXPECT_FALSE(run->isEnabled());
}

TEST_F(WindowTest, RemembersTheChoices) {
    addFake("good", "aether");
    addFake("good", "pytorch", {"--layouts", "nchw,nhwc"});
    open();
    child<QToolButton>(QStringLiteral("Layout: NCHW"))->click();
    child<QCheckBox>(QStringLiteral("Verify against float64"))->click();
    window_->close();
    open();
    EXPECT_FALSE(child<QToolButton>(QStringLiteral("Layout: NCHW"))->isChecked());
    EXPECT_TRUE(child<QToolButton>(QStringLiteral("Layout: NHWC"))->isChecked());
    EXPECT_FALSE(child<QCheckBox>(QStringLiteral("Verify against float64"))->isChecked());
}

TEST_F(WindowTest, MeasuresAModeOnRequestOnlyWhenItIsTicked) {
    addFake("good", "pytorch", {"--modes", "eager,tuned", "--modes-on-request", "tuned"});
    open();
    auto* tuned = child<QToolButton>(QStringLiteral("PyTorch mode: tuned"));
    EXPECT_FALSE(tuned->isChecked());
    EXPECT_TRUE(window_->runPage().options().plan.modes.empty()) << "whatever a runner has";
    tuned->click();
    EXPECT_EQ(window_->runPage().options().plan.modes,
              (std::vector<std::string>{"eager", "tuned"}));
    ASSERT_TRUE(runToEnd(quick()));
    EXPECT_NE(barOf("tuned"), nullptr);
    const auto file = window_->controller().resultFile();
    QSignalSpy finished(&window_->controller(), &RunController::finished);
    Q_EMIT window_->resultsPage().rerunWanted(file);
    ASSERT_TRUE(finished.count() > 0 || finished.wait(40'000));
    EXPECT_EQ(readResult(window_->controller().resultFile()).runs.size(), 2u);
}

TEST_F(WindowTest, RunsToTheEndAndSavesTheResult) {
    addFake("good", "aether");
    addFake("good", "pytorch", {"--step-ms", "40"});
    MainWindow& window = open();
    ASSERT_TRUE(runToEnd(quick()));
    const Bar* engine = barOf("aether-good");
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(engine->state, BarState::Measured);
    EXPECT_EQ(engine->verdict, Verdict::Faster);
    EXPECT_NEAR(*engine->ratio, 2, 0.2);
    EXPECT_TRUE(barOf("pytorch-good")->reference);
    const auto file = window.controller().resultFile();
    EXPECT_EQ(readResult(file).runs.size(), 2u);
    EXPECT_EQ(window.resultsPage().list()->currentItem()->text().toStdString(),
              file.stem().string());
}

TEST_F(WindowTest, AFailureCostsOneBarAndSaysWhy) {
    addFake("good", "aether");
    addFake("dies-by-signal", "pytorch");
    addFake("hangs", "fake");
    open();
    ASSERT_TRUE(runToEnd(quick()));
    EXPECT_EQ(barOf("aether-good")->state, BarState::Measured);
    EXPECT_EQ(barOf("dies-by-signal")->state, BarState::Failed);
    EXPECT_TRUE(barOf("dies-by-signal")->reason.contains(QStringLiteral("SIGSEGV")));
    EXPECT_TRUE(barOf("hangs")->reason.contains(QStringLiteral("wrote no line for")));
}

TEST_F(WindowTest, CancelKeepsWhatWasMeasured) {
    addFake("good", "aether");
    addFake("good", "pytorch");
    MainWindow& window = open();
    app::SessionOptions options = quick();
    options.rounds = 1000;
    QSignalSpy finished(&window.controller(), &RunController::finished);
    window.controller().start(options);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return barOf("pytorch-good") != nullptr && barOf("pytorch-good")->hasValue(); },
        20'000));
    QTest::keyClick(&window, Qt::Key_Escape);
    ASSERT_TRUE(finished.count() > 0 || finished.wait(10'000));
    EXPECT_TRUE(barOf("aether-good")->hasValue());
    EXPECT_TRUE(readResult(window.controller().resultFile()).session.cancelled);
    EXPECT_TRUE(app::test::survivors().empty());
}

TEST_F(WindowTest, ClosingWhileRunningAsksThenEndsTheRunners) {
    addFake("slow", "aether");
    MainWindow& window = open();
    window.controller().start(quick());
    QTest::qWait(300);
    QTimer::singleShot(200, qApp, [] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        ASSERT_NE(question, nullptr);
        question->buttons().front()->click();
    });
    window.close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.isVisible(); }, 10'000));
    EXPECT_FALSE(window.controller().running());
}

TEST_F(WindowTest, ChoosingABarOpensTheInspector) {
    MainWindow& window = open();
    PanelView* view = window.grid().views()[0];
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->barArea(1).center());
    EXPECT_TRUE(window.inspector().isVisible());
    EXPECT_TRUE(window.inspector().markdown().contains(QStringLiteral("21.71")))
        << window.inspector().markdown().toStdString();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      view->barArea(2).center());
    EXPECT_TRUE(window.inspector().markdown().contains(QStringLiteral("PyTorch")));
    QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), window.inspector().markdown());
    QTest::keyClick(&window, Qt::Key_Escape);
    EXPECT_FALSE(window.inspector().isVisible());
}

TEST_F(WindowTest, TheInspectorShowsStagesAndSamplesOfARealSession) {
    addFake("good", "aether");
    MainWindow& window = open();
    ASSERT_TRUE(runToEnd(quick()));
    window.select(barOf("aether-good")->key, false);
    const auto* table = window.inspector().findChild<QTableWidget*>();
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rowCount(), 3);
    EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("conv1"));
    EXPECT_EQ(table->item(0, table->columnCount() - 1)->text(), QStringLiteral("30.0 %"));
}

TEST_F(WindowTest, TheKeyboardReachesEveryBar) {
    MainWindow& window = open();
    PanelView* view = window.grid().views()[0];
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_TRUE(view->chart()->isSelected(1));
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Space);
    EXPECT_TRUE(view->chart()->isSelected(1));
    EXPECT_TRUE(view->chart()->isSelected(2)) << "a second one beside it";
}

TEST_F(WindowTest, EveryControlHasANameAndATabStop) {
    addFake("good", "aether");
    MainWindow& window = open();
    int stops = 0;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool inner = widget->focusProxy() != nullptr ||
                           widget->objectName().startsWith(QStringLiteral("qt_"));
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || inner) continue;
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(accessible, nullptr);
        EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
        ++stops;
    }
    EXPECT_GE(stops, 8);
    QAccessibleInterface* panel = QAccessible::queryAccessibleInterface(window.grid().views()[0]);
    EXPECT_EQ(panel->childCount(), static_cast<int>(window.panels()[0].bars.size()));
    EXPECT_TRUE(panel->child(0)->text(QAccessible::Name).contains(QStringLiteral("ms per step")));
}

TEST_F(WindowTest, PaintsNothingWhileABlockIsTimed) {
    MainWindow& window = open();
    window.controller().gate()->setClosed(true);
    struct Counter : QObject {
        int paints = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            paints += event->type() == QEvent::Paint;
            return false;
        }
    } counter;
    QTest::qWait(50);
    for (PanelView* view : window.grid().views())
        view->viewport()->installEventFilter(&counter);
    for (int i = 0; i < 10; ++i) {
        QTest::mouseMove(window.grid().views()[0]->viewport(), QPoint(100 + 10 * i, 150));
        window.grid().views()[0]->chart()->setHovered(i % 2);
        QTest::qWait(10);
    }
    EXPECT_EQ(counter.paints, 0);
    window.controller().gate()->setClosed(false);
    window.grid().views()[0]->viewport()->update();
    EXPECT_TRUE(QTest::qWaitFor([&] { return counter.paints > 0; }, 5000));
}

TEST_F(WindowTest, ReflowsFromOneToThreeColumns) {
    MainWindow& window = open(800, 600);
    window.open({root() / "resources" / "published"});
    EXPECT_EQ(window.grid().columns(), 1);
    window.resize(1400, 800);
    QTest::qWait(50);
    EXPECT_EQ(window.grid().columns(), 2);
}

TEST_F(WindowTest, SwitchesThemesWhileItRuns) {
    MainWindow& window = open();
    theme_.choose(ThemeChoice::Dark);
    EXPECT_EQ(&window.grid().views()[0]->chart()->tokens(), &Tokens::get(Theme::Dark));
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), Tokens::get(Theme::Dark).window);
    theme_.choose(ThemeChoice::Light);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), Tokens::get(Theme::Light).window);
}

TEST_F(WindowTest, OpensDroppedFilesAndTellsOfDamagedOnes) {
    MainWindow& window = open();
    const auto bad = root() / "bad.json";
    std::ofstream(bad) << "{\"schema\": 1}";
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QString::fromStdString(
                      (root() / "resources/published/breakdown_rtx-3050.json").string())),
                  QUrl::fromLocalFile(QString::fromStdString(bad.string()))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    EXPECT_EQ(window.panels().size(), 1u);
    EXPECT_TRUE(window.notice().text().contains(QStringLiteral("bad.json")));
}

TEST_F(WindowTest, ReopensRenamesDeletesAndMeasuresAgain) {
    addFake("good", "aether");
    MainWindow& window = open();
    ASSERT_TRUE(runToEnd(quick()));
    const auto file = window.controller().resultFile();
    window.showPublished();
    ResultsPage& page = window.resultsPage();
    ASSERT_EQ(page.list()->count(), 2);
    Q_EMIT page.list()->itemActivated(page.list()->item(0));
    EXPECT_NE(barOf("aether-good"), nullptr);
    page.list()->item(0)->setText(QStringLiteral("before the change"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return std::filesystem::exists(file.parent_path() / "before the change.json"); },
        5000));
    page.list()->setCurrentRow(0);
    QTest::keyClick(page.list(), Qt::Key_Delete);
    EXPECT_EQ(page.list()->count(), 1);
    window.notice().findChild<QPushButton*>()->click();
    EXPECT_EQ(page.list()->count(), 2) << "undo";
    QSignalSpy finished(&window.controller(), &RunController::finished);
    Q_EMIT page.rerunWanted(file.parent_path() / "before the change.json");
    ASSERT_TRUE(finished.count() > 0 || finished.wait(40'000));
    EXPECT_EQ(readResult(window.controller().resultFile()).runs.size(), 1u);
    EXPECT_EQ(page.list()->count(), 3);
}

TEST_F(WindowTest, ExportsEveryFormatInEitherTheme) {
    MainWindow& window = open();
    theme_.choose(ThemeChoice::Light);
    for (const char* ending : {"png", "svg", "pdf", "csv", "md"}) {
        ExportDialog dialog(window.results(), window.panels(), -1, Theme::Dark, &window);
        const auto file = root() / (std::string("figure.") + ending);
        auto formats = dialog.findChildren<QComboBox*>();
        for (QComboBox* box : formats) {
            const int index = box->findData(QString::fromLatin1(ending));
            if (index >= 0) box->setCurrentIndex(index);
        }
        ASSERT_EQ(dialog.format(), QString::fromLatin1(ending));
        dialog.write(QString::fromStdString(file.string()));
        EXPECT_GT(std::filesystem::file_size(file), 100u) << ending;
    }
    EXPECT_EQ(QImage(QString::fromStdString((root() / "figure.png").string())).pixelColor(2, 2),
              Tokens::get(Theme::Dark).window);
}

/// The shipped catalogue: the engine beside PyTorch, verified and drawn.
TEST(WindowWithRealRunners, MeasuresTheEngineBesidePyTorch) {
    ThemeController theme;
    MainWindow window(theme);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.controller().discovering(); }, 60'000));
    for (const app::RunnerInfo& runner : window.controller().runners()) {
        if (runner.manifest.name != "aether-reference" && !runner.usable())
            GTEST_SKIP() << runner.manifest.name << " is unavailable: " << runner.unavailable;
    }
    app::SessionOptions options = window.runPage().options();
    options.plan.modes = {"eager"};
    options.plan.layouts = {"nhwc"};
    options.plan.precisions = {"fp32"};
    options.workload = app::test::sourceRoot() / "resources/workloads/cifar10-v2.json";
    options.batch = 8;
    options.blockSeconds = 0.05;
    options.settle = std::chrono::milliseconds(20);
    options.loadWarning = options.loadLimit = 2;
    QSignalSpy finished(&window.controller(), &RunController::finished);
    window.controller().start(options);
    ASSERT_TRUE(finished.count() > 0 || finished.wait(200'000));
    // A second one, without a device, holds runners that this build lacks.
    ASSERT_GE(window.panels().size(), 1u);
    EXPECT_GE(window.panels()[0].bars.size(), 2u);
    for (const aether::Run& run : window.results()[0].runs) {
        if (run.status == "unavailable") continue;
        EXPECT_EQ(run.status, "measured") << run.id << ": " << run.reason;
        EXPECT_EQ(run.parity.state, Parity::State::Passed) << run.id << ": " << run.parity.reason;
        EXPECT_EQ(run.samples.size(), 6u);
    }
    EXPECT_GE(window.panels()[0].referenceOf(QStringLiteral("fp32")), 0);
}

}  // namespace
}  // namespace aether::ui
