// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/offer.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <map>

#include "app/text.h"
#include "common/result.h"

namespace aether::ui {
namespace {

struct OfferWords {
    Q_DECLARE_TR_FUNCTIONS(Offer)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(app::oneLine(utf8));
}

QString deviceDetail(const protocol::Device& device) {
    QStringList parts;
    if (device.kind == "emulated") parts << OfferWords::tr("emulated on the CPU, for tests");
    if (device.kind == "cpu") parts << OfferWords::tr("CPU");
    if (device.kind == "gpu") parts << OfferWords::tr("GPU");
    if (device.cores) parts << OfferWords::tr("%1 cores").arg(*device.cores);
    if (!device.instructionSets.empty()) parts << text(app::upper(device.instructionSets.back()));
    if (device.memoryBytes)
        parts << OfferWords::tr("%1 GB").arg(
            qRound(static_cast<double>(*device.memoryBytes) / 1e9));
    return parts.join(QStringLiteral(" · "));
}

/// Values of one axis in the order in which they were first met, each with the reason that stands
/// against it as long as nobody offers it.
class OfferedValues {
  public:
    void offer(const std::string& value, bool on, const QString& reason) {
        ChipItem& item = at(value);
        if (reason.isEmpty()) {
            item.on = offered_.insert(value).second ? on : item.on || on;
        } else {
            reasons_[value] = reason;
        }
    }
    /// Shown although nobody on the chosen devices has it.
    void expect(const std::string& value) { at(value); }

    std::vector<ChipItem> items() {
        for (ChipItem& item : items_) {
            if (offered_.count(item.value) != 0) continue;
            const auto reason = reasons_.find(item.value);
            item.reason =
                reason != reasons_.end()
                    ? reason->second
                    : OfferWords::tr("no runner offers %1 on the chosen devices").arg(item.label);
            item.on = false;
        }
        return items_;
    }

  private:
    ChipItem& at(const std::string& value) {
        const auto found = std::find_if(items_.begin(), items_.end(),
                                        [&](const ChipItem& i) { return i.value == value; });
        if (found != items_.end()) return *found;
        items_.push_back({value, text(value), {}, true});
        return items_.back();
    }

    std::vector<ChipItem> items_;
    std::set<std::string> offered_;
    std::map<std::string, QString> reasons_;
};

/// Why every configuration with that value is impossible; empty when some are possible.
template <class Field>
QString impossible(const protocol::Device& device, Field field, const std::string& value) {
    for (const protocol::Unsupported& entry : device.unsupported) {
        const int fields = entry.layout.has_value() + entry.mode.has_value() +
                           entry.version.has_value() + entry.precision.has_value();
        if (fields == 1 && (entry.*field) == value) return text(entry.reason);
    }
    return {};
}

}  // namespace

std::vector<DeviceItem> devicesOf(const std::vector<app::RunnerInfo>& runners) {
    std::vector<DeviceItem> devices;
    const auto known = [&](const std::string& uuid) {
        return std::any_of(devices.begin(), devices.end(),
                           [&](const DeviceItem& d) { return d.uuid == uuid; });
    };
    for (const app::RunnerInfo& runner : runners) {
        for (const protocol::Device& device : runner.description.devices) {
            if (!known(device.uuid)) {
                devices.push_back({device.uuid, text(device.name), deviceDetail(device), true,
                                   device.kind != "emulated"});
            }
        }
    }
    for (const app::RunnerInfo& runner : runners) {
        for (const protocol::UnavailableDevice& device : runner.description.unavailable) {
            if (!known(device.device)) {
                devices.push_back({device.device, text(app::upper(device.device)),
                                   text(device.reason), false, false});
            }
        }
    }
    return devices;
}

std::vector<ChipItem> frameworksOf(const std::vector<app::RunnerInfo>& runners) {
    std::vector<ChipItem> items;
    for (const bool usable : {true, false}) {
        for (const app::RunnerInfo& runner : runners) {
            if (runner.usable() != usable) continue;
            const std::string value = usable ? runner.hello.framework : runner.manifest.framework;
            const bool known = std::any_of(items.begin(), items.end(),
                                           [&](const ChipItem& i) { return i.value == value; });
            if (known || value.empty()) continue;
            items.push_back({value, text(frameworkTitle(value)),
                             usable ? QString() : text(runner.unavailable), usable});
        }
    }
    return items;
}

Offer offerOf(const std::vector<app::RunnerInfo>& runners, const Chosen& chosen) {
    OfferedValues layouts, modes, precisions, versions;
    for (const char* precision : {"fp32", "tf32", "fp16", "bf16"})
        precisions.expect(precision);
    for (const app::RunnerInfo& runner : runners) {
        if (!runner.usable() || chosen.frameworks.count(runner.hello.framework) == 0) continue;
        for (const protocol::Device& device : runner.description.devices) {
            if (chosen.devices.count(device.uuid) == 0) continue;
            for (const std::string& layout : device.layouts) {
                layouts.offer(layout, true,
                              impossible(device, &protocol::Unsupported::layout, layout));
            }
            for (const std::string& mode : device.modes) {
                if (mode == "native") continue;
                const auto& asked = device.modesOnRequest;
                const bool on = std::find(asked.begin(), asked.end(), mode) == asked.end();
                modes.offer(mode, on, impossible(device, &protocol::Unsupported::mode, mode));
            }
            for (const protocol::Precision& precision : device.precisions) {
                if (precision.name == "fp64") continue;
                precisions.offer(
                    precision.name, precision.native,
                    impossible(device, &protocol::Unsupported::precision, precision.name));
            }
            for (const std::string& version : device.versions) {
                versions.offer(version, version == device.versions.back(),
                               impossible(device, &protocol::Unsupported::version, version));
            }
        }
    }
    Offer offer{devicesOf(runners), frameworksOf(runners), layouts.items(),
                modes.items(),      precisions.items(),    versions.items()};
    for (ChipItem& item : offer.layouts)
        item.label = item.label.toUpper();
    return offer;
}

}  // namespace aether::ui
