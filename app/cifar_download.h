// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <filesystem>
#include <string>

#include "app/async.h"

namespace aether::app {

/// CIFAR-10's binary version as its authors publish it
/// (https://www.cs.toronto.edu/~kriz/cifar.html). The digest is of the archive; the page itself
/// lists its MD5 c32a1d4ab5d03f1284b67883e8d87530.
inline constexpr const char* kCifarUrl = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz";
inline constexpr const char* kCifarSha256 =
    "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd";

/// Downloads with curl, checks, unpacks with tar into `folder`. Qt Network is no part of this
/// library. One terminal signal. On failure the sentence says what to do by hand.
class CifarDownload : public QObject {
    Q_OBJECT
  public:
    CifarDownload(std::filesystem::path folder, std::string url, std::string sha256,
                  QObject* parent = nullptr);
    ~CifarDownload() override;
    void start();
    void cancel();
    const std::string& trouble() const { return trouble_; }

  Q_SIGNALS:
    void finished();

  private:
    Task<> run();
    Task<std::string> step(QString program, QStringList arguments);
    std::string byHand() const;

    std::filesystem::path folder_;
    std::string url_, sha256_, trouble_;
    QTemporaryDir temporary_;
    QProcess process_;
    Task<> job_;
};

/// SHA-256 of a file in hexadecimal digits; empty when unreadable.
std::string sha256OfFile(const std::filesystem::path& file);

}  // namespace aether::app
