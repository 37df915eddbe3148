// SPDX-License-Identifier: MIT
#include "common/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "common/failure.h"
#include "common/files.h"
#include "tests/common/temporary_folder.h"

namespace aether {
namespace {

class Safetensors : public testing::Test {
  protected:
    std::string refusal(const std::string& header, const std::string& data) {
        std::string bytes(8, '\0');
        const std::uint64_t length = header.size();
        std::memcpy(bytes.data(), &length, 8);
        return refusalOf(bytes + header + data);
    }

    std::string refusalOf(const std::string& bytes) {
        writeFileAtomically(folder_ / "x.safetensors", bytes);
        try {
            readSafetensors(folder_ / "x.safetensors");
        } catch (const Failure& failure) {
            return failure.what();
        }
        return "";
    }

    test::TemporaryFolder folder_;
};

TEST_F(Safetensors, KeepsTypesShapesAndValues) {
    const std::vector<float> floats{1.5F, -2, 3, 4, 5, 6};
    const std::vector<double> doubles{1e-300, 2};
    const std::vector<std::int32_t> ints{-7};
    const std::vector<std::uint8_t> bytes{0, 255, 3};
    writeSafetensors({{"f", Tensor::of({2, 3}, std::span(floats))},
                      {"d", Tensor::of({2}, std::span(doubles))},
                      {"i", Tensor::of({}, std::span(ints))},
                      {"b", Tensor::of({3, 1}, std::span(bytes))}},
                     folder_ / "x.safetensors");
    const TensorMap read = readSafetensors(folder_ / "x.safetensors");
    EXPECT_EQ(read.size(), 4U);
    EXPECT_EQ(read.at("f").shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(read.at("f").f32()[1], -2);
    EXPECT_EQ(read.at("d").toDouble(), doubles);
    EXPECT_EQ(read.at("i").i32()[0], -7);
    EXPECT_EQ(read.at("b").u8()[1], 255);
    EXPECT_THROW((void)read.at("b").f32(), Failure);
    EXPECT_THROW(requireTensor(read, "missing", 1), Failure);
    EXPECT_THROW(requireTensor(read, "f", 7), Failure);
}

TEST_F(Safetensors, RefusesDamagedFilesWithAReason) {
    EXPECT_NE(refusalOf("abc").find("shorter than its header length"), std::string::npos);
    EXPECT_NE(refusalOf(std::string(8, '\x7f')).find("a header of"), std::string::npos);
    EXPECT_NE(refusal("[1]", "").find("no JSON object"), std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1]}})", "").find("lacks"), std::string::npos);
    EXPECT_NE(
        refusal(R"({"a":{"dtype":"F9","shape":[1],"data_offsets":[0,4]}})", "1234").find("\"F9\""),
        std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "1234")
                  .find("larger than the file"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})", "1234")
                  .find("ends at byte 6 of 4"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,3]}})", "1234")
                  .find("needs 4"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234")
                  .find("no whole number"),
              std::string::npos);
    EXPECT_NE(
        refusal(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})",
                "1234")
            .find("larger than the file"),
        std::string::npos);
    EXPECT_NE(refusal(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "1234")
                  .find("2 bytes, its data 4"),
              std::string::npos);
}

}  // namespace
}  // namespace aether
