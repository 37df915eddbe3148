#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A runner with made-up numbers that misbehaves on demand: what the app must survive. Standard library only.

    python tests/fakes/fake_runner.py --behaviour NAME [--step-ms 10] [--noise 0.01] [--seed 0] ...

Apart from its behaviour it speaks run protocol 1 (docs/protocol.md) correctly, and `measure` takes as long as it says
unless --instant is given.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time

DEVICE = {"uuid": "cpu-0", "name": "Fake CPU"}
PARAMETERS = {"cifar10-v1": 141354, "cifar10-v2": 111498}


def write(data):
    """Bytes to stdout at once; `data` may be text."""
    sys.stdout.buffer.write(data.encode() if isinstance(data, str) else data)
    sys.stdout.buffer.flush()


class FakeRunner:
    """Well-behaved. A behaviour overrides the part that it spoils."""

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


NEED_PREPARE = ("measure", "profile", "trace", "train")
COMMANDS = ("describe", "prepare", *NEED_PREPARE, "close")


def hang():
    while True:
        time.sleep(3600)


def die(number):
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    os.kill(os.getpid(), number)
    hang()


class Slow(FakeRunner):
    """Twenty times slower than asked for."""

    def block_ns(self, steps):
        return 20 * super().block_ns(steps)


class Hangs(FakeRunner):
    def measure(self, command):
        hang()


class HangsInPrepare(FakeRunner):
    def prepare(self, command):
        hang()


class IgnoresSigterm(Hangs):
    def serve(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return super().serve()


class DiesBySignal(FakeRunner):
    def measure(self, command):
        die(signal.SIGSEGV)


class Killed(FakeRunner):
    """As the kernel does when memory runs out."""

    def measure(self, command):
        die(signal.SIGKILL)


class ExitsZeroWithoutAnswer(FakeRunner):
    def measure(self, command):
        sys.exit(0)


class ExitsNonzero(FakeRunner):
    def measure(self, command):
        sys.stderr.write("fatal: the flux capacitor is empty\n")
        sys.exit(3)


class MalformedJson(FakeRunner):
    def measure(self, command):
        write('{"event": "sample", "id": %d, "steps": 4, "wall_ns": }\n' % command["id"])


class BannerBeforeJson(FakeRunner):
    """Must still work."""

    def hello(self):
        write("\x1b[1;32mFake runner\x1b[0m, all rights reserved\n\nLoading  10%\rLoading  50%\rLoading 100%\r\n")
        super().hello()

    def measure(self, command):
        write("\x1b[2K\rtuning  50%\r\x1b[2Ktuning 100%\n")
        super().measure(command)


class InvalidUtf8(FakeRunner):
    """Bytes that are no text on both streams; must still work."""

    def measure(self, command):
        sys.stderr.buffer.write(b"\xff\xfe\x80 warning: \xc3\x28\n")
        sys.stderr.buffer.flush()
        write(b"\xff\xfe\x80 not text \xc3\x28\n")
        super().measure(command)


class HalfLine(FakeRunner):
    """Every line in two writes, the cut inside a multi-byte character; must still work."""

    def send_line(self, line, event):
        values = json.loads(line)
        values["note"] = "läuft – 測定"
        data = json.dumps(values, ensure_ascii=False).encode() + b"\n"
        cut = data.index("ä".encode()) + 1
        write(data[:cut])
        time.sleep(0.2)
        write(data[cut:])


class HalfLineThenExit(FakeRunner):
    def measure(self, command):
        write('{"event": "sample", "id": %d, "steps": 4, "wall' % command["id"])
        sys.exit(0)


class FiveMegabyteLine(FakeRunner):
    """A valid answer with an unknown key of 5 MB; must still work."""

    def measure(self, command):
        self.send("sample", command["id"], **self.sample(command), padding="x" * 5_000_000)


class AnswersTwice(FakeRunner):
    def measure(self, command):
        values = self.sample(command)
        self.send("sample", command["id"], **values)
        self.send("sample", command["id"], **{**values, "wall_ns": 1})


class Protocol2(FakeRunner):
    protocol = "2.0"


class GrandchildKeepsPipeOpen(FakeRunner):
    """Dies, and leaves a process that holds the write ends of its stdout and stderr."""

    def measure(self, command):
        subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL)
        sys.exit(1)


class NanSample(FakeRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "loss": float("nan"), "wall_ns": float("nan")})


class NullSample(FakeRunner):
    def measure(self, command):
        self.send(
            "sample", command["id"], **{**self.sample(command), "wall_ns": None, "wall_ns_reason": "the clock broke"}
        )


class ImplausiblyFast(FakeRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "wall_ns": 1000 * command["steps"]})


class Throttled(FakeRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "throttled": True, "clock_mhz": 800})


class OutOfMemory(FakeRunner):
    def measure(self, command):
        self.refuse(command["id"], "out_of_memory", "can't allocate 8589934592 bytes")


class RefusesPrepare(FakeRunner):
    def prepare(self, command):
        self.refuse(command["id"], "unsupported", "layer conv1: kernel 3 is too prime")


class NoisyStderr(FakeRunner):
    """36 warning lines a step; must still work."""

    def measure(self, command):
        for step in range(command["steps"]):
            for line in range(36):
                sys.stderr.write(f"warning {line}: step {step}: autotuning cache miss for kernel 0x{line:08x}\n")
        sys.stderr.flush()
        super().measure(command)


class TenThousandLines(FakeRunner):
    """10,000 progress events a second for as long as the block takes (two seconds at least); must still work."""

    def measure(self, command):
        begin, sent = time.monotonic(), 0
        while (elapsed := time.monotonic() - begin) < max(2.0, command["steps"] * self.options.step_ms / 1e3):
            line = (
                json.dumps(
                    {
                        "event": "progress",
                        "id": command["id"],
                        "phase": "measuring",
                        "done": sent,
                        "total": 20000,
                        "message": "step",
                    }
                )
                + "\n"
            )
            due = int(elapsed * 10_000) - sent
            if due > 0:
                write(line * due)
                sent += due
            time.sleep(0.005)
        self.options.instant = True
        super().measure(command)


class WrongParameterCount(FakeRunner):
    def prepared(self, command):
        values = super().prepared(command)
        return {**values, "parameters": values["parameters"] + 1}


class WrongDevice(FakeRunner):
    def prepared(self, command):
        return {**super().prepared(command), "device": {"uuid": "GPU-00000000-dead-beef", "name": "Another device"}}


BEHAVIOURS = {
    "good": FakeRunner,
    "slow": Slow,
    "hangs": Hangs,
    "hangs-in-prepare": HangsInPrepare,
    "dies-by-signal": DiesBySignal,
    "killed": Killed,
    "exits-zero-without-answer": ExitsZeroWithoutAnswer,
    "exits-nonzero": ExitsNonzero,
    "malformed-json": MalformedJson,
    "banner-before-json": BannerBeforeJson,
    "invalid-utf8": InvalidUtf8,
    "half-line": HalfLine,
    "half-line-then-exit": HalfLineThenExit,
    "five-megabyte-line": FiveMegabyteLine,
    "answers-twice": AnswersTwice,
    "protocol-2": Protocol2,
    "grandchild-keeps-pipe-open": GrandchildKeepsPipeOpen,
    "nan-sample": NanSample,
    "null-sample": NullSample,
    "implausibly-fast": ImplausiblyFast,
    "throttled": Throttled,
    "out-of-memory": OutOfMemory,
    "refuses-prepare": RefusesPrepare,
    "noisy-stderr": NoisyStderr,
    "ten-thousand-lines": TenThousandLines,
    "wrong-parameter-count": WrongParameterCount,
    "wrong-device": WrongDevice,
    "ignores-sigterm": IgnoresSigterm,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--behaviour", choices=BEHAVIOURS, default="good")
    parser.add_argument("--step-ms", type=float, default=10.0, help="one step's time")
    parser.add_argument("--noise", type=float, default=0.01, help="relative spread of a block's time")
    parser.add_argument("--seed", type=int, default=0, help="of the noise")
    parser.add_argument("--name", default="fake-runner")
    parser.add_argument("--framework", default="fake")
    parser.add_argument("--layouts", default="nchw,nhwc")
    parser.add_argument("--modes", default="eager,compiled")
    parser.add_argument("--modes-on-request", default="")
    parser.add_argument("--versions", default="")
    parser.add_argument("--instruction-sets", default="plain")
    parser.add_argument("--precisions", default="fp32")
    parser.add_argument("--instant", action="store_true", help="report times without spending them")
    options = parser.parse_args()
    return BEHAVIOURS[options.behaviour](options).serve()


if __name__ == "__main__":
    sys.exit(main())
