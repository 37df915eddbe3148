// SPDX-License-Identifier: MIT
#include "common/dataset.h"

#include <algorithm>
#include <string>

#include "common/failure.h"
#include "common/files.h"
#include "common/random.h"

namespace aether {
namespace {

constexpr Shape kCifarShape{32, 32, 3};
constexpr std::size_t kPlane = 32 * 32;
constexpr std::size_t kRecord = 1 + 3 * kPlane;
constexpr int kCifarClasses = 10;
constexpr std::size_t kSyntheticTrain = 2048;
constexpr std::size_t kSyntheticTest = 512;

ImageSet syntheticSet(const Workload& workload, std::size_t count, std::uint32_t split,
                      std::uint64_t seed) {
    ImageSet set;
    set.shape = workload.input;
    const std::size_t bytes = count * static_cast<std::size_t>(workload.input.elements());
    std::vector<std::uint32_t> words((bytes + 3) / 4);
    philoxWords(words, 0, split, Purpose::Image, seed);
    set.pixels.resize(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        set.pixels[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
    std::vector<std::uint32_t> labels(count);
    philoxWords(labels, 0, split, Purpose::Label, seed);
    for (const std::uint32_t word : labels) {
        set.labels.push_back(
            static_cast<std::int32_t>(word % static_cast<std::uint32_t>(workload.classes)));
    }
    return set;
}

void appendCifarFile(const std::filesystem::path& file, ImageSet& set) {
    const std::string bytes = readFile(file);
    if (bytes.empty() || bytes.size() % kRecord != 0) {
        throw Failure(FailureKind::Usage,
                      file.string() + ": " + std::to_string(bytes.size()) +
                          " bytes; expected a multiple of 3073 (one label and 3072 colour bytes an "
                          "image), complete up to offset " +
                          std::to_string(bytes.size() / kRecord * kRecord));
    }
    set.shape = kCifarShape;
    for (std::size_t offset = 0; offset < bytes.size(); offset += kRecord) {
        const auto* record = reinterpret_cast<const std::uint8_t*>(bytes.data()) + offset;
        if (record[0] >= kCifarClasses) {
            throw Failure(FailureKind::Usage, file.string() + ": label " +
                                                  std::to_string(record[0]) + " at offset " +
                                                  std::to_string(offset) + "; expected 0 to 9");
        }
        set.labels.push_back(record[0]);
        for (std::size_t pixel = 0; pixel < kPlane; ++pixel) {
            for (std::size_t channel = 0; channel < 3; ++channel) {
                set.pixels.push_back(record[1 + channel * kPlane + pixel]);
            }
        }
    }
}

}  // namespace

Dataset syntheticDataset(const Workload& workload, std::uint64_t seed) {
    return {syntheticSet(workload, kSyntheticTrain, 0, seed),
            syntheticSet(workload, kSyntheticTest, 1, seed), true};
}

Dataset loadCifar10(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string file = entry.path().filename().string();
        if (file.starts_with("data_batch_") && file.ends_with(".bin"))
            files.push_back(entry.path());
    }
    if (error)
        throw Failure(FailureKind::Usage, folder.string() + ": can't be read: " + error.message());
    if (files.empty()) {
        throw Failure(
            FailureKind::Usage,
            folder.string() + ": no data_batch_*.bin; expected CIFAR-10 in its binary form");
    }
    std::sort(files.begin(), files.end());
    Dataset data;
    for (const auto& file : files)
        appendCifarFile(file, data.train);
    appendCifarFile(folder / "test_batch.bin", data.test);
    return data;
}

Dataset loadDataset(const Workload& workload, const std::optional<std::filesystem::path>& folder,
                    std::uint64_t seed) {
    if (!folder) return syntheticDataset(workload, seed);
    if (!(workload.input == kCifarShape) || workload.classes != kCifarClasses) {
        throw Failure(FailureKind::Usage,
                      folder->string() + ": CIFAR-10 images are 32x32x3 in 10 classes; workload " +
                          workload.name + " expects another shape");
    }
    return loadCifar10(*folder);
}

void writeCifar10(const ImageSet& images, const std::filesystem::path& file) {
    std::string bytes(images.count() * kRecord, '\0');
    for (std::size_t i = 0; i < images.count(); ++i) {
        char* record = bytes.data() + i * kRecord;
        record[0] = static_cast<char>(images.labels[i]);
        const std::uint8_t* pixels = images.image(i);
        for (std::size_t pixel = 0; pixel < kPlane; ++pixel) {
            for (std::size_t channel = 0; channel < 3; ++channel) {
                record[1 + channel * kPlane + pixel] =
                    static_cast<char>(pixels[pixel * 3 + channel]);
            }
        }
    }
    writeFileAtomically(file, bytes);
}

}  // namespace aether
