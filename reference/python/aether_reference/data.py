# SPDX-License-Identifier: MIT
"""Images to train and test on: CIFAR-10's binary form, or the synthetic set."""

import os
from dataclasses import dataclass

import numpy as np

from .failure import USAGE, Failure
from .randomness import synthetic_images, synthetic_labels
from .workload import Shape

SYNTHETIC_TRAIN, SYNTHETIC_TEST = 2048, 512
_PLANE = 32 * 32
_RECORD = 1 + 3 * _PLANE
_CLASSES = 10


@dataclass
class ImageSet:
    pixels: np.ndarray  # uint8 [count, H, W, C]
    labels: np.ndarray  # int64 [count]

    @property
    def count(self):
        return len(self.labels)


@dataclass
class Dataset:
    train: ImageSet
    test: ImageSet
    kind: str  # "synthetic" or "cifar10-binary"


def _read_records(path):
    try:
        raw = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise Failure(
            USAGE, f"{path}: {error.strerror or error}; expected CIFAR-10 records of {_RECORD} bytes"
        ) from error
    if raw.size == 0 or raw.size % _RECORD:
        raise Failure(
            USAGE,
            f"{path}: {raw.size} bytes, expected a multiple of {_RECORD}: the record at offset "
            f"{raw.size - raw.size % _RECORD} has {raw.size % _RECORD} bytes",
        )
    records = raw.reshape(-1, _RECORD)
    wrong = np.flatnonzero(records[:, 0] >= _CLASSES)
    if wrong.size:
        raise Failure(
            USAGE, f"{path}: label {records[wrong[0], 0]} at offset {wrong[0] * _RECORD}, expected 0 to {_CLASSES - 1}"
        )
    pixels = records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)  # colour planes -> N, H, W, C
    return ImageSet(np.ascontiguousarray(pixels), records[:, 0].astype(np.int64))


def load_cifar10(folder):
    """data_batch_*.bin in order of name and test_batch.bin. Failure(usage) names path, offset and what was expected."""
    try:
        names = sorted(n for n in os.listdir(folder) if n.startswith("data_batch_") and n.endswith(".bin"))
    except OSError as error:
        raise Failure(
            USAGE, f"{folder}: {error.strerror}; expected a folder with data_batch_*.bin and test_batch.bin"
        ) from error
    if not names:
        raise Failure(USAGE, f"{folder}: no data_batch_*.bin here, expected CIFAR-10 in its binary form")
    parts = [_read_records(os.path.join(folder, name)) for name in names]
    train = ImageSet(np.concatenate([p.pixels for p in parts]), np.concatenate([p.labels for p in parts]))
    return Dataset(train, _read_records(os.path.join(folder, "test_batch.bin")), "cifar10-binary")


def load_dataset(workload, folder, seed):
    """The folder's images if one is given, else the synthetic set (docs/workload.md)."""
    if folder is None:

        def split(count, number):
            return ImageSet(
                synthetic_images(count, workload.input, seed, number),
                synthetic_labels(count, workload.classes, seed, number),
            )

        return Dataset(split(SYNTHETIC_TRAIN, 0), split(SYNTHETIC_TEST, 1), "synthetic")
    if workload.input != Shape(32, 32, 3) or workload.classes < _CLASSES:
        s = workload.input
        raise Failure(
            USAGE,
            f"{folder}: CIFAR-10 images are 32 x 32 x 3 in 10 classes, workload {workload.name} wants "
            f"{s.height} x {s.width} x {s.channels} in {workload.classes}",
        )
    return load_cifar10(folder)
