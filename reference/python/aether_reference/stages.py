# SPDX-License-Identifier: MIT
"""`profile` of the eager step: the same step, watched."""

import time

from .step import Unobserved


class Laps(Unobserved):
    """Nanoseconds by (name, phase), summed over steps. A CPU computes where it is called, so a lap ends when a stage's
    result is there; laps follow one another without gap or overlap."""

    def __init__(self):
        self.sums = {}
        self.last = 0
        self.behind = []  # stages whose results have got their gradients, newest last

    def start(self):
        self.last = time.perf_counter_ns()
        self.behind = ["loss"]

    def mark(self, name, phase):
        now = time.perf_counter_ns()
        self.sums[name, phase] = self.sums.get((name, phase), 0) + now - self.last
        self.last = now

    def forward(self, name, activation):
        self.mark(name, "forward")
        if activation.requires_grad and name != "loss":

            def arrived(gradient):  # the stage behind this one has finished its backward pass
                self.mark(self.behind[-1], "backward")
                self.behind.append(name)

            activation.register_hook(arrived)

    def backward(self):
        self.mark(self.behind[-1], "backward")

    def update(self):
        self.mark("adamw", "optimizer")


def profile_eager(session, steps):
    """(nanoseconds per step, {(name, phase): nanoseconds per step}); backward of "loss" holds the L2 terms' too."""
    laps = Laps()
    begin = time.perf_counter_ns()
    for _ in range(steps):
        laps.start()
        batch = session.next_batch()
        masks = session.drawn_masks()
        laps.mark("batch and masks", "other")
        session.advance(session.plain_step, *batch, masks, observer=laps)
    wall_ns = time.perf_counter_ns() - begin
    return wall_ns // steps, {key: ns // steps for key, ns in laps.sums.items()}
