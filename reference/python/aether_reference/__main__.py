# SPDX-License-Identifier: MIT
"""python -m aether_reference: run protocol 1 on stdin and stdout."""

import os
import sys

from .lifetime import end_on_sigterm, kill_children
from .protocol import Answers, serve
from .unavailable import UnavailableRunner


def _clean_stdout():
    """The protocol keeps the real stdout; whatever else is printed, by Python or by a library, goes to stderr."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stream


def _runner():
    try:
        from .runner import Runner
    except Exception as error:  # a broken installation fails in many ways, not only with ImportError
        reason = " ".join(str(error).split())[:300]
        return UnavailableRunner(f"PyTorch can't be imported by {sys.executable}: {type(error).__name__}: {reason}")
    return Runner()


def main():
    answers = Answers(_clean_stdout())
    end_on_sigterm()
    code = 1
    try:
        code = serve(_runner(), sys.stdin.buffer, answers)
    except BrokenPipeError:
        pass  # nobody reads any more
    finally:
        kill_children()
    return code


if __name__ == "__main__":
    sys.exit(main())
