// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/fonts.h"

#include <QFontDatabase>

// Outside any namespace, as the macro demands: the linker drops the resources of a static library
// that nobody names.
static void initResources() {
    Q_INIT_RESOURCE(bundled);
}

namespace aether::ui {

void loadFonts() {
    initResources();
    for (const char* weight : {"Regular", "Medium", "SemiBold", "Bold"}) {
        QFontDatabase::addApplicationFont(
            QStringLiteral(":/fonts/InterTab-%1.ttf").arg(QLatin1String(weight)));
    }
}

QFont uiFont(double pixels, QFont::Weight weight) {
    QFont font(QStringLiteral("Inter Tab"));
    font.setPixelSize(qRound(pixels));
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

}  // namespace aether::ui
