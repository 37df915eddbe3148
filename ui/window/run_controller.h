// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "app/discovery.h"
#include "app/result_store.h"
#include "app/session.h"
#include "ui/window/live_result.h"
#include "ui/window/update_gate.h"

namespace aether::ui {

/// Finds runners and drives one session at a time; the window only listens. Values are announced at
/// most four times a second, and not while a block is timed.
class RunController : public QObject {
    Q_OBJECT
  public:
    explicit RunController(QObject* parent = nullptr);
    ~RunController() override;

    /// `extra`: programs or manifests beside the known ones.
    void discover(const std::vector<std::filesystem::path>& extra = {});
    bool discovering() const { return discovery_ != nullptr; }
    const std::vector<app::RunnerInfo>& runners() const { return runners_; }

    /// What start() would do.
    struct Preview {
        int able = 0;
        int unavailable = 0;
        double seconds = 0;
        QString problem;  ///< why nothing can be started; empty: can
    };
    Preview preview(const app::SessionOptions& options) const;

    void start(app::SessionOptions options);
    void cancel();
    bool running() const { return session_ != nullptr; }
    const LiveResult& live() const { return live_; }
    UpdateGate* gate() { return &gate_; }
    const app::SessionProgress& progress() const { return progress_; }
    /// Where the running or last session's result lies; empty: not written.
    const std::filesystem::path& resultFile() const { return resultFile_; }

  Q_SIGNALS:
    void runnersChanged();
    void started();
    void valuesChanged();
    void finished(const aether::app::SessionOutcome& outcome);
    /// Something went wrong that does not end the session.
    void troubled(const QString& sentence);

  private:
    void listen();
    void announce();
    void update();

    std::unique_ptr<app::Discovery> discovery_;
    std::vector<app::RunnerInfo> runners_;
    std::unique_ptr<app::Session> session_;
    LiveResult live_;
    UpdateGate gate_;
    QTimer pending_;
    QElapsedTimer lastUpdate_;
    app::SessionProgress progress_;
    std::unique_ptr<app::ReservedResultFile> file_;
    std::filesystem::path resultFile_;
};

}  // namespace aether::ui
