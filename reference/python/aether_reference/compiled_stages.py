# SPDX-License-Identifier: MIT
"""`profile` of the compiled step: its kernels and library calls, as torch.profiler sees them."""

import re
import time

import torch
import torch._inductor.config

from .compiled import compile_step, first_call
from .failure import INTERNAL, Failure

_KERNEL = re.compile(r"graph_\d+_cpp_fused_+(.*)")


def _stage_names(events):
    """ "fused ..." for Inductor's kernels, the operator for library calls; a repeated name is numbered."""
    counts = {}
    for event in events:
        kernel = _KERNEL.fullmatch(event.name)
        name = f"fused {kernel[1]}" if kernel else event.name.removeprefix("aten::").removeprefix("mkldnn::")
        counts[name] = counts.get(name, 0) + 1
        yield name if counts[name] == 1 else f"{name} #{counts[name]}"


def _program_events(profiler):
    """One list for each step: what the compiled program called, in order."""
    programs = [e for e in profiler.events() if e.name.startswith("## Call CompiledFxGraph")]
    return [sorted(program.cpu_children, key=lambda e: e.time_range.start) for program in programs]


def _add_step(sums, events):
    """Forward is what runs before the first kernel with a backward in its name; Inductor puts the loss's gradient into
    the loss's kernel, and parts of AdamW into kernels of backward, so there is no phase of its own for the update."""
    phase = "forward"
    for event, name in zip(events, _stage_names(events)):
        if "backward_data" in name or name.startswith("convolution_backward"):
            phase = "backward"
        sums[name, phase] = sums.get((name, phase), 0.0) + 1e3 * event.time_range.elapsed_us()


def profile_compiled(session, steps, report):
    """(nanoseconds per step, {(name, phase): nanoseconds per step}). The timers are in a compilation of its own, so the
    step that measure times has none."""
    with (
        report.ticking("compiling", "the step with stage timers"),
        torch._inductor.config.patch({"cpp.enable_kernel_profile": True}),
    ):
        watched = compile_step(session.plain_step, session.mode, "watched_step")

        def run():
            session.advance(watched, *session.next_batch(), session.drawn_masks())

        first_call(run)
    run()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        begin = time.perf_counter_ns()
        for _ in range(steps):
            run()
        wall_ns = time.perf_counter_ns() - begin
    programs = _program_events(profiler)
    if len(programs) != steps:
        raise Failure(INTERNAL, f"torch.profiler saw {len(programs)} runs of the compiled program in {steps} steps")
    sums = {}
    for events in programs:
        _add_step(sums, events)
    sums["batch, masks, guards and dispatch", "other"] = max(0.0, wall_ns - sum(sums.values()))
    return wall_ns // steps, {key: round(ns / steps) for key, ns in sums.items()}
