# SPDX-License-Identifier: MIT
"""The main job: the real engine beside the real PyTorch, verified, in one result file."""

import json
import pathlib

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "resources/schemas/result-1.schema.json"

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def test_the_engine_and_pytorch_are_measured_side_by_side(bench, tmp_path):
    finished = bench(
        "run",
        "--workload",
        "cifar10-v2",
        "--batch",
        "64",
        "--precision",
        "fp32",
        "--rounds",
        "6",
        "--output-dir",
        tmp_path / "results",
        "-o",
        "json",
    )
    assert finished.returncode == 0, finished.stderr
    result = json.loads(finished.stdout)
    jsonschema.validate(result, json.loads(SCHEMA.read_text()), cls=jsonschema.Draft202012Validator)
    (saved,) = (tmp_path / "results").glob("*.json")
    assert json.loads(saved.read_text()) == result

    bars = {(run["runner"], run["requested_layout"], run["mode"]) for run in result["runs"]}
    assert bars == {("aether-engine", "nhwc", "native")} | {
        (runner, layout, mode)
        for runner, modes in (("aether-reference", ["eager"]), ("aether-reference-python", ["eager", "compiled"]))
        for layout in ("nchw", "nhwc")
        for mode in modes
    }
    for run in result["runs"]:
        assert run["status"] == "measured", run["reason"]
        assert run["parity"]["state"] == "passed", run["parity"]["reason"]
        assert len(run["samples"]) == 6
        assert run["stages"] is not None or run["mode"] == "compiled"
    assert result["workload"]["parameters"] == 111498
    (comparison,) = result["comparisons"]
    assert comparison["verdict"] != "INVALID", comparison["sentence"]

    shown = bench("show", saved)
    assert shown.returncode == 0
    assert comparison["sentence"] in " ".join(shown.stdout.split())  # long sentences are wrapped


def test_a_framework_that_nobody_offers_is_named(bench):
    finished = bench("run", "--framework", "nobody")
    assert finished.returncode == 3
    assert finished.stdout == ""
    assert "match --framework nobody" in finished.stderr and "aether-engine" in finished.stderr
