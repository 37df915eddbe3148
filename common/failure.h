// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace aether {

/// The kinds of failure of run protocol 1 (docs/protocol.md).
enum class FailureKind { Usage, Unsupported, Unavailable, OutOfMemory, Numerics, Internal };

std::string_view name(FailureKind kind);
/// Internal for a name that protocol 1 does not know.
FailureKind failureKind(std::string_view name);

/// A specific sentence for the user and its kind. Thrown inside common, engine and reference;
/// caught once at the program's edge.
class Failure : public std::runtime_error {
  public:
    Failure(FailureKind kind, const std::string& sentence)
        : std::runtime_error(sentence), kind_(kind) {}
    FailureKind kind() const { return kind_; }

  private:
    FailureKind kind_;
};

}  // namespace aether
