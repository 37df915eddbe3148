# SPDX-License-Identifier: MIT
"""The misbehaving runners do what their names say, and apart from that speak the protocol."""

import json
import subprocess
import sys

import pytest
from driver import ROOT

FAKE = ROOT / "tests" / "fakes" / "fake_runner.py"
WORKLOAD = ROOT / "resources" / "workloads" / "cifar10-v1.json"
COMMANDS = [
    {"command": "describe", "id": 1},
    {"command": "prepare", "id": 2, "device": "cpu-0", "workload": str(WORKLOAD), "layout": "nchw"},
    {"command": "measure", "id": 3, "steps": 2},
    {"command": "profile", "id": 4, "steps": 1},
    {"command": "train", "id": 5, "epochs": 2},
    {"command": "close", "id": 6},
]


def talk(behaviour, timeout=20, *options):
    command = [sys.executable, str(FAKE), "--behaviour", behaviour, "--step-ms", "1", *options]
    return subprocess.run(
        command, input="".join(json.dumps(c) + "\n" for c in COMMANDS).encode(), timeout=timeout, capture_output=True
    )


def events(output):
    """The JSON objects among the lines, as a robust reader finds them; what precedes a carriage return is gone."""
    found = []
    for line in output.decode("utf-8", errors="replace").split("\n"):
        try:
            found.append(json.loads(line.rpartition("\r")[2]))
        except ValueError:
            pass
    return found


@pytest.mark.parametrize(
    "behaviour",
    [
        "good",
        "slow",
        "banner-before-json",
        "invalid-utf8",
        "half-line",
        "five-megabyte-line",
        "noisy-stderr",
        "ten-thousand-lines",
        "implausibly-fast",
        "throttled",
        "null-sample",
        "wrong-parameter-count",
        "wrong-device",
    ],
)
def test_it_works_in_spite_of_its_behaviour(behaviour):
    done = talk(behaviour)
    assert done.returncode == 0
    finals = [e["event"] for e in events(done.stdout) if e["event"] not in ("progress", "epoch")]
    assert finals == ["hello", "description", "prepared", "sample", "stages", "trained", "closed"]


@pytest.mark.parametrize("spoiled", [{"device": "gpu-7"}, {"workload": "/no/such.json"}, None])
def test_it_refuses_what_the_protocol_refuses(spoiled):
    """`None`: no prepare at all."""
    prepare = [] if spoiled is None else [{**COMMANDS[1], **spoiled}]
    lines = "".join(json.dumps(c) + "\n" for c in [*prepare, COMMANDS[2], COMMANDS[-1]])
    done = subprocess.run([sys.executable, str(FAKE)], input=lines.encode(), timeout=20, capture_output=True)
    finals = [e["event"] for e in events(done.stdout)]
    assert finals == ["hello", *["failed"] * (len(prepare) + 1), "closed"]


@pytest.mark.parametrize(
    "behaviour, code",
    [
        ("dies-by-signal", -11),
        ("killed", -9),
        ("exits-zero-without-answer", 0),
        ("exits-nonzero", 3),
        ("half-line-then-exit", 0),
    ],
)
def test_it_ends_without_an_answer(behaviour, code):
    done = talk(behaviour)
    assert done.returncode == code
    assert [e["event"] for e in events(done.stdout)] == ["hello", "description", "prepared"]


def test_it_hangs_even_at_sigterm():
    process = subprocess.Popen(
        [sys.executable, str(FAKE), "--behaviour", "ignores-sigterm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.stdout.readline()
    process.terminate()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.kill()
    process.communicate()


def test_noise_is_seeded():
    samples = [
        [e["wall_ns"] for e in events(talk("good", 20, "--seed", seed).stdout) if e["event"] == "sample"]
        for seed in ("1", "1", "2")
    ]
    assert samples[0] == samples[1] != samples[2]
