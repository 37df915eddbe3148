// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <map>
#include <vector>

#include "app/session.h"
#include "ui/figure/panel.h"

namespace aether::ui {

/// The result of a running session as far as it is known, with what every variant is doing now.
class LiveResult : public QObject {
    Q_OBJECT
  public:
    explicit LiveResult(QObject* parent = nullptr);

    /// After the session's plan().
    void begin(const app::Session& session);
    void end();

    void onVariantChanged(const app::VariantUpdate& update);
    void onSample(const std::string& id, const RoundSample& sample);
    /// Takes the session's own account: statuses, comparisons.
    void refresh(const Result& result);

    const Result& result() const { return result_; }
    std::vector<Panel> panels() const;
    bool running() const { return running_; }

  private:
    struct Activity {
        std::string phase;
        std::string message;
        QElapsedTimer since;
    };
    void apply(Bar& bar, const Activity& activity) const;

    Result result_;
    std::map<std::string, Activity> activities_;
    bool running_ = false;
};

}  // namespace aether::ui
