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

struct Words {
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
    Rows rows{{Words::tr("Version"), text(std::string(kVersion))},
              {Words::tr("Commit"), text(std::string(kCommit) + (kDirty ? " (dirty)" : ""))},
              {Words::tr("Qt"), QString::fromLatin1(qVersion())}};
    for (const app::RunnerInfo& runner : runners) {
        rows.emplace_back(text(runner.manifest.title),
                          runner.usable()
                              ? text(runner.hello.framework + " " + runner.hello.version)
                              : Words::tr("unavailable: %1").arg(text(runner.unavailable)));
    }
    rows.emplace_back(
        Words::tr("Licences"),
        Words::tr("Window and program GPL-3.0-only; engine, reference and common MIT; "
                  "Inter OFL-1.1; Qt LGPL-3.0 and GPL-3.0 (Qt Charts)"));
    showTable(parent, QStringLiteral("Aether Bench"),
              Words::tr("How long does one training step take here, in this engine and in PyTorch, "
                        "and can the comparison be trusted?"),
              rows);
}

void showKeyboardHelp(QWidget* parent) {
    showTable(parent, Words::tr("Keyboard"), {},
              {{Words::tr("Tab, Shift+Tab"), Words::tr("next, previous control or panel")},
               {Words::tr("Up, Down, Home, End"), Words::tr("bars of a panel")},
               {Words::tr("Return"), Words::tr("show a bar in the inspector")},
               {Words::tr("Space, Ctrl+Return"), Words::tr("a second bar beside it")},
               {Words::tr("Esc"), Words::tr("cancel the run; close the inspector")},
               {Words::tr("Ctrl+R"), Words::tr("run benchmark")},
               {Words::tr("F5"), Words::tr("ask the runners again")},
               {Words::tr("Ctrl+1, Ctrl+2"), Words::tr("pickers, results")},
               {Words::tr("F2, Del"), Words::tr("rename, delete a result")},
               {Words::tr("Ctrl+O, Ctrl+E"), Words::tr("open files, export")},
               {Words::tr("Ctrl+Shift+C"), Words::tr("copy the chosen bars as Markdown")},
               {Words::tr("F10"), Words::tr("menu")},
               {Words::tr("F1"), Words::tr("documentation")}});
}

}  // namespace aether::ui
