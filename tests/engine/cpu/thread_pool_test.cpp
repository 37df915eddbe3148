// SPDX-License-Identifier: MIT
#include "engine/cpu/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <stdexcept>

namespace aether::engine::cpu {
namespace {

double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(ThreadPool, RunsEveryPieceOnce) {
    for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (const std::int64_t pieces : {0, 1, 3, 1000}) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pieces));
            std::atomic<bool> workersValid{true};
            pool.run(pieces, [&](std::int64_t piece, int worker) {
                seen[static_cast<std::size_t>(piece)]++;
                if (worker < 0 || worker >= threads) workersValid = false;
            });
            for (const auto& count : seen)
                EXPECT_EQ(count.load(), 1);
            EXPECT_TRUE(workersValid);
        }
    }
}

TEST(ThreadPool, ManyShortRoundsInAndOutOfAStep) {
    ThreadPool pool(4);
    std::atomic<std::int64_t> sum{0};
    for (int round = 0; round < 2000; ++round) {
        if (round % 2 == 0) {
            const ThreadPool::StepScope scope(pool);
            pool.run(5, [&](std::int64_t piece, int) { sum += piece; });
        } else {
            pool.run(5, [&](std::int64_t piece, int) { sum += piece; });
        }
    }
    EXPECT_EQ(sum.load(), 2000 * 10);
}

TEST(ThreadPool, ExceptionOfAPieceReachesTheCaller) {
    ThreadPool pool(3);
    std::atomic<int> done{0};
    EXPECT_THROW(pool.run(10,
                          [&](std::int64_t piece, int) {
                              if (piece == 4) throw std::runtime_error("piece 4");
                              ++done;
                          }),
                 std::runtime_error);
    EXPECT_EQ(done.load(), 9);
    pool.run(10, [&](std::int64_t, int) { ++done; });
    EXPECT_EQ(done.load(), 19);
}

TEST(ThreadPool, SleepsBetweenSteps) {
    ThreadPool pool(8);
    {
        const ThreadPool::StepScope scope(pool);
        pool.run(100, [](std::int64_t, int) {});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const double before = processorSeconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    // Seven spinning threads would use at least 0.4 s.
    EXPECT_LT(processorSeconds() - before, 0.02);
}

TEST(ThreadPool, StopsSpinningInALongStep) {
    ThreadPool pool(8);
    const ThreadPool::StepScope scope(pool);
    pool.run(100, [](std::int64_t, int) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const double before = processorSeconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_LT(processorSeconds() - before, 0.02);
}

}  // namespace
}  // namespace aether::engine::cpu
