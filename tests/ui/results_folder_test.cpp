// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/results_folder.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <fstream>

#include "app/support.h"
#include "common/failure.h"

namespace aether::ui {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
  protected:
    fs::path put(const std::string& name, const std::string& text = "{}") const {
        std::ofstream(root() / name) << text;
        return root() / name;
    }
    fs::path root() const { return app::test::pathOf(home_); }

    QTemporaryDir home_;
    ResultsFolder folder_{app::test::pathOf(home_)};
};

TEST_F(Folder, ListsResultsButNotReservedOnes) {
    put("a.json");
    put("reserved.json", "");
    put("notes.txt");
    ASSERT_EQ(folder_.entries().size(), 1u);
    EXPECT_EQ(folder_.entries()[0].name, QStringLiteral("a"));
}

TEST_F(Folder, RenamesButNeverOverAnotherOrOutside) {
    const fs::path a = put("a.json"), b = put("b.json", "{\"b\": 1}");
    EXPECT_THROW(folder_.rename(a, QStringLiteral("b")), Failure);
    EXPECT_EQ(app::test::slurp(b), "{\"b\": 1}");
    for (const char* name : {"", "  ", "../x", "a/b", ".hidden"})
        EXPECT_THROW(folder_.rename(a, QString::fromLatin1(name)), Failure) << name;
    EXPECT_EQ(folder_.rename(a, QStringLiteral("mein läufer")).filename(), "mein läufer.json");
}

TEST_F(Folder, DeletesWithUndo) {
    const fs::path a = put("a.json", "{\"a\": 1}");
    folder_.remove(a);
    EXPECT_FALSE(fs::exists(a));
    EXPECT_TRUE(folder_.entries().empty());
    EXPECT_EQ(folder_.undoRemove(), a);
    EXPECT_EQ(app::test::slurp(a), "{\"a\": 1}");
    EXPECT_EQ(folder_.undoRemove(), fs::path()) << "once";
}

TEST_F(Folder, UndoNeverOverwritesAFileThatCameMeanwhile) {
    const fs::path a = put("a.json", "old");
    folder_.remove(a);
    put("a.json", "new");
    EXPECT_THROW(folder_.undoRemove(), Failure);
    EXPECT_EQ(app::test::slurp(a), "new");
}

TEST_F(Folder, NoticesWhatOthersDo) {
    QSignalSpy changes(&folder_, &ResultsFolder::changed);
    put("from-the-terminal.json");
    EXPECT_TRUE(changes.wait(5000));
}

TEST_F(Folder, NoticesWhenItIsMade) {
    const fs::path later = root() / "data" / "results";
    ResultsFolder folder(later);
    QSignalSpy changes(&folder, &ResultsFolder::changed);
    fs::create_directories(later);
    ASSERT_TRUE(changes.wait(5000));
    std::ofstream(later / "a.json") << "{}";
    EXPECT_TRUE(changes.wait(5000));
    EXPECT_EQ(folder.entries().size(), 1u);
}

}  // namespace
}  // namespace aether::ui
