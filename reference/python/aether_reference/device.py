# SPDX-License-Identifier: MIT
"""The devices this runner can use and what each can do. Today the CPU; a GPU gets its own class with these members."""

import os

import torch

from .compiled import COMPILE_MODES
from .failure import UNAVAILABLE, UNSUPPORTED, USAGE, Failure

LAYOUTS = ("nchw", "nhwc")
MODES = ("eager", *COMPILE_MODES)
MODES_ON_REQUEST = ("max-autotune",)  # takes minutes to prepare
_UNSUPPORTED = (
    *(
        {"precision": "fp64", "mode": mode, "reason": "fp64 is the truth that verify compares with: eager only"}
        for mode in COMPILE_MODES
    ),
    {"precision": "fp64", "layout": "nhwc", "reason": "fp64 is the truth that verify compares with: nchw only"},
)
# Taken before anything is pinned: a later prepare without cores gets them all back.
_ALLOWED_CORES = frozenset(os.sched_getaffinity(0))


def _cpuinfo(field):
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.split(":")[0].strip() == field), "")
    except OSError:
        return ""


class CpuDevice:
    uuid = "cpu-0"
    kind = "cpu"
    clock_reason = "a CPU has no device clock"

    def __init__(self):
        self.name = _cpuinfo("model name") or "CPU"
        self.has_bf16 = bool({"avx512_bf16", "amx_bf16"} & set(_cpuinfo("flags").split()))

    @property
    def instruction_set(self):
        """What PyTorch's own kernels were chosen for: "avx2", "avx512", "default"."""
        return torch.backends.cpu.get_cpu_capability().lower()

    def describe(self):
        bf16 = {"name": "bf16", "native": self.has_bf16}
        if not self.has_bf16:
            bf16["note"] = "this CPU has neither AVX-512 bf16 nor AMX: PyTorch converts to fp32 around every operation"
        return {
            "uuid": self.uuid,
            "name": self.name,
            "kind": self.kind,
            "pci": None,
            "pci_reason": "a CPU has no PCI address",
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "driver": None,
            "driver_reason": "a CPU needs no driver",
            "cores": len(_ALLOWED_CORES),
            "instruction_sets": [self.instruction_set],
            "layouts": list(LAYOUTS),
            "modes": list(MODES),
            "modes_on_request": list(MODES_ON_REQUEST),
            "versions": [],
            "precisions": [
                {"name": "fp32", "native": True},
                bf16,
                {"name": "fp64", "native": False, "note": "the truth that verify compares with"},
            ],
            "unsupported": [dict(entry) for entry in _UNSUPPORTED],
        }

    def check(self, layout, mode, precision, version, instruction_set):
        """Failure(unsupported) for a configuration that describe() excludes."""
        known = {"layout": LAYOUTS, "mode": MODES, "precision": [p["name"] for p in self.describe()["precisions"]]}
        wanted = {"layout": layout, "mode": mode, "precision": precision}
        for key, value in wanted.items():
            if value not in known[key]:
                raise Failure(UNSUPPORTED, f'{key} "{value}" is not one of {", ".join(known[key])} on {self.uuid}')
        for entry in _UNSUPPORTED:
            if all(wanted[key] == value for key, value in entry.items() if key in wanted):
                raise Failure(UNSUPPORTED, entry["reason"])
        if version is not None:
            raise Failure(UNSUPPORTED, f'version "{version}": PyTorch has no generations to choose from')
        if instruction_set not in (None, self.instruction_set):
            raise Failure(
                UNSUPPORTED,
                f'instruction set "{instruction_set}": PyTorch chose {self.instruction_set} when it '
                "started and can't change",
            )

    def claim(self, threads, cores):
        """Pins every thread of this process to the cores (none: to all) and sizes PyTorch's pool. Returns its size."""
        chosen = set(cores or _ALLOWED_CORES)
        if chosen - _ALLOWED_CORES:
            raise Failure(
                USAGE, f"core {min(chosen - _ALLOWED_CORES)} is not among this process's cores {sorted(_ALLOWED_CORES)}"
            )
        for thread in os.listdir("/proc/self/task"):
            try:
                os.sched_setaffinity(int(thread), chosen)
            except ProcessLookupError:
                pass  # a thread that has just ended
        torch.set_num_threads(threads or len(chosen))
        return torch.get_num_threads()


def devices():
    return [CpuDevice()]


def unavailable_devices():
    """GPUs that PyTorch sees are named; this runner can't time them yet."""
    if torch.accelerator.is_available():
        return [
            {"device": torch.accelerator.current_accelerator().type, "reason": "this runner measures CPUs only so far"}
        ]
    return []


def find_device(uuid):
    for device in devices():
        if device.uuid == uuid:
            return device
    raise Failure(UNAVAILABLE, f'device "{uuid}" is not one of {", ".join(d.uuid for d in devices())}')
