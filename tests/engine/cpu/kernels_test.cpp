// SPDX-License-Identifier: MIT
// Every kernel of every table against the plain layers in double, one image at a time.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/engine/cpu/kernel_fixture.h"

namespace aether::engine::cpu::test {
namespace {

TEST_P(Kernels, DirectForward) {
    const ConvolutionKernels& kernels = GetParam()->fp32.direct;
    for (const Case& t : kCases) {
        SCOPED_TRACE(t.text());
        const auto x = randomFloats(t.h * t.w * t.c, 1);
        const auto weights = randomFloats(t.f * t.f * t.c * t.k, 2);
        const auto bias = randomFloats(t.k, 3);
        std::vector<double> expected(static_cast<std::size_t>(t.h * t.w * t.k));
        const reference::Dimensions d{1, t.h, t.w, t.c};
        reference::convolutionForward(d, t.k, t.f, toDouble(x).data(), toDouble(weights).data(),
                                      toDouble(bias).data(), expected.data());

        const ConvolutionShape shape{t.h, t.w, t.f, t.c, padded(t.k)};
        std::vector<std::uint8_t> packed(static_cast<std::size_t>(kernels.packedBytes(shape)));
        for (std::int64_t b = 0; b < kernels.blocks(shape); ++b) {
            kernels.pack({shape, weights.data(), t.c, t.k, false, packed.data(), b});
        }
        const auto input = bordered(x, t.h, t.w, t.c, t.f / 2);
        const auto wideBias = spread(bias, t.k);
        std::vector<float> y(static_cast<std::size_t>(t.h * t.w * padded(t.k)), -1);
        std::vector<float> sums(static_cast<std::size_t>(2 * padded(t.k)), -1);
        const StoreArguments plain{y.data(), wideBias.data(), sums.data(), false};
        kernels.forward({shape, 1, input.data(), packed.data(), nullptr, {}}, &plain);
        EXPECT_LT(relativeDistance(gather(y, t.k), expected), 5e-7);
        // Past the caches, and with memory to fetch meanwhile: the same bits.
        struct alignas(64) Line {
            float values[16];
        };
        std::vector<Line> streamed((y.size() + 15) / 16);
        const ConvolutionArguments ahead{
            shape,
            1,
            input.data(),
            packed.data(),
            nullptr,
            {{x.data(), 1}, {weights.data(), static_cast<std::int64_t>(weights.size()) * 4}}};
        const StoreArguments past{streamed.data(), wideBias.data(), sums.data(), true};
        kernels.forward(ahead, &past);
        EXPECT_EQ(std::memcmp(streamed.data(), y.data(), y.size() * sizeof(float)), 0);

        std::vector<double> expectedSums(static_cast<std::size_t>(2 * t.k));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t k = i % static_cast<std::size_t>(t.k);
            expectedSums[k] += expected[i];
            expectedSums[static_cast<std::size_t>(t.k) + k] += expected[i] * expected[i];
        }
        EXPECT_LT(relativeDistance(gather(sums, t.k), expectedSums), 1e-6);
    }
}

TEST_P(Kernels, DirectBackward) {
    const ConvolutionKernels& kernels = GetParam()->fp32.direct;
    for (const Case& t : kCases) {
        SCOPED_TRACE(t.text());
        const auto x = randomFloats(t.h * t.w * t.c, 1);
        const auto weights = randomFloats(t.f * t.f * t.c * t.k, 2);
        const auto dy = randomFloats(t.h * t.w * t.k, 4);
        const reference::Dimensions d{1, t.h, t.w, t.c};
        std::vector<double> dx(x.size()), dw(weights.size()), db(static_cast<std::size_t>(t.k));
        reference::convolutionBackward(d, t.k, t.f, toDouble(x).data(), toDouble(weights).data(),
                                       toDouble(dy).data(), dx.data(), dw.data(), db.data());

        const ConvolutionShape shape{t.h, t.w, t.f, t.c, padded(t.k)};
        const auto input = bordered(x, t.h, t.w, t.c, t.f / 2);
        const auto gradient = bordered(spread(dy, t.k), t.h, t.w, padded(t.k), t.f / 2);
        const std::int64_t floats = kernels.gradientFloats(shape);
        std::vector<float> partials(static_cast<std::size_t>(2 * floats));
        const ConvolutionShape back{t.h, t.w, t.f, padded(t.k), padded(t.c)};
        std::vector<std::uint8_t> workspace(static_cast<std::size_t>(
            std::max(kernels.workspaceBytes(shape), kernels.workspaceBytes(back))));
        // The same image twice in one partial sum and once in the other: three times the gradient.
        for (const int chunk : {0, 0, 1}) {
            kernels.weightGradient({shape,
                                    1,
                                    input.data(),
                                    gradient.data(),
                                    partials.data() + chunk * floats,
                                    workspace.data(),
                                    {{}, {weights.data(), chunk * 100}}});
        }
        std::vector<float> actual(weights.size());
        for (std::int64_t b = 0; b < kernels.blocks(shape); ++b) {
            kernels.reduce({shape, partials.data(), 2, floats, actual.data(), t.c, t.k, b});
        }
        for (double& v : dw)
            v *= 3;
        EXPECT_LT(relativeDistance(toDouble(actual), dw), 1e-6);

        std::vector<std::uint8_t> packed(static_cast<std::size_t>(kernels.packedBytes(back)));
        for (std::int64_t b = 0; b < kernels.blocks(back); ++b) {
            kernels.pack({back, weights.data(), t.c, t.k, true, packed.data(), b});
        }
        const auto at = spread(randomFloats(t.h * t.w * t.c, 5), t.c);
        const auto mean = spread(randomFloats(t.c, 6), t.c),
                   scale = spread(randomFloats(t.c, 7), t.c);
        const auto shift = spread(randomFloats(t.c, 8), t.c), drop = constants(t.c, 1.25F);
        std::vector<float> dz(at.size(), -1), sums(static_cast<std::size_t>(2 * padded(t.c)), -1);
        const GradientStoreArguments epilogue{
            dz.data(),    at.data(),    mean.data(),
            scale.data(), shift.data(), static_cast<float>(t.slope),
            drop.data(),  sums.data(),  false};
        kernels.inputGradient({back, 1, gradient.data(), packed.data(), workspace.data(), {}},
                              &epilogue);
        std::vector<double> expected(dx.size()), expectedSums(static_cast<std::size_t>(2 * t.c));
        for (std::size_t i = 0; i < dx.size(); ++i) {
            const auto c = i % static_cast<std::size_t>(t.c);
            const auto wide = static_cast<std::size_t>(
                static_cast<std::int64_t>(i) / t.c * padded(t.c) + static_cast<std::int64_t>(c));
            const float centred = at[wide] - mean[c];
            const float z = std::fma(centred, scale[c], shift[c]);
            expected[i] = dx[i] * 1.25 * (z > 0 ? 1 : static_cast<float>(t.slope));
            expectedSums[c] += expected[i];
            expectedSums[static_cast<std::size_t>(t.c) + c] += expected[i] * centred;
        }
        EXPECT_LT(relativeDistance(gather(dz, t.c), expected), 1e-6);
        EXPECT_LT(relativeDistance(gather(sums, t.c), expectedSums), 2e-6);
    }
}

/// Batch norm, activation, pool, spatial dropout and their gradients, as one link.
TEST_P(Kernels, LinkForwardAndBackward) {
    const ArithmeticKernels& kernels = GetParam()->fp32;
    for (const Case& t : kCases) {
        SCOPED_TRACE(t.text());
        const reference::Dimensions d{1, t.h, t.w, t.c};
        const std::int64_t h = t.h / t.pool, w = t.w / t.pool;
        if (h * w == 0) continue;
        const auto y = randomFloats(t.h * t.w * t.c, 1);
        const auto gain = randomFloats(t.c, 2), shift = randomFloats(t.c, 3, -0.2F, 0.2F);
        std::vector<float> keep = randomFloats(t.c, 4);
        for (float& v : keep)
            v = v > -0.5F ? 1.0F : 0.0F;
        std::vector<double> mean(static_cast<std::size_t>(t.c)), variance(mean.size());
        std::vector<double> z(y.size()), a(y.size()), pooled(static_cast<std::size_t>(h * w * t.c));
        const double epsilon = 1e-3;
        reference::batchNormForward(d, epsilon, toDouble(y).data(), toDouble(gain).data(),
                                    toDouble(shift).data(), z.data(), mean.data(), variance.data());
        reference::activationForward(d.elements(), t.slope, z.data(), a.data());
        reference::maxPoolForward(d, t.pool, a.data(), pooled.data());
        const reference::Dimensions small{1, h, w, t.c};
        std::vector<double> expected(pooled.size());
        reference::dropout(small, true, 0.2, keep.data(), pooled.data(), expected.data());

        std::vector<float> means, scales, drops;
        for (std::size_t c = 0; c < mean.size(); ++c) {
            means.push_back(static_cast<float>(mean[c]));
            scales.push_back(static_cast<float>(gain[c] / std::sqrt(variance[c] + epsilon)));
            drops.push_back(keep[c] * 1.25F);
        }
        const auto stored = spread(y, t.c), wideMean = spread(means, t.c);
        const auto wideScale = spread(scales, t.c), wideShift = spread(shift, t.c);
        const auto drop = spread(drops, t.c);
        const LinkArguments link{stored.data(),
                                 t.h,
                                 t.w,
                                 padded(t.c),
                                 wideMean.data(),
                                 wideScale.data(),
                                 wideShift.data(),
                                 static_cast<float>(t.slope),
                                 t.pool,
                                 drop.data()};
        for (const std::int64_t border : {0, 2}) {
            const auto pixels =
                static_cast<std::size_t>((h + 2 * border) * (w + 2 * border) * padded(t.c));
            std::vector<float> loaded(pixels, 9);
            kernels.load({link, loaded.data(), border, nullptr, false});
            std::vector<float> narrow(expected.begin(), expected.end());
            const auto exact = bordered(spread(narrow, t.c), h, w, padded(t.c), border);
            EXPECT_LT(relativeDistance(toDouble(loaded), toDouble(exact)), 1e-6);
        }

        // Backward: from the gradient behind the link to dy, through store and load as the stages
        // do it.
        const auto dx = randomFloats(h * w * t.c, 9);
        std::vector<double> dPooled(dx.size()), dA(y.size()), dZ(y.size()), dy(y.size());
        std::vector<double> dGain(mean.size()), dShift(mean.size());
        reference::dropout(small, true, 0.2, keep.data(), toDouble(dx).data(), dPooled.data());
        reference::maxPoolBackward(d, t.pool, a.data(), dPooled.data(), dA.data());
        reference::activationBackward(d.elements(), t.slope, z.data(), dA.data(), dZ.data());
        reference::batchNormBackward(d, epsilon, toDouble(y).data(), toDouble(gain).data(),
                                     mean.data(), variance.data(), dZ.data(), dy.data(),
                                     dGain.data(), dShift.data());
        std::vector<float> loaded(static_cast<std::size_t>(h * w * padded(t.c)));
        std::vector<float> maximum(loaded.size()), dz(loaded.size());
        std::vector<float> sums(static_cast<std::size_t>(2 * padded(t.c)));
        kernels.load({link, loaded.data(), 0, maximum.data(), false});
        kernels.storeGradient(spread(dx, t.c).data(), h * w, padded(t.c),
                              {dz.data(), t.pool == 1 ? stored.data() : maximum.data(),
                               wideMean.data(), wideScale.data(), wideShift.data(),
                               static_cast<float>(t.slope), drop.data(), sums.data(), false});
        std::vector<float> slant, level;
        const auto count = static_cast<double>(t.h * t.w);
        std::vector<double> actualGain;
        for (std::size_t c = 0; c < mean.size(); ++c) {
            const double inverse = 1 / std::sqrt(variance[c] + epsilon);
            const double products = sums[static_cast<std::size_t>(padded(t.c)) + c];
            actualGain.push_back(products * inverse);
            slant.push_back(static_cast<float>(-scales[c] * inverse * inverse * products / count));
            level.push_back(static_cast<float>(-scales[c] * sums[c] / count));
        }
        const auto wideSlant = spread(slant, t.c), wideLevel = spread(level, t.c);
        std::vector<float> actual(stored.size(), 9);
        kernels.loadGradient({link, dz.data(), wideScale.data(), wideSlant.data(), wideLevel.data(),
                              actual.data(), 0, false});
        if (t.h * t.w < 6) continue;  // a batch norm over so few values is all cancellation
        EXPECT_LT(relativeDistance(gather(actual, t.c), dy), 2e-6);
        EXPECT_LT(relativeDistance(actualGain, dGain), 2e-6);
    }
}

TEST_P(Kernels, FirstMaximumOfEqualsTakesTheGradient) {
    const ArithmeticKernels& kernels = GetParam()->fp32;
    const std::int64_t c = padded(1);
    const std::vector<float> stored(static_cast<std::size_t>(4 * c), 3),
        one(static_cast<std::size_t>(c), 1);
    const std::vector<float> zero(static_cast<std::size_t>(c), 0),
        dz(static_cast<std::size_t>(c), 5);
    std::vector<float> dy(stored.size(), -1);
    const LinkArguments link{stored.data(), 2,           2, c, zero.data(),
                             one.data(),    zero.data(), 0, 2, one.data()};
    kernels.loadGradient(
        {link, dz.data(), one.data(), zero.data(), zero.data(), dy.data(), 0, false});
    EXPECT_EQ(dy[0], 5);
    for (std::size_t p = 1; p < 4; ++p)
        EXPECT_EQ(dy[p * static_cast<std::size_t>(c)], 0) << p;
}

TEST_P(Kernels, DenseAndAdamWMatchPlainFormulas) {
    const KernelTable& table = *GetParam();
    const std::int64_t inputs = 37, outputs = padded(10), images = 3;
    const auto weights = randomFloats(inputs * outputs, 1), bias = randomFloats(outputs, 2);
    const auto x = randomFloats(images * inputs, 3), dy = randomFloats(images * outputs, 4);
    std::vector<double> y(static_cast<std::size_t>(images * outputs)), dx(x.size()),
        dw(weights.size());
    std::vector<double> db(static_cast<std::size_t>(outputs));
    reference::denseForward(images, inputs, outputs, toDouble(x).data(), toDouble(weights).data(),
                            toDouble(bias).data(), y.data());
    reference::denseBackward(images, inputs, outputs, toDouble(x).data(), toDouble(weights).data(),
                             toDouble(dy).data(), dx.data(), dw.data(), db.data());
    std::vector<float> actualY(y.size()), actualDx(dx.size()), actualDw(dw.size());
    for (std::int64_t n = 0; n < images; ++n) {
        const DenseArguments a{weights.data(),
                               inputs,
                               outputs,
                               bias.data(),
                               x.data() + n * inputs,
                               actualY.data() + n * outputs,
                               dy.data() + n * outputs,
                               actualDx.data() + n * inputs};
        table.denseForward(a);
        table.denseInputGradient(a);
    }
    table.denseWeightGradient({x.data(), dy.data(), images, inputs, inputs, outputs, outputs, 0,
                               inputs, actualDw.data()});
    EXPECT_LT(relativeDistance(toDouble(actualY), y), 5e-7);
    EXPECT_LT(relativeDistance(toDouble(actualDx), dx), 5e-7);
    EXPECT_LT(relativeDistance(toDouble(actualDw), dw), 5e-7);

    const std::int64_t count = 4 * table.width;
    auto weight = randomFloats(count, 5), gradient = randomFloats(count, 6),
         first = randomFloats(count, 7);
    auto second = randomFloats(count, 8, 0.1F, 1);
    std::vector<double> expected;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const double g = gradient[i] + 0.02 * weight[i], m = 0.9 * first[i] + 0.1 * g;
        const double v = 0.999 * second[i] + 0.001 * g * g;
        expected.push_back(weight[i] - 0.01 * m / (std::sqrt(v * 1.5) + 1e-7) - 0.003 * weight[i]);
    }
    table.adamW({weight.data(), gradient.data(), first.data(), second.data(), count, 0.9F, 0.999F,
                 0.1F, 0.001F, 0.01F, 1.5F, 1e-7F, 0.003F, 0.02F});
    EXPECT_LT(relativeDistance(toDouble(weight), expected), 2e-7);
}

INSTANTIATE_TEST_SUITE_P(Tables, Kernels, testing::ValuesIn(allTables()), tableName);

}  // namespace
}  // namespace aether::engine::cpu::test
