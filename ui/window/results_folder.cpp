// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/results_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include "common/failure.h"

namespace aether::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kSettleMs = 200;
constexpr int kKeepDeletedDays = 30;

QString text(const fs::path& path) {
    return QString::fromStdString(path.string());
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
    throw Failure(FailureKind::Usage, path.string() + ": " + why);
}

void move(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::exists(to, error)) refuse(to, "exists already");
    fs::rename(from, to, error);
    if (error) refuse(from, error.message());
}

}  // namespace

ResultsFolder::ResultsFolder(fs::path folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    purge();
    settled_.setSingleShot(true);
    settled_.setInterval(kSettleMs);
    connect(&settled_, &QTimer::timeout, this, [this] {
        watch();
        Q_EMIT changed();
    });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settled_,
            qOverload<>(&QTimer::start));
    watch();
}

/// The folder itself, or its nearest parent that exists until it is made.
void ResultsFolder::watch() {
    fs::path watched = folder_;
    std::error_code ignored;
    while (!fs::exists(watched, ignored) && watched.has_relative_path())
        watched = watched.parent_path();
    if (watcher_.directories().contains(text(watched))) return;
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    watcher_.addPath(text(watched));
}

std::vector<ResultsFolder::Entry> ResultsFolder::entries() const {
    std::vector<Entry> out;
    const QFileInfoList files =
        QDir(text(folder_))
            .entryInfoList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable, QDir::Time);
    for (const QFileInfo& file : files) {
        // A file of no bytes is reserved by a session that runs elsewhere.
        if (file.size() == 0) continue;
        out.push_back({file.filePath().toStdString(), file.completeBaseName(),
                       QLocale().toString(file.lastModified(), QLocale::ShortFormat)});
    }
    return out;
}

fs::path ResultsFolder::rename(const fs::path& file, const QString& name) {
    const QString wanted = name.trimmed();
    if (wanted.isEmpty() || wanted.contains(u'/') || wanted.startsWith(u'.'))
        refuse(file, "a name may not be empty, begin with a point or contain a slash");
    fs::path to = file.parent_path() / (wanted.toStdString() + ".json");
    if (to == file) return file;
    move(file, to);
    Q_EMIT changed();
    return to;
}

void ResultsFolder::remove(const fs::path& file) {
    const fs::path bin = folder_ / ".deleted";
    std::error_code error;
    fs::create_directories(bin, error);
    if (error) refuse(bin, error.message());
    fs::path to = bin / file.filename();
    for (int n = 2; fs::exists(to, error); ++n)
        to = bin / (file.stem().string() + "-" + std::to_string(n) + ".json");
    move(file, to);
    fs::last_write_time(to, fs::file_time_type::clock::now(), error);
    removed_ = Removed{file, to};
    Q_EMIT changed();
}

fs::path ResultsFolder::undoRemove() {
    if (!removed_) return {};
    move(removed_->to, removed_->from);
    fs::path back = removed_->from;
    removed_.reset();
    Q_EMIT changed();
    return back;
}

void ResultsFolder::purge() {
    std::error_code ignored;
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24 * kKeepDeletedDays);
    for (const auto& entry : fs::directory_iterator(folder_ / ".deleted", ignored)) {
        if (entry.last_write_time(ignored) < old) fs::remove(entry.path(), ignored);
    }
}

}  // namespace aether::ui
