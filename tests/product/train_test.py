# SPDX-License-Identifier: MIT
"""Training on real images: both frameworks learn the digits, equally well."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def test_both_frameworks_learn_the_digits(bench, tmp_path):
    subprocess.run([sys.executable, ROOT / "tests/data/make_digits.py", "--out", tmp_path / "digits"], check=True)
    finished = bench(
        "train",
        "--data",
        tmp_path / "digits",
        "--epochs",
        "10",
        "--framework",
        "aether,aether-reference",
        "--layout",
        "nhwc",
        "--precision",
        "fp32",
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    last_epochs = [float(line.split()[4]) for line in finished.stdout.splitlines() if re.match(r"\s+10\s+\d", line)]
    assert len(last_epochs) == 2, finished.stdout
    assert min(last_epochs) >= 0.97
    assert max(last_epochs) - min(last_epochs) <= 0.01
