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
def test_every_honest_runner_passes_at_batch_8(bench, own_core, workload):
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
        *own_core,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.count("passed") >= 5, finished.stdout
    assert "FAILED" not in finished.stdout


EXPECTED = {
    "skips-dropout": "as if dropout were missing",
    "permuted-layout": "as if images in NHWC were read as NCHW",
    "no-weight-decay": "as if weight decay were missing",
    "wrong-momentum": "as if batch norm's momentum were 0.99",
    "no-l2": "as if the L2 term were missing",
    "no-decay": "as if learning-rate decay were missing",
    "constant-loss": "the reported loss is constant",
    "skips-backward": "every gradient is zero: the backward pass is skipped",
    "wrong-epsilon": "as if batch norm's epsilon were 1e-3",
    "wrong-optimizer-epsilon": "as if Adam's epsilon were 1e-8",
    "no-label-smoothing": "as if label smoothing were missing",
}


def test_every_wrong_runner_is_caught_by_its_right_name(bench, own_core, tmp_path):
    runners = []
    for fault in EXPECTED:
        manifest = tmp_path / f"{fault}.json"
        command = [sys.executable, str(BROKEN), "--break", fault]
        manifest.write_text(
            json.dumps({"schema": "aether-bench/runner/1", "name": fault, "title": fault, "command": command})
        )
        runners += ["--runner", manifest]
    chosen = ",".join(["aether-reference-python", *EXPECTED])
    options = ["--batch", "8", "--mode", "eager", "--layout", "nchw", "--precision", "fp32", *own_core]
    finished = bench("verify", "--workload", "cifar10-v2", "--framework", chosen, *options, *runners)
    assert finished.returncode == 1, finished.stdout + finished.stderr
    lines = {line.split("[")[1].split("]")[0]: line for line in finished.stdout.splitlines() if "batch 8:" in line}
    assert "passed" in lines["aether-reference-python"]
    for fault, words in EXPECTED.items():
        assert "FAILED" in lines[fault] and words in lines[fault], lines[fault]
