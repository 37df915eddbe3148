// SPDX-License-Identifier: GPL-3.0-only
// Tokens in the two forms that Qt Widgets understand.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/theme/tokens.h"

namespace aether::ui {

QPalette paletteOf(const Tokens& tokens);
/// For the object names and properties that the window's widgets carry.
QString styleSheetOf(const Tokens& tokens);

}  // namespace aether::ui
