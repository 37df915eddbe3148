// SPDX-License-Identifier: GPL-3.0-only
#include "app/result_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <QDateTime>
#include <QProcessEnvironment>
#include <QSysInfo>
#include <cerrno>
#include <cstring>

#include "app/text.h"
#include "common/failure.h"
#include "common/system.h"
#include "common/version.h"

namespace aether::app {
namespace {

/// Variables that choose devices, threads, kernels or compilers.
constexpr const char* kPrefixes[] = {"CUDA_",   "HIP_",     "ROCR_",     "OMP_",    "KMP_",
                                     "MKL_",    "GOMP_",    "DNNL_",     "ONEDNN_", "ATEN_",
                                     "TORCH",   "PYTORCH_", "MIOPEN_",   "HSA_",    "TRITON_",
                                     "NVIDIA_", "AETHER_",  "OPENBLAS_", "MALLOC_", "LD_PRELOAD"};

bool matters(const QString& name) {
    for (const char* prefix : kPrefixes) {
        if (name.startsWith(QLatin1String(prefix))) return true;
    }
    return false;
}

}  // namespace

Context currentContext(const std::vector<std::string>& argv) {
    Context context;
    context.time = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    context.host = QSysInfo::machineHostName().toStdString();
    context.os = QSysInfo::prettyProductName().toStdString() + ", " +
                 QSysInfo::kernelType().toStdString() + " " +
                 QSysInfo::kernelVersion().toStdString();
    context.cpu = cpuName();
    context.argv = argv;
    context.appVersion = kVersion;
    context.appCommit = kCommit;
    context.appDirty = kDirty;
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& key : environment.keys()) {
        if (matters(key))
            context.environment[key.toStdString()] = environment.value(key).toStdString();
    }
    return context;
}

std::filesystem::path reserveResultFile(const std::filesystem::path& folder,
                                        const std::string& device, const std::string& workload) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Failure(FailureKind::Usage,
                      folder.string() + ": can't be created: " + error.message());
    const std::string stem =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")).toStdString() +
        "_" + fileNamePart(device, 40) + "_" + fileNamePart(workload, 40);
    for (int n = 1; n < 1000; ++n) {
        auto file = folder / (stem + (n > 1 ? "-" + std::to_string(n) : "") + ".json");
        const int handle = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
        if (handle >= 0) {
            ::close(handle);
            return file;
        }
        if (errno != EEXIST) {
            throw Failure(FailureKind::Usage,
                          file.string() + ": can't be created: " + std::strerror(errno));
        }
    }
    throw Failure(FailureKind::Usage,
                  folder.string() + ": a thousand results of this second exist already");
}

ReservedResultFile::ReservedResultFile(const std::filesystem::path& folder, const Result& planned)
    : path_(reserveResultFile(folder,
                              planned.devices.empty() ? "no-device" : planned.devices.front().name,
                              planned.workloadName)) {}

ReservedResultFile::~ReservedResultFile() {
    std::error_code ignored;
    if (std::filesystem::file_size(path_, ignored) == 0) std::filesystem::remove(path_, ignored);
}

}  // namespace aether::app
