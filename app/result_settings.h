// SPDX-License-Identifier: GPL-3.0-only
// Whether two results measured the same thing in the same way.
#pragma once

#include <string>
#include <vector>

#include "common/result.h"

namespace aether::app {

/// "workload cifar10-v1 and cifar10-v2": network or batch differ, so the steps are different work.
/// A digest that is not known (published results) differs from none.
std::vector<std::string> differentWork(const Result& a, const Result& b);

/// "2 threads and 4 threads": the same work measured in another way (threads, synchronisation, kind
/// of data). What is not known differs from nothing.
std::vector<std::string> differentMeasurement(const Result& a, const Result& b);

/// Both are parts of one session, so equal rounds were measured side by side.
bool sameSession(const Result& a, const Result& b);

}  // namespace aether::app
