// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QFontInfo>
#include <QFontMetricsF>
#include <QSignalSpy>

#include "ui/theme/fonts.h"
#include "ui/theme/style.h"
#include "ui/theme/theme_controller.h"
#include "ui/theme/tokens.h"

namespace aether::ui {
namespace {

class EveryTheme : public testing::TestWithParam<Theme> {
  protected:
    const Tokens& t = Tokens::get(GetParam());
};

TEST_P(EveryTheme, TextIsReadableWhereverItStands) {
    for (const QColor& text : {t.text, t.text2, t.muted, t.ok, t.warn, t.danger}) {
        for (const QColor& ground :
             {t.window, t.surface, t.surfaceAlt, t.rowHover, t.rowSelected, t.track}) {
            EXPECT_GE(contrast(text, ground), 4.5)
                << text.name().toStdString() << " on " << ground.name().toStdString();
        }
    }
    EXPECT_GE(contrast(t.onAccent, t.accent), 4.5);
    for (const QColor& ground : {t.surface, t.rowSelected, t.window})
        EXPECT_GE(contrast(t.accent, ground), 4.5) << ground.name().toStdString();
}

TEST_P(EveryTheme, BarsStandOutFromTheCard) {
    for (const Series series : {Series::Aether, Series::PyTorch, Series::Third, Series::Other}) {
        EXPECT_GE(contrast(t.of(series), t.surface), 3.0);
        EXPECT_GE(contrast(textOn(t.of(series)), t.of(series)), 4.5);
    }
}

TEST_P(EveryTheme, StyleSheetKnowsEveryName) {
    EXPECT_FALSE(styleSheetOf(t).contains(u'@'));
}

INSTANTIATE_TEST_SUITE_P(Both, EveryTheme, testing::Values(Theme::Light, Theme::Dark),
                         [](const auto& theme) {
                             return theme.param == Theme::Light ? "light" : "dark";
                         });

TEST(Contrast, IsThatOfTheStandard) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-6);
    EXPECT_NEAR(contrast(Qt::white, Qt::white), 1, 1e-9);
}

TEST(Fonts, AreTheBundledOnesWithDigitsOfEqualWidth) {
    EXPECT_EQ(QFontInfo(uiFont(13)).family().toStdString(), "Inter Tab");
    const QFontMetricsF metrics(uiFont(13, QFont::DemiBold));
    for (char16_t digit = u'0'; digit <= u'9'; ++digit)
        EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QChar(digit)), metrics.horizontalAdvance(u'0'));
}

TEST(ThemeController, SwitchesAndRemembers) {
    {
        ThemeController controller;
        QSignalSpy changes(&controller, &ThemeController::changed);
        controller.choose(ThemeChoice::Dark);
        EXPECT_EQ(controller.theme(), Theme::Dark);
        EXPECT_EQ(changes.count(), 1);
    }
    ThemeController again;
    EXPECT_EQ(again.choice(), ThemeChoice::Dark);
    again.choose(ThemeChoice::System);
}

}  // namespace
}  // namespace aether::ui
