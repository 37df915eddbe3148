// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/discovery.h"
#include "common/result.h"

namespace aether::app {

/// What the user chose; an empty list means "whatever there is".
struct PlanOptions {
    std::vector<std::string> devices;     ///< uuid, PCI address, kind, or part of the name
    std::vector<std::string> frameworks;  ///< framework or name of a runner; "torch" means pytorch
    std::vector<std::string> layouts, modes, precisions, engineVersions;
    std::vector<std::string> ids;  ///< only these variants of the plan; empty: all
    int copies = 1;                ///< 2: every variant against itself (A/A)
    std::string instructionSet;    ///< of CPUs, for every runner; empty: the best each has
};

/// One bar to be: a runner in one configuration on one device.
struct Variant {
    std::string id;
    std::size_t runner = 0;  ///< index into the list of RunnerInfo
    ResultDevice device;
    std::string layout, mode, version, precision;
    int copy = 0;
    std::string unavailable;  ///< the reason; empty: can be measured
};

/// Devices × runners × layouts × modes × versions × precisions.
///
/// Defaults: every device that is not emulated; all layouts; all modes but those on request; native
/// precisions, never fp64; the runner's last version. A value that was asked for and that a runner
/// lacks stays as *unavailable: reason*. Mode `native` is exempt from the choice of modes, a runner
/// without versions from the choice of versions.
std::vector<Variant> makePlan(const PlanOptions& options, const std::vector<RunnerInfo>& runners);

/// Whether it is the variant of that id, or a runner or device that is missing as a whole and with
/// it that variant.
bool standsFor(const Variant& variant, const std::string& id);

bool matchesDevice(const std::string& wanted, const protocol::Device& device);
bool matchesFramework(const std::vector<std::string>& wanted, const RunnerInfo& runner);
ResultDevice toResultDevice(const protocol::Device& device);

}  // namespace aether::app
