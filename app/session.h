// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "app/async.h"
#include "app/contender.h"
#include "app/session_options.h"
#include "app/verifier.h"
#include "common/result.h"
#include "common/workload.h"

namespace aether::app {

/// What a variant is doing: a phase of its runner ("compiling", "tuning", …), or of the session:
/// "queued", "preparing", "verifying", "warming up", "waiting", "measuring", "profiling", then
/// "measured", "failed", "cancelled"; or "unavailable" from the start.
struct VariantUpdate {
    std::string id;
    std::string phase;
    std::string message;
};

struct SessionProgress {
    int done = 0;            ///< blocks and preparations finished
    int total = 0;           ///< expected; grows when more rounds are needed
    double etaSeconds = -1;  ///< negative: not known yet
    std::string message;
};

enum class SessionEnd {
    Finished,         ///< everything that could be measured was; single variants may have failed
    Cancelled,        ///< what was measured before is kept
    NothingMeasured,  ///< no variant has a sample
    InvalidInput      ///< workload or data can't be read; nothing was started
};

struct SessionOutcome {
    SessionEnd end = SessionEnd::Finished;
    std::string sentence;
    std::string
        writeError;  ///< why the last write of the result failed; empty: written or not asked for
};

/// Measures a comparison, as DESIGN.md's "Session" says: prepare one at a time, verify, warm up,
/// interleaved rounds in an order shuffled from the seed with exactly one variant measuring at a
/// time, profile, compare. Runs on the event loop; start() returns at once. One terminal signal,
/// finished(), after every child process is gone.
class Session : public QObject {
    Q_OBJECT
  public:
    Session(SessionOptions options, std::vector<RunnerInfo> runners, QObject* parent = nullptr);
    ~Session() override;

    void start();
    /// Keeps what was measured, ends every child, then finished().
    void cancel();

    /// Where the result goes after every round; before start().
    void saveTo(const std::filesystem::path& file) { options_.resultFile = file; }

    /// The state of every run so far; complete after finished().
    const Result& result() const { return result_; }
    /// Reads workload and data and makes the plan without starting anything; start() does it if
    /// this was not called. False: invalid input, `outcome().sentence` says what.
    bool plan();
    const std::vector<Variant>& variants() const { return variants_; }
    const SessionOutcome& outcome() const { return outcome_; }

  Q_SIGNALS:
    void planned();
    void variantChanged(const aether::app::VariantUpdate& update);
    void sampleTaken(const std::string& id, const aether::RoundSample& sample);
    void progressed(const aether::app::SessionProgress& progress);
    void roundFinished(int round);
    /// True while a block is being timed: a window stops painting, a terminal stops writing.
    void timing(bool active);
    void logged(const std::string& id, const std::string& line);
    void finished(const aether::app::SessionOutcome& outcome);

  private:
    Task<> run();
    Task<> prepareAll();
    Task<bool> prepareOne(Contender& contender);
    Task<> verifyOne(Contender& contender);
    Task<> warmUpOne(Contender& contender);
    Task<> rounds(std::vector<Contender*> field);
    Task<> relaunchAll(const std::vector<Contender*>& field);
    Task<> measureOne(Contender& contender, int round);
    Task<> profileAll(std::vector<Contender*> field);
    Task<> retryForMemory();
    Task<> closeAll();

    void listenTo(Contender& contender);
    bool moreRounds(int roundsDone, const std::vector<Contender*>& field);
    double largestNoise(const std::vector<Contender*>& field) const;
    std::vector<Contender*> able();
    void settleStatuses();
    void collect();
    void save();
    void announce(Contender& contender, const std::string& phase, const std::string& message = {});
    void step(const std::string& message);
    double remainingSeconds() const;
    void end();

    SessionOptions options_;
    std::vector<RunnerInfo> runners_;
    Workload workload_;
    std::vector<Variant> variants_;
    std::vector<std::unique_ptr<Contender>> contenders_;
    std::unique_ptr<Verifier> verifier_;
    Result result_;
    SessionOutcome outcome_;
    QElapsedTimer clock_;
    double roundsStartedAt_ = 0;
    bool planned_ = false;
    bool cancelled_ = false;
    bool over_ = false;
    int done_ = 0;
    int total_ = 0;
    Task<> job_;
};

/// A rough guess of how long a session with these variants takes, from FLOPs, before anything has
/// run.
double estimatedSeconds(const std::vector<Variant>& variants, const SessionOptions& options,
                        double flopsPerStep);

/// The order of one round: 0 … count − 1 shuffled by Fisher and Yates with Philox words of counter
/// (i / 4, round, 0, 64), key = seed.
std::vector<std::size_t> roundOrder(std::size_t count, std::uint64_t seed, int round);

}  // namespace aether::app
