// SPDX-License-Identifier: MIT
#include "common/runner_server.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "common/failure.h"

namespace aether {
namespace {

using Json = nlohmann::json;

/// One conversation: reads commands, keeps what was prepared, writes answers.
class Conversation {
  public:
    Conversation(RunnerBackend& backend, std::ostream& answers)
        : backend_(backend), answers_(answers) {}

    void greet() { send(backend_.hello(), Json()); }

    /// Answers one line. False after `close`.
    bool answer(const std::string& line) {
        Json id;
        try {
            const Json command = Json::parse(line, nullptr, false);
            if (!command.is_object())
                throw Failure(FailureKind::Usage, "a command must be one JSON object on one line");
            id = command.value("id", Json());
            return dispatch(command, id);
        } catch (const Failure& failure) {
            fail(id, failure.kind(), failure.what());
        } catch (const std::bad_alloc&) {
            fail(id, FailureKind::OutOfMemory, "out of memory");
        } catch (const std::exception& error) {
            fail(id, FailureKind::Internal, error.what());
        }
        return true;
    }

  private:
    void send(Json event, const Json& id) {
        if (!id.is_null()) event["id"] = id;
        answers_ << event.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n'
                 << std::flush;
    }

    void fail(const Json& id, FailureKind kind, const std::string& message) {
        Json event{{"event", "failed"}, {"id", id}, {"kind", name(kind)}, {"message", message}};
        send(std::move(event), id);
    }

    std::int64_t steps(const Json& command) const {
        const auto found = command.find("steps");
        if (found == command.end() || !found->is_number_integer() || *found < 1) {
            throw Failure(FailureKind::Usage, "'steps' must be a whole number of at least 1");
        }
        return found->get<std::int64_t>();
    }

    void requirePrepared(const std::string& verb) const {
        if (!prepared_)
            throw Failure(FailureKind::Usage, "'" + verb + "' needs a successful 'prepare' first");
    }

    bool dispatch(const Json& command, const Json& id) {
        const auto found = command.find("command");
        const std::string verb =
            found != command.end() && found->is_string() ? found->get<std::string>() : "";
        if (verb == "close") {
            send({{"event", "closed"}}, id);
            return false;
        }
        if (verb == "describe") {
            send(backend_.describe(), id);
        } else if (verb == "prepare") {
            prepared_ = false;
            const protocol::Prepared prepared =
                backend_.prepare(command.get<protocol::PrepareRequest>());
            prepared_ = true;
            send(prepared, id);
        } else if (verb == "measure" || verb == "profile" || verb == "trace" || verb == "train") {
            requirePrepared(verb);
            run(verb, command, id);
        } else {
            throw Failure(FailureKind::Usage, "unknown command '" + verb + "'");
        }
        return true;
    }

    void run(const std::string& verb, const Json& command, const Json& id) {
        if (verb == "measure") {
            send(backend_.measure(steps(command)), id);
        } else if (verb == "profile") {
            send(backend_.profile(steps(command)), id);
        } else if (verb == "trace") {
            steps(command);
            send(backend_.trace(command.get<protocol::TraceRequest>()), id);
        } else {
            const auto epochs = command.find("epochs");
            if (epochs == command.end() || !epochs->is_number_integer() || *epochs < 1 ||
                *epochs > 1'000'000) {
                throw Failure(FailureKind::Usage, "'epochs' must be a whole number of at least 1");
            }
            send(backend_.train(epochs->get<int>(),
                                [&](const protocol::Epoch& epoch) { send(epoch, id); }),
                 id);
        }
    }

    RunnerBackend& backend_;
    std::ostream& answers_;
    bool prepared_ = false;
};

}  // namespace

int serve(RunnerBackend& backend, std::istream& commands, std::ostream& answers) {
    Conversation conversation(backend, answers);
    conversation.greet();
    for (std::string line; std::getline(commands, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (!conversation.answer(line)) break;
    }
    return 0;
}

int serveStandardStreams(RunnerBackend& backend) {
    const int descriptor = ::dup(STDOUT_FILENO);
    if (descriptor < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        std::perror("can't move stdout aside");
        return 1;
    }
    __gnu_cxx::stdio_filebuf<char> buffer(descriptor, std::ios::out);
    std::ostream answers(&buffer);
    return serve(backend, std::cin, answers);
}

}  // namespace aether
