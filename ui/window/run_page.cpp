// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/run_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/machine_load.h"
#include "app/paths.h"
#include "app/session_options.h"
#include "app/text.h"
#include "ui/settings.h"
#include "ui/theme/fonts.h"
#include "ui/tool_tip.h"
#include "ui/window/labels.h"

namespace aether::ui {
namespace {

QLabel* caption(const QString& text, QWidget* of) {
    QLabel* label = textLabel(text, 12, QFont::Normal, "muted");
    label->setBuddy(of);
    return label;
}

}  // namespace

RunPage::RunPage(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    body_ = pickers();
    scroll->setWidget(body_);
    column->addWidget(scroll, 1);
    column->addWidget(runBar());
    setRunning(false);
}

QWidget* RunPage::pickers() {
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("sidebarBody"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(14);
    auto* group = new QVBoxLayout;
    group->setSpacing(6);
    group->addWidget(headingLabel(tr("Devices")));
    searching_ = textLabel({}, 12, QFont::Normal, "muted");
    searching_->setWordWrap(true);
    group->addWidget(searching_);
    devices_ = new QVBoxLayout;
    devices_->setSpacing(8);
    group->addLayout(devices_);
    column->addLayout(group);
    const auto chips = [&](const QString& heading) {
        auto* chipGroup = new ChipGroup(heading);
        column->addWidget(chipGroup);
        return chipGroup;
    };
    frameworks_ = chips(tr("Framework"));
    versions_ = chips(tr("Engine version"));
    precisions_ = chips(tr("Precision"));
    layouts_ = chips(tr("Layout"));
    modes_ = chips(tr("PyTorch mode"));
    connect(frameworks_, &ChipGroup::changed, this, [this] {
        rebuildChips();
        Q_EMIT changed();
    });
    for (ChipGroup* each : {versions_, precisions_, layouts_, modes_})
        connect(each, &ChipGroup::changed, this, &RunPage::changed);
    column->addWidget(procedure());
    column->addStretch();
    return body;
}

QWidget* RunPage::procedure() {
    auto* widget = new QWidget;
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(headingLabel(tr("Procedure")));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(6);
    workload_ = new QComboBox;
    workload_->addItem(QStringLiteral("cifar10-v1"));
    workload_->addItem(QStringLiteral("cifar10-v2"));
    workload_->setAccessibleName(tr("Workload"));
    form->addRow(caption(tr("&Workload"), workload_), workload_);
    rounds_ = new QSpinBox;
    rounds_->setRange(1, app::kMostRounds);
    rounds_->setValue(app::SessionOptions{}.rounds);
    rounds_->setAccessibleName(tr("Rounds"));
    rounds_->setToolTip(
        plainToolTip(tr("Every round measures each variant once, in shuffled order. A "
                        "verdict needs at least 6.")));
    form->addRow(caption(tr("R&ounds"), rounds_), rounds_);
    threads_ = new QSpinBox;
    threads_->setRange(1, std::max<int>(1, static_cast<int>(app::usableCores().size())));
    threads_->setValue(static_cast<int>(app::physicalCores().size()));
    threads_->setAccessibleName(tr("CPU threads"));
    threads_->setToolTip(plainToolTip(tr("The same for every framework, on the same cores.")));
    form->addRow(caption(tr("CPU &threads"), threads_), threads_);
    column->addLayout(form);
    verify_ = new QCheckBox(tr("&Verify against float64"));
    verify_->setChecked(true);
    verify_->setToolTip(
        plainToolTip(tr("Before anything is timed, every variant has to prove that it "
                        "computes the same step.")));
    column->addWidget(verify_);
    connect(workload_, &QComboBox::currentIndexChanged, this, &RunPage::changed);
    connect(rounds_, &QSpinBox::valueChanged, this, &RunPage::changed);
    connect(threads_, &QSpinBox::valueChanged, this, &RunPage::changed);
    connect(verify_, &QCheckBox::toggled, this, &RunPage::changed);
    return widget;
}

QWidget* RunPage::runBar() {
    auto* bar = new QFrame;
    bar->setObjectName(QStringLiteral("runBar"));
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(16, 12, 16, 16);
    column->setSpacing(8);
    summary_ = textLabel({}, 12, QFont::Normal, "muted");
    summary_->setWordWrap(true);
    column->addWidget(summary_);
    progressText_ = textLabel({}, 12, QFont::Normal, "muted");
    progressText_->setWordWrap(true);
    column->addWidget(progressText_);
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the session"));
    column->addWidget(progress_);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    run_ = new QPushButton(tr("&Run benchmark"));
    run_->setProperty("role", QStringLiteral("primary"));
    run_->setToolTip(tr("Ctrl+R"));
    cancel_ = new QPushButton(tr("&Cancel"));
    cancel_->setToolTip(tr("Ends every runner and keeps what was measured (Esc)"));
    buttons->addWidget(run_, 1);
    buttons->addWidget(cancel_, 1);
    column->addLayout(buttons);
    connect(run_, &QPushButton::clicked, this, &RunPage::runWanted);
    connect(cancel_, &QPushButton::clicked, this, &RunPage::cancelWanted);
    return bar;
}

void RunPage::setSearching() {
    searching_->setText(tr("Asking the runners what is here…"));
    searching_->show();
}

void RunPage::setRunners(const std::vector<app::RunnerInfo>& runners) {
    runners_ = runners;
    rebuildDevices();
    frameworks_->setItems(frameworksOf(runners_));
    rebuildChips();
    Q_EMIT changed();
}

void RunPage::rebuildDevices() {
    while (QLayoutItem* item = devices_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    boxes_.clear();
    const std::vector<DeviceItem> devices = devicesOf(runners_);
    searching_->setVisible(devices.empty());
    searching_->setText(tr("No device: no runner could be started. Help explains how to add one."));
    for (const DeviceItem& device : devices) {
        auto* row = new QWidget;
        auto* column = new QVBoxLayout(row);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(1);
        auto* box = new QCheckBox(QString(device.name).replace(u'&', QStringLiteral("&&")));
        box->setFont(uiFont(13, QFont::Medium));
        box->setEnabled(device.available);
        box->setChecked(device.available && device.on);
        box->setToolTip(plainToolTip(device.name + QStringLiteral(": ") + device.detail));
        box->setAccessibleDescription(device.detail);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        column->addWidget(box);
        const QString detail =
            device.available ? device.detail : tr("unavailable: %1").arg(device.detail);
        QLabel* label = textLabel(detail, 11, QFont::Normal, "muted");
        label->setWordWrap(true);
        label->setIndent(24);
        column->addWidget(label);
        devices_->addWidget(row);
        boxes_.push_back({device.uuid, box});
        connect(box, &QCheckBox::toggled, this, [this] {
            rebuildChips();
            Q_EMIT changed();
        });
    }
}

Chosen RunPage::chosen() const {
    Chosen out;
    for (const DeviceBox& device : boxes_) {
        if (device.box->isEnabled() && device.box->isChecked()) out.devices.insert(device.uuid);
    }
    for (const std::string& framework : frameworks_->chosen())
        out.frameworks.insert(framework);
    return out;
}

void RunPage::rebuildChips() {
    const Offer offer = offerOf(runners_, chosen());
    layouts_->setItems(offer.layouts);
    modes_->setItems(offer.modes);
    precisions_->setItems(offer.precisions);
    versions_->setItems(offer.versions);
}

app::SessionOptions RunPage::options() const {
    app::SessionOptions options;
    const Chosen now = chosen();
    options.plan.devices.assign(now.devices.begin(), now.devices.end());
    options.plan.frameworks.assign(now.frameworks.begin(), now.frameworks.end());
    // With every layout on, a runner that has only one of them is not asked for the other.
    options.plan.layouts = layouts_->chosenOrDefault();
    options.plan.modes = modes_->chosenOrDefault();
    options.plan.precisions = precisions_->chosen();
    options.plan.engineVersions = versions_->chosen();
    options.workload = app::resourceRoot() / "resources" / "workloads" /
                       (workload_->currentText().toStdString() + ".json");
    options.rounds = rounds_->value();
    options.verify = verify_->isChecked();
    options.threads = threads_->value();
    options.cores = app::coresFor(options.threads);
    options.argv = {"aether-bench"};
    return options;
}

QString RunPage::missing() const {
    const Chosen now = chosen();
    if (now.devices.empty()) return tr("Choose a device.");
    if (now.frameworks.empty()) return tr("Choose a framework.");
    for (const ChipGroup* group : {precisions_, layouts_, modes_, versions_}) {
        if (group->anyToChoose() && group->chosen().empty())
            return tr("Choose at least one: %1.").arg(group->heading().toLower());
    }
    return {};
}

void RunPage::choose(const app::SessionOptions& options) {
    const auto& devices = options.plan.devices;
    for (const DeviceBox& device : boxes_) {
        if (!device.box->isEnabled() || devices.empty()) continue;
        device.box->setChecked(std::find(devices.begin(), devices.end(), device.uuid) !=
                               devices.end());
    }
    // What a list leaves open stays as it is.
    const auto choose = [](ChipGroup* group, const std::vector<std::string>& values) {
        if (!values.empty() && values != std::vector<std::string>{"all"}) group->choose(values);
    };
    choose(frameworks_, options.plan.frameworks);
    choose(layouts_, options.plan.layouts);
    choose(modes_, options.plan.modes);
    choose(precisions_, options.plan.precisions);
    choose(versions_, options.plan.engineVersions);
    workload_->setCurrentText(QString::fromStdString(options.workload.stem().string()));
    rounds_->setValue(options.rounds);
    threads_->setValue(options.threads);
    verify_->setChecked(options.verify);
}

void RunPage::rememberChoices() const {
    if (runners_.empty()) return;
    const app::SessionOptions now = options();
    const auto keep = [](const char* key, const std::vector<std::string>& values) {
        QStringList list;
        for (const std::string& value : values)
            list << QString::fromStdString(value);
        settings().setValue(QStringLiteral("choices/") + QLatin1String(key), list);
    };
    keep("devices", now.plan.devices);
    keep("frameworks", now.plan.frameworks);
    keep("layouts", layouts_->chosen());
    keep("modes", modes_->chosen());
    keep("precisions", now.plan.precisions);
    keep("versions", now.plan.engineVersions);
    keep("workload", {workload_->currentText().toStdString()});
    settings().setValue(QStringLiteral("choices/rounds"), now.rounds);
    settings().setValue(QStringLiteral("choices/threads"), now.threads);
    settings().setValue(QStringLiteral("choices/verify"), now.verify);
}

void RunPage::restoreChoices() {
    if (!settings().contains(QStringLiteral("choices/devices"))) return;
    const auto kept = [](const char* key) {
        std::vector<std::string> values;
        for (const QString& value :
             settings().value(QStringLiteral("choices/") + QLatin1String(key)).toStringList())
            values.push_back(value.toStdString());
        return values;
    };
    app::SessionOptions before = options();
    before.plan.devices = kept("devices");
    before.plan.frameworks = kept("frameworks");
    before.plan.layouts = kept("layouts");
    before.plan.modes = kept("modes");
    before.plan.precisions = kept("precisions");
    before.plan.engineVersions = kept("versions");
    const std::vector<std::string> workload = kept("workload");
    if (!workload.empty()) before.workload = workload.front();
    before.rounds = settings().value(QStringLiteral("choices/rounds"), before.rounds).toInt();
    before.threads = settings().value(QStringLiteral("choices/threads"), before.threads).toInt();
    before.verify = settings().value(QStringLiteral("choices/verify"), before.verify).toBool();
    choose(before);
}

void RunPage::setSummary(const QString& text, bool startable) {
    summary_->setText(text);
    run_->setEnabled(startable);
}

void RunPage::setRunning(bool running) {
    body_->setEnabled(!running);
    run_->setVisible(!running);
    cancel_->setVisible(running);
    progress_->setVisible(running);
    progressText_->setVisible(running);
    summary_->setVisible(!running);
    if (running) setProgress(0, 0, -1, tr("starting"));
}

void RunPage::setProgress(int done, int total, double etaSeconds, const QString& message) {
    progress_->setRange(0, std::max(1, total));
    progress_->setValue(done);
    QString text = message;
    if (etaSeconds >= 0) {
        text += tr("  ·  about %1 left")
                    .arg(QString::fromStdString(app::duration(std::ceil(etaSeconds))));
    }
    progressText_->setText(text);
}

}  // namespace aether::ui
