// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "app/exchange.h"
#include "app/paths.h"
#include "app/report/rows.h"
#include "app/text.h"
#include "common/failure.h"
#include "ui/settings.h"
#include "ui/window/about.h"
#include "ui/window/export_dialog.h"
#include "ui/window/inspector.h"
#include "ui/window/labels.h"
#include "ui/window/notice_bar.h"
#include "ui/window/panel_grid.h"
#include "ui/window/rerun.h"
#include "ui/window/results_page.h"
#include "ui/window/run_page.h"
#include "ui/window/top_bar.h"

namespace aether::ui {
namespace {

constexpr int kNarrow = 900;  // below, the inspector goes under the panels
constexpr int kSidebarWidth = 250, kNarrowSidebarWidth = 226, kInspectorWidth = 372;

QDockWidget* dock(const QString& name, QWidget* content) {
    auto* widget = new QDockWidget;
    widget->setObjectName(name);
    widget->setFeatures(QDockWidget::NoDockWidgetFeatures);
    widget->setTitleBarWidget(new QWidget);
    widget->setWidget(content);
    return widget;
}

QToolButton* tab(const QString& title) {
    auto* button = new QToolButton;
    button->setText(title);
    button->setProperty("role", QStringLiteral("tab"));
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return button;
}

QString fromPath(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

}  // namespace

MainWindow::MainWindow(ThemeController& theme, QWidget* parent)
    : QMainWindow(parent), theme_(theme), folder_(app::defaultResultFolder()) {
    setWindowTitle(QStringLiteral("Aether Bench"));
    setMinimumSize(640, 480);
    setAcceptDrops(true);
    setDockNestingEnabled(false);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCentralWidget(canvas());
    sidebarDock_ = dock(QStringLiteral("sidebarDock"), sidebar());
    addDockWidget(Qt::LeftDockWidgetArea, sidebarDock_);
    inspector_ = new Inspector;
    inspectorDock_ = dock(QStringLiteral("inspectorDock"), inspector_);
    addDockWidget(Qt::RightDockWidgetArea, inspectorDock_);
    inspectorDock_->hide();
    topBar_ = new TopBar(theme_, mainMenu());
    connect(topBar_, &TopBar::exportWanted, this, [this] { exportDialog(-1); });
    setMenuWidget(topBar_);
    addShortcuts();
    connectController();
    connect(&theme_, &ThemeController::changed, this, &MainWindow::applyTheme);
    applyTheme();
    restore();
    setFocus();
    showPublished();
    runPage_->setSearching();
    controller_.discover();
}

MainWindow::~MainWindow() = default;

QMenu* MainWindow::mainMenu() {
    auto* menu = new QMenu(this);
    const auto add = [&](const QString& title, const QKeySequence& keys, auto act) {
        QAction* action = menu->addAction(title);
        action->setShortcut(keys);
        action->setShortcutVisibleInContextMenu(true);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
    };
    add(tr("&Open files…"), QKeySequence::Open, [this] { openDialog(); });
    add(tr("&Export…"), Qt::CTRL | Qt::Key_E, [this] { exportDialog(-1); });
    add(tr("&Copy chosen bars as Markdown"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
        [this] { copySelection(); });
    menu->addSeparator();
    add(tr("&Run benchmark"), Qt::CTRL | Qt::Key_R, [this] { run(); });
    add(tr("Ask the runners &again"), Qt::Key_F5, [this] {
        runPage_->rememberChoices();
        runPage_->setSearching();
        controller_.discover();
    });
    menu->addSeparator();
    add(tr("&Documentation"), QKeySequence::HelpContents, [this] {
        const auto page = app::documentationFolder() / "window.md";
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(fromPath(page))))
            notice_->tell(tr("No program opens the documentation: %1").arg(fromPath(page)));
    });
    add(tr("&Keyboard"), Qt::CTRL | Qt::Key_Question, [this] { showKeyboardHelp(this); });
    add(tr("A&bout"), {}, [this] { showAbout(this, controller_.runners()); });
    menu->addSeparator();
    add(tr("&Quit"), QKeySequence::Quit, [this] { close(); });
    return menu;
}

void MainWindow::addShortcuts() {
    const auto key = [&](const QKeySequence& keys, auto act) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        addAction(action);
        connect(action, &QAction::triggered, this, act);
    };
    key(Qt::Key_F10, [this] { topBar_->openMenu(); });
    key(Qt::CTRL | Qt::Key_1, [this] { runTab_->click(); });
    key(Qt::CTRL | Qt::Key_2, [this] {
        resultsTab_->click();
        resultsPage_->setFocus();
    });
}

QWidget* MainWindow::canvas() {
    auto* host = new QWidget;
    auto* column = new QVBoxLayout(host);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    notice_ = new NoticeBar;
    column->addWidget(notice_);
    scroll_ = new QScrollArea;
    scroll_->setObjectName(QStringLiteral("canvas"));
    scroll_->setWidgetResizable(true);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    grid_ = new PanelGrid;
    scroll_->setWidget(grid_);
    column->addWidget(scroll_, 1);
    connect(grid_, &PanelGrid::barChosen, this, &MainWindow::select);
    connect(grid_, &PanelGrid::exportWanted, this, &MainWindow::exportDialog);
    return host;
}

QWidget* MainWindow::sidebar() {
    auto* frame = new QFrame;
    frame->setObjectName(QStringLiteral("sidebar"));
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* tabs = new QHBoxLayout;
    tabs->setContentsMargins(12, 12, 12, 0);
    tabs->setSpacing(6);
    runTab_ = tab(tr("Measure"));
    runTab_->setToolTip(tr("Ctrl+1"));
    resultsTab_ = tab(tr("Results"));
    resultsTab_->setToolTip(tr("Ctrl+2"));
    tabs->addWidget(runTab_);
    tabs->addWidget(resultsTab_);
    column->addLayout(tabs);
    pages_ = new QStackedWidget;
    runPage_ = new RunPage;
    resultsPage_ = new ResultsPage(folder_);
    pages_->addWidget(runPage_);
    pages_->addWidget(resultsPage_);
    column->addWidget(pages_, 1);
    runTab_->setChecked(true);
    connect(runTab_, &QToolButton::clicked, this, [this] { pages_->setCurrentWidget(runPage_); });
    connect(resultsTab_, &QToolButton::clicked, this,
            [this] { pages_->setCurrentWidget(resultsPage_); });
    connect(runPage_, &RunPage::changed, this, &MainWindow::updateSummary);
    connect(runPage_, &RunPage::runWanted, this, &MainWindow::run);
    connect(runPage_, &RunPage::cancelWanted, &controller_, &RunController::cancel);
    connect(resultsPage_, &ResultsPage::openWanted, this,
            [this](const std::filesystem::path& file) { open({file}); });
    connect(resultsPage_, &ResultsPage::publishedWanted, this, &MainWindow::showPublished);
    connect(resultsPage_, &ResultsPage::openFileWanted, this, &MainWindow::openDialog);
    connect(resultsPage_, &ResultsPage::rerunWanted, this, &MainWindow::rerun);
    connect(resultsPage_, &ResultsPage::failed, notice_, &NoticeBar::tell);
    connect(resultsPage_, &ResultsPage::removed, this, [this](const std::filesystem::path& file) {
        notice_->offer(tr("%1 was deleted.").arg(fromPath(file.filename())), tr("Undo"), [this] {
            try {
                folder_.undoRemove();
            } catch (const Failure& failure) {
                notice_->tell(QString::fromUtf8(failure.what()));
            }
        });
    });
    return frame;
}

void MainWindow::connectController() {
    connect(&controller_, &RunController::runnersChanged, this, [this] {
        runPage_->setRunners(controller_.runners());
        runPage_->restoreChoices();
    });
    connect(&controller_, &RunController::started, this, [this] {
        runPage_->setRunning(true);
        selected_.clear();
        showLive();
    });
    connect(&controller_, &RunController::valuesChanged, this, [this] {
        const app::SessionProgress& progress = controller_.progress();
        runPage_->setProgress(progress.done, progress.total, progress.etaSeconds,
                              QString::fromStdString(progress.message));
        if (live_) showLive();
    });
    connect(&controller_, &RunController::finished, this, &MainWindow::sessionEnded);
    connect(&controller_, &RunController::troubled, notice_, &NoticeBar::tell);
    // While a block is timed, this process paints nothing at all.
    connect(controller_.gate(), &UpdateGate::changed, this,
            [this](bool closed) { setUpdatesEnabled(!closed); });
}

void MainWindow::applyTheme() {
    grid_->setTokens(theme_.tokens());
    inspector_->setTokens(theme_.tokens());
}

void MainWindow::open(const std::vector<std::filesystem::path>& files) {
    app::SavedResults saved = app::readResults(files);
    if (saved.problems.empty()) {
        notice_->hide();
    } else {
        notice_->tell(QString::fromStdString(app::join(saved.problems, "\n")));
    }
    if (saved.results.empty()) return;
    live_ = false;
    results_.clear();
    for (app::SavedResult& each : saved.results)
        results_.push_back(std::move(each.result));
    selected_.clear();
    resultsPage_->setShown(files.size() == 1 ? files.front() : std::filesystem::path("/"));
    redraw();
}

void MainWindow::showPublished() {
    open({app::resourceRoot() / "resources" / "published"});
    resultsPage_->setShown({});
}

void MainWindow::showLive() {
    live_ = true;
    results_ = {controller_.live().result()};
    redraw();
}

void MainWindow::redraw() {
    panels_ = live_ ? controller_.live().panels() : panelsOf(results_);
    grid_->setPanels(panels_);
    grid_->setSelected(selected_);
    topBar_->setSubject(results_.empty() ? QString()
                                         : QString::fromStdString(app::setting(results_.front())));
    if (!controller_.running()) inspector_->show(results_, panels_, selected_);
}

void MainWindow::select(const std::string& key, bool add) {
    const auto found = std::find(selected_.begin(), selected_.end(), key);
    if (add && found != selected_.end()) {
        selected_.erase(found);
    } else if (add && !selected_.empty()) {
        selected_.resize(1);
        selected_.push_back(key);
    } else {
        selected_ = {key};
    }
    grid_->setSelected(selected_);
    inspector_->show(results_, panels_, selected_);
    inspectorDock_->setVisible(!selected_.empty());
    placeInspector();
}

void MainWindow::updateSummary() {
    if (controller_.running()) return;
    if (controller_.discovering()) return runPage_->setSummary({}, false);
    const QString missing = runPage_->missing();
    if (!missing.isEmpty()) return runPage_->setSummary(missing, false);
    const RunController::Preview preview = controller_.preview(runPage_->options());
    if (!preview.problem.isEmpty()) return runPage_->setSummary(preview.problem, false);
    QString text = (preview.able == 1 ? tr("1 variant") : tr("%1 variants").arg(preview.able)) +
                   tr("  ·  about %1").arg(QString::fromStdString(app::duration(preview.seconds)));
    if (preview.unavailable > 0) text += tr("  ·  %1 unavailable").arg(preview.unavailable);
    runPage_->setSummary(text, true);
}

void MainWindow::run() {
    if (controller_.running() || controller_.discovering() || !runPage_->missing().isEmpty())
        return;
    notice_->hide();
    runPage_->rememberChoices();
    controller_.start(runPage_->options());
}

void MainWindow::rerun(const std::filesystem::path& file) {
    if (controller_.running()) return notice_->tell(tr("A session is running already."));
    try {
        const app::SessionOptions options = sameAgain(readResult(file));
        runTab_->click();
        runPage_->choose(options);
        controller_.start(options);
    } catch (const Failure& failure) {
        notice_->tell(QString::fromUtf8(failure.what()));
    }
}

void MainWindow::sessionEnded(const app::SessionOutcome& outcome) {
    runPage_->setRunning(false);
    updateSummary();
    if (!outcome.sentence.empty()) notice_->tell(QString::fromStdString(outcome.sentence));
    if (!outcome.writeError.empty()) {
        notice_->tell(
            tr("The result was not saved: %1").arg(QString::fromStdString(outcome.writeError)));
    }
    resultsPage_->refresh();
    if (live_) {
        resultsPage_->setShown(controller_.resultFile());
        inspector_->show(results_, panels_, selected_);
    }
    if (closeAfterRun_) close();
}

void MainWindow::openDialog() {
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open results"), fromPath(folder_.path()), tr("Results (*.json)"));
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.emplace_back(file.toStdString());
    if (!paths.empty()) open(paths);
}

void MainWindow::exportDialog(int panel) {
    if (panels_.empty()) return notice_->tell(tr("There is nothing to export yet."));
    ExportDialog dialog(results_, panels_, panel, theme_.theme(), this);
    if (dialog.exec() == QDialog::Accepted) notice_->tell(tr("Written: %1").arg(dialog.written()));
}

void MainWindow::copySelection() {
    if (inspector_->markdown().isEmpty()) return notice_->tell(tr("Choose a bar first."));
    inspector_->copyMarkdown();
    notice_->tell(tr("Copied as Markdown."));
}

void MainWindow::placeInspector() {
    const bool narrow = width() < kNarrow;
    const Qt::DockWidgetArea wanted = narrow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea;
    sidebarDock_->widget()->setFixedWidth(narrow ? kNarrowSidebarWidth : kSidebarWidth);
    if (dockWidgetArea(inspectorDock_) != wanted) {
        const bool visible = inspectorDock_->isVisible();
        addDockWidget(wanted, inspectorDock_);
        inspectorDock_->setVisible(visible);
    }
    if (narrow) {
        resizeDocks({inspectorDock_}, {height() * 2 / 5}, Qt::Vertical);
    } else {
        resizeDocks({inspectorDock_}, {kInspectorWidth}, Qt::Horizontal);
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placeInspector();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) files.emplace_back(url.toLocalFile().toStdString());
    }
    if (!files.empty()) open(files);
}

/// Escape ends what is nearest: the run, then the choice.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
    if (controller_.running()) {
        controller_.cancel();
    } else if (!selected_.empty()) {
        selected_.clear();
        grid_->setSelected({});
        inspectorDock_->hide();
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!controller_.running()) {
        remember();
        return event->accept();
    }
    event->ignore();
    if (closeAfterRun_) return;
    QMessageBox question(QMessageBox::Question, windowTitle(),
                         tr("A session is running. End it and close?"), QMessageBox::NoButton,
                         this);
    question.setInformativeText(tr("What was measured so far is kept."));
    QPushButton* end = question.addButton(tr("End and close"), QMessageBox::AcceptRole);
    question.addButton(tr("Go on measuring"), QMessageBox::RejectRole);
    question.exec();
    if (question.clickedButton() != end) return;
    closeAfterRun_ = true;
    if (controller_.running()) {
        controller_.cancel();
    } else {
        close();
    }
}

void MainWindow::restore() {
    const QByteArray geometry = settings().value(QStringLiteral("window/geometry")).toByteArray();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) resize(1280, 800);
}

void MainWindow::remember() {
    runPage_->rememberChoices();
    settings().setValue(QStringLiteral("window/geometry"), saveGeometry());
}

}  // namespace aether::ui
