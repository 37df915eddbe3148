// SPDX-License-Identifier: MIT
#include "common/dataset.h"

#include <gtest/gtest.h>

#include "common/failure.h"
#include "common/files.h"
#include "tests/common/temporary_folder.h"
#include "tests/common/workloads.h"

namespace aether {
namespace {

ImageSet twoImages() {
    ImageSet set{{32, 32, 3}, std::vector<std::uint8_t>(2 * 3072), {3, 9}};
    for (std::size_t i = 0; i < set.pixels.size(); ++i)
        set.pixels[i] = static_cast<std::uint8_t>(i * 7);
    return set;
}

std::string messageOf(const std::filesystem::path& folder) {
    try {
        loadCifar10(folder);
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

TEST(SyntheticDataset, IsDeterministicAndLabelled) {
    const Dataset data = loadDataset(v1(), std::nullopt, 42);
    EXPECT_STREQ(data.kind(), "synthetic");
    EXPECT_EQ(data.train.count(), 2048U);
    EXPECT_EQ(data.test.count(), 512U);
    EXPECT_EQ(data.train.pixels, syntheticDataset(v1(), 42).train.pixels);
    EXPECT_NE(data.train.pixels, syntheticDataset(v1(), 43).train.pixels);
    for (const std::int32_t label : data.train.labels)
        EXPECT_TRUE(label >= 0 && label < 10);
}

TEST(Cifar10, SurvivesWritingAndReading) {
    const test::TemporaryFolder folder;
    writeCifar10(twoImages(), folder / "data_batch_1.bin");
    writeCifar10(twoImages(), folder / "data_batch_2.bin");
    writeCifar10(twoImages(), folder / "test_batch.bin");
    const Dataset data = loadCifar10(folder.path());
    EXPECT_STREQ(data.kind(), "cifar10-binary");
    EXPECT_EQ(data.train.labels, (std::vector<std::int32_t>{3, 9, 3, 9}));
    EXPECT_EQ(data.test.pixels, twoImages().pixels);
}

TEST(Cifar10, StoresPlanesInTheFile) {
    const test::TemporaryFolder folder;
    ImageSet one{{32, 32, 3}, std::vector<std::uint8_t>(3072), {1}};
    one.pixels[0] = 11;  // red, green, blue of the first pixel
    one.pixels[1] = 22;
    one.pixels[2] = 33;
    writeCifar10(one, folder / "x.bin");
    const std::string bytes = readFile(folder / "x.bin");
    EXPECT_EQ(bytes[1], 11);
    EXPECT_EQ(bytes[1 + 1024], 22);
    EXPECT_EQ(bytes[1 + 2048], 33);
}

TEST(Cifar10, SaysWhatIsWrong) {
    const test::TemporaryFolder folder;
    EXPECT_NE(messageOf(folder.path()).find("no data_batch_*.bin"), std::string::npos);
    EXPECT_NE(messageOf(folder / "missing").find("can't be read"), std::string::npos);

    writeFileAtomically(folder / "data_batch_1.bin", std::string(5000, '\1'));
    EXPECT_NE(messageOf(folder.path()).find("5000 bytes; expected a multiple of 3073"),
              std::string::npos);
    EXPECT_NE(messageOf(folder.path()).find("up to offset 3073"), std::string::npos);

    std::string records(2 * 3073, '\1');
    records[3073] = 10;
    writeFileAtomically(folder / "data_batch_1.bin", records);
    EXPECT_NE(messageOf(folder.path()).find("label 10 at offset 3073; expected 0 to 9"),
              std::string::npos);

    writeCifar10(twoImages(), folder / "data_batch_1.bin");
    EXPECT_NE(messageOf(folder.path()).find("test_batch.bin"), std::string::npos);
}

TEST(Cifar10, RefusesAWorkloadOfAnotherShape) {
    Workload other = v1();
    other.input.height = 64;
    EXPECT_THROW(loadDataset(other, "/nowhere", 1), Failure);
}

}  // namespace
}  // namespace aether
