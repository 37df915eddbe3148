// SPDX-License-Identifier: GPL-3.0-only
// Goldens of every writer, also under a foreign locale.
#include <gtest/gtest.h>

#include <QLocale>
#include <clocale>
#include <locale>
#include <sstream>

#include "app/report/writers.h"
#include "app/text.h"
#include "sample_result.h"

namespace aether::app {
namespace {

using test::sampleResult;

/// Decimal commas and grouped thousands in C++ streams; and in C's functions where the system has
/// such a locale.
class ForeignLocale {
  public:
    ForeignLocale() : before_(std::locale()) {
        struct Comma : std::numpunct<char> {
            char do_decimal_point() const override { return ','; }
            char do_thousands_sep() const override { return '.'; }
            std::string do_grouping() const override { return "\3"; }
        };
        std::locale::global(std::locale(std::locale(), new Comma));
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
            if (std::setlocale(LC_ALL, name) != nullptr) break;
        }
        QLocale::setDefault(QLocale(QLocale::German));
    }
    ~ForeignLocale() {
        std::locale::global(before_);
        std::setlocale(LC_ALL, "C");
        QLocale::setDefault(QLocale::c());
    }

  private:
    std::locale before_;
};

template <class Writer>
std::string written(Writer writer) {
    std::ostringstream out;
    writer(out);
    return out.str();
}

std::string table(int width) {
    return written([&](std::ostream& out) { writeTable(out, sampleResult(), width); });
}

TEST(Table, IsAlignedAndTellsTheWholeStory) {
    const std::string text = table(100);
    EXPECT_NE(text.find("Aether direct fp32 NHWC                        101.00"), std::string::npos)
        << text;
    for (const char* part :
         {"=Ryzen™ \"9\" | 測試, x (cpu-0)",
          "cifar10-v1, batch 256, 2 threads, synthetic data, 3 rounds", "100.00–102.00",
          "PyTorch 2.15.0 compiled fp32 NCHW (Python): asked for NCHW, ran in NHWC", "1.51×",
          "baseline", "✓", "Aether direct fp32 NHWC: round 2 implausible: 1.00 ms",
          "JAX | *CPU*: unavailable: program not found: /opt/jax",
          "failed: crashed with signal 11 | \"core\" last words: a,b", "0.000300–12000"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST(Table, FitsInto80ColumnsAndLess) {
    for (const int width : {60, 72, 80}) {
        std::istringstream lines(table(width));
        std::string line;
        while (std::getline(lines, line))
            EXPECT_LE(displayWidth(line), width) << line;
    }
}

TEST(Table, ColumnsAlignWhateverTheCharacters) {
    std::istringstream lines(table(100));
    std::string line;
    std::vector<std::string> rows;
    while (std::getline(lines, line)) {
        if (line.find("✓") != std::string::npos) rows.push_back(line);
    }
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(displayWidth(rows[0]), displayWidth(rows[1]));
}

TEST(Csv, QuotesAndDisarmsFormulas) {
    const std::string text = written([](std::ostream& out) { writeCsv(out, sampleResult()); });
    EXPECT_EQ(text.rfind("time,workload,device,", 0), 0u);
    EXPECT_NE(text.find("\"'=Ryzen™ \"\"9\"\" | 測試, x\""), std::string::npos) << text;
    EXPECT_NE(text.find(",2,101.000000,100.000000,102.000000,1.5"), std::string::npos) << text;
    EXPECT_EQ(csvField("=1+1"), "'=1+1");
    EXPECT_EQ(csvField("@x"), "'@x");
    EXPECT_EQ(csvField("a\"b\nc"), "\"a\"\"b\nc\"");
    EXPECT_EQ(csvField("plain"), "plain");
}

TEST(Markdown, EscapesWhatWouldBreakATable) {
    const std::string text = written([](std::ostream& out) { writeMarkdown(out, sampleResult()); });
    EXPECT_NE(text.find("### =Ryzen™ \"9\" \\| 測試, x"), std::string::npos) << text;
    EXPECT_NE(text.find("| Aether direct fp32 NHWC | 101.00 | 100.00–102.00 | 2 | 1.51× | ✓ |"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("| JAX \\| \\*CPU\\* | unavailable | | | | |"), std::string::npos) << text;
    EXPECT_EQ(markdownText("a\nb|c"), "a b\\|c");
}

TEST(Writers, SayWherePublishedNumbersComeFrom) {
    Result result = sampleResult();
    EXPECT_EQ(table(100).find("published:"), std::string::npos);
    result.source = "a | paper";
    EXPECT_NE(written([&](std::ostream& out) {
                  writeTable(out, result, 100);
              }).find("\npublished: a | paper\n"),
              std::string::npos);
    EXPECT_NE(written([&](std::ostream& out) {
                  writeMarkdown(out, result);
              }).find("- published: a \\| paper\n"),
              std::string::npos);
}

TEST(Writers, NeverDependOnTheLocale) {
    const auto all = [] {
        return written([](std::ostream& out) {
            writeTable(out, sampleResult(), 100);
            writeCsv(out, sampleResult());
            writeMarkdown(out, sampleResult());
            writeJson(out, sampleResult());
            writeJsonLines(out, sampleResult());
        });
    };
    const std::string here = all();
    const ForeignLocale abroad;
    EXPECT_EQ(all(), here);
}

TEST(Text, KeepsThreeDigitsOfSmallTimes) {
    EXPECT_EQ(milliseconds(4.855e6), "4.86");
    EXPECT_EQ(milliseconds(21.71e6), "21.71");
    EXPECT_EQ(milliseconds(300), "0.000300");
    EXPECT_EQ(milliseconds(12e9), "12000");
    EXPECT_EQ(milliseconds(0.9999e6), "1.00");
    EXPECT_EQ(milliseconds(0), "0.00");
    EXPECT_EQ(duration(59.6), "1 min 00 s");
    EXPECT_EQ(duration(-1), "-");
    EXPECT_EQ(fixed(1e300 * 1e10, 2), "-");
}

TEST(Text, CountsColumnsNotBytes) {
    EXPECT_EQ(displayWidth("測試"), 4);
    EXPECT_EQ(displayWidth("×–ä"), 3);
    EXPECT_EQ(elided("測試測試", 5), "測試…");
    EXPECT_EQ(elided("abc", 3), "abc");
    EXPECT_EQ(padded("測", 4, true), "  測");
    EXPECT_EQ(fileNamePart("../../etc"), "etc");
    EXPECT_EQ(fileNamePart("™"), "unnamed");
}

}  // namespace
}  // namespace aether::app
