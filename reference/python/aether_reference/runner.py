# SPDX-License-Identifier: MIT
"""The commands of run protocol 1, answered with PyTorch."""

import math
import time

import torch

from . import FRAMEWORK, RUNNER
from .compiled import compiled_layout, first_call, forget_compiled, generated_programs, layout_of
from .compiled_stages import profile_compiled
from .data import load_dataset
from .device import devices, find_device, unavailable_devices
from .failure import NUMERICS, USAGE, Failure
from .memory import peak_growth
from .session import Session
from .stages import profile_eager
from .tracing import trace
from .training import train
from .workload import load_workload

_NO_CLOCK = {
    "clock_mhz": None,
    "clock_mhz_reason": "not readable from PyTorch",
    "throttled": None,
    "throttled_reason": "not readable from PyTorch",
}


class Runner:
    """At most one prepared session; a second prepare replaces the first."""

    def __init__(self):
        self.session = None
        self.device = None

    def hello(self):
        return {
            "runner": RUNNER,
            "framework": FRAMEWORK,
            "version": torch.__version__,
            "commit": torch.version.git_version,
            "dirty": None,
            "dirty_reason": "the commit is PyTorch's own",
        }

    def describe(self, request, report):
        return {"devices": [device.describe() for device in devices()], "unavailable": unavailable_devices()}

    def prepare(self, request, report):
        self.session = None
        forget_compiled()
        self.device = find_device(request.text("device"))
        layout, mode, precision = (request.text(key) for key in ("layout", "mode", "precision"))
        instruction_set = request.text("instruction_set", optional=True)
        self.device.check(layout, mode, precision, request.text("version", optional=True), instruction_set)
        threads = self.device.claim(request.whole("threads", optional=True), request.wholes("cores"))
        workload = load_workload(request.text("workload"))
        seed = request.whole("seed", least=0, optional=True)
        seed = workload.seed if seed is None else seed
        batch = request.whole("batch", optional=True) or workload.batch

        begin = time.perf_counter_ns()
        data = load_dataset(workload, request.text("data", optional=True), seed)
        session = Session(workload, data, layout, mode, precision, batch, seed)
        answer = {
            "parameters": sum(p.numel() for p in session.parameters.values()),
            "batch": batch,
            "requested_layout": layout,
            "device": {"uuid": self.device.uuid, "name": self.device.name},
            "threads": threads,
            "instruction_set": self.device.instruction_set,
            "data": data.kind,
            "build_ns": time.perf_counter_ns() - begin,
        }
        answer |= self._first_steps(session, report)
        session.reset()
        self.session = session
        return answer

    def _first_steps(self, session, report):
        """Compiles, if asked, and runs two steps: for the layout, the memory and the time until the first one ran."""
        known = len(generated_programs())
        begin = time.perf_counter_ns()
        if session.compiles:
            with report.ticking("compiling", "first compiled step"):
                first_call(session.timed_step)
            compiling = {"compile_ns": time.perf_counter_ns() - begin}
            layout, reason = compiled_layout(generated_programs()[known:])
        else:
            session.timed_step()
            compiling = {"compile_ns": None, "compile_ns_reason": "nothing to compile"}
            seen = session.first_activation_strides()
            layout = layout_of(*seen) if seen else None
            reason = (
                "the first convolution's result has the strides of neither or of both" if seen else "no convolution"
            )
        compiling["effective_layout"] = layout
        if layout is None:
            compiling["effective_layout_reason"] = reason
        with report.ticking("warming", "second step"):
            growth = peak_growth(session.timed_step)
        if growth is None:
            return compiling | {
                "memory_bytes": None,
                "memory_bytes_reason": "this system does not tell a process its peak",
            }
        return compiling | {"memory_bytes": growth + session.state_bytes()}

    def _prepared(self):
        if self.session is None:
            raise Failure(USAGE, "nothing is prepared: send prepare first")
        return self.session

    def measure(self, request, report):
        session, steps = self._prepared(), request.whole("steps")
        begin = time.perf_counter_ns()
        for _ in range(steps):
            loss, accuracy = session.timed_step()
        wall_ns = time.perf_counter_ns() - begin
        if not math.isfinite(loss.item()):
            raise Failure(NUMERICS, f"the loss of step {session.number - 1} is {loss.item()}")
        return {
            "steps": steps,
            "wall_ns": wall_ns,
            "device_ns": None,
            "device_ns_reason": self.device.clock_reason,
            "loss": loss.item(),
            "accuracy": accuracy.item(),
            **_NO_CLOCK,
        }

    def profile(self, request, report):
        session, steps = self._prepared(), request.whole("steps")
        if session.compiles:
            step_wall_ns, times = profile_compiled(session, steps, report)
        else:
            step_wall_ns, times = profile_eager(session, steps)
        stages = [
            {
                "name": name,
                "phase": phase,
                "wall_ns": wall_ns,
                "device_ns": None,
                "device_ns_reason": self.device.clock_reason,
                "children": [],
            }
            for (name, phase), wall_ns in times.items()
        ]
        return {"steps": steps, "step_wall_ns": step_wall_ns, "stages": stages}

    def trace(self, request, report):
        session, steps = self._prepared(), request.whole("steps")
        return {"steps": steps, "losses": trace(session, request.text("inputs"), request.text("outputs"), steps)}

    def train(self, request, report):
        session, epochs = self._prepared(), request.whole("epochs")
        accuracy = train(session, epochs, lambda values: report.event("epoch", **values))
        return {"epochs": epochs, "test_accuracy": accuracy}
