// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/inspector.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include "ui/window/inspector_sections.h"
#include "ui/window/labels.h"

namespace aether::ui {
namespace {

constexpr int kTwoColumnsFrom = 620;

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      tokens_(&Tokens::get(Theme::Light)),
      scroll_(new QScrollArea),
      empty_(textLabel(tr("Choose a bar to see its stages, samples and parity.\nCtrl and a click "
                          "choose a second one beside it."),
                       13, QFont::Normal, "muted")) {
    setObjectName(QStringLiteral("inspector"));
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(300);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setContentsMargins(24, 24, 24, 24);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setAccessibleName(tr("Details of the chosen bars"));
    column->addWidget(empty_);
    column->addWidget(scroll_);
    rebuild();
}

void Inspector::setTokens(const Tokens& tokens) {
    tokens_ = &tokens;
    rebuild();
}

void Inspector::show(const std::vector<Result>& results, const std::vector<Panel>& panels,
                     const std::vector<std::string>& keys) {
    results_ = results;
    chosen_.clear();
    for (const std::string& key : keys) {
        for (const Panel& panel : panels) {
            for (const Bar& bar : panel.bars) {
                if (bar.key == key) choose(bar, panel.title);
            }
        }
    }
    rebuild();
}

void Inspector::choose(const Bar& bar, const QString& device) {
    for (const aether::Run& run : results_[bar.result].runs) {
        if (run.id == bar.id) chosen_.push_back({run, bar, device});
    }
}

void Inspector::rebuild() {
    const int at =
        scroll_->verticalScrollBar() != nullptr ? scroll_->verticalScrollBar()->value() : 0;
    empty_->setVisible(chosen_.empty());
    scroll_->setVisible(!chosen_.empty());
    columns_ = nullptr;
    if (chosen_.empty()) {
        delete scroll_->takeWidget();
        return;
    }
    scroll_->setWidget(chosen_.size() == 1 ? single(chosen_[0]) : pair(chosen_[0], chosen_[1]));
    arrange();
    scroll_->verticalScrollBar()->setValue(at);
}

QWidget* Inspector::single(const Chosen& chosen) {
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("inspectorBody"));
    columns_ = new QBoxLayout(QBoxLayout::TopToBottom, body);
    columns_->setContentsMargins(16, 16, 16, 16);
    columns_->setSpacing(22);
    auto* first = new QVBoxLayout;
    auto* second = new QVBoxLayout;
    for (QVBoxLayout* column : {first, second}) {
        column->setSpacing(22);
        columns_->addLayout(column, 1);
    }
    first->addWidget(headSection(chosen.bar, chosen.device));
    const Result& result = results_[chosen.bar.result];
    for (const Comparison& comparison : result.comparisons) {
        if (comparison.candidate != chosen.run.id) continue;
        QLabel* sentence = textLabel(QString::fromStdString(comparison.sentence), 12);
        sentence->setWordWrap(true);
        sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
        first->addWidget(sentence);
    }
    first->addWidget(stageSection(chosen.run, *tokens_));
    first->addStretch();
    second->addWidget(sampleSection(chosen.run, chosen.bar.series, *tokens_));
    second->addWidget(detailSection(tr("Parity with float64"), app::parityDetails(chosen.run)));
    second->addWidget(detailSection(tr("Run"), app::runDetails(result, chosen.run)));
    second->addWidget(copyButton());
    second->addStretch();
    return body;
}

QWidget* Inspector::pair(const Chosen& left, const Chosen& right) {
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("inspectorBody"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(22);
    const auto name = [](const QString& letter, const Chosen& chosen) {
        return letter + QStringLiteral("  ") + chosen.bar.name;
    };
    Bar a = left.bar, b = right.bar;
    a.name = name(QStringLiteral("A"), left);
    b.name = name(QStringLiteral("B"), right);
    column->addWidget(headSection(a, left.device));
    column->addWidget(headSection(b, right.device));
    if (a.counts() && b.counts()) {
        const double ratio = a.step.median / b.step.median;
        QLabel* sentence =
            textLabel((ratio >= 1 ? tr("B takes %1 × less time than A (ratio of medians).")
                                  : tr("A takes %1 × less time than B (ratio of medians)."))
                          .arg(ratio >= 1 ? ratio : 1 / ratio, 0, 'f', 2),
                      12, QFont::Medium);
        sentence->setWordWrap(true);
        column->addWidget(sentence);
    }
    column->addWidget(
        stagePairSection(left.run, left.bar.name, right.run, right.bar.name, *tokens_));
    const app::Details parityA = app::parityDetails(left.run),
                       parityB = app::parityDetails(right.run);
    column->addWidget(detailSection(tr("Parity with float64, A and B"), parityA, &parityB));
    const app::Details runA = app::runDetails(results_[left.bar.result], left.run),
                       runB = app::runDetails(results_[right.bar.result], right.run);
    column->addWidget(detailSection(tr("Runs, A and B"), runA, &runB));
    column->addWidget(copyButton());
    column->addStretch();
    return body;
}

QWidget* Inspector::copyButton() {
    auto* button = new QPushButton(tr("Copy as &Markdown"));
    button->setToolTip(tr("Ctrl+Shift+C"));
    connect(button, &QPushButton::clicked, this, &Inspector::copyMarkdown);
    return button;
}

QString Inspector::markdown() const {
    if (chosen_.empty()) return {};
    std::vector<app::RunRef> runs;
    for (const Chosen& chosen : chosen_)
        runs.push_back({&results_[chosen.bar.result], &chosen.run});
    return QString::fromStdString(app::runsMarkdown(runs));
}

void Inspector::copyMarkdown() const {
    QApplication::clipboard()->setText(markdown());
}

void Inspector::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

/// Below the panels there is more width than height: then two columns.
void Inspector::arrange() {
    if (columns_ == nullptr) return;
    const bool wide = width() >= kTwoColumnsFrom;
    columns_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    columns_->setSpacing(wide ? 32 : 22);
    // One below the other, each is as high as it needs and the rest stays empty at the end.
    columns_->setStretch(0, wide ? 1 : 0);
    columns_->setStretch(1, 1);
}

}  // namespace aether::ui
