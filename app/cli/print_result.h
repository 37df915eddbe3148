// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <string>

#include "common/result.h"

namespace aether::app::cli {

/// To stdout as table, json, jsonl, csv or md; `header`: with the first line of a CSV.
void printResult(const Result& result, const std::string& format, bool header = true);

}  // namespace aether::app::cli
