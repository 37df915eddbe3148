// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <sstream>

#include "app/report/writers.h"
#include "app/text.h"
#include "common/failure.h"
#include "common/files.h"
#include "ui/window/labels.h"

namespace aether::ui {
namespace {

struct Format {
    const char* ending;
    const char* title;
};
constexpr Format kFormats[] = {
    {"png", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "PNG, pixels")},
    {"svg", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "SVG, for the web")},
    {"pdf", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "PDF, for print")},
    {"csv", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "CSV, a table")},
    {"md", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "Markdown, a table")},
    {"json", QT_TRANSLATE_NOOP("aether::ui::ExportDialog", "JSON, everything")}};

/// The result with the runs of that device only.
Result only(const Result& result, const std::string& deviceUuid) {
    Result out = result;
    std::erase_if(out.runs, [&](const aether::Run& run) { return run.deviceUuid != deviceUuid; });
    std::erase_if(out.devices, [&](const ResultDevice& d) { return d.uuid != deviceUuid; });
    std::erase_if(out.comparisons, [&](const Comparison& c) {
        return std::none_of(out.runs.begin(), out.runs.end(),
                            [&](const aether::Run& run) { return run.id == c.candidate; });
    });
    return out;
}

std::string document(const std::vector<Result>& results, const QString& format) {
    std::ostringstream out;
    bool first = true;
    for (const Result& result : results) {
        if (format == QLatin1String("csv")) {
            app::writeCsv(out, result, first);
        } else if (format == QLatin1String("md")) {
            app::writeMarkdown(out, result);
        } else {
            app::writeJson(out, result);
        }
        first = false;
    }
    return out.str();
}

}  // namespace

ExportDialog::ExportDialog(const std::vector<Result>& results, const std::vector<Panel>& panels,
                           int onlyPanel, Theme theme, QWidget* parent)
    : QDialog(parent),
      results_(results),
      panels_(panels),
      what_(new QComboBox),
      format_(new QComboBox),
      theme_(new QComboBox),
      scale_(new QComboBox),
      columns_(new QComboBox),
      width_(new QSpinBox),
      realText_(new QCheckBox(tr("Keep text as &text"))),
      trouble_(textLabel({}, 12, QFont::Normal, "danger")) {
    setWindowTitle(tr("Export"));
    what_->addItem(tr("All panels"), -1);
    for (std::size_t i = 0; i < panels.size(); ++i)
        what_->addItem(panels[i].title, static_cast<int>(i));
    what_->setCurrentIndex(onlyPanel + 1);
    for (const Format& format : kFormats)
        format_->addItem(tr(format.title), QString::fromLatin1(format.ending));
    theme_->addItem(tr("Light"), static_cast<int>(Theme::Light));
    theme_->addItem(tr("Dark"), static_cast<int>(Theme::Dark));
    theme_->setCurrentIndex(theme == Theme::Dark ? 1 : 0);
    for (const int scale : {1, 2, 3})
        scale_->addItem(QStringLiteral("%1×").arg(scale), scale);
    scale_->setCurrentIndex(1);
    for (const int columns : {1, 2, 3})
        columns_->addItem(QString::number(columns), columns);
    width_->setRange(400, 4000);
    width_->setValue(720);
    width_->setSuffix(tr(" px"));
    realText_->setToolTip(
        tr("Smaller and searchable, but another typeface is taken where Inter is "
           "missing"));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->addRow(tr("&What"), what_);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Theme"), theme_);
    form->addRow(tr("W&idth"), width_);
    form->addRow(tr("&Columns"), columns_);
    form->addRow(tr("&Scale"), scale_);
    form->addRow(QString(), realText_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setProperty("role", QStringLiteral("primary"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 20);
    column->setSpacing(16);
    column->addLayout(form);
    trouble_->setWordWrap(true);
    trouble_->hide();
    column->addWidget(trouble_);
    column->addWidget(buttons);
    setMinimumWidth(380);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::adapt);
    adapt();
}

QString ExportDialog::format() const {
    return format_->currentData().toString();
}

FigureOptions ExportDialog::figure() const {
    FigureOptions options;
    options.theme = static_cast<Theme>(theme_->currentData().toInt());
    options.width = width_->value();
    options.columns = columns_->currentData().toInt();
    options.scale = scale_->currentData().toInt();
    options.realText = realText_->isChecked();
    return options;
}

/// Only what has an effect on the chosen format can be changed.
void ExportDialog::adapt() {
    const bool drawn = isFigureFormat(format());
    for (QWidget* widget : {static_cast<QWidget*>(theme_), static_cast<QWidget*>(width_),
                            static_cast<QWidget*>(columns_)})
        widget->setEnabled(drawn);
    scale_->setEnabled(format() == QLatin1String("png"));
    realText_->setEnabled(format() == QLatin1String("svg"));
}

void ExportDialog::write(const QString& file) const {
    const int index = what_->currentData().toInt();
    if (isFigureFormat(format())) {
        std::vector<Panel> chosen = panels_;
        if (index >= 0) chosen = {panels_[static_cast<std::size_t>(index)]};
        exportFigure(chosen, file, figure());
        return;
    }
    std::vector<Result> chosen;
    for (const Result& result : results_) {
        if (index < 0) {
            chosen.push_back(result);
            continue;
        }
        Result part = only(result, panels_[static_cast<std::size_t>(index)].deviceUuid);
        if (!part.runs.empty()) chosen.push_back(std::move(part));
    }
    if (format() == QLatin1String("json") && chosen.size() > 1) {
        throw Failure(FailureKind::Usage,
                      tr("A JSON file holds one session: choose a single panel.").toStdString());
    }
    writeFileAtomically(file.toStdString(), document(chosen, format()));
}

void ExportDialog::chooseFile() {
    const int index = what_->currentData().toInt();
    const std::string name = index < 0 ? "training-step" : what_->currentText().toStdString();
    const QString suggestion = QString::fromStdString(app::fileNamePart(name)) + u'.' + format();
    QString file = QFileDialog::getSaveFileName(this, tr("Export"), suggestion,
                                                QStringLiteral("*.") + format());
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().toLower() != format()) file += u'.' + format();
    try {
        write(file);
        written_ = file;
        accept();
    } catch (const Failure& failure) {
        trouble_->setText(QString::fromUtf8(failure.what()));
        trouble_->show();
    }
}

}  // namespace aether::ui
