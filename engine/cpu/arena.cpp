// SPDX-License-Identifier: MIT
#include "engine/cpu/arena.h"

#include <sys/mman.h>

#include <string>
#include <utility>

#include "common/failure.h"

namespace aether::engine::cpu {
namespace {
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Between two requests, so that tensors whose sizes are powers of two do not start in the same
/// cache sets.
constexpr std::size_t kStagger = 9 * kAlignment;
}  // namespace

Arena::~Arena() {
    if (block_ != nullptr) munmap(block_, blockBytes_);
}

void Arena::requestBytes(std::int64_t bytes, std::function<void(void*)> assign) {
    requests_.push_back({bytes_, std::move(assign)});
    bytes_ +=
        (static_cast<std::size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment + kStagger;
}

void Arena::commit() {
    blockBytes_ = (bytes_ / kHugePage + 2) * kHugePage;
    void* const block =
        mmap(nullptr, blockBytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        throw Failure(FailureKind::OutOfMemory, "the step needs " + std::to_string(bytes_ >> 20) +
                                                    " MiB, which the system does not give");
    }
    block_ = block;
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    auto* const base =
        static_cast<std::byte*>(block) + (kHugePage - address % kHugePage) % kHugePage;
    // Refusal costs speed only.
    (void)madvise(base, bytes_ / kHugePage * kHugePage + kHugePage, MADV_HUGEPAGE);
    for (const Request& request : requests_)
        request.assign(base + request.offset);
    requests_.clear();
}

}  // namespace aether::engine::cpu
