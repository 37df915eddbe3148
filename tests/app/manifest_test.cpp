// SPDX-License-Identifier: GPL-3.0-only
#include "app/manifest.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>

#include "app/catalogue.h"
#include "support.h"

namespace aether::app {
namespace {

using test::pathOf;

const Substitutions kWith{"/bin/sh", "/source/of it", "/the/bin"};

RunnerManifest manifestFrom(const std::string& text, const Substitutions& with = kWith) {
    const QTemporaryDir folder;
    const auto file = pathOf(folder) / "runner.json";
    std::ofstream(file) << text;
    return readManifest(file, with);
}

TEST(Manifest, SubstitutesEverywhere) {
    const RunnerManifest m =
        manifestFrom(R"({"schema": "aether-bench/runner/1", "name": "n", "title": "T",
        "command": ["${python}", "${bin}/x", "-m"], "environment": {"P": "${root}/a:${root}/b"}, "launcher": ["/bin/sh", "${bin}"]})");
    EXPECT_EQ(m.unavailable, "");
    EXPECT_EQ(m.fullCommand(),
              (std::vector<std::string>{"/bin/sh", "/the/bin", "/bin/sh", "/the/bin/x", "-m"}));
    EXPECT_EQ(m.environment.at("P"), "/source/of it/a:/source/of it/b");
}

TEST(Manifest, DamagedOnesAreUnavailableWithPathAndReason) {
    const auto expect = [](const std::string& text, const std::string& part,
                           const Substitutions& with = kWith) {
        const RunnerManifest m = manifestFrom(text, with);
        EXPECT_NE(m.unavailable.find(part), std::string::npos) << m.unavailable;
        EXPECT_NE(m.unavailable.find("runner.json"), std::string::npos) << m.unavailable;
    };
    const std::string head = R"({"schema": "aether-bench/runner/1", "name": "n", )";
    expect("", "is not valid JSON");
    expect("[]", "is not a JSON object");
    expect(R"({"schema": "aether-bench/runner/2", "name": "n", "command": ["x"]})",
           "aether-bench/runner/2");
    expect(R"({"schema": "aether-bench/runner/1", "command": ["x"]})", "lacks \"name\"");
    expect(head + R"("command": []})", "\"command\" is empty");
    expect(head + R"("command": "x"})", "not a list");
    expect(head + R"("command": [1]})", "not a text");
    expect(head + R"("command": ["/bin/sh"], "environment": {"A": 1}})", "A is not a text");
    expect(head + R"("command": ["${python}"]})", "no Python found", {"", "/root", "/bin"});
}

TEST(Manifest, NamesAProgramThatIsMissing) {
    const std::string head = R"({"schema": "aether-bench/runner/1", "name": "n", "command": )";
    EXPECT_EQ(manifestFrom(head + R"(["/no/such/engine"]})").unavailable,
              "program not found: /no/such/engine");
    EXPECT_EQ(manifestFrom(head + R"(["no-such-program-anywhere"]})").unavailable,
              "program not on PATH: no-such-program-anywhere");
    EXPECT_EQ(manifestFrom(head + R"(["/tmp"]})").unavailable, "not an executable program: /tmp");
}

TEST(Catalogue, LetsTheUserOverrideAndAdd) {
    const QTemporaryDir root, config;
    const auto put = [](const std::filesystem::path& file, const std::string& name,
                        const std::string& title) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file)
            << R"({"schema": "aether-bench/runner/1", "command": ["/bin/sh"], "name": ")" << name
            << R"(", "title": ")" << title << "\"}";
    };
    put(pathOf(root) / "resources/runners/b.json", "b", "shipped b");
    put(pathOf(root) / "resources/runners/a.json", "a", "shipped a");
    put(pathOf(config) / "runners/mine.json", "b", "my b");
    std::ofstream(pathOf(config) / "runners/damaged.json") << "{";
    const auto all = loadCatalogue(pathOf(root), pathOf(config), {"/bin/sh", "/no/such.py"}, kWith);
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(all[0].title, "shipped a");
    EXPECT_EQ(all[1].title, "my b");
    EXPECT_EQ(all[2].name, "damaged");
    EXPECT_NE(all[2].unavailable, "");
    EXPECT_EQ(all[3].unavailable, "");
    EXPECT_EQ(all[4].unavailable, "program not found: /no/such.py");
}

}  // namespace
}  // namespace aether::app
