// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QMainWindow>
#include <filesystem>
#include <vector>

#include "ui/theme/theme_controller.h"
#include "ui/window/results_folder.h"
#include "ui/window/run_controller.h"

class QDockWidget;
class QMenu;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace aether::ui {

class Inspector;
class NoticeBar;
class PanelGrid;
class ResultsPage;
class RunPage;
class TopBar;

/// The window: pickers and saved results at the left, one panel per device in the middle, what was
/// chosen at the right. It draws what is measured here or what a file holds; measuring itself is
/// RunController's.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    explicit MainWindow(ThemeController& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Results to be drawn; problems are told in the notice bar.
    void open(const std::vector<std::filesystem::path>& files);
    void showPublished();

    RunController& controller() { return controller_; }
    RunPage& runPage() { return *runPage_; }
    ResultsPage& resultsPage() { return *resultsPage_; }
    PanelGrid& grid() { return *grid_; }
    Inspector& inspector() { return *inspector_; }
    NoticeBar& notice() { return *notice_; }
    const std::vector<Panel>& panels() const { return panels_; }
    const std::vector<Result>& results() const { return results_; }
    /// `key`: of a bar.
    void select(const std::string& key, bool add);
    /// Runs without asking, as the button does.
    void run();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QWidget* canvas();
    QWidget* sidebar();
    QMenu* mainMenu();
    void addShortcuts();
    void connectController();
    void applyTheme();
    void showLive();
    void redraw();
    void updateSummary();
    void placeInspector();
    void openDialog();
    void exportDialog(int panel);
    void rerun(const std::filesystem::path& file);
    void copySelection();
    void sessionEnded(const app::SessionOutcome& outcome);
    void restore();
    void remember();

    ThemeController& theme_;
    ResultsFolder folder_;
    RunController controller_;
    QStackedWidget* pages_ = nullptr;
    RunPage* runPage_ = nullptr;
    ResultsPage* resultsPage_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    PanelGrid* grid_ = nullptr;
    NoticeBar* notice_ = nullptr;
    Inspector* inspector_ = nullptr;
    QDockWidget* sidebarDock_ = nullptr;
    QDockWidget* inspectorDock_ = nullptr;
    TopBar* topBar_ = nullptr;
    QToolButton* runTab_ = nullptr;
    QToolButton* resultsTab_ = nullptr;

    std::vector<Result> results_;
    std::vector<Panel> panels_;
    std::vector<std::string> selected_;
    bool live_ = false;  ///< the panels are those of the running or last session
    bool closeAfterRun_ = false;
};

}  // namespace aether::ui
