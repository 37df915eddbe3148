# SPDX-License-Identifier: MIT
"""A process that leaves nothing behind: torch's compile workers end with it, and SIGTERM ends it at once."""

import os
import signal
import threading


def _children(process):
    """All descendants, deepest last."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                for child in file.read().split():
                    found += [int(child), *_children(int(child))]
    except OSError:
        pass  # it has just ended
    return found


def kill_children():
    for child in _children(os.getpid()):
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_on_sigterm():
    """A thread waits for the signal's byte, since the main thread may be deep in a long kernel."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def wait():
        while os.read(reading, 1)[0] != signal.SIGTERM:
            pass
        kill_children()
        os._exit(128 + signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
