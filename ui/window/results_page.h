// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>
#include <filesystem>

#include "ui/window/results_folder.h"

class QListWidget;
class QListWidgetItem;
class QLabel;

namespace aether::ui {

/// The saved sessions and the published results in a list: open, rename, delete, measure again.
class ResultsPage : public QWidget {
    Q_OBJECT
  public:
    explicit ResultsPage(ResultsFolder& folder, QWidget* parent = nullptr);

    void refresh();
    /// Marks what is shown; an empty path marks the published results.
    void setShown(const std::filesystem::path& file);
    QListWidget* list() const { return list_; }

  Q_SIGNALS:
    void openWanted(const std::filesystem::path& file);
    void publishedWanted();
    void openFileWanted();
    void rerunWanted(const std::filesystem::path& file);
    void removed(const std::filesystem::path& file);
    void failed(const QString& sentence);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void open(const QListWidgetItem* item);
    void rename(QListWidgetItem* item);
    void remove(const QListWidgetItem* item);
    void showMenu(const QPoint& at);

    ResultsFolder& folder_;
    QListWidget* list_;
    QLabel* hint_;
    std::filesystem::path shown_;
    bool filling_ = false;
};

}  // namespace aether::ui
