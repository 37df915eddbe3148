// SPDX-License-Identifier: MIT
#pragma once

#include "common/workload.h"

namespace aether {

inline Workload v1() {
    return loadWorkload(AETHER_RESOURCES "/workloads/cifar10-v1.json");
}

}  // namespace aether
