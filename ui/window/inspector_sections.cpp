// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/inspector_sections.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/text.h"
#include "ui/theme/fonts.h"
#include "ui/window/labels.h"
#include "ui/window/sample_chart.h"
#include "ui/window/share_delegate.h"
#include "ui/window/stage_bar.h"

namespace aether::ui {
namespace {

struct InspectorWords {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

constexpr int kRowHeight = 24;

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

struct Section {
    QWidget* widget = new QWidget;
    QVBoxLayout* column = new QVBoxLayout(widget);
    explicit Section(const QString& heading = {}) {
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(6);
        if (!heading.isEmpty()) column->addWidget(headingLabel(heading));
    }
};

QWidget* figure(const QString& value, const QString& caption) {
    Section section;
    section.column->setSpacing(1);
    section.column->addWidget(textLabel(value, 17, QFont::DemiBold));
    section.column->addWidget(textLabel(caption, 11, QFont::Normal, "muted"));
    return section.widget;
}

QLabel* wrapped(const QString& sentence, const char* role) {
    QLabel* label = textLabel(sentence, 12, QFont::Normal, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QTableWidgetItem* cell(const QString& content, Qt::Alignment align = Qt::AlignLeft) {
    auto* item = new QTableWidgetItem(content);
    item->setTextAlignment(align | Qt::AlignVCenter);
    item->setFont(uiFont(12));
    return item;
}

QTableWidget* stageTable(const QStringList& heads) {
    auto* table = new QTableWidget(0, static_cast<int>(heads.size()));
    table->setHorizontalHeaderLabels(heads);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(InspectorWords::tr("Stages"));
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->horizontalHeader()->setFont(uiFont(11, QFont::DemiBold));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 0; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment(
            (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (column > 0) table->setColumnWidth(column, 66);
    }
    return table;
}

void fit(QTableWidget* table) {
    table->setFixedHeight(table->rowCount() * kRowHeight + 30);
}

QString indented(const app::StageRow& row) {
    return QString(row.depth * 3, u' ') + text(row.name);
}

QString sumSentence(const app::Breakdown& breakdown) {
    return InspectorWords::tr(
               "The stages sum to %1 of %2 ms in the profiled steps (%3); those are never "
               "samples.")
        .arg(text(app::fixed(breakdown.sumMs, 2)), text(app::fixed(breakdown.stepMs, 2)),
             text(app::percent(breakdown.stepMs > 0 ? breakdown.sumMs / breakdown.stepMs : 0)));
}

bool anyDeviceTime(const app::Breakdown& breakdown) {
    return std::any_of(breakdown.rows.begin(), breakdown.rows.end(),
                       [](const app::StageRow& row) { return row.deviceMs.has_value(); });
}

QString ms(double value) {
    return text(app::fixed(value, 3));
}

}  // namespace

QWidget* headSection(const Bar& bar, const QString& device) {
    Section section;
    section.column->setSpacing(4);
    QLabel* name = textLabel(bar.name, 15, QFont::DemiBold);
    name->setWordWrap(true);
    section.column->addWidget(name);
    QLabel* detail =
        textLabel(bar.detail + QStringLiteral("  ·  ") + device, 12, QFont::Normal, "muted");
    detail->setWordWrap(true);
    section.column->addWidget(detail);
    if (bar.hasValue()) {
        auto* row = new QHBoxLayout;
        row->setSpacing(18);
        row->setContentsMargins(0, 8, 0, 0);
        const bool several = bar.step.n > 1;
        row->addWidget(figure(stepText(bar.step.median) + QStringLiteral(" ms"),
                              several ? InspectorWords::tr("median of %1").arg(bar.step.n)
                                      : InspectorWords::tr("one value")));
        if (several) {
            row->addWidget(
                figure(stepText(bar.step.min) + QStringLiteral("–") + stepText(bar.step.max),
                       InspectorWords::tr("min–max")));
        }
        if (bar.ratio && bar.counts()) {
            row->addWidget(figure(QString::number(*bar.ratio, 'f', 2) + QStringLiteral("×"),
                                  bar.reference ? InspectorWords::tr("the reference")
                                                : InspectorWords::tr("vs PyTorch")));
        }
        row->addStretch();
        section.column->addLayout(row);
    }
    if (!bar.reason.isEmpty()) section.column->addWidget(wrapped(bar.reason, "danger"));
    return section.widget;
}

QWidget* stageSection(const aether::Run& run, const Tokens& tokens) {
    Section section(InspectorWords::tr("Stages of one step"));
    if (!run.stages) {
        section.column->addWidget(
            wrapped(InspectorWords::tr("No breakdown was recorded."), "muted"));
        return section.widget;
    }
    const app::Breakdown breakdown = app::breakdownOf(*run.stages);
    auto* bar = new StageBar;
    bar->setTokens(tokens);
    bar->setBreakdown(breakdown);
    section.column->addWidget(bar);
    const bool device = anyDeviceTime(breakdown);
    QStringList heads{InspectorWords::tr("Stage"), InspectorWords::tr("wall ms")};
    if (device) heads << InspectorWords::tr("device ms");
    heads << InspectorWords::tr("Share");
    QTableWidget* table = stageTable(heads);
    const int share = table->columnCount() - 1;
    table->setColumnWidth(share, 118);
    table->setItemDelegateForColumn(share, new ShareDelegate(tokens, table));
    double largest = 0;
    for (const app::StageRow& row : breakdown.rows)
        largest = std::max(largest, row.share);
    for (const app::StageRow& row : breakdown.rows) {
        const int at = table->rowCount();
        table->insertRow(at);
        table->setItem(at, 0, cell(indented(row)));
        table->setItem(at, 1, cell(ms(row.wallMs), Qt::AlignRight));
        if (device) {
            table->setItem(
                at, 2,
                cell(row.deviceMs ? ms(*row.deviceMs) : QStringLiteral("–"), Qt::AlignRight));
        }
        QTableWidgetItem* item = cell(text(app::percent(row.share)), Qt::AlignRight);
        ShareDelegate::set(*item, largest > 0 ? row.share / largest : 0, phaseNamed(row.phase),
                           row.depth > 0);
        table->setItem(at, share, item);
    }
    fit(table);
    section.column->addWidget(table);
    section.column->addWidget(wrapped(sumSentence(breakdown), "muted"));
    return section.widget;
}

QWidget* stagePairSection(const aether::Run& left, const QString& leftName,
                          const aether::Run& right, const QString& rightName,
                          const Tokens& tokens) {
    Section section(InspectorWords::tr("Stage by stage"));
    if (!left.stages || !right.stages) {
        section.column->addWidget(wrapped(InspectorWords::tr("No breakdown was recorded for %1.")
                                              .arg(!left.stages ? leftName : rightName),
                                          "muted"));
        return section.widget;
    }
    const app::Breakdown a = app::breakdownOf(*left.stages), b = app::breakdownOf(*right.stages);
    const double scale = std::max({a.stepMs, a.sumMs, b.stepMs, b.sumMs});
    for (const auto& [name, breakdown] : {std::pair{leftName, &a}, std::pair{rightName, &b}}) {
        section.column->addWidget(textLabel(name, 12, QFont::Medium));
        auto* bar = new StageBar;
        bar->setTokens(tokens);
        bar->setBreakdown(*breakdown, scale);
        section.column->addWidget(bar);
    }
    QTableWidget* table = stageTable({InspectorWords::tr("Stage"), InspectorWords::tr("A, ms"),
                                      InspectorWords::tr("B, ms"), InspectorWords::tr("A / B")});
    const auto add = [&](const QString& name, std::optional<double> x, std::optional<double> y) {
        const int at = table->rowCount();
        table->insertRow(at);
        table->setItem(at, 0, cell(name));
        table->setItem(at, 1, cell(x ? ms(*x) : QStringLiteral("–"), Qt::AlignRight));
        table->setItem(at, 2, cell(y ? ms(*y) : QStringLiteral("–"), Qt::AlignRight));
        const QString ratio = x && y && *y > 0 ? QString::number(*x / *y, 'f', 2) : QString();
        table->setItem(at, 3, cell(ratio, Qt::AlignRight));
    };
    const auto timeOf = [](const app::Breakdown& in, const app::StageRow& like) {
        std::optional<double> sum;
        for (const app::StageRow& row : in.rows) {
            if (row.name == like.name && row.phase == like.phase && row.depth == like.depth)
                sum = sum.value_or(0) + row.wallMs;
        }
        return sum;
    };
    QStringList done;
    for (const app::Breakdown* breakdown : {&a, &b}) {
        for (const app::StageRow& row : breakdown->rows) {
            const QString name =
                indented(row) + QStringLiteral(", ") + phaseTitle(phaseNamed(row.phase)).toLower();
            if (done.contains(name)) continue;
            done << name;
            add(name, timeOf(a, row), timeOf(b, row));
        }
    }
    add(InspectorWords::tr("whole step"), a.stepMs, b.stepMs);
    fit(table);
    section.column->addWidget(table);
    section.column->addWidget(
        wrapped(InspectorWords::tr("A: %1; B: %2. Frameworks cut a step into stages of "
                                   "their own; only what has the same name is compared.")
                    .arg(leftName, rightName),
                "muted"));
    return section.widget;
}

QWidget* sampleSection(const aether::Run& run, Series series, const Tokens& tokens) {
    Section section(InspectorWords::tr("Samples, ms per step"));
    if (run.samples.empty()) {
        section.column->addWidget(wrapped(InspectorWords::tr("There is no sample."), "muted"));
        return section.widget;
    }
    auto* chart = new SampleChart;
    chart->show(run.samples, series, tokens);
    section.column->addWidget(chart);
    const auto invalid = std::count_if(run.samples.begin(), run.samples.end(),
                                       [](const RoundSample& s) { return !s.valid(); });
    if (invalid > 0) {
        const auto first = std::find_if(run.samples.begin(), run.samples.end(),
                                        [](const RoundSample& s) { return !s.valid(); });
        section.column->addWidget(
            wrapped(InspectorWords::tr("%1 of %2 do not count; the first, of round %3: %4")
                        .arg(invalid)
                        .arg(run.samples.size())
                        .arg(first->round)
                        .arg(text(app::oneLine(app::join(first->flags, "; ")))),
                    "warn"));
    }
    return section.widget;
}

QWidget* detailSection(const QString& heading, const app::Details& left,
                       const app::Details* right) {
    Section section(heading);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    const auto valueOf = [](const app::Details& in, const std::string& label) {
        const auto found = std::find_if(in.begin(), in.end(),
                                        [&](const auto& entry) { return entry.first == label; });
        return text(found == in.end() ? std::string("–") : found->second);
    };
    const auto add = [&](const std::string& label) {
        const int row = grid->rowCount();
        QLabel* caption = textLabel(text(label), 12, QFont::Normal, "muted");
        caption->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(caption, row, 0);
        QString shown = valueOf(left, label);
        const QString other = right == nullptr ? shown : valueOf(*right, label);
        const bool differs = shown != other;
        if (differs) shown = QStringLiteral("A  %1\nB  %2").arg(shown, other);
        QLabel* value = wrapped(shown, "");
        value->setFont(uiFont(12, differs ? QFont::DemiBold : QFont::Normal));
        grid->addWidget(value, row, 1);
    };
    for (const auto& [label, value] : left)
        add(label);
    if (right != nullptr) {
        for (const auto& [label, value] : *right) {
            if (valueOf(left, label) == QStringLiteral("–")) add(label);
        }
    }
    section.column->addLayout(grid);
    return section.widget;
}

}  // namespace aether::ui
