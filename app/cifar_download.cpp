// SPDX-License-Identifier: GPL-3.0-only
#include "app/cifar_download.h"

#include <QCryptographicHash>
#include <QFile>
#include <QStandardPaths>
#include <QString>

#include "app/text.h"

namespace aether::app {
namespace fs = std::filesystem;

std::string sha256OfFile(const fs::path& file) {
    QFile in(QString::fromStdString(file.string()));
    if (!in.open(QIODevice::ReadOnly)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!hash.addData(&in)) return {};
    return hash.result().toHex().toStdString();
}

CifarDownload::CifarDownload(fs::path folder, std::string url, std::string sha256, QObject* parent)
    : QObject(parent),
      folder_(std::move(folder)),
      url_(std::move(url)),
      sha256_(std::move(sha256)) {}

CifarDownload::~CifarDownload() {
    job_ = {};
}

void CifarDownload::start() {
    job_ = run();
    job_.start();
}

void CifarDownload::cancel() {
    process_.terminate();
}

std::string CifarDownload::byHand() const {
    return "; by hand: download " + url_ + " (SHA-256 " + sha256_ +
           "), unpack it, and put data_batch_1.bin … data_batch_5.bin and test_batch.bin into " +
           folder_.string();
}

Task<std::string> CifarDownload::step(QString program, QStringList arguments) {
    if (QStandardPaths::findExecutable(program).isEmpty()) {
        co_return program.toStdString() + " is not installed" + byHand();
    }
    const Completion<std::string> done;
    const auto onEnd = connect(
        &process_, &QProcess::finished, this,
        [this, done, program](int code, QProcess::ExitStatus status) {
            const bool good = status == QProcess::NormalExit && code == 0;
            const std::string words = oneLine(process_.readAllStandardError().toStdString());
            done.set(good ? std::string() : program.toStdString() + " failed: " + words + byHand());
        });
    process_.start(program, arguments);
    std::string trouble = co_await done;
    disconnect(onEnd);
    co_return trouble;
}

Task<> CifarDownload::run() {
    const fs::path archive = fs::path(temporary_.path().toStdString()) / "cifar-10-binary.tar.gz";
    const QString archiveText = QString::fromStdString(archive.string());
    QStringList curl{QStringLiteral("--fail"),       QStringLiteral("--silent"),
                     QStringLiteral("--show-error"), QStringLiteral("--location"),
                     QStringLiteral("--output"),     archiveText,
                     QString::fromStdString(url_)};
    trouble_ = co_await step(QStringLiteral("curl"), curl);
    if (trouble_.empty()) {
        const std::string found = sha256OfFile(archive);
        if (found != sha256_) {
            trouble_ =
                url_ + ": SHA-256 is " + found + ", expected " + sha256_ + "; nothing was unpacked";
        }
    }
    std::error_code error;
    if (trouble_.empty()) {
        fs::create_directories(folder_, error);
        if (error) trouble_ = folder_.string() + ": can't be created: " + error.message();
    }
    if (trouble_.empty()) {
        QStringList tar{QStringLiteral("-xzf"), archiveText, QStringLiteral("-C"),
                        QString::fromStdString(folder_.string()),
                        QStringLiteral("--strip-components=1")};
        trouble_ = co_await step(QStringLiteral("tar"), tar);
    }
    QTimer::singleShot(0, this, [this] { Q_EMIT finished(); });
}

}  // namespace aether::app
