// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aether {

/// The whole file. Throws Failure(Usage) with path and cause (missing, a directory, unreadable).
std::string readFile(const std::filesystem::path& file);

/// All or nothing: writes a temporary file in the same folder, flushes it to disk and renames it
/// over `file`. On any failure (full disk, no permission) the old file stays as it was and
/// Failure(Usage) names path and cause.
void writeFileAtomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace aether
