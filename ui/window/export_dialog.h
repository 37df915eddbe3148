// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QDialog>
#include <vector>

#include "common/result.h"
#include "ui/figure/figure_export.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace aether::ui {

/// Writes what is shown as a figure or a table. The theme of the file is chosen here, whatever the
/// window shows.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    /// `onlyPanel`: index of the panel asked for; -1: all.
    ExportDialog(const std::vector<Result>& results, const std::vector<Panel>& panels,
                 int onlyPanel, Theme theme, QWidget* parent = nullptr);

    /// "png", "svg", "pdf", "csv", "md", "json".
    QString format() const;
    FigureOptions figure() const;
    /// Throws Failure(Usage) with path and cause.
    void write(const QString& file) const;
    /// Where it was written; empty until then.
    const QString& written() const { return written_; }

  private:
    void chooseFile();
    void adapt();

    const std::vector<Result>& results_;
    const std::vector<Panel>& panels_;
    QComboBox* what_;
    QComboBox* format_;
    QComboBox* theme_;
    QComboBox* scale_;
    QComboBox* columns_;
    QSpinBox* width_;
    QCheckBox* realText_;
    QLabel* trouble_;
    QString written_;
};

}  // namespace aether::ui
