# SPDX-License-Identifier: MIT
"""A runner with made-up numbers that speaks run protocol 1 (docs/protocol.md) correctly. Standard library only."""

import json
import os
import random
import sys
import time

DEVICE = {"uuid": "cpu-0", "name": "Fake CPU"}
PARAMETERS = {"cifar10-v1": 141354, "cifar10-v2": 111498}
NEED_PREPARE = ("measure", "profile", "trace", "train")
COMMANDS = ("describe", "prepare", *NEED_PREPARE, "close")


def write(data):
    """Bytes to stdout at once; `data` may be text."""
    sys.stdout.buffer.write(data.encode() if isinstance(data, str) else data)
    sys.stdout.buffer.flush()


class GoodRunner:
    """Well-behaved. A behaviour of fake_runner.py overrides the part that it spoils."""

    protocol = "1.0"

    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.ready = False
        self.batch = 0
        self.step = 0

    # What is written, overridden by the behaviours that spoil lines.

    def send(self, event, id_=None, **values):
        head = {"event": event} if event == "hello" else {"event": event, "id": id_}
        self.send_line(json.dumps({**head, **values}), event)

    def send_line(self, line, event):
        write(line + "\n")

    def refuse(self, id_, kind, message):
        self.send("failed", id_, kind=kind, message=message)

    # The commands: each sends its final answer.

    def hello(self):
        self.send(
            "hello",
            protocol=self.protocol,
            runner=self.options.name,
            framework=self.options.framework,
            version="0.0",
            commit=None,
            dirty=None,
        )

    def describe(self, command):
        o = self.options
        self.send(
            "description",
            command["id"],
            devices=[
                {
                    **DEVICE,
                    "kind": "cpu",
                    "pci": None,
                    "memory_bytes": 8 << 30,
                    "driver": None,
                    "cores": 2,
                    "instruction_sets": o.instruction_sets.split(","),
                    "layouts": o.layouts.split(","),
                    "modes": o.modes.split(","),
                    "modes_on_request": o.modes_on_request.split(",") if o.modes_on_request else [],
                    "versions": o.versions.split(",") if o.versions else [],
                    "precisions": [{"name": p, "native": True} for p in o.precisions.split(",")],
                    "unsupported": [],
                }
            ],
            unavailable=[],
        )

    def prepared(self, command):
        workload = os.path.splitext(os.path.basename(command["workload"]))[0]
        self.batch = command.get("batch") or 256
        self.step = 0
        return {
            "parameters": PARAMETERS.get(workload, 1),
            "batch": self.batch,
            "requested_layout": command["layout"],
            "effective_layout": command["layout"],
            "device": DEVICE,
            "threads": command.get("threads") or 1,
            "instruction_set": command.get("instruction_set") or self.options.instruction_sets.split(",")[-1],
            "data": "synthetic",
            "build_ns": 1000000,
            "compile_ns": None,
            "compile_ns_reason": "nothing to compile",
            "memory_bytes": 1 << 20,
        }

    def prepare(self, command):
        self.ready = False
        if command["device"] != DEVICE["uuid"]:
            return self.refuse(command["id"], "unsupported", f"no device {command['device']}")
        if not os.path.isfile(command["workload"]):
            return self.refuse(command["id"], "usage", f"{command['workload']}: no such file")
        self.send("prepared", command["id"], **self.prepared(command))
        self.ready = True

    def block_ns(self, steps):
        noise = 1.0 + self.options.noise * self.random.uniform(-1.0, 1.0)
        return int(steps * self.options.step_ms * 1e6 * noise)

    def sample(self, command):
        steps = command["steps"]
        wall_ns = self.block_ns(steps)
        if not self.options.instant:
            time.sleep(wall_ns / 1e9)
        self.step += steps
        return {
            "steps": steps,
            "wall_ns": wall_ns,
            "device_ns": None,
            "device_ns_reason": "a CPU has no device clock",
            "loss": 2.3 / (1.0 + 0.01 * self.step),
            "accuracy": 0.1,
            "clock_mhz": 3000,
            "throttled": False,
        }

    def measure(self, command):
        self.send("sample", command["id"], **self.sample(command))

    def profile(self, command):
        total = int(self.options.step_ms * 1e6)
        shares = [("conv1", "forward", 0.3), ("conv1", "backward", 0.6), ("adamw", "optimizer", 0.1)]
        self.send(
            "stages",
            command["id"],
            steps=command["steps"],
            step_wall_ns=total,
            stages=[
                {"name": name, "phase": phase, "wall_ns": int(share * total), "device_ns": None, "children": []}
                for name, phase, share in shares
            ],
        )

    def trace(self, command):
        self.refuse(command["id"], "unsupported", "a fake has no numbers to trace")

    def train(self, command):
        for epoch in range(1, command["epochs"] + 1):
            self.send(
                "epoch",
                command["id"],
                epoch=epoch,
                loss=2.3 / epoch,
                accuracy=1.0 - 0.9 / epoch,
                test_loss=2.3 / epoch,
                test_accuracy=1.0 - 0.9 / epoch,
                wall_ns=int(self.options.step_ms * 8e6),
            )
        self.send("trained", command["id"], epochs=command["epochs"], test_accuracy=1.0 - 0.9 / command["epochs"])

    def close(self, command):
        self.send("closed", command["id"])

    def serve(self):
        self.hello()
        for line in sys.stdin:
            command, id_ = None, None
            try:
                values = json.loads(line)
                id_ = values.get("id")
                command = getattr(self, values["command"]) if values["command"] in COMMANDS else None
            except (ValueError, KeyError, AttributeError, TypeError):
                pass
            if command is None:
                self.refuse(id_, "usage", "not a command")
                continue
            if values["command"] in NEED_PREPARE and not self.ready:
                self.refuse(id_, "usage", f"{values['command']} before prepare")
                continue
            command(values)
            if values["command"] == "close":
                break
        return 0
