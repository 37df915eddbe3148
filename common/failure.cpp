// SPDX-License-Identifier: MIT
#include "common/failure.h"

#include <array>
#include <utility>

namespace aether {
namespace {
constexpr std::array<std::pair<FailureKind, std::string_view>, 6> kNames{{
    {FailureKind::Usage, "usage"},
    {FailureKind::Unsupported, "unsupported"},
    {FailureKind::Unavailable, "unavailable"},
    {FailureKind::OutOfMemory, "out_of_memory"},
    {FailureKind::Numerics, "numerics"},
    {FailureKind::Internal, "internal"},
}};
}  // namespace

std::string_view name(FailureKind kind) {
    for (const auto& [value, text] : kNames) {
        if (value == kind) return text;
    }
    return "internal";
}

FailureKind failureKind(std::string_view wanted) {
    for (const auto& [value, text] : kNames) {
        if (text == wanted) return value;
    }
    return FailureKind::Internal;
}

}  // namespace aether
