// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <string>

namespace aether::app::cli {

/// stderr as people see it: on a terminal one line that is rewritten, else a plain line per change.
/// Data never goes through here.
class Console {
  public:
    explicit Console(bool quiet);

    /// A lasting line.
    void say(const std::string& line);
    /// What is going on right now; not repeated when unchanged. On no terminal it is written like
    /// say().
    void status(const std::string& line);
    /// The same, but only for a terminal (a counter, an ETA).
    void progress(const std::string& line);
    /// Writes even when quiet: errors.
    void error(const std::string& line);
    void clearStatus();
    /// While held nothing is written: a block is being timed.
    void hold(bool held) { held_ = held; }

  private:
    void rewrite(const std::string& line);

    bool quiet_;
    bool terminal_;
    bool held_ = false;
    std::string shown_;
    std::string last_;
};

/// Columns of the terminal on stdout, 100 where it is none.
int outputWidth();

}  // namespace aether::app::cli
