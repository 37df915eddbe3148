// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "common/runner_server.h"
#include "engine/cpu/training.h"

namespace aether::engine::cpu {

/// The engine on this processor as a runner of protocol 1.
class Backend final : public RunnerBackend {
  public:
    protocol::Hello hello() const override;
    protocol::Description describe() override;
    protocol::Prepared prepare(const protocol::PrepareRequest& request) override;
    protocol::Sample measure(std::int64_t steps) override;
    protocol::Stages profile(std::int64_t steps) override;
    protocol::Traced trace(const protocol::TraceRequest& request) override;
    protocol::Trained train(int epochs,
                            const std::function<void(const protocol::Epoch&)>& onEpoch) override;

  private:
    Training& training();

    std::unique_ptr<Training> training_;
};

}  // namespace aether::engine::cpu
