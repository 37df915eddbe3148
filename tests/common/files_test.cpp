// SPDX-License-Identifier: MIT
#include "common/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>

#include "common/failure.h"
#include "tests/common/temporary_folder.h"

namespace aether {
namespace {

std::string messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

TEST(WriteFileAtomically, ReplacesTheWholeFile) {
    const test::TemporaryFolder folder;
    writeFileAtomically(folder / "ü \"name\".json", "first and longer");
    writeFileAtomically(folder / "ü \"name\".json", "second");
    EXPECT_EQ(readFile(folder / "ü \"name\".json"), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileAtomically, KeepsTheOldFileWhenTheDiskIsFull) {
    const test::TemporaryFolder folder;
    writeFileAtomically(folder / "result.json", "old");
    rlimit old{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1024, old.rlim_max};  // stands for a full disk: write() fails half-way
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message =
        messageOf([&] { writeFileAtomically(folder / "result.json", std::string(100'000, 'x')); });
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_NE(message.find("result.json: can't be written, the old file is unchanged"),
              std::string::npos);
    EXPECT_EQ(readFile(folder / "result.json"), "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileAtomically, NamesAMissingFolder) {
    const std::string message = messageOf([] { writeFileAtomically("/nowhere/result.json", "x"); });
    EXPECT_NE(message.find("/nowhere/result.json"), std::string::npos);
    EXPECT_NE(message.find("No such file"), std::string::npos);
}

TEST(ReadFile, RefusesADirectoryAndAMissingFile) {
    const test::TemporaryFolder folder;
    EXPECT_NE(messageOf([&] { readFile(folder.path()); }).find("Is a directory"),
              std::string::npos);
    EXPECT_NE(messageOf([&] { readFile(folder / "x"); }).find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace aether
