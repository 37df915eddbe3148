# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from aether_reference import randomness
from aether_reference.philox import philox4x32
from driver import V1, V2, load_workload

# Random123, kat_vectors: philox4x32, 10 rounds.
VECTORS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0), "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


@pytest.mark.parametrize("counter, key, expected", VECTORS)
def test_published_vectors(counter, key, expected):
    assert " ".join(f"{word:08x}" for word in philox4x32(counter, key)[0]) == expected


def test_words_are_those_of_consecutive_blocks():
    words = randomness.words(7, 3, 5, randomness.MASK, 42)
    second = philox4x32((1, 3, 5, randomness.MASK), (42, 0))[0]
    assert list(words[4:]) == list(second[:3])


def test_the_seeds_high_half_is_used():
    low, high = (randomness.words(4, 0, 0, randomness.LABEL, seed) for seed in (1, 1 + (1 << 32)))
    assert not np.array_equal(low, high)


def test_weights_are_he_normal():
    workload = load_workload(V1)
    index = next(i for i, p in enumerate(workload.parameters) if p.name == "conv5.weight")
    weight = randomness.initial_parameter(workload, index, 42)
    assert weight.shape == (3, 3, 64, 128) and weight.dtype == np.float32
    assert abs(weight.mean()) < 1e-3
    assert weight.std() == pytest.approx(np.sqrt(2 / (9 * 64)), rel=0.01)


def test_first_weight_by_hand():
    words = np.concatenate([philox4x32((block, 0, 0, 1), (42, 0))[0] for block in range(3)])
    deviate = (sum(int(word) >> 8 for word in words) + 6) / 2**24 - 6
    assert randomness.initial_parameter(load_workload(V1), 0, 42).flat[0] == np.float32(deviate * np.sqrt(2 / 27))


def test_masks_keep_the_right_share_and_change_with_step_and_layer():
    workload = load_workload(V2)
    layer = next(layer for layer in workload.layers if layer.name == "dropout4")
    mask = randomness.dropout_mask(layer, 5, 512, 42, 0)
    assert mask.shape == (512, 128) and set(np.unique(mask)) == {0.0, 1.0}
    assert mask.mean() == pytest.approx(1 - 0.075, abs=0.005)
    assert not np.array_equal(mask, randomness.dropout_mask(layer, 5, 512, 42, 1))
    assert not np.array_equal(mask, randomness.dropout_mask(layer, 6, 512, 42, 0))


def test_an_epochs_order_is_a_permutation_of_its_own():
    first, second = (randomness.epoch_order(1000, 42, epoch) for epoch in (0, 1))
    assert sorted(first) == list(range(1000))
    assert not np.array_equal(first, second)
