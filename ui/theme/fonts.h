// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QFont>

namespace aether::ui {

/// Makes the bundled typeface known to Qt: Inter, Latin, with digits of equal width so that numbers
/// that change don't jitter (resources/fonts). Once, after the application object was made.
void loadFonts();

QFont uiFont(double pixels, QFont::Weight weight = QFont::Normal);

}  // namespace aether::ui
