// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <vector>

namespace aether::ui {

/// The folder of saved sessions. Follows changes that others make (a second window, the terminal).
class ResultsFolder : public QObject {
    Q_OBJECT
  public:
    explicit ResultsFolder(std::filesystem::path folder, QObject* parent = nullptr);

    struct Entry {
        std::filesystem::path file;
        QString name;      ///< the file's name without its ending
        QString modified;  ///< in the user's locale
    };
    /// Newest first.
    std::vector<Entry> entries() const;
    const std::filesystem::path& path() const { return folder_; }

    /// Never over another file. Throws Failure(Usage) with path and cause, as the next two do.
    std::filesystem::path rename(const std::filesystem::path& file, const QString& name);
    /// Into the folder ".deleted", from where undo() brings back the last one.
    void remove(const std::filesystem::path& file);
    std::filesystem::path undoRemove();

  Q_SIGNALS:
    void changed();

  private:
    struct Removed {
        std::filesystem::path from, to;
    };
    void purge();
    void watch();

    std::filesystem::path folder_;
    QFileSystemWatcher watcher_;
    QTimer settled_;
    std::optional<Removed> removed_;
};

}  // namespace aether::ui
