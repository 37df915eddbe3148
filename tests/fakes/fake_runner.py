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
import signal
import subprocess
import sys
import time

from good_runner import GoodRunner, write


def hang():
    while True:
        time.sleep(3600)


def die(number):
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    os.kill(os.getpid(), number)
    hang()


class Slow(GoodRunner):
    """Twenty times slower than asked for."""

    def block_ns(self, steps):
        return 20 * super().block_ns(steps)


class Hangs(GoodRunner):
    def measure(self, command):
        hang()


class HangsInPrepare(GoodRunner):
    def prepare(self, command):
        hang()


class IgnoresSigterm(Hangs):
    def serve(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return super().serve()


class DiesBySignal(GoodRunner):
    def measure(self, command):
        die(signal.SIGSEGV)


class Killed(GoodRunner):
    """As the kernel does when memory runs out."""

    def measure(self, command):
        die(signal.SIGKILL)


class ExitsZeroWithoutAnswer(GoodRunner):
    def measure(self, command):
        sys.exit(0)


class ExitsNonzero(GoodRunner):
    def measure(self, command):
        sys.stderr.write("fatal: the flux capacitor is empty\n")
        sys.exit(3)


class MalformedJson(GoodRunner):
    def measure(self, command):
        write('{"event": "sample", "id": %d, "steps": 4, "wall_ns": }\n' % command["id"])


class BannerBeforeJson(GoodRunner):
    """Must still work."""

    def hello(self):
        write("\x1b[1;32mFake runner\x1b[0m, all rights reserved\n\nLoading  10%\rLoading  50%\rLoading 100%\r\n")
        super().hello()

    def measure(self, command):
        write("\x1b[2K\rtuning  50%\r\x1b[2Ktuning 100%\n")
        super().measure(command)


class InvalidUtf8(GoodRunner):
    """Bytes that are no text on both streams; must still work."""

    def measure(self, command):
        sys.stderr.buffer.write(b"\xff\xfe\x80 warning: \xc3\x28\n")
        sys.stderr.buffer.flush()
        write(b"\xff\xfe\x80 not text \xc3\x28\n")
        super().measure(command)


class HalfLine(GoodRunner):
    """Every line in two writes, the cut inside a multi-byte character; must still work."""

    def send_line(self, line, event):
        values = json.loads(line)
        values["note"] = "läuft – 測定"
        data = json.dumps(values, ensure_ascii=False).encode() + b"\n"
        cut = data.index("ä".encode()) + 1
        write(data[:cut])
        time.sleep(0.2)
        write(data[cut:])


class HalfLineThenExit(GoodRunner):
    def measure(self, command):
        write('{"event": "sample", "id": %d, "steps": 4, "wall' % command["id"])
        sys.exit(0)


class FiveMegabyteLine(GoodRunner):
    """A valid answer with an unknown key of 5 MB; must still work."""

    def measure(self, command):
        self.send("sample", command["id"], **self.sample(command), padding="x" * 5_000_000)


class AnswersTwice(GoodRunner):
    def measure(self, command):
        values = self.sample(command)
        self.send("sample", command["id"], **values)
        self.send("sample", command["id"], **{**values, "wall_ns": 1})


class AnswersAgainLater(GoodRunner):
    """The second answer comes when nobody waits for one."""

    def measure(self, command):
        super().measure(command)
        time.sleep(0.2)
        super().measure(command)


class Protocol2(GoodRunner):
    protocol = "2.0"


class GrandchildKeepsPipeOpen(GoodRunner):
    """Dies, and leaves a process that holds the write ends of its stdout and stderr."""

    def measure(self, command):
        subprocess.Popen(["sleep", "300"], stdin=subprocess.DEVNULL)
        sys.exit(1)


class NanSample(GoodRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "loss": float("nan"), "wall_ns": float("nan")})


class NullSample(GoodRunner):
    def measure(self, command):
        self.send(
            "sample", command["id"], **{**self.sample(command), "wall_ns": None, "wall_ns_reason": "the clock broke"}
        )


class ImplausiblyFast(GoodRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "wall_ns": 1000 * command["steps"]})


class Throttled(GoodRunner):
    def measure(self, command):
        self.send("sample", command["id"], **{**self.sample(command), "throttled": True, "clock_mhz": 800})


class OutOfMemory(GoodRunner):
    def measure(self, command):
        self.refuse(command["id"], "out_of_memory", "can't allocate 8589934592 bytes")


class RefusesPrepare(GoodRunner):
    def prepare(self, command):
        self.refuse(command["id"], "unsupported", "layer conv1: kernel 3 is too prime")


class NoisyStderr(GoodRunner):
    """36 warning lines a step; must still work."""

    def measure(self, command):
        for step in range(command["steps"]):
            for line in range(36):
                sys.stderr.write(f"warning {line}: step {step}: autotuning cache miss for kernel 0x{line:08x}\n")
        sys.stderr.flush()
        super().measure(command)


class TenThousandLines(GoodRunner):
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


class WrongParameterCount(GoodRunner):
    def prepared(self, command):
        values = super().prepared(command)
        return {**values, "parameters": values["parameters"] + 1}


class WrongDevice(GoodRunner):
    def prepared(self, command):
        return {**super().prepared(command), "device": {"uuid": "GPU-00000000-dead-beef", "name": "Another device"}}


BEHAVIOURS = {
    "good": GoodRunner,
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
    "answers-again-later": AnswersAgainLater,
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
