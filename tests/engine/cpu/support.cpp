// SPDX-License-Identifier: MIT
#include "tests/engine/cpu/support.h"

#include <algorithm>
#include <cmath>

#include "common/random.h"
#include "engine/cpu/instruction_set.h"
#include "engine/cpu/kernels/tables.h"

namespace aether::engine::cpu::test {

std::vector<const KernelTable*> allTables() {
#if defined(__x86_64__)
    return {&plainKernels,  &avx2Kernels,       &emulated16Kernels,
            &avx512Kernels, &avx512Bf16Kernels, &avx512AmxKernels};
#else
    return {&plainKernels};
#endif
}

bool isRunnable(const KernelTable& table) {
    const auto names = availableInstructionSets();
    const std::string needed = std::string(table.name) == "emulated16" ? "avx2" : table.name;
    return std::find(names.begin(), names.end(), needed) != names.end();
}

std::vector<const KernelTable*> runnableTables() {
    auto tables = allTables();
    std::erase_if(tables, [](const KernelTable* table) { return !isRunnable(*table); });
    return tables;
}

namespace {
std::string nameOf(const KernelTable& table) {
    std::string name = table.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
}  // namespace

std::string tableName(const testing::TestParamInfo<const KernelTable*>& info) {
    return nameOf(*info.param);
}

std::string wayName(const testing::TestParamInfo<Way>& info) {
    const auto& [table, method] = info.param;
    return nameOf(*table) + (method == ConvolutionMethod::Winograd ? "_winograd" : "_direct");
}

double relativeDistance(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return std::sqrt(norm > 0 ? difference / norm : difference);
}

Workload workloadOf(const std::string& layers, int height, int width, int channels, int classes,
                    int batch) {
    const std::string text =
        R"({"schema": "aether-bench/workload/1", "name": "test", "title": "test", "input": {"height": )" +
        std::to_string(height) + R"(, "width": )" + std::to_string(width) + R"(, "channels": )" +
        std::to_string(channels) + R"(, "classes": )" + std::to_string(classes) +
        R"(, "preprocess": "batch_standardise"}, "batch": )" + std::to_string(batch) +
        R"(, "seed": 42, "layers": [)" + layers +
        R"(], "loss": {"type": "softmax_cross_entropy", "label_smoothing": 0.05},
        "optimizer": {"type": "adamw", "learning_rate": 1e-3, "learning_rate_decay": 1e-4,
        "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-7, "weight_decay": 0.01}})";
    return parseWorkload(text, "test");
}

Workload publishedWorkload(const std::string& name) {
    return loadWorkload(std::string(AETHER_RESOURCES) + "/workloads/" + name + ".json");
}

Images randomImages(const Workload& workload, std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    Images images;
    images.pixels.resize(static_cast<std::size_t>(count * workload.input.elements()));
    for (auto& pixel : images.pixels)
        pixel = static_cast<std::uint8_t>(random() >> 24);
    for (std::int64_t i = 0; i < count; ++i) {
        images.labels.push_back(
            static_cast<std::int32_t>(random() % static_cast<unsigned>(workload.classes)));
    }
    return images;
}

std::vector<float> randomFloats(std::int64_t count, unsigned seed, float low, float high) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(low, high);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = uniform(random);
    return values;
}

void setTestParameters(Generation& generation, const Workload& workload, unsigned seed) {
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        auto values = initialParameter(workload, i, seed);
        if (workload.parameters[i].role != ParameterRole::Weight) {
            const auto noise = randomFloats(static_cast<std::int64_t>(values.size()),
                                            seed + static_cast<unsigned>(i), -0.3F, 0.3F);
            for (std::size_t j = 0; j < values.size(); ++j)
                values[j] += noise[j];
        }
        generation.setParameter(i, values);
    }
    generation.resetState();
}

}  // namespace aether::engine::cpu::test
