// SPDX-License-Identifier: MIT
#include "common/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "common/failure.h"

namespace aether {
namespace {

Failure failed(const std::filesystem::path& file, const std::string& what, int error) {
    return {FailureKind::Usage, file.string() + ": " + what + ": " + std::strerror(error)};
}

/// Writes all bytes and flushes them to the disk; returns 0 or the error number.
int writeAndSync(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

std::string readFile(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) throw failed(file, "can't be read", EISDIR);
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw failed(file, "can't be read", errno != 0 ? errno : EIO);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) throw failed(file, "can't be read", EIO);
    return bytes;
}

void writeFileAtomically(const std::filesystem::path& file, std::string_view bytes) {
    std::string temporary = file.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(temporary.data());
    if (descriptor < 0) throw failed(file, "can't be written", errno);
    int error = writeAndSync(descriptor, bytes);
    ::fchmod(descriptor, 0644);
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(temporary.c_str());
        throw failed(file, "can't be written, the old file is unchanged", error);
    }
}

}  // namespace aether
