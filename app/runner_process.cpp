// SPDX-License-Identifier: GPL-3.0-only
#include "app/runner_process.h"

#include <signal.h>

#include <QUuid>
#include <cstring>

#include "app/process_group.h"
#include "app/runner_lines.h"
#include "common/failure.h"

namespace aether::app {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kGrace = 2s;        // between SIGTERM and SIGKILL
constexpr auto kCloseTime = 5s;    // a framework may take a moment to unload
constexpr auto kUnkillable = 10s;  // after SIGKILL
constexpr qsizetype kLineLimit =
    64 * 1024 * 1024;  // a stage tree is a few kB; anything near this is no answer
constexpr qsizetype kLogLineLimit = 64 * 1024;

QString toQt(const std::string& text) {
    return QString::fromStdString(text);
}

}  // namespace

RunnerProcess::RunnerProcess(RunnerManifest manifest, std::chrono::milliseconds silence,
                             QObject* parent)
    : QObject(parent),
      manifest_(std::move(manifest)),
      silence_(silence),
      token_(QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString()),
      output_(kLineLimit),
      errors_(kLogLineLimit) {
    watch_.setSingleShot(true);
    watch_.setInterval(silence_);
    killTimer_.setSingleShot(true);
    connect(&watch_, &QTimer::timeout, this, [this] {
        const std::string what =
            greeted_ ? "\"" + expected_ + "\" was expected" : "no greeting came";
        fail("hung", "hung: " + what + ", but it wrote no line for " +
                         std::to_string(
                             std::chrono::duration_cast<std::chrono::seconds>(silence_).count()) +
                         " s");
    });
    connect(&killTimer_, &QTimer::timeout, this, &RunnerProcess::onKillTime);
    connect(&process_, &QProcess::readyReadStandardOutput, this, &RunnerProcess::readOutput);
    connect(&process_, &QProcess::readyReadStandardError, this, &RunnerProcess::readErrors);
    connect(&process_, &QProcess::errorOccurred, this, &RunnerProcess::onStartError);
    connect(&process_, &QProcess::finished, this, &RunnerProcess::onFinished);
}

RunnerProcess::~RunnerProcess() {
    process_.disconnect(this);
    if (!alive()) return;
    signalAll(pid_, token_, SIGKILL);
    process_.waitForFinished(1000);
    killAll(pid_, token_, std::chrono::seconds(1));
}

Completion<Reply> RunnerProcess::start() {
    pending_.emplace();
    Completion<Reply> reply = *pending_;
    started_ = true;
    if (!manifest_.unavailable.empty()) {
        fail("unavailable", manifest_.unavailable);
        finish();
        return reply;
    }
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    for (const auto& [key, value] : manifest_.environment)
        environment.insert(toQt(key), toQt(value));
    environment.insert(QString::fromLatin1(kTokenVariable), toQt(token_));
    process_.setProcessEnvironment(environment);
    leadOwnSession(process_);

    const std::vector<std::string> command = manifest_.fullCommand();
    QStringList arguments;
    for (std::size_t i = 1; i < command.size(); ++i)
        arguments << toQt(command[i]);
    watch_.start();
    process_.start(toQt(command.front()), arguments);
    pid_ = process_.processId();
    return reply;
}

Completion<Reply> RunnerProcess::request(json command, const std::string& expected) {
    command["id"] = nextId_;
    return requestLine(command.dump(-1, ' ', false, json::error_handler_t::replace), expected);
}

Completion<Reply> RunnerProcess::requestLine(const std::string& line, const std::string& expected) {
    Completion<Reply> reply;
    if (failure_) {
        reply.set({nullptr, failure_});
        return reply;
    }
    if (!greeted_ || pending_ || closing_ || over_) {
        reply.set(
            {nullptr, RunnerFailure{"internal", "a command was sent while another was running"}});
        return reply;
    }
    pending_ = reply;
    expected_ = expected;
    ++nextId_;
    process_.write(QByteArray::fromStdString(line));
    process_.write("\n", 1);
    watch_.start();
    return reply;
}

Completion<bool> RunnerProcess::close() {
    if (!alive() || closing_) {
        if (!started_) closed_.set(true);
        return closed_;
    }
    if (failure_) return closed_;  // already being ended
    if (!greeted_ || pending_) {
        abort({"cancelled", "cancelled"});
        return closed_;
    }
    request({{"command", "close"}}, "closed");
    return endInput();
}

Completion<bool> RunnerProcess::endInput() {
    closedWell_ = !pending_;  // with a close command only its answer makes it well
    closing_ = true;
    watch_.stop();
    process_.closeWriteChannel();
    killTimer_.start(kCloseTime);
    return closed_;
}

void RunnerProcess::abort(const RunnerFailure& why) {
    if (!alive()) return;
    if (!failure_) fail(why.kind, why.sentence);
}

void RunnerProcess::onKillTime() {
    if (closing_ && !failure_) {
        failure_ = RunnerFailure{"hung", "did not exit after close"};
        kill();
    } else if (!killed_) {
        killed_ = true;
        signalAll(pid_, token_, SIGKILL);
        killTimer_.start(kUnkillable);
    } else {
        finish();  // not even SIGKILL helps: it waits inside the kernel, and we don't wait with it
    }
}

void RunnerProcess::kill() {
    signalAll(pid_, token_, SIGTERM);
    killTimer_.start(kGrace);
}

/// Only remembers and ends: the answer follows when the process is gone and its last words are in.
void RunnerProcess::fail(const std::string& kind, const std::string& sentence) {
    if (failure_) return;
    failure_ = RunnerFailure{kind, sentence};
    watch_.stop();
    if (pid_ > 0 && !over_) kill();
}

void RunnerProcess::answer(Reply reply) {
    if (!pending_) return;
    const Completion<Reply> waiting = *pending_;
    pending_.reset();
    watch_.stop();
    waiting.set(std::move(reply));
}

void RunnerProcess::readErrors() {
    if (!process_.isOpen()) return;
    errors_.append(process_.readAllStandardError());
    while (auto line = errors_.takeLine())
        addToLog(plainText(*line));
}

void RunnerProcess::addToLog(const std::string& line) {
    log_.add(line);
    Q_EMIT logged(line);
}

void RunnerProcess::readOutput() {
    output_.append(process_.readAllStandardOutput());
    while (auto line = output_.takeLine())
        handleLine(*line);
    if (output_.overflowed()) fail("protocol", "sent a line of more than 64 MiB");
}

void RunnerProcess::handleLine(const std::string& line) {
    if (failure_) return;
    if (watch_.isActive()) watch_.start();
    if (greeted_) {
        handleEvent(line);
    } else {
        handleGreeting(line);
    }
}

void RunnerProcess::handleRest(const std::string& rest) {
    const std::string text = textOfEvent(rest);
    const bool whole = json::accept(text);
    if (!text.empty() && !whole && !failure_)
        return fail("crashed", "ended in the middle of an answer: " + text.substr(0, 80));
    handleLine(rest);
}

void RunnerProcess::handleGreeting(const std::string& line) {
    const std::optional<json> greeting = findGreeting(line);
    if (!greeting) return addToLog(plainText(line));
    try {
        hello_ = greeting->get<protocol::Hello>();
    } catch (const Failure& failure) {
        return fail("protocol", std::string("its greeting is damaged: ") + failure.what());
    }
    if (const std::string refusal = protocolRefusal(hello_.protocol); !refusal.empty()) {
        return fail("protocol", refusal);
    }
    greeted_ = true;
    answer({*greeting, std::nullopt});
}

void RunnerProcess::handleEvent(const std::string& line) {
    // A library may still print banners or progress bars; only what begins like an answer must be
    // one.
    const std::string text = textOfEvent(line);
    if (text.empty()) return addToLog(plainText(line));
    const json message = json::parse(text, nullptr, false);
    if (!message.is_object()) return fail("protocol", notJsonSentence(text));
    const json kind = message.value("event", json());
    const std::string event = kind.is_string() ? kind.get<std::string>() : std::string();
    try {
        if (event == "progress") {
            Q_EMIT progressed(message.get<protocol::Progress>());
        } else if (event == "epoch") {
            Q_EMIT epochFinished(message.get<protocol::Epoch>());
        } else if (event == "log") {
            addToLog(plainText(message.value("message", std::string())));
        } else if (isFinalEvent(event)) {
            handleFinal(event, message);
        }
    } catch (const std::exception& error) {
        fail("protocol", "sent a damaged \"" + event + "\": " + error.what());
    }
}

void RunnerProcess::handleFinal(const std::string& event, const json& message) {
    const json id = message.value("id", json());
    const long long current = pending_ ? nextId_ - 1 : 0;
    if (!pending_) {
        const std::string which =
            id.is_number_integer() ? std::to_string(id.get<long long>()) : "?";
        const bool twice = id.is_number_integer() && id.get<long long>() == lastAnswered_;
        return fail("protocol", twice ? "answered command " + which + " twice"
                                      : "sent \"" + event + "\" for command " + which + " unasked");
    }
    const bool mine = id.is_number_integer() && id.get<long long>() == current;
    if (!mine && !(id.is_null() && event == "failed")) {
        const bool twice = id.is_number_integer() && id.get<long long>() == lastAnswered_;
        return fail("protocol", twice ? "answered command " + id.dump() + " twice"
                                      : "answered command " + id.dump() + " while command " +
                                            std::to_string(current) + " was running");
    }
    lastAnswered_ = current;
    if (event == "failed") {
        const std::string kind = message.value("kind", std::string("internal"));
        return answer(
            {nullptr, RunnerFailure{kind, message.value("message", std::string("failed"))}});
    }
    if (event != expected_) {
        return fail("protocol",
                    "answered \"" + event + "\" where \"" + expected_ + "\" was expected");
    }
    if (event == "closed") closedWell_ = true;
    answer({message, std::nullopt});
}

void RunnerProcess::onStartError(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    fail("unavailable", "could not be started: " + process_.errorString().toStdString());
    finish();
}

void RunnerProcess::onFinished(int code, QProcess::ExitStatus status) {
    if (over_) return;
    // A grandchild may hold the pipes open: what has arrived by now is all there is.
    readErrors();
    readOutput();
    if (auto rest = output_.takeRest()) handleRest(*rest);
    if (auto rest = errors_.takeRest()) log_.add(plainText(*rest));
    signalAll(pid_, token_, SIGKILL);
    over_ = true;
    const bool well = closing_ && status == QProcess::NormalExit && code == 0;
    if (!well) {
        std::string kind;
        const std::string sentence = exitSentence(code, status, kind);
        fail(kind, sentence);
    }
    closedWell_ = closedWell_ && well && !failure_;
    finish();
}

void RunnerProcess::finish() {
    over_ = true;
    watch_.stop();
    killTimer_.stop();
    if (failure_ && failure_->kind != "cancelled") {
        failure_->sentence = withLastWords(failure_->sentence);
    }
    answer({nullptr,
            failure_ ? failure_ : RunnerFailure{"crashed", "exited without answering close"}});
    closed_.set(closedWell_);
    QTimer::singleShot(0, this, [this] { Q_EMIT ended(); });
}

std::string RunnerProcess::exitSentence(int code, QProcess::ExitStatus status,
                                        std::string& kind) const {
    kind = "crashed";
    const std::string when = greeted_ ? "" : " before its greeting";
    if (status == QProcess::CrashExit) {
        if (code == SIGKILL) {
            kind = "killed";
            return "was killed" + when + " (SIGKILL), possibly for lack of memory";
        }
        const char* name = ::sigabbrev_np(code);
        const char* text = ::sigdescr_np(code);
        return "crashed" + when + " with signal " + std::to_string(code) + " (SIG" +
               (name ? name : "?") + ", " + (text ? text : "unknown") + ")";
    }
    if (!greeted_) kind = "unavailable";
    if (code == 0)
        return greeted_ ? "exited with 0 without a final answer" : "exited with 0" + when;
    if (code == 128 + SIGKILL) {
        kind = "killed";
        return "exited with code 137" + when + ": killed, possibly for lack of memory";
    }
    return "exited with code " + std::to_string(code) + when;
}

std::string RunnerProcess::withLastWords(std::string sentence) const {
    const std::string tail = log_.tail();
    if (!tail.empty()) sentence += "; last words: " + tail;
    return sentence;
}

}  // namespace aether::app
