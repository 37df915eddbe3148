// SPDX-License-Identifier: GPL-3.0-only
#include "app/manifest.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QString>
#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "common/files.h"

namespace aether::app {
namespace {

using nlohmann::json;

[[noreturn]] void damaged(const std::string& what) {
    throw Failure(FailureKind::Usage, what);
}

std::string substitute(std::string text, const Substitutions& with) {
    const std::pair<const char*, const std::string*> names[] = {
        {"${python}", &with.python}, {"${root}", &with.root}, {"${bin}", &with.bin}};
    for (const auto& [key, value] : names) {
        const std::string wanted = key;
        for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at)) {
            if (value->empty()) {
                damaged(
                    "no Python found for ${python}: set AETHER_PYTHON, pass --python or create "
                    ".venv");
            }
            text.replace(at, wanted.size(), *value);
            at += value->size();
        }
    }
    return text;
}

std::string text(const json& object, const char* key) {
    if (!object.contains(key)) damaged(std::string("lacks \"") + key + "\"");
    if (!object[key].is_string() || object[key].get<std::string>().empty()) {
        damaged(std::string("\"") + key + "\" is not a non-empty text");
    }
    return object[key];
}

std::vector<std::string> words(const json& object, const char* key, const Substitutions& with) {
    std::vector<std::string> out;
    if (!object.contains(key) || object[key].is_null()) return out;
    if (!object[key].is_array()) damaged(std::string("\"") + key + "\" is not a list of texts");
    for (const json& word : object[key]) {
        if (!word.is_string())
            damaged(std::string("\"") + key + "\" holds something that is not a text");
        out.push_back(substitute(word, with));
    }
    return out;
}

/// Why the program can't be started from here, or nothing.
std::string missingProgram(const std::string& program) {
    const QString path = QString::fromStdString(program);
    if (path.contains(u'/')) {
        const QFileInfo info(path);
        if (!info.exists()) return "program not found: " + program;
        if (info.isDir() || !info.isExecutable()) return "not an executable program: " + program;
        return {};
    }
    if (QStandardPaths::findExecutable(path).isEmpty()) return "program not on PATH: " + program;
    return {};
}

void fill(RunnerManifest& manifest, const json& document, const Substitutions& with) {
    if (!document.is_object()) damaged("is not a JSON object");
    const std::string schema = text(document, "schema");
    if (schema != "aether-bench/runner/1") {
        damaged("schema \"" + schema + "\", this program reads \"aether-bench/runner/1\"");
    }
    manifest.name = text(document, "name");
    manifest.title = document.contains("title") ? text(document, "title") : manifest.name;
    if (document.contains("framework")) manifest.framework = text(document, "framework");
    manifest.command = words(document, "command", with);
    manifest.launcher = words(document, "launcher", with);
    if (manifest.command.empty()) damaged("\"command\" is empty or missing");
    if (document.contains("environment")) {
        if (!document["environment"].is_object()) damaged("\"environment\" is not an object");
        for (const auto& [key, value] : document["environment"].items()) {
            if (!value.is_string()) damaged("\"environment\": " + key + " is not a text");
            manifest.environment[key] = substitute(value, with);
        }
    }
    manifest.unavailable = missingProgram(manifest.fullCommand().front());
}

}  // namespace

std::vector<std::string> RunnerManifest::fullCommand() const {
    std::vector<std::string> all = launcher;
    all.insert(all.end(), command.begin(), command.end());
    return all;
}

RunnerManifest readManifest(const std::filesystem::path& file, const Substitutions& substitutions) {
    RunnerManifest manifest;
    manifest.origin = file.string();
    manifest.name = manifest.title = file.stem().string();
    try {
        fill(manifest, json::parse(readFile(file)), substitutions);
    } catch (const json::exception&) {
        manifest.unavailable = manifest.origin + ": is not valid JSON";
    } catch (const Failure& failure) {
        const std::string sentence = failure.what();
        const bool hasPath = sentence.find(manifest.origin) != std::string::npos;
        manifest.unavailable = hasPath ? sentence : manifest.origin + ": " + sentence;
    }
    return manifest;
}

RunnerManifest manifestForPath(const std::filesystem::path& path,
                               const Substitutions& substitutions) {
    if (path.extension() == ".json") return readManifest(path, substitutions);
    RunnerManifest manifest;
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(path, ignored);
    manifest.origin = absolute.string();
    manifest.name = manifest.title = path.filename().string();
    if (path.extension() == ".py") {
        manifest.command = {substitutions.python.empty() ? "python3" : substitutions.python,
                            absolute.string()};
        if (!std::filesystem::exists(absolute))
            manifest.unavailable = "program not found: " + manifest.origin;
    } else {
        manifest.command = {absolute.string()};
        manifest.unavailable = missingProgram(absolute.string());
    }
    return manifest;
}

}  // namespace aether::app
