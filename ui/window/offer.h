// SPDX-License-Identifier: GPL-3.0-only
// What the pickers offer: everything a runner said it can do, and why not what it can't.
#pragma once

#include <set>
#include <vector>

#include "app/discovery.h"
#include "ui/window/chip_group.h"

namespace aether::ui {

struct DeviceItem {
    std::string uuid;  ///< for something unavailable: its name
    QString name;
    QString detail;  ///< "CPU · 16 cores", or the reason
    bool available = true;
    bool on = true;  ///< emulated devices are off until asked for
};

/// What was chosen so far narrows what the other pickers offer.
struct Chosen {
    std::set<std::string> devices;     ///< uuids
    std::set<std::string> frameworks;  ///< names of frameworks
};

struct Offer {
    std::vector<DeviceItem> devices;
    std::vector<ChipItem> frameworks, layouts, modes, precisions, versions;
};

std::vector<DeviceItem> devicesOf(const std::vector<app::RunnerInfo>& runners);
std::vector<ChipItem> frameworksOf(const std::vector<app::RunnerInfo>& runners);
Offer offerOf(const std::vector<app::RunnerInfo>& runners, const Chosen& chosen);

}  // namespace aether::ui
