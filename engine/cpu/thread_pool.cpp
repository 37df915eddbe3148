// SPDX-License-Identifier: MIT
#include "engine/cpu/thread_pool.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aether::engine::cpu {
namespace {

/// About 50 µs: longer than the gap between two stages, far shorter than a step.
constexpr int kSpins = 1000;

void relax() {
#if defined(__x86_64__)
    _mm_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
    for (int worker = 1; worker < threads; ++worker) {
        workers_.emplace_back([this, worker] { workerLoop(worker); });
    }
}

ThreadPool::~ThreadPool() {
    stopping_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : workers_)
        thread.join();
}

std::uint32_t ThreadPool::await(const std::atomic<std::uint32_t>& value, std::uint32_t old) const {
    for (int i = 0; i < kSpins && inStep_.load(std::memory_order_relaxed); ++i) {
        const std::uint32_t now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        relax();
    }
    for (;;) {
        const std::uint32_t now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        value.wait(old, std::memory_order_acquire);
    }
}

void ThreadPool::takePieces(int worker) {
    for (;;) {
        const std::int64_t piece = next_.fetch_add(1, std::memory_order_relaxed);
        if (piece >= pieces_) return;
        try {
            call_(context_, piece, worker);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(errorMutex_);
            if (!error_) error_ = std::current_exception();
        }
    }
}

void ThreadPool::workerLoop(int worker) {
    std::uint32_t seen = 0;
    for (;;) {
        seen = await(round_, seen);
        if (stopping_) return;
        takePieces(worker);
        finished_.fetch_add(1, std::memory_order_release);
        finished_.notify_one();
    }
}

void ThreadPool::runErased(std::int64_t pieces, const void* context, Call call) {
    context_ = context;
    call_ = call;
    pieces_ = pieces;
    next_.store(0, std::memory_order_relaxed);
    const auto others = static_cast<std::uint32_t>(workers_.size());
    const std::uint32_t done = finished_.load(std::memory_order_relaxed) + others;
    round_.fetch_add(1, std::memory_order_release);
    if (others > 0) round_.notify_all();
    takePieces(0);
    for (std::uint32_t now = finished_.load(std::memory_order_acquire); now != done;) {
        now = await(finished_, now);
    }
    if (error_) {
        const std::exception_ptr error = error_;
        error_ = nullptr;
        std::rethrow_exception(error);
    }
}

}  // namespace aether::engine::cpu
