// SPDX-License-Identifier: GPL-3.0-only
// aether-bench as a process.
#pragma once

#include <gtest/gtest.h>

#include <QProcess>
#include <string>
#include <vector>

namespace aether::app::test {

struct Output {
    int code = -1;
    std::string out, err;
};

inline void startProgram(QProcess& process, const std::vector<std::string>& arguments) {
    QStringList words;
    for (const std::string& argument : arguments)
        words << QString::fromStdString(argument);
    process.start(QStringLiteral(AETHER_BENCH_PROGRAM), words);
}

inline Output outputOf(QProcess& process) {
    EXPECT_TRUE(process.waitForFinished(100'000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    return {process.exitCode(), process.readAllStandardOutput().toStdString(),
            process.readAllStandardError().toStdString()};
}

}  // namespace aether::app::test
