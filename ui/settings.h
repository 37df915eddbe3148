// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QSettings>

namespace aether::ui {

/// settings.ini in the configuration folder (app/paths.h), the file that also names the Python to
/// use. Two windows share it: every value is read when needed and written at once.
QSettings& settings();

}  // namespace aether::ui
