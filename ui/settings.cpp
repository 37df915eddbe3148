// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings.h"

#include "app/paths.h"

namespace aether::ui {

QSettings& settings() {
    static QSettings file(QString::fromStdString((app::configFolder() / "settings.ini").string()),
                          QSettings::IniFormat);
    return file;
}

}  // namespace aether::ui
