// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/about.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QVBoxLayout>
#include <utility>

#include "app/text.h"
#include "common/version.h"
#include "ui/window/labels.h"

namespace aether::ui {
namespace {

struct AboutWords {
    Q_DECLARE_TR_FUNCTIONS(About)
};

using Rows = std::vector<std::pair<QString, QString>>;

void showTable(QWidget* parent, const QString& title, const QString& lead, const Rows& rows) {
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(24, 24, 24, 20);
    column->setSpacing(14);
    column->addWidget(textLabel(title, 16, QFont::DemiBold));
    if (!lead.isEmpty()) {
        QLabel* sentence = textLabel(lead, 13);
        sentence->setWordWrap(true);
        column->addWidget(sentence);
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& [label, value] : rows) {
        QLabel* name = textLabel(label, 12.5, QFont::Normal, "muted");
        name->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        QLabel* text = textLabel(value, 12.5);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        grid->addWidget(name, row, 0);
        grid->addWidget(text, row++, 1);
    }
    column->addLayout(grid);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog.setMinimumWidth(460);
    dialog.exec();
}

}  // namespace

void showAbout(QWidget* parent, const std::vector<app::RunnerInfo>& runners) {
    const auto text = [](const std::string& utf8) {
        return QString::fromStdString(app::oneLine(utf8));
    };
    Rows rows{{AboutWords::tr("Version"), text(std::string(kVersion))},
              {AboutWords::tr("Commit"), text(std::string(kCommit) + (kDirty ? " (dirty)" : ""))},
              {AboutWords::tr("Qt"), QString::fromLatin1(qVersion())}};
    for (const app::RunnerInfo& runner : runners) {
        rows.emplace_back(text(runner.manifest.title),
                          runner.usable()
                              ? text(runner.hello.framework + " " + runner.hello.version)
                              : AboutWords::tr("unavailable: %1").arg(text(runner.unavailable)));
    }
    rows.emplace_back(
        AboutWords::tr("Licences"),
        AboutWords::tr("Window and program GPL-3.0-only; engine, reference and common MIT; "
                       "Inter OFL-1.1; Qt LGPL-3.0 and GPL-3.0 (Qt Charts)"));
    showTable(
        parent, QStringLiteral("Aether Bench"),
        AboutWords::tr("How long does one training step take here, in this engine and in PyTorch, "
                       "and can the comparison be trusted?"),
        rows);
}

void showKeyboardHelp(QWidget* parent) {
    showTable(
        parent, AboutWords::tr("Keyboard"), {},
        {{AboutWords::tr("Tab, Shift+Tab"), AboutWords::tr("next, previous control or panel")},
         {AboutWords::tr("Up, Down, Home, End"), AboutWords::tr("bars of a panel")},
         {AboutWords::tr("Return"), AboutWords::tr("show a bar in the inspector")},
         {AboutWords::tr("Space, Ctrl+Return"), AboutWords::tr("a second bar beside it")},
         {AboutWords::tr("Esc"), AboutWords::tr("cancel the run; close the inspector")},
         {AboutWords::tr("Ctrl+R"), AboutWords::tr("run benchmark")},
         {AboutWords::tr("F5"), AboutWords::tr("ask the runners again")},
         {AboutWords::tr("Ctrl+1, Ctrl+2"), AboutWords::tr("pickers, results")},
         {AboutWords::tr("F2, Del"), AboutWords::tr("rename, delete a result")},
         {AboutWords::tr("Ctrl+O, Ctrl+E"), AboutWords::tr("open files, export")},
         {AboutWords::tr("Ctrl+Shift+C"), AboutWords::tr("copy the chosen bars as Markdown")},
         {AboutWords::tr("F10"), AboutWords::tr("menu")},
         {AboutWords::tr("F1"), AboutWords::tr("documentation")}});
}

}  // namespace aether::ui
