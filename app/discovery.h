// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/async.h"
#include "app/manifest.h"
#include "app/runner_process.h"
#include "common/protocol.h"

namespace aether::app {

/// What a runner says about itself and its devices, or why it can't be asked.
struct RunnerInfo {
    RunnerManifest manifest;
    protocol::Hello hello;
    protocol::Description description;
    std::string unavailable;
    bool usable() const { return unavailable.empty(); }
};

/// Starts every runner, asks it to describe itself and ends it; all at once. One terminal signal:
/// finished.
class Discovery : public QObject {
    Q_OBJECT
  public:
    Discovery(std::vector<RunnerManifest> manifests, std::chrono::milliseconds silence,
              QObject* parent = nullptr);
    void start();
    void cancel();
    const std::vector<RunnerInfo>& runners() const { return runners_; }

  Q_SIGNALS:
    void found(int index);
    void finished();

  private:
    Task<> ask(std::size_t index);

    std::vector<RunnerInfo> runners_;
    std::vector<std::unique_ptr<RunnerProcess>> processes_;
    std::vector<Task<>> tasks_;
    std::size_t waiting_ = 0;
};

}  // namespace aether::app
