// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/chip_group.h"

#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "ui/tool_tip.h"
#include "ui/window/flow_layout.h"
#include "ui/window/labels.h"

namespace aether::ui {

ChipGroup::ChipGroup(const QString& heading, QWidget* parent) : QWidget(parent), heading_(heading) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(headingLabel(heading));
    flow_ = new FlowLayout(6);
    column->addLayout(flow_);
    setVisible(false);
}

void ChipGroup::setItems(const std::vector<ChipItem>& items) {
    std::map<std::string, bool> before;
    for (const Chip& chip : chips_) {
        if (chip.button->isEnabled()) before[chip.value] = chip.button->isChecked();
        delete chip.button;
    }
    chips_.clear();
    for (const ChipItem& item : items) {
        auto* button = new QToolButton(this);
        button->setProperty("role", QStringLiteral("chip"));
        button->setText(item.label);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(heading_ + QStringLiteral(": ") + item.label);
        button->setToolTip(plainToolTip(item.reason));
        button->setAccessibleDescription(item.reason);
        button->setEnabled(item.reason.isEmpty());
        const auto known = before.find(item.value);
        button->setChecked(item.reason.isEmpty() &&
                           (known != before.end() ? known->second : item.on));
        connect(button, &QToolButton::toggled, this, &ChipGroup::changed);
        flow_->addWidget(button);
        chips_.push_back({item.value, button, item.on});
    }
    setVisible(!chips_.empty());
}

std::vector<std::string> ChipGroup::chosen() const {
    std::vector<std::string> values;
    for (const Chip& chip : chips_) {
        if (chip.button->isEnabled() && chip.button->isChecked()) values.push_back(chip.value);
    }
    return values;
}

std::vector<std::string> ChipGroup::chosenOrDefault() const {
    const bool untouched = std::all_of(chips_.begin(), chips_.end(), [](const Chip& chip) {
        return !chip.button->isEnabled() || chip.button->isChecked() == chip.onByItself;
    });
    return untouched ? std::vector<std::string>{} : chosen();
}

bool ChipGroup::anyToChoose() const {
    return std::any_of(chips_.begin(), chips_.end(),
                       [](const Chip& chip) { return chip.button->isEnabled(); });
}

void ChipGroup::choose(const std::vector<std::string>& values) {
    for (const Chip& chip : chips_) {
        const bool on = std::find(values.begin(), values.end(), chip.value) != values.end();
        if (chip.button->isEnabled()) chip.button->setChecked(on);
    }
}

}  // namespace aether::ui
