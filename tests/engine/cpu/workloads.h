// SPDX-License-Identifier: MIT
// Networks that exercise what the published ones do not.
#pragma once

#include <string>
#include <vector>

#include "tests/engine/cpu/support.h"

namespace aether::engine::cpu::test {

struct NamedWorkload {
    std::string name;
    Workload workload;
};

inline std::vector<NamedWorkload> oddWorkloads() {
    const std::string bn = R"("epsilon": 1e-5, "momentum": 0.9})";
    return {
        {"odd_sizes",  // channels and images that fit no vector, a pool with a rest, kernel 5
         workloadOf(R"({"type": "convolution", "name": "c1", "filters": 5, "kernel": 5},
            {"type": "batch_norm", "name": "b1", )" +
                        bn + R"(, {"type": "leaky_relu", "name": "l1", "slope": 0.1},
            {"type": "max_pool", "name": "p1", "size": 2},
            {"type": "convolution", "name": "c2", "filters": 11, "kernel": 3, "l2": 1e-3},
            {"type": "relu", "name": "r2"}, {"type": "spatial_dropout", "name": "d2", "rate": 0.3},
            {"type": "convolution", "name": "c3", "filters": 21, "kernel": 1},
            {"type": "batch_norm", "name": "b3", )" +
                        bn + R"(, {"type": "relu", "name": "r3"},
            {"type": "max_pool", "name": "p3", "size": 3},
            {"type": "dense", "name": "f1", "units": 7}, {"type": "relu", "name": "rf"},
            {"type": "dense", "name": "f2", "units": 3})",
                    13, 15, 2, 3, 5)},
        {"unfused",  // orders that fit no link
         workloadOf(R"({"type": "max_pool", "name": "p0", "size": 2},
            {"type": "batch_norm", "name": "b0", )" +
                        bn + R"(,
            {"type": "convolution", "name": "c1", "filters": 6, "kernel": 3},
            {"type": "relu", "name": "r1"}, {"type": "batch_norm", "name": "b1", )" +
                        bn + R"(,
            {"type": "dropout", "name": "d1", "rate": 0.25},
            {"type": "convolution", "name": "c2", "filters": 9, "kernel": 3},
            {"type": "spatial_dropout", "name": "s2", "rate": 0.2}, {"type": "max_pool", "name": "p2", "size": 2},
            {"type": "leaky_relu", "name": "l2", "slope": 0.2},
            {"type": "global_average_pool", "name": "g"},
            {"type": "dense", "name": "f1", "units": 10}, {"type": "batch_norm", "name": "bf", )" +
                        bn + R"(,
            {"type": "relu", "name": "rf"}, {"type": "dropout", "name": "df", "rate": 0.1},
            {"type": "dense", "name": "f2", "units": 4, "l2": 1e-2})",
                    12, 10, 3, 4, 6)},
        {"dense_only",
         workloadOf(R"({"type": "dense", "name": "f1", "units": 19}, {"type": "relu", "name": "r"},
            {"type": "dropout", "name": "d", "rate": 0.5}, {"type": "dense", "name": "f2", "units": 5})",
                    4, 3, 3, 5, 9)},
        {"ends_in_convolution",
         workloadOf(
             R"({"type": "convolution", "name": "c1", "filters": 24, "kernel": 3}, {"type": "relu", "name": "r"},
            {"type": "convolution", "name": "c2", "filters": 5, "kernel": 1}, {"type": "max_pool", "name": "p", "size": 4}
            )",
             4, 4, 1, 5, 3)},
    };
}

}  // namespace aether::engine::cpu::test
