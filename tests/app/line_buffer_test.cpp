// SPDX-License-Identifier: GPL-3.0-only
#include "app/line_buffer.h"

#include <gtest/gtest.h>

#include "app/log_buffer.h"
#include "app/runner_lines.h"

namespace aether::app {
namespace {

TEST(LineBuffer, PutsHalfLinesTogether) {
    LineBuffer buffer(1000);
    buffer.append("first ha");
    EXPECT_FALSE(buffer.takeLine());
    buffer.append("lf\nsecond\nthi");
    EXPECT_EQ(buffer.takeLine(), "first half");
    EXPECT_EQ(buffer.takeLine(), "second");
    EXPECT_FALSE(buffer.takeLine());
    EXPECT_EQ(buffer.takeRest(), "thi");
    EXPECT_FALSE(buffer.takeRest());
}

TEST(LineBuffer, KeepsACharacterThatWasSplitBetweenReads) {
    LineBuffer buffer(1000);
    const QByteArray text("läuft – 測定\n");
    for (int i = 0; i < text.size(); ++i)
        buffer.append(text.mid(i, 1));
    EXPECT_EQ(buffer.takeLine(), "läuft – 測定");
}

TEST(LineBuffer, ReplacesBytesThatAreNoUtf8) {
    LineBuffer buffer(1000);
    buffer.append(
        QByteArray("a\xff\xfe"
                   "b\n"));
    EXPECT_EQ(buffer.takeLine(),
              "a\xEF\xBF\xBD\xEF\xBF\xBD"
              "b");
}

TEST(LineBuffer, TakesAFiveMegabyteLineInSmallChunks) {
    LineBuffer buffer(64 * 1024 * 1024);
    const QByteArray chunk(4096, 'x');
    for (int i = 0; i < 1280; ++i) {
        buffer.append(chunk);
        EXPECT_FALSE(buffer.takeLine());
    }
    buffer.append("\nnext\n");
    EXPECT_EQ(buffer.takeLine()->size(), 1280u * 4096u);
    EXPECT_EQ(buffer.takeLine(), "next");
    EXPECT_FALSE(buffer.overflowed());
}

TEST(LineBuffer, BoundsAnEndlessLine) {
    LineBuffer buffer(1000);
    for (int i = 0; i < 100; ++i) {
        buffer.append(QByteArray(500, 'x'));
        buffer.takeLine();
        EXPECT_LE(buffer.pendingBytes(), 1501);
    }
    EXPECT_TRUE(buffer.overflowed());
    buffer.append("\nnext\n");
    EXPECT_EQ(buffer.takeLine()->size(), 1000u);
    EXPECT_EQ(buffer.takeLine(), "next");
}

TEST(PlainText, DropsColoursAndKeepsTheLastStateOfARewrittenLine) {
    EXPECT_EQ(plainText("\x1b[1;32mgreen\x1b[0m text"), "green text");
    EXPECT_EQ(plainText("10%\r50%\r100%\r"), "100%");
    EXPECT_EQ(plainText("\x1b]0;title\aafter\x01"), "after");
    EXPECT_EQ(plainText("bell\x1b"), "bell");
}

TEST(Greeting, IsFoundBehindABannerAndAProgressBar) {
    const auto greeting = findGreeting(
        "loading {50%}\rloading \x1b[1m100%\x1b[0m {\"event\": \"hello\", \"protocol\": \"1.0\"}");
    ASSERT_TRUE(greeting);
    EXPECT_EQ((*greeting)["protocol"], "1.0");
    EXPECT_FALSE(findGreeting("{\"event\": \"sample\"}"));
    EXPECT_FALSE(findGreeting("no object"));
}

TEST(Greeting, RefusalNamesBothVersions) {
    EXPECT_EQ(protocolRefusal("1.0"), "");
    EXPECT_EQ(protocolRefusal("1.7"), "");
    EXPECT_EQ(protocolRefusal("2.0"), "speaks run protocol 2.0, this program speaks 1.0");
    EXPECT_EQ(protocolRefusal("10.0"), "speaks run protocol 10.0, this program speaks 1.0");
    EXPECT_NE(protocolRefusal(""), "");
}

TEST(EventText, IsWhatBeginsLikeAnObject) {
    EXPECT_EQ(textOfEvent("{\"a\": 1}\r"), "{\"a\": 1}");
    EXPECT_EQ(textOfEvent("\x1b[2K\rtuning 50%\r{\"a\": 1}"), "{\"a\": 1}");
    EXPECT_EQ(textOfEvent("a banner {with a brace}"), "");
    EXPECT_EQ(textOfEvent("  "), "");
}

TEST(EventText, NanIsNamed) {
    EXPECT_NE(notJsonSentence("{\"wall_ns\": NaN}").find("NaN"), std::string::npos);
    EXPECT_EQ(notJsonSentence("{]").find("NaN or"), std::string::npos);
}

TEST(LogBuffer, ForgetsOldLinesAndShortensLongOnes) {
    LogBuffer log(3, 10);
    for (int i = 0; i < 5; ++i)
        log.add("line " + std::to_string(i));
    EXPECT_EQ(log.lines().size(), 3u);
    EXPECT_EQ(log.dropped(), 2u);
    EXPECT_EQ(log.tail(2), "line 3 | line 4");
    log.add("äääääääääääää");
    EXPECT_EQ(log.lines().back(), "ääää…");  // cut between characters
    EXPECT_LE(log.lines().back().size(), 13u);
}

}  // namespace
}  // namespace aether::app
