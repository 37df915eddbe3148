// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/async.h"
#include "app/line_buffer.h"
#include "app/log_buffer.h"
#include "app/manifest.h"
#include "common/protocol.h"

namespace aether::app {

/// Why something did not work: a kind of run protocol 1, or one of the process's own: "crashed",
/// "killed", "hung", "protocol", "cancelled". The sentence is complete and holds the runner's last
/// words.
struct RunnerFailure {
    std::string kind;
    std::string sentence;
};

struct Reply {
    nlohmann::json answer;  ///< the final answer; null when failed
    std::optional<RunnerFailure> failure;
    bool ok() const { return !failure.has_value(); }
};

/// One runner program, alive. It leads a session of its own and is ended with everything it
/// started.
///
/// Life: start() → hello; then request() one at a time; then close(), or abort() at any time. Every
/// Completion handed out gets exactly one value, and ended() comes exactly once, when neither the
/// runner nor anything that it started is left. A breach of the protocol, a crash or silence (no
/// line at all for `silence`, progress counts as a line) answers the outstanding request with a
/// failure and ends the process; requests after that get the same failure. A `failed` answer of the
/// runner itself leaves it usable.
class RunnerProcess : public QObject {
    Q_OBJECT
  public:
    RunnerProcess(RunnerManifest manifest, std::chrono::milliseconds silence,
                  QObject* parent = nullptr);
    ~RunnerProcess() override;

    Completion<Reply> start();
    /// Adds the id; `expected` is the event that answers this command.
    Completion<Reply> request(nlohmann::json command, const std::string& expected);
    /// The same with any text for a line: what a conformance test says.
    Completion<Reply> requestLine(const std::string& line, const std::string& expected);
    /// Asks the runner to close; ends it after five seconds if it does not. True when it closed as
    /// the protocol asks.
    Completion<bool> close();
    /// Closes its input without a command; true when it then exits with 0.
    Completion<bool> endInput();
    /// SIGTERM to everything, SIGKILL after two seconds.
    void abort(const RunnerFailure& why);

    const protocol::Hello& hello() const { return hello_; }
    const RunnerManifest& manifest() const { return manifest_; }
    const LogBuffer& log() const { return log_; }
    const std::optional<RunnerFailure>& failure() const { return failure_; }
    bool alive() const { return started_ && !over_; }
    /// The session its processes live in (the runner's own pid), 0 when not running.
    long long sessionId() const { return pid_; }
    const std::string& token() const { return token_; }

  Q_SIGNALS:
    void progressed(const aether::protocol::Progress& progress);
    void epochFinished(const aether::protocol::Epoch& epoch);
    void logged(const std::string& line);
    void ended();

  private:
    void readOutput();
    void readErrors();
    void handleLine(const std::string& line);
    void handleRest(const std::string& rest);
    void addToLog(const std::string& line);
    void handleGreeting(const std::string& line);
    void handleEvent(const std::string& line);
    void handleFinal(const std::string& event, const nlohmann::json& message);
    void onStartError(QProcess::ProcessError error);
    void onFinished(int code, QProcess::ExitStatus status);
    void fail(const std::string& kind, const std::string& sentence);
    void answer(Reply reply);
    void kill();
    void onKillTime();
    void finish();
    std::string withLastWords(std::string sentence) const;
    std::string exitSentence(int code, QProcess::ExitStatus status, std::string& kind) const;

    RunnerManifest manifest_;
    std::chrono::milliseconds silence_;
    QProcess process_;
    std::string token_;
    long long pid_ = 0;
    LineBuffer output_;
    LineBuffer errors_;
    LogBuffer log_;
    QTimer watch_;
    QTimer killTimer_;
    protocol::Hello hello_;
    bool started_ = false;
    bool greeted_ = false;
    bool closing_ = false;
    bool closedWell_ = false;
    bool over_ = false;
    bool killed_ = false;
    long long nextId_ = 1;
    long long lastAnswered_ = 0;
    std::string expected_;
    std::optional<Completion<Reply>> pending_;
    Completion<bool> closed_;
    std::optional<RunnerFailure> failure_;
};

}  // namespace aether::app
