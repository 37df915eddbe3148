// SPDX-License-Identifier: GPL-3.0-only
#include "app/discovery.h"

#include "common/failure.h"

namespace aether::app {

Discovery::Discovery(std::vector<RunnerManifest> manifests, std::chrono::milliseconds silence,
                     QObject* parent)
    : QObject(parent) {
    for (RunnerManifest& manifest : manifests) {
        processes_.push_back(std::make_unique<RunnerProcess>(manifest, silence));
        RunnerInfo info;
        info.manifest = std::move(manifest);
        runners_.push_back(std::move(info));
    }
}

void Discovery::start() {
    waiting_ = runners_.size();
    for (std::size_t i = 0; i < runners_.size(); ++i)
        tasks_.push_back(ask(i));
    for (Task<>& task : tasks_)
        task.start();
    if (runners_.empty()) QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

void Discovery::cancel() {
    for (const auto& process : processes_)
        process->abort({"cancelled", "cancelled"});
}

Task<> Discovery::ask(std::size_t index) {
    RunnerProcess& process = *processes_[index];
    RunnerInfo& info = runners_[index];
    Reply reply = co_await process.start();
    if (reply.ok()) {
        info.hello = process.hello();
        nlohmann::json command = {{"command", "describe"}};
        reply = co_await process.request(command, "description");
    }
    if (reply.ok()) {
        try {
            info.description = reply.answer.get<protocol::Description>();
        } catch (const Failure& failure) {
            info.unavailable = std::string("sent a damaged description: ") + failure.what();
        }
        co_await process.close();
    } else {
        info.unavailable = reply.failure->sentence;
        if (process.alive()) co_await process.close();
    }
    Q_EMIT found(static_cast<int>(index));
    if (--waiting_ == 0) QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

}  // namespace aether::app
