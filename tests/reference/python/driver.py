# SPDX-License-Identifier: MIT
"""Talking to a runner process, and inputs for its `trace`."""

import io
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import safetensors.numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "reference" / "python"))

from aether_reference.data import load_dataset  # noqa: E402
from aether_reference.randomness import dropout_mask, initial_parameter  # noqa: E402
from aether_reference.workload import load_workload  # noqa: E402

WORKLOADS = ROOT / "resources" / "workloads"
V1, V2 = WORKLOADS / "cifar10-v1.json", WORKLOADS / "cifar10-v2.json"
RUNNER = [sys.executable, "-m", "aether_reference"]
FINAL = {"description", "prepared", "sample", "stages", "traced", "trained", "closed", "failed"}
# One thread: more only wait for each other on a busy machine.
PREPARE = {
    "device": "cpu-0",
    "workload": str(V2),
    "data": None,
    "layout": "nchw",
    "mode": "eager",
    "version": None,
    "precision": "fp32",
    "batch": 8,
    "seed": None,
    "threads": 1,
    "cores": [],
    "instruction_set": None,
}


class Conversation:
    """A runner's process."""

    def __init__(self, command=RUNNER):
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "reference" / "python"), PYTHONUNBUFFERED="1")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self.hello = json.loads(self.process.stdout.readline())
        self.id = 0

    def send_raw(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        """(final answer, events before it)"""
        before = []
        while True:
            event = json.loads(self.process.stdout.readline())
            if event["event"] in FINAL:
                return event, before
            before.append(event)

    def ask(self, command, **values):
        self.id += 1
        self.send_raw(json.dumps({"command": command, "id": self.id, **values}))
        final, before = self.answer()
        assert final["id"] == self.id
        assert all(event["id"] == self.id for event in before)
        return final, before

    def prepare(self, **values):
        return self.ask("prepare", **{**PREPARE, **values})[0]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def write_trace_inputs(path, workload_path, batch, steps, seed=42):
    """The workload's own weights and masks, and batches of the synthetic set in storage order."""
    workload = load_workload(workload_path)
    images = load_dataset(workload, None, seed).train
    tensors = {f"parameter.{p.name}": initial_parameter(workload, i, seed) for i, p in enumerate(workload.parameters)}
    for k in range(steps):
        chosen = slice(k * batch, (k + 1) * batch)
        tensors[f"image.{k}"] = np.ascontiguousarray(images.pixels[chosen])
        tensors[f"label.{k}"] = images.labels[chosen].astype(np.int32)
        for index, layer in enumerate(workload.layers):
            if layer.drops:
                tensors[f"mask.{layer.name}.{k}"] = dropout_mask(layer, index, batch, seed, k)
    safetensors.numpy.save_file(tensors, path)
    return tensors


def run_trace(folder, name, workload_path=V2, batch=8, steps=5, **values):
    """Tensors of a trace with the workload's own inputs; in this process, since starting torch takes seconds."""
    from aether_reference.protocol import Answers, Report, Request
    from aether_reference.runner import Runner

    inputs, outputs = (
        folder / f"inputs-{workload_path.stem}-{batch}-{steps}.safetensors",
        folder / f"{name}.safetensors",
    )
    if not inputs.exists():
        write_trace_inputs(inputs, workload_path, batch, steps)
    runner, report = Runner(), Report(Answers(io.BytesIO()), 1)
    runner.prepare(Request({**PREPARE, "workload": str(workload_path), "batch": batch, **values}), report)
    runner.trace(Request({"inputs": str(inputs), "outputs": str(outputs), "steps": steps}), report)
    return safetensors.numpy.load_file(outputs)


def distance(a, b):
    """Relative L2 distance of a from b."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return float(np.linalg.norm(a - b) / max(np.linalg.norm(b), 1e-300))
