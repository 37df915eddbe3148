# SPDX-License-Identifier: MIT
"""The randomness that docs/workload.md defines: the same bits in every runner."""

import numpy as np

from .philox import philox4x32

WEIGHT, ORDER, IMAGE, LABEL, MASK = 1, 2, 3, 4, 5


def words(count, a, b, purpose, seed):
    """Words 0 ... count - 1 of one purpose, uint32 [count]: word i of counter (i / 4, a, b, purpose)."""
    blocks = np.arange((count + 3) // 4, dtype=np.uint64)
    return philox4x32((blocks, a, b, purpose), (seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF)).reshape(-1)[:count]


def initial_parameter(workload, index, seed):
    """Initial values of parameter `index`, float32 in its canonical shape: weights He normal, scales 1, else 0."""
    parameter = workload.parameters[index]
    if parameter.role != "weight":
        return np.full(parameter.shape, 1.0 if parameter.role == "scale" else 0.0, dtype=np.float32)
    uniforms = words(12 * parameter.elements, 0, index, WEIGHT, seed).reshape(-1, 12) >> np.uint32(8)
    deviate = (uniforms.sum(axis=1, dtype=np.int64) + 6) * 2.0**-24 - 6.0  # Irwin-Hall, exact
    return (deviate * np.sqrt(2.0 / parameter.fan_in)).astype(np.float32).reshape(parameter.shape)


def epoch_order(images, seed, epoch):
    """Image numbers in the order in which `train` visits them in that epoch (from 0)."""
    return np.argsort(words(images, epoch, 0, ORDER, seed), kind="stable")


def dropout_mask(layer, layer_index, batch, seed, step):
    """1 (kept) or 0 (dropped), float32 [N, C] or [N, H, W, C]."""
    shape = layer.mask_shape(batch)
    threshold = np.uint32(int(layer.rate * 2.0**32))
    return (words(int(np.prod(shape)), step, layer_index, MASK, seed) >= threshold).astype(np.float32).reshape(shape)


def synthetic_images(count, shape, seed, split):
    """Random bytes, uint8 [count, H, W, C]: each word little-endian, over the concatenated images."""
    size = count * shape.elements
    stream = words((size + 3) // 4, 0, split, IMAGE, seed).astype("<u4").view(np.uint8)
    return stream[:size].reshape(count, shape.height, shape.width, shape.channels)


def synthetic_labels(count, classes, seed, split):
    return (words(count, 0, split, LABEL, seed) % np.uint32(classes)).astype(np.int64)
