// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/figure_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QGraphicsScene>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>

#include "common/failure.h"
#include "common/files.h"
#include "ui/figure/panel_chart.h"

namespace aether::ui {
namespace {

constexpr double kGap = 16, kMargin = 16;
constexpr int kPdfResolution = 960;  // dots per inch: fine enough for hairlines
constexpr double kPointsPerPixel = 72.0 / 96.0;
constexpr double kMostPixels = 20'000;  // of a side of a PNG

struct Page {
    QGraphicsScene scene;
    QSize size;
};

/// Panels in columns, each below the shortest column so far.
void compose(Page& page, const std::vector<Panel>& panels, const FigureOptions& options,
             bool asPaths) {
    const int columns =
        std::clamp(options.columns, 1, std::max(1, static_cast<int>(panels.size())));
    const double width = (options.width - 2 * kMargin - kGap * (columns - 1)) / columns;
    std::vector<double> bottoms(static_cast<std::size_t>(columns), kMargin);
    for (const Panel& panel : panels) {
        const auto column = std::min_element(bottoms.begin(), bottoms.end());
        auto* chart = new PanelChart;
        page.scene.addItem(chart);
        chart->setForExport(asPaths);
        chart->setTokens(Tokens::get(options.theme));
        chart->setPanel(panel);
        chart->setWidth(width);
        chart->setPos(kMargin + static_cast<double>(column - bottoms.begin()) * (width + kGap),
                      *column);
        *column += chart->size().height() + kGap;
    }
    const double bottom = *std::max_element(bottoms.begin(), bottoms.end());
    page.size = QSize(qRound(options.width), qRound(bottom - kGap + kMargin));
    page.scene.setSceneRect(QRectF(QPointF(), page.size));
}

void render(Page& page, QPainter& painter, const QSizeF& target, const QColor& background) {
    painter.fillRect(QRectF(QPointF(), target), background);
    page.scene.render(&painter, QRectF(QPointF(), target), page.scene.sceneRect(),
                      Qt::IgnoreAspectRatio);
}

QByteArray png(Page& page, const FigureOptions& options) {
    const double scale =
        std::min(options.scale, kMostPixels / std::max(page.size.width(), page.size.height()));
    QImage image((QSizeF(page.size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    render(page, painter, page.size, Tokens::get(options.theme).window);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(Page& page, const FigureOptions& options, const QString& description) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(page.size);
    generator.setViewBox(QRect(QPoint(), page.size));
    generator.setResolution(96);
    generator.setTitle(QStringLiteral("One training step, milliseconds"));
    // Qt writes it as it is.
    generator.setDescription(description.toHtmlEscaped());
    QPainter painter(&generator);
    render(page, painter, page.size, Tokens::get(options.theme).window);
    painter.end();
    return bytes;
}

QByteArray pdf(Page& page, const FigureOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kPdfResolution);
    writer.setTitle(QStringLiteral("One training step, milliseconds"));
    writer.setCreator(QStringLiteral("Aether Bench"));
    writer.setPageSize(QPageSize(QSizeF(page.size) * kPointsPerPixel, QPageSize::Point, {},
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    render(page, painter, QSizeF(writer.width(), writer.height()),
           Tokens::get(options.theme).window);
    painter.end();
    return bytes;
}

}  // namespace

bool isFigureFormat(const QString& ending) {
    return ending == QLatin1String("png") || ending == QLatin1String("svg") ||
           ending == QLatin1String("pdf");
}

QString figureDescription(const std::vector<Panel>& panels) {
    QStringList lines;
    for (const Panel& panel : panels) {
        QStringList head;
        for (const QString& part : {panel.title, panel.badge, panel.setting}) {
            if (!part.isEmpty()) head << part;
        }
        lines << head.join(QStringLiteral(", "));
        for (const Bar& bar : panel.bars)
            lines << QStringLiteral("  ") + sentenceOf(bar);
    }
    return lines.join(QLatin1Char('\n'));
}

void exportFigure(const std::vector<Panel>& panels, const QString& file,
                  const FigureOptions& options) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (!isFigureFormat(ending)) {
        throw Failure(FailureKind::Usage,
                      file.toStdString() + ": a figure is a .png, .svg or .pdf");
    }
    if (panels.empty()) throw Failure(FailureKind::Usage, "there is no panel to draw");
    Page page;
    compose(page, panels, options, ending == QLatin1String("svg") && !options.realText);
    const QByteArray bytes = ending == QLatin1String("png") ? png(page, options)
                             : ending == QLatin1String("svg")
                                 ? svg(page, options, figureDescription(panels))
                                 : pdf(page, options);
    writeFileAtomically(file.toStdString(),
                        {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace aether::ui
