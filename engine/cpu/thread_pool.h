// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace aether::engine::cpu {

/// Runs numbered pieces of work on a fixed number of threads, the caller among them. Pieces are
/// handed out by a counter, so a thread that another process disturbs takes fewer; what a piece
/// computes must not depend on who runs it. Between steps the threads sleep on a futex; inside a
/// step (`StepScope`) they spin briefly before they do.
class ThreadPool {
  public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return static_cast<int>(workers_.size()) + 1; }

    /// Calls work(piece, worker) for every piece in [0, pieces) and returns when all are done;
    /// worker < threads(). The first exception of a piece is rethrown here, after the others have
    /// ended. Not reentrant.
    template <class Work>
    void run(std::int64_t pieces, const Work& work) {
        runErased(pieces, &work, [](const void* context, std::int64_t piece, int worker) {
            (*static_cast<const Work*>(context))(piece, worker);
        });
    }

    /// While one lives, idle threads spin a while before they sleep.
    class StepScope {
      public:
        explicit StepScope(ThreadPool& pool) : pool_(pool) { pool_.inStep_.store(true); }
        ~StepScope() { pool_.inStep_.store(false); }
        StepScope(const StepScope&) = delete;
        StepScope& operator=(const StepScope&) = delete;

      private:
        ThreadPool& pool_;
    };

  private:
    using Call = void (*)(const void* context, std::int64_t piece, int worker);

    void runErased(std::int64_t pieces, const void* context, Call call);
    void takePieces(int worker);
    void workerLoop(int worker);
    /// Waits until `value` differs from `old`; returns the new value.
    std::uint32_t await(const std::atomic<std::uint32_t>& value, std::uint32_t old) const;

    std::vector<std::thread> workers_;
    const void* context_ = nullptr;
    Call call_ = nullptr;
    std::int64_t pieces_ = 0;
    bool stopping_ = false;
    std::exception_ptr error_;
    std::mutex errorMutex_;
    std::atomic<bool> inStep_{false};
    alignas(64) std::atomic<std::int64_t> next_{0};
    alignas(64) std::atomic<std::uint32_t> round_{0};     ///< counts calls of run
    alignas(64) std::atomic<std::uint32_t> finished_{0};  ///< workers done, over all rounds
};

}  // namespace aether::engine::cpu
