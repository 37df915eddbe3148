// SPDX-License-Identifier: GPL-3.0-only
// What single lines of a runner mean, without a process.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace aether::app {

/// The hello object in a line that may have a banner, colours or a rewritten progress bar in front
/// of it.
std::optional<nlohmann::json> findGreeting(const std::string& line);

/// Empty when this program speaks `protocol` ("major.minor"), else a refusal that names both
/// versions.
std::string protocolRefusal(const std::string& protocol);

/// description, prepared, sample, stages, traced, trained, closed, failed.
bool isFinalEvent(const std::string& event);

/// The part of a line after the greeting that must be a JSON object: from its '{' on, when nothing
/// but colours, control characters and a rewritten line stand before it. Empty: the line is no
/// answer.
std::string textOfEvent(const std::string& line);

/// Says that a line after the greeting is no JSON object, quotes its beginning and names NaN or
/// Infinity if it holds one.
std::string notJsonSentence(const std::string& line);

}  // namespace aether::app
