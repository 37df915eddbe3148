# SPDX-License-Identifier: MIT
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("AETHER_BENCH", str(ROOT / "build/release/bin/aether-bench"))


@pytest.fixture
def own_core(worker_id):
    """Options that keep tests which run side by side (pytest-xdist) off each other's cores."""
    number = 0 if worker_id == "master" else int(worker_id.removeprefix("gw"))
    return ["--threads", "1", "--cores", str(number % len(os.sched_getaffinity(0)))]


@pytest.fixture
def bench(tmp_path):
    """Calls aether-bench as a user would, in an empty folder; returns the finished process."""
    assert os.access(PROGRAM, os.X_OK), f"{PROGRAM} is missing: ./aether build"

    def call(*arguments, timeout=1200):
        environment = dict(os.environ, AETHER_PYTHON=sys.executable, XDG_CONFIG_HOME=str(tmp_path / "config"))
        return subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return call
