// SPDX-License-Identifier: GPL-3.0-only
#include "app/paths.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QString>

namespace aether::app {
namespace fs = std::filesystem;
namespace {

fs::path toPath(const QString& text) {
    return fs::path(text.toStdString());
}

bool present(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

}  // namespace

fs::path resourceRoot() {
    const QString fromEnvironment = qEnvironmentVariable("AETHER_ROOT");
    if (!fromEnvironment.isEmpty()) return toPath(fromEnvironment);
    // Installed first: a source folder may exist on a user's machine by chance, or by someone's
    // will.
    const fs::path installed =
        toPath(QCoreApplication::applicationDirPath()).parent_path() / "share" / "aether-bench";
    const fs::path source = AETHER_SOURCE_ROOT;
    return present(installed / "resources") || !present(source / "resources") ? installed : source;
}

fs::path documentationFolder() {
    const fs::path root = resourceRoot();
    if (present(root / "docs")) return root / "docs";
    return root.parent_path() / "doc" / "aether-bench" / "docs";
}

fs::path configFolder() {
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)) /
           "aether-bench";
}

fs::path defaultResultFolder() {
    std::error_code ignored;
    if (fs::is_directory("results", ignored)) return fs::absolute("results", ignored);
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) /
           "aether-bench" / "results";
}

std::string findPython(const std::string& preferred, const fs::path& root) {
    if (!preferred.empty()) return preferred;
    const fs::path settings = configFolder() / "settings.ini";
    if (present(settings)) {
        const QSettings ini(QString::fromStdString(settings.string()), QSettings::IniFormat);
        const QString python = ini.value(QStringLiteral("python")).toString();
        if (!python.isEmpty()) return python.toStdString();
    }
    const QString fromEnvironment = qEnvironmentVariable("AETHER_PYTHON");
    if (!fromEnvironment.isEmpty()) return fromEnvironment.toStdString();
    for (const fs::path& folder : {root, root.parent_path()}) {
        const fs::path python = folder / ".venv" / "bin" / "python";
        if (present(python)) return python.string();
    }
    return QStandardPaths::findExecutable(QStringLiteral("python3")).toStdString();
}

Substitutions findSubstitutions(const std::string& preferredPython) {
    const fs::path root = resourceRoot();
    return {findPython(preferredPython, root), root.string(),
            QCoreApplication::applicationDirPath().toStdString()};
}

}  // namespace aether::app
