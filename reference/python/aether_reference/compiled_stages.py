# SPDX-License-Identifier: MIT
"""`profile` of the compiled step."""

from .failure import Failure, UNSUPPORTED


def profile_compiled(session, steps, report):
    raise Failure(UNSUPPORTED, "the compiled step is one program: its layers can't be told apart")
