// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aether::engine::cpu {

/// All memory of a step in one block: requests first, then `commit`, which sets every requested
/// pointer. The block is zero, its pieces are 64-byte aligned, and the system is asked for huge
/// pages. Nothing is allocated after that.
class Arena {
  public:
    Arena() = default;
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// `pointer` must stay where it is until commit.
    template <class T>
    void request(T*& pointer, std::int64_t count) {
        requestBytes(count * static_cast<std::int64_t>(sizeof(T)),
                     [&pointer](void* p) { pointer = static_cast<T*>(p); });
    }
    void requestBytes(void*& pointer, std::int64_t bytes) {
        requestBytes(bytes, [&pointer](void* p) { pointer = p; });
    }
    /// Throws Failure(OutOfMemory) with the size.
    void commit();
    std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_); }

  private:
    void requestBytes(std::int64_t bytes, std::function<void(void*)> assign);

    struct Request {
        std::size_t offset;
        std::function<void(void*)> assign;
    };
    std::vector<Request> requests_;
    std::size_t bytes_ = 0;
    void* block_ = nullptr;
    std::size_t blockBytes_ = 0;
};

}  // namespace aether::engine::cpu
