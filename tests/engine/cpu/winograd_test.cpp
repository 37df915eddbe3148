// SPDX-License-Identifier: MIT
// Winograd's kernels of every table against the plain layers in double, several images at a time.
#include <cmath>
#include <cstring>

#include "engine/cpu/kernels/arithmetic.h"
#include "tests/engine/cpu/kernel_fixture.h"

namespace aether::engine::cpu::test {
namespace {

constexpr std::int64_t kImages = 3;

/// Every shape with a kernel of three, also those that are faster otherwise, and one with more
/// tiles than a block.
std::vector<Case> cases() {
    std::vector<Case> some = kCases;
    std::erase_if(some, [](const Case& t) { return t.f != 3; });
    some.push_back({48, 44, 40, 16, 3, 1, 0});
    return some;
}

/// Seeded tensors of a case and their exact gradients.
struct Backward {
    std::vector<float> x, dy, weights;
    std::vector<double> dx, dw;

    explicit Backward(const Case& t)
        : x(randomFloats(kImages * t.h * t.w * t.c, 1)),
          dy(randomFloats(kImages * t.h * t.w * t.k, 4)),
          weights(randomFloats(9 * t.c * t.k, 2)),
          dx(x.size()),
          dw(weights.size()) {
        std::vector<double> db(static_cast<std::size_t>(t.k));
        reference::convolutionBackward({kImages, t.h, t.w, t.c}, t.k, 3, toDouble(x).data(),
                                       toDouble(weights).data(), toDouble(dy).data(), dx.data(),
                                       dw.data(), db.data());
    }
};

/// Numbers as an arithmetic stores them.
std::vector<std::byte> encoded(const std::vector<float>& values, std::int64_t bytesEach) {
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(bytesEach));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (bytesEach == 2) {
            const std::uint16_t v = toBf16(values[i]);
            std::memcpy(&bytes[i * 2], &v, 2);
        } else {
            std::memcpy(&bytes[i * 4], &values[i], 4);
        }
    }
    return bytes;
}

std::vector<float> decoded(const std::vector<std::byte>& bytes, std::int64_t bytesEach) {
    std::vector<float> values(bytes.size() / static_cast<std::size_t>(bytesEach));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (bytesEach == 2) {
            std::uint16_t v;
            std::memcpy(&v, &bytes[i * 2], 2);
            values[i] = fromBf16(v);
        } else {
            std::memcpy(&values[i], &bytes[i * 4], 4);
        }
    }
    return values;
}

class Winograd : public Kernels {
  protected:
    struct Way {
        const ArithmeticKernels& arithmetic;
        double forwardTolerance;  ///< of a relative distance
        double tolerance;         ///< the same of gradients
        double sumsTolerance;     ///< of sums of numbers of either sign
        const ConvolutionKernels& kernels() const { return arithmetic.winograd; }
    };
    /// Float, and dot products of bfloat16 where the table has them: stored numbers have eight
    /// significant bits; transformed ones too, but at least sixteen in forward, where what is lost
    /// is only the result's rounding.
    std::vector<Way> ways() const {
        std::vector<Way> all{{GetParam()->fp32, 2e-6, 2e-6, 3e-6}};
        if (GetParam()->hasDot) all.push_back({GetParam()->bf16Dot, 2.2e-3, 1.5e-2, 5e-2});
        return all;
    }

    /// The values next to these that the arithmetic can store.
    static std::vector<float> storable(const Way& way, const std::vector<float>& values) {
        return decoded(encoded(values, way.arithmetic.storedBytes), way.arithmetic.storedBytes);
    }

    /// [images][H][W][c] with borders and padded channels.
    std::vector<std::byte> scratch(const Way& way, const std::vector<float>& dense, const Case& t,
                                   std::int64_t c) const {
        std::vector<float> all;
        const std::int64_t elements = t.h * t.w * c;
        for (std::int64_t i = 0; i < kImages; ++i) {
            const std::vector<float> one(dense.begin() + i * elements,
                                         dense.begin() + (i + 1) * elements);
            const auto wide = bordered(spread(one, c), t.h, t.w, padded(c), 1);
            all.insert(all.end(), wide.begin(), wide.end());
        }
        return encoded(all, way.arithmetic.scratchBytes);
    }
    std::vector<std::byte> packedWeights(const Way& way, const ConvolutionShape& shape,
                                         const Case& t, const std::vector<float>& weights,
                                         bool flipped) const {
        std::vector<std::byte> packed(static_cast<std::size_t>(way.kernels().packedBytes(shape)));
        for (std::int64_t b = 0; b < way.kernels().blocks(shape); ++b) {
            way.kernels().pack({shape, weights.data(), t.c, t.k, flipped, packed.data(), b});
        }
        return packed;
    }
    std::vector<float> workspace(const Way& way, const ConvolutionShape& shape) const {
        return std::vector<float>(static_cast<std::size_t>(way.kernels().workspaceBytes(shape)) /
                                  sizeof(float));
    }

    void forward(const Way& way, const Case& t) const;
    void weightGradient(const Way& way, const Case& t) const;
    void inputGradient(const Way& way, const Case& t) const;
};

void Winograd::forward(const Way& way, const Case& t) const {
    const auto x = storable(way, randomFloats(kImages * t.h * t.w * t.c, 1));
    const auto weights = storable(way, randomFloats(9 * t.c * t.k, 2));
    const auto bias = randomFloats(t.k, 3);
    std::vector<double> expected(static_cast<std::size_t>(kImages * t.h * t.w * t.k));
    reference::convolutionForward({kImages, t.h, t.w, t.c}, t.k, 3, toDouble(x).data(),
                                  toDouble(weights).data(), toDouble(bias).data(), expected.data());

    const ConvolutionShape shape{t.h, t.w, 3, padded(t.c), padded(t.k)};
    const std::int64_t images = std::min(kImages, way.kernels().imagesAtOnce(shape));
    const auto input = scratch(way, x, t, t.c);
    const auto packed = packedWeights(way, shape, t, weights, false);
    const auto wideBias = spread(bias, t.k);
    auto memory = workspace(way, shape);
    const std::int64_t pixels = (t.h + 2) * (t.w + 2);
    const std::int64_t imageBytes = t.h * t.w * padded(t.k) * way.arithmetic.storedBytes;
    std::vector<std::byte> y(static_cast<std::size_t>(kImages * imageBytes));
    std::vector<float> sums(static_cast<std::size_t>(kImages * 2 * padded(t.k)), -1);
    std::vector<StoreArguments> stores;
    for (std::int64_t i = 0; i < kImages; ++i) {
        stores.push_back(
            {y.data() + i * imageBytes, wideBias.data(), sums.data() + i * 2 * padded(t.k), false});
    }
    for (std::int64_t i = 0; i < kImages; i += images) {
        const std::int64_t count = std::min(images, kImages - i);
        way.kernels().forward(
            {shape,
             count,
             input.data() + i * pixels * padded(t.c) * way.arithmetic.scratchBytes,
             packed.data(),
             memory.data(),
             {}},
            stores.data() + i);
    }
    EXPECT_LT(relativeDistance(gather(decoded(y, way.arithmetic.storedBytes), t.k), expected),
              way.forwardTolerance);

    std::vector<double> expectedSums(static_cast<std::size_t>(kImages * 2 * t.k));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto k = i % static_cast<std::size_t>(t.k);
        const auto image = i / static_cast<std::size_t>(t.h * t.w * t.k);
        double* const row = &expectedSums[image * static_cast<std::size_t>(2 * t.k)];
        row[k] += expected[i];
        row[static_cast<std::size_t>(t.k) + k] += expected[i] * expected[i];
    }
    EXPECT_LT(relativeDistance(gather(sums, t.k), expectedSums), way.forwardTolerance);
}

void Winograd::weightGradient(const Way& way, const Case& t) const {
    const Backward exact(t);

    const ConvolutionShape shape{t.h, t.w, 3, padded(t.c), padded(t.k)};
    const auto input = scratch(way, exact.x, t, t.c), gradient = scratch(way, exact.dy, t, t.k);
    auto memory = workspace(way, shape);
    const std::int64_t floats = way.kernels().gradientFloats(shape);
    std::vector<float> accumulator(
        static_cast<std::size_t>(way.kernels().accumulatorFloats(shape)));
    std::vector<float> partials(static_cast<std::size_t>(2 * floats));
    const std::int64_t pixels = (t.h + 2) * (t.w + 2);
    const auto add = [&](std::int64_t image) {
        way.kernels().weightGradient(
            {shape,
             1,
             input.data() + image * pixels * padded(t.c) * way.arithmetic.scratchBytes,
             gradient.data() + image * pixels * padded(t.k) * way.arithmetic.scratchBytes,
             accumulator.data(),
             memory.data(),
             {{input.data(), image * 1000}, {}}});
    };
    // Two images in one partial sum, the third in another.
    add(0);
    add(1);
    way.kernels().finish({shape, accumulator.data(), partials.data()});
    std::fill(accumulator.begin(), accumulator.end(), 0.0F);
    add(2);
    way.kernels().finish({shape, accumulator.data(), partials.data() + floats});
    std::vector<float> actual(exact.weights.size());
    for (std::int64_t b = 0; b < way.kernels().blocks(shape); ++b) {
        way.kernels().reduce({shape, partials.data(), 2, floats, actual.data(), t.c, t.k, b});
    }
    EXPECT_LT(relativeDistance(toDouble(actual), exact.dw), way.tolerance);
}

void Winograd::inputGradient(const Way& way, const Case& t) const {
    const Backward exact(t);

    const ConvolutionShape shape{t.h, t.w, 3, padded(t.k), padded(t.c)};
    const auto gradient = scratch(way, exact.dy, t, t.k);
    const auto packed = packedWeights(way, shape, t, exact.weights, true);
    auto memory = workspace(way, shape);
    const std::int64_t pixels = (t.h + 2) * (t.w + 2);
    const auto storedAt =
        encoded(spread(randomFloats(t.h * t.w * t.c, 5), t.c), way.arithmetic.storedBytes);
    const auto at = decoded(storedAt, way.arithmetic.storedBytes);
    const auto mean = spread(randomFloats(t.c, 6), t.c), scale = spread(randomFloats(t.c, 7), t.c);
    const auto shift = spread(randomFloats(t.c, 8), t.c);
    for (std::int64_t i = 0; i < kImages; ++i) {
        const float kept = 1 + static_cast<float>(i);  // each image has its own dropout
        const auto drop = constants(t.c, kept);
        std::vector<std::byte> dz(storedAt.size());
        std::vector<float> sums(static_cast<std::size_t>(2 * padded(t.c)), -1);
        const GradientStoreArguments epilogue{
            dz.data(),    storedAt.data(), mean.data(),
            scale.data(), shift.data(),    static_cast<float>(t.slope),
            drop.data(),  sums.data(),     false};
        way.kernels().inputGradient(
            {shape,
             1,
             gradient.data() + i * pixels * padded(t.k) * way.arithmetic.scratchBytes,
             packed.data(),
             memory.data(),
             {}},
            &epilogue);
        std::vector<double> expected(static_cast<std::size_t>(t.h * t.w * t.c));
        std::vector<double> expectedSums(static_cast<std::size_t>(2 * t.c));
        for (std::size_t e = 0; e < expected.size(); ++e) {
            const auto c = e % static_cast<std::size_t>(t.c);
            const auto wide =
                e / static_cast<std::size_t>(t.c) * static_cast<std::size_t>(padded(t.c)) + c;
            const float centred = at[wide] - mean[c];
            const float z = std::fma(centred, scale[c], shift[c]);
            expected[e] = exact.dx[static_cast<std::size_t>(i) * expected.size() + e] * kept *
                          (z > 0 ? 1 : static_cast<float>(t.slope));
            expectedSums[c] += expected[e];
            expectedSums[static_cast<std::size_t>(t.c) + c] += expected[e] * centred;
        }
        EXPECT_LT(relativeDistance(gather(decoded(dz, way.arithmetic.storedBytes), t.c), expected),
                  way.tolerance);
        EXPECT_LT(relativeDistance(gather(sums, t.c), expectedSums), way.sumsTolerance);
    }
}

TEST_P(Winograd, Forward) {
    for (const Way& way : ways()) {
        for (const Case& t : cases()) {
            SCOPED_TRACE(t.text());
            forward(way, t);
        }
    }
}

TEST_P(Winograd, WeightGradient) {
    for (const Way& way : ways()) {
        for (const Case& t : cases()) {
            SCOPED_TRACE(t.text());
            weightGradient(way, t);
        }
    }
}

TEST_P(Winograd, InputGradient) {
    for (const Way& way : ways()) {
        for (const Case& t : cases()) {
            SCOPED_TRACE(t.text());
            inputGradient(way, t);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, Winograd, testing::ValuesIn(allTables()), tableName);

}  // namespace
}  // namespace aether::engine::cpu::test
