// SPDX-License-Identifier: GPL-3.0-only
// Where results are written and what surrounds the numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/result.h"

namespace aether::app {

/// Time, host, system, CPU, this program's version, and the environment variables that change what
/// is measured.
Context currentContext(const std::vector<std::string>& argv);

/// Reserves a new, empty file in the folder (made when missing), named from time, device and
/// workload in safe characters: 20261130-150355_AMD-EPYC_cifar10-v1.json, then …-2.json. An
/// existing file is never taken. Throws Failure(Usage) with path and cause.
std::filesystem::path reserveResultFile(const std::filesystem::path& folder,
                                        const std::string& device, const std::string& workload);

/// The reserved file of a session, taken back at the end when nothing was written to it.
class ReservedResultFile {
  public:
    /// `planned` gives it its name.
    ReservedResultFile(const std::filesystem::path& folder, const Result& planned);
    ~ReservedResultFile();
    ReservedResultFile(const ReservedResultFile&) = delete;
    ReservedResultFile& operator=(const ReservedResultFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace aether::app
