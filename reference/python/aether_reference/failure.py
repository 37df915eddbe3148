# SPDX-License-Identifier: MIT
"""The one exception that becomes a `failed` answer."""

USAGE = "usage"
UNSUPPORTED = "unsupported"
UNAVAILABLE = "unavailable"
OUT_OF_MEMORY = "out_of_memory"
NUMERICS = "numerics"
INTERNAL = "internal"


class Failure(Exception):
    """A kind of run protocol 1 and a specific sentence for the user."""

    def __init__(self, kind, sentence):
        super().__init__(sentence)
        self.kind = kind


def failure_from(error):
    """The Failure that an arbitrary exception amounts to; never raises."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, MemoryError):
        return Failure(
            OUT_OF_MEMORY, f"Python ran out of memory: {error}" if str(error) else "Python ran out of memory"
        )
    text = " ".join(str(error).split())
    # torch raises a plain RuntimeError from its CPU allocator and a subclass of it from the GPU ones.
    if isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text):
        return Failure(OUT_OF_MEMORY, text)
    return Failure(INTERNAL, f"{type(error).__name__}: {text}")
