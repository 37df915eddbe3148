# SPDX-License-Identifier: MIT
"""./aether, the one door: once everything is there, another start installs nothing and says nothing."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no Debian: ./aether only lists what it needs")
def test_a_second_setup_finds_nothing_to_do():
    finished = subprocess.run([ROOT / "aether", "setup"], capture_output=True, text=True, timeout=300, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == ""
    assert finished.stderr == ""


def test_an_unknown_verb_is_named():
    finished = subprocess.run([ROOT / "aether", "rnu"], capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode != 0
    assert "unknown verb 'rnu'" in finished.stderr
