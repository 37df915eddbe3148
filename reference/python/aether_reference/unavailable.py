# SPDX-License-Identifier: MIT
"""The runner that answers where PyTorch can't be imported: it says why."""

from . import FRAMEWORK, RUNNER
from .failure import UNAVAILABLE, USAGE, Failure


class UnavailableRunner:
    def __init__(self, reason):
        self.reason = reason

    def hello(self):
        return {
            "runner": RUNNER,
            "framework": FRAMEWORK,
            "version": None,
            "version_reason": self.reason,
            "commit": None,
            "dirty": None,
        }

    def describe(self, request, report):
        return {"devices": [], "unavailable": [{"device": "cpu-0", "reason": self.reason}]}

    def prepare(self, request, report):
        raise Failure(UNAVAILABLE, self.reason)

    def measure(self, request, report):
        raise Failure(USAGE, "nothing is prepared: send prepare first")

    profile = trace = train = measure
