# SPDX-License-Identifier: MIT
"""How much memory a step needs at its peak, as Linux counts resident pages."""

import ctypes
import gc


def _status(field):
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field + ":"))


def peak_growth(action):
    """Runs action once and returns by how many bytes the process grew meanwhile at most, or None where unknown."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # starts the peak anew
        before = _status("VmRSS")
    except (OSError, AttributeError, StopIteration):
        before = None
    action()
    return None if before is None else max(0, _status("VmHWM") - before)
