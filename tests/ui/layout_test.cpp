// SPDX-License-Identifier: GPL-3.0-only
// Properties of the figure's geometry that no picture shows as surely: nothing overlaps, nothing
// sticks out, Qt Charts and the decoration agree.
#include <gtest/gtest.h>

#include <QBarSet>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QJsonArray>
#include <QJsonDocument>

#include "app/exchange.h"
#include "app/support.h"
#include "panels.h"
#include "ui/figure/panel_chart.h"

namespace aether::ui {
namespace {

using namespace test;

struct Case {
    const char* name;
    Panel panel;
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

class Layout : public testing::TestWithParam<std::tuple<Case, int>> {
  protected:
    const Panel& panel = std::get<0>(GetParam()).panel;
    const double width = std::get<1>(GetParam());
    const PanelLayout layout = layOut(panel, width, Tokens::get(Theme::Light));

    std::vector<PlacedText> allTexts() const {
        std::vector<PlacedText> all = layout.texts;
        for (const RowLayout& row : layout.rows)
            all.insert(all.end(), row.texts.begin(), row.texts.end());
        if (layout.chip) all.push_back(*layout.chip);
        return all;
    }
};

TEST_P(Layout, KeepsEveryTextInsideTheCard) {
    const QRectF card(QPointF(), layout.size);
    for (const PlacedText& text : allTexts())
        EXPECT_TRUE(card.contains(text.ink())) << text.text.toStdString();
}

TEST_P(Layout, LetsNoTwoTextsOverlap) {
    const std::vector<PlacedText> all = allTexts();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const QRectF common = all[i].ink().intersected(all[k].ink());
            // Line boxes may touch; glyphs may not.
            EXPECT_TRUE(common.width() < 2 || common.height() < 5)
                << all[i].text.toStdString() << " / " << all[k].text.toStdString();
        }
    }
}

TEST_P(Layout, CutsTheReferenceLineWhereItMeetsText) {
    for (const ReferenceLine& line : layout.lines) {
        for (const QLineF& segment : line.segments) {
            const QRectF ink(segment.x1() - 0.5, segment.y1(), 1, segment.dy());
            for (const RowLayout& row : layout.rows) {
                for (const PlacedText& text : row.texts)
                    EXPECT_FALSE(ink.intersects(text.ink())) << text.text.toStdString();
            }
        }
    }
}

TEST_P(Layout, AgreesWithQtCharts) {
    QGraphicsScene scene;
    auto* chart = new PanelChart;
    scene.addItem(chart);
    chart->setPanel(panel);
    chart->setWidth(width);
    const auto* series = qobject_cast<QHorizontalStackedBarSeries*>(chart->series().first());
    const auto rows = static_cast<int>(layout.rows.size());
    for (int i = 0; i < rows; ++i) {
        const RowLayout& row = layout.rows[static_cast<std::size_t>(i)];
        if (row.fill.isEmpty()) continue;
        const double value = series->barSets()[i]->at(rows - 1 - i);
        const QPointF end = chart->mapToPosition(QPointF(value, rows - 1 - i),
                                                 const_cast<QHorizontalStackedBarSeries*>(series));
        const RowLayout& drawn = chart->panelLayout().rows[static_cast<std::size_t>(i)];
        EXPECT_NEAR(end.x(), drawn.fill.right(), 1);
        EXPECT_NEAR(end.y(), drawn.fill.center().y(), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Layout,
    testing::Combine(testing::Values(Case{"everyState", everyState()},
                                     Case{"twoPrecisions", twoPrecisions()}, Case{"one", many(1)},
                                     Case{"none", many(0)}, Case{"twenty", many(20)},
                                     Case{"wideSpread", wideSpread()}, Case{"hostile", hostile()}),
                     testing::Values(380, 420, 500, 599, 600, 720, 900, 1400)),
    [](const auto& instance) {
        return std::string(std::get<0>(instance.param).name) + "_" +
               std::to_string(std::get<1>(instance.param));
    });

TEST(LayoutOfATornBar, SaysItsTrueValueAndThatItIsCut) {
    const PanelLayout layout = layOut(wideSpread(), 720, Tokens::get(Theme::Light));
    EXPECT_TRUE(layout.axis.cut);
    EXPECT_TRUE(layout.rows[3].torn);
    EXPECT_FALSE(layout.rows[3].whisker);
    EXPECT_EQ(layout.rows[3].texts[2].text, QStringLiteral("170.0\u00a0ms"));
    EXPECT_TRUE(layout.texts.back().text.contains(QStringLiteral("torn")));
}

TEST(LayoutOfTwoPrecisions, HasAHeadingAndALineForEach) {
    const PanelLayout layout = layOut(twoPrecisions(), 720, Tokens::get(Theme::Light));
    EXPECT_EQ(layout.rows.size(), 6u);
    EXPECT_EQ(layout.rows[0].bar, -1);
    EXPECT_EQ(layout.rows[3].bar, -1);
    EXPECT_EQ(layout.lines.size(), 2u);
    EXPECT_EQ(layout.rowOf(2), 4);
    EXPECT_EQ(layout.rowAt(layout.rows[4].slot.center().y()), 4);
}

/// The published figure, text by text and rectangle by rectangle; no pixels, which differ between
/// builds of FreeType. After a wanted change: AETHER_WRITE_GOLDEN=1 ui_tests --gtest_filter=Golden*
TEST(Golden, PublishedFigureKeepsItsStructure) {
    const auto root = app::test::sourceRoot();
    std::vector<Result> results;
    for (app::SavedResult& saved : app::readResults({root / "resources/published"}).results)
        results.push_back(std::move(saved.result));
    QJsonArray panels;
    for (const Panel& panel : panelsOf(results)) {
        for (const double width : {420.0, 720.0})
            panels.append(describe(layOut(panel, width, Tokens::get(Theme::Light))));
    }
    const QByteArray now = QJsonDocument(panels).toJson();
    const auto golden = root / "tests/ui/golden/published.json";
    if (qEnvironmentVariableIsSet("AETHER_WRITE_GOLDEN")) std::ofstream(golden) << now.constData();
    EXPECT_EQ(app::test::slurp(golden), now.toStdString());
}

TEST(LayoutOfALivePanel, NeverShrinksItsAxis) {
    QGraphicsScene scene;
    auto* chart = new PanelChart;
    scene.addItem(chart);
    Panel panel = everyState();
    chart->setPanel(panel);
    chart->setWidth(720);
    const double before = chart->panelLayout().axis.max;
    panel.bars[1].step.median = panel.bars[1].step.max = 710;
    chart->setPanel(panel);
    EXPECT_DOUBLE_EQ(chart->panelLayout().axis.max, before) << "small changes move nothing";
    panel.bars[1].step.median = panel.bars[1].step.max = 1200;
    chart->setPanel(panel);
    EXPECT_GT(chart->panelLayout().axis.max, before);
}

}  // namespace
}  // namespace aether::ui
