// SPDX-License-Identifier: MIT
// The serving loop that the engine and the LibTorch runner share.
#pragma once

#include <functional>
#include <iosfwd>

#include "common/protocol.h"

namespace aether {

/// What a runner program must be able to do. Every call may throw Failure; the loop turns it into
/// `failed`. std::bad_alloc becomes out_of_memory, any other exception internal.
class RunnerBackend {
  public:
    virtual ~RunnerBackend() = default;
    virtual protocol::Hello hello() const = 0;
    virtual protocol::Description describe() = 0;
    virtual protocol::Prepared prepare(const protocol::PrepareRequest& request) = 0;
    virtual protocol::Sample measure(std::int64_t steps) = 0;
    virtual protocol::Stages profile(std::int64_t steps) = 0;
    virtual protocol::Traced trace(const protocol::TraceRequest& request) = 0;
    virtual protocol::Trained train(int epochs,
                                    const std::function<void(const protocol::Epoch&)>& onEpoch) = 0;
};

/// Prints hello, then answers one command a line until `close` or end of input. Returns the exit
/// code (0). measure, profile, trace and train before a successful prepare are answered with failed
/// (usage).
int serve(RunnerBackend& backend, std::istream& commands, std::ostream& answers);

/// Moves the real stdout aside and points descriptor 1 at stderr, so that a library's stray print
/// can't break the protocol; then serves stdin. The main of every C++ runner.
int serveStandardStreams(RunnerBackend& backend);

}  // namespace aether
