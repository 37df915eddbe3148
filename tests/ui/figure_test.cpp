// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "common/failure.h"
#include "panels.h"
#include "ui/figure/figure_export.h"

namespace aether::ui {
namespace {

using namespace test;

class Figure : public testing::Test {
  protected:
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

    QByteArray write(const char* name, const FigureOptions& options = {},
                     const std::vector<Panel>& panels = {everyState(), twoPrecisions()}) const {
        exportFigure(panels, path(name), options);
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

    QTemporaryDir folder_;
};

TEST_F(Figure, PngHasItsScaleAndTheThemesBackground) {
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        for (const int scale : {1, 2, 3}) {
            write("f.png", {theme, 720, 1, static_cast<double>(scale)});
            const QImage image(path("f.png"));
            EXPECT_EQ(image.width(), 720 * scale);
            EXPECT_EQ(image.pixelColor(2, 2), Tokens::get(theme).window);
        }
    }
}

TEST_F(Figure, IsTheSameEveryTime) {
    EXPECT_EQ(write("a.png"), write("b.png"));
    EXPECT_EQ(write("a.svg"), write("b.svg"));
}

TEST_F(Figure, ColumnsStandSideBySide) {
    write("one.png", {Theme::Light, 900, 1, 1});
    write("two.png", {Theme::Light, 900, 2, 1});
    EXPECT_LT(QImage(path("two.png")).height(), QImage(path("one.png")).height());
}

TEST_F(Figure, SvgDrawsTextAsPathsAndTellsTheNumbersAsText) {
    const QByteArray svg = write("f.svg");
    EXPECT_FALSE(svg.contains("<text"));
    EXPECT_TRUE(svg.contains("<title>"));
    EXPECT_TRUE(svg.contains("Aether direct"));
    EXPECT_TRUE(svg.contains("304.0 ms per step"));
    EXPECT_FALSE(svg.contains("clip-path"));
}

TEST_F(Figure, SvgKeepsRealTextOnRequest) {
    FigureOptions options;
    options.realText = true;
    const QByteArray svg = write("f.svg", options);
    EXPECT_TRUE(svg.contains("<text"));
    EXPECT_LT(svg.size(), write("paths.svg").size() / 2);
}

TEST_F(Figure, SvgOfHostileNamesIsStillXml) {
    const QByteArray svg = write("f.svg", {}, {hostile()});
    EXPECT_FALSE(svg.contains("<img"));
    EXPECT_TRUE(svg.contains("&lt;img src=x&gt;"));
}

TEST_F(Figure, PdfTextIsSearchable) {
    write("f.pdf");
    const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (tool.isEmpty()) GTEST_SKIP() << "no pdftotext (apt install poppler-utils)";
    QProcess process;
    process.start(tool, {path("f.pdf"), QStringLiteral("-")});
    ASSERT_TRUE(process.waitForFinished(20'000));
    const QString text = QString::fromUtf8(process.readAllStandardOutput());
    for (const char* part :
         {"Aether direct", "304.0", "2.15× faster than PyTorch", "lower is better"})
        EXPECT_TRUE(text.contains(QString::fromUtf8(part))) << part << "\n" << text.toStdString();
}

TEST_F(Figure, RefusesWhatItCantWriteAndKeepsTheOldFile) {
    EXPECT_THROW(exportFigure({many(1)}, path("f.bmp"), {}), Failure);
    EXPECT_THROW(exportFigure({}, path("f.png"), {}), Failure);
    try {
        exportFigure({many(1)}, path("no/such/folder/f.svg"), {});
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("no/such/folder/f.svg"), std::string::npos);
    }
}

}  // namespace
}  // namespace aether::ui
