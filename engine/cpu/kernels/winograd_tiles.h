// SPDX-License-Identifier: MIT
// How images are cut into tiles, and tiles into blocks that stay in the second-level cache.
//
// An image has ⌈H / 4⌉ × ⌈W / 4⌉ tiles, counted row by row, image after image. A block of T tiles
// is transformed into 36 planes [T][channels], multiplied plane by plane, and transformed back. The
// planes are one vector further apart than they are large: at a power of two the 36 values of a
// tile would fight for a few sets of the cache.
#pragma once

#include "engine/cpu/kernels/arguments.h"
#include "engine/cpu/kernels/arithmetic.h"
#include "engine/cpu/kernels/winograd_transform.h"

namespace aether::engine::cpu {

/// Both planes of a block, within a second-level cache of 512 KiB beside the weights passing by;
/// processors with matrix registers have 2 MiB.
template <class V, class M>
inline constexpr std::int64_t kWinogradBlockBytes = (kMatrixProducts<V, M> ? 640 : 320) * 1024;
/// Fewer tiles do not pay for reading the weights, and leave matrix registers waiting for sums.
template <class V, class M>
inline constexpr std::int64_t kWinogradFewestTiles = kMatrixProducts<V, M> ? 32 : 16;

/// A tile of an image.
struct WinogradTile {
    std::int64_t image, y, x;  ///< of its first output pixel
    bool whole;                ///< no output lies outside the image
};

struct WinogradGeometry {
    std::int64_t height, width, tileColumns, imageTiles;

    static AETHER_INLINE WinogradGeometry of(const ConvolutionShape& s) {
        const std::int64_t columns = (s.width + kWinogradOutputs - 1) / kWinogradOutputs;
        const std::int64_t rows = (s.height + kWinogradOutputs - 1) / kWinogradOutputs;
        return {s.height, s.width, columns, rows * columns};
    }
    AETHER_INLINE WinogradTile tile(std::int64_t t) const {
        const std::int64_t image = t / imageTiles, inImage = t - image * imageTiles;
        const std::int64_t y = inImage / tileColumns * kWinogradOutputs;
        const std::int64_t x = inImage % tileColumns * kWinogradOutputs;
        return {image, y, x, y + kWinogradOutputs <= height && x + kWinogradOutputs <= width};
    }
};

/// A block has no more tiles than that.
template <class V, class M>
AETHER_INLINE std::int64_t winogradMostTiles(const ConvolutionShape& s) {
    const std::int64_t tileBytes =
        kWinogradProducts * (s.inputs + s.outputs) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t most = kWinogradBlockBytes<V, M> / tileBytes / 2 * 2;
    return most < kWinogradFewestTiles<V, M> ? kWinogradFewestTiles<V, M> : most;
}

/// Tiles of a block, so that the blocks of all `tiles` are as equal as they can be; even, since a
/// dot product may pair them.
template <class V, class M>
AETHER_INLINE std::int64_t winogradBlockTiles(const ConvolutionShape& s, std::int64_t tiles) {
    const std::int64_t most = winogradMostTiles<V, M>(s), blocks = (tiles + most - 1) / most;
    const std::int64_t equal = (tiles + blocks - 1) / blocks;
    return (equal + 1) / 2 * 2;
}

/// Elements from one plane to the next.
template <class V, class M>
AETHER_INLINE std::int64_t winogradPlane(std::int64_t tiles, std::int64_t channels) {
    return tiles * channels * M::kParts + V::kWidth * M::kPerCell;
}

/// Workspace of a call: the planes of the inputs, of the outputs, and as many patches at images'
/// edges as tiles are spread at a time. A is the arithmetic of scratch, In and Out those of planes.
template <class V, class A, class In, class Out>
struct WinogradWorkspace {
    typename In::Scratch* inputs;
    typename Out::Scratch* outputs;
    typename A::Scratch* patch;
    std::int64_t inputPlane, outputPlane;

    static AETHER_INLINE WinogradWorkspace at(void* memory, const ConvolutionShape& s,
                                              std::int64_t blockTiles) {
        WinogradWorkspace w{};
        w.inputPlane = winogradPlane<V, In>(blockTiles, s.inputs);
        w.outputPlane = winogradPlane<V, Out>(blockTiles, s.outputs);
        w.inputs = static_cast<typename In::Scratch*>(memory);
        w.outputs =
            reinterpret_cast<typename Out::Scratch*>(w.inputs + kWinogradProducts * w.inputPlane);
        w.patch =
            reinterpret_cast<typename A::Scratch*>(w.outputs + kWinogradProducts * w.outputPlane);
        return w;
    }
};

/// Images that one call should take: enough for a block.
template <class V, class M>
std::int64_t winogradImages(const ConvolutionShape& s) {
    const std::int64_t tiles = WinogradGeometry::of(s).imageTiles;
    const std::int64_t images = (kWinogradFewestTiles<V, M> + tiles - 1) / tiles;
    return images < kMostImagesAtOnce ? images : kMostImagesAtOnce;
}

/// For any number of images up to winogradImages(s), and enough for planes of float; two bfloat16,
/// of a pair of tiles or of one value, take no more room.
template <class V, class M>
std::int64_t winogradWorkspaceBytes(const ConvolutionShape& s) {
    const std::int64_t tiles = WinogradGeometry::of(s).imageTiles * winogradImages<V, M>(s);
    const std::int64_t most =
        winogradMostTiles<V, M>(s) < tiles ? winogradMostTiles<V, M>(s) : tiles + 1;
    const std::int64_t channels = s.inputs > s.outputs ? s.inputs : s.outputs;
    return kWinogradProducts *
           (winogradPlane<V, Fp32Arithmetic<V>>(most, s.inputs) +
            winogradPlane<V, Fp32Arithmetic<V>>(most, s.outputs) + channels) *
           static_cast<std::int64_t>(sizeof(float));
}

/// Whether tiles take fewer multiplications than the direct way: 36 a tile against 9 a pixel.
template <class V>
bool winogradFits(const ConvolutionShape& s) {
    return s.kernel == 3 && s.inputs % V::kWidth == 0 &&
           WinogradGeometry::of(s).imageTiles * kWinogradProducts < s.height * s.width * 9;
}

}  // namespace aether::engine::cpu
