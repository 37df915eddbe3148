# SPDX-License-Identifier: MIT
"""Parity with float64: the honest runners pass, each deliberately wrong one is caught by the right name."""

import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROKEN = ROOT / "tests/fakes/broken_reference.py"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workload", ["cifar10-v1", "cifar10-v2"])
def test_every_honest_runner_passes_at_batch_8(bench, workload):
    finished = bench(
        "verify",
        "--batch",
        "8",
        "--workload",
        workload,
        "--mode",
        "eager",
        "--precision",
        "fp32,bf16",
        "--engine-version",
        "all",
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.count("passed") >= 5, finished.stdout
    assert "FAILED" not in finished.stdout


@pytest.mark.parametrize(
    "fault, expected",
    [
        ("skips-dropout", "dropout"),
        ("permuted-layout", "layout"),
        ("no-weight-decay", "weight decay"),
        ("wrong-momentum", "momentum"),
        ("no-l2", "L2"),
        ("no-decay", "learning-rate decay"),
        ("skips-backward", "gradient"),
        ("wrong-epsilon", "epsilon"),
        ("no-label-smoothing", "label smoothing"),
    ],
)
def test_a_wrong_runner_is_caught_by_name(bench, tmp_path, fault, expected):
    manifest = tmp_path / "broken.json"
    manifest.write_text(
        json.dumps(
            {
                "schema": "aether-bench/runner/1",
                "name": "broken",
                "title": f"Broken: {fault}",
                "command": [sys.executable, str(BROKEN), "--break", fault],
                "environment": {},
                "launcher": [],
            }
        )
    )
    finished = bench(
        "verify",
        "--runner",
        manifest,
        "--framework",
        "broken",
        "--batch",
        "8",
        "--layout",
        "nchw",
        "--mode",
        "eager",
        "--precision",
        "fp32",
    )
    assert finished.returncode == 1, finished.stdout + finished.stderr
    failed = [line for line in finished.stdout.splitlines() if "FAILED" in line]
    assert len(failed) == 1 and expected in failed[0], finished.stdout
