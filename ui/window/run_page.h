// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>
#include <vector>

#include "app/session_options.h"
#include "ui/window/offer.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace aether::ui {

/// The pickers, the plan in a line, run, cancel and overall progress.
class RunPage : public QWidget {
    Q_OBJECT
  public:
    explicit RunPage(QWidget* parent = nullptr);

    void setRunners(const std::vector<app::RunnerInfo>& runners);
    /// Instead of the devices, until the runners have answered.
    void setSearching();
    app::SessionOptions options() const;
    /// Which choice is still to be made; empty: a session can be planned.
    QString missing() const;
    /// Chooses what a saved session measured.
    void choose(const app::SessionOptions& options);
    /// Into the settings, and back from there when the runners are known.
    void rememberChoices() const;
    void restoreChoices();

    /// "7 variants · about 3 min", or why nothing can be started.
    void setSummary(const QString& text, bool startable);
    void setRunning(bool running);
    /// etaSeconds < 0: not known yet.
    void setProgress(int done, int total, double etaSeconds, const QString& message);

  Q_SIGNALS:
    void changed();
    void runWanted();
    void cancelWanted();

  private:
    QWidget* pickers();
    QWidget* runBar();
    QWidget* procedure();
    void rebuildDevices();
    void rebuildChips();
    Chosen chosen() const;

    std::vector<app::RunnerInfo> runners_;
    QVBoxLayout* devices_;
    struct DeviceBox {
        std::string uuid;
        QCheckBox* box;
    };
    std::vector<DeviceBox> boxes_;
    QLabel* searching_;
    ChipGroup* frameworks_;
    ChipGroup* layouts_;
    ChipGroup* modes_;
    ChipGroup* precisions_;
    ChipGroup* versions_;
    QComboBox* workload_;
    QSpinBox* rounds_;
    QSpinBox* threads_;
    QCheckBox* verify_;
    QLabel* summary_;
    QLabel* progressText_;
    QProgressBar* progress_;
    QPushButton* run_;
    QPushButton* cancel_;
    QWidget* body_;
};

}  // namespace aether::ui
