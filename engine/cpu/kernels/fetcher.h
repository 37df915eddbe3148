// SPDX-License-Identifier: MIT
// Fetching what comes next while a kernel computes.
#pragma once

#include "engine/cpu/kernels/arguments.h"
#include "engine/cpu/simd/inline.h"

namespace aether::engine::cpu {

/// Spreads the fetching of what comes next over equal pieces of the work.
struct Fetcher {
    const char* at;
    const char* end;
    std::int64_t perPiece;  ///< bytes
    int next;
    const Ahead* ahead;
};

inline constexpr std::int64_t kLineBytes = 64;

AETHER_INLINE Fetcher startFetching(const Ahead* ahead, std::int64_t pieces) {
    std::int64_t bytes = 0;
    for (int i = 0; i < kAheads; ++i)
        bytes += ahead[i].bytes;
    const std::int64_t perPiece = (bytes / pieces / kLineBytes + 1) * kLineBytes;
    return {nullptr, nullptr, perPiece, 0, ahead};
}

AETHER_INLINE void fetchShare(Fetcher& f) {
    if (f.at >= f.end) {
        if (f.next == kAheads) return;
        f.at = static_cast<const char*>(f.ahead[f.next].begin);
        f.end = f.at + f.ahead[f.next].bytes;
        ++f.next;
    }
    for (std::int64_t done = 0; done < f.perPiece && f.at < f.end; done += kLineBytes) {
        __builtin_prefetch(f.at, 0, 2);
        f.at += kLineBytes;
    }
}

}  // namespace aether::engine::cpu
