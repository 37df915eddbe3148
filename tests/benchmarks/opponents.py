# SPDX-License-Identifier: MIT
"""PyTorch in every memory allocator and instruction set: the runner manifests that whole_step.py measures."""

import dataclasses
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(os.environ.get("AETHER_ROOT") or pathlib.Path(__file__).resolve().parents[2])
SHIPPED = ("aether-reference-python", "aether-reference")
HUGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")

# PyTorch's own kernels, oneDNN, MKL, and the compiler that torch.compile calls.
FORCED = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "TORCHINDUCTOR_CPP_MARCH": "x86-64-v3",
    }
}


@dataclasses.dataclass(frozen=True)
class Allocator:
    name: str
    environment: dict
    package: str = ""  # Debian's, of a library that is preloaded

    def unavailable(self):
        """Why it can't be used here; empty: it can."""
        if "THP_MEM_ALLOC_ENABLE" in self.environment:
            return _no_huge_pages()
        return _no_preload(self.environment["LD_PRELOAD"], self.package) if self.package else ""


ALLOCATORS = (
    Allocator("plain", {}),
    Allocator("huge pages", {"THP_MEM_ALLOC_ENABLE": "1"}),
    Allocator("tcmalloc", {"LD_PRELOAD": "libtcmalloc_minimal.so.4"}, "libtcmalloc-minimal4"),
    Allocator("jemalloc", {"LD_PRELOAD": "libjemalloc.so.2"}, "libjemalloc2"),
)


def _no_huge_pages():
    try:
        setting = HUGE_PAGES.read_text(encoding="ascii")
    except OSError:
        return "this kernel has no transparent huge pages"
    return f"{HUGE_PAGES} says never" if "[never]" in setting else ""


def _no_preload(library, package):
    """The loader says on stderr what it can't preload, and goes on without."""
    probe = subprocess.run(["true"], env={**os.environ, "LD_PRELOAD": library}, capture_output=True, text=True)
    return f"{library} can't be preloaded (Debian's package {package})" if probe.stderr else ""


@dataclasses.dataclass(frozen=True)
class Opponent:
    """One of PyTorch's runners under one allocator."""

    runner: str
    allocator: str
    manifest: pathlib.Path


def write_manifests(folder, allocator, instruction_set):
    """PyTorch's runners with that allocator; instruction set None: the best."""
    out = []
    for shipped in SHIPPED:
        manifest = json.loads((ROOT / "resources/runners" / f"{shipped}.json").read_text())
        if allocator.environment:
            manifest["title"] = manifest["title"].removesuffix(")") + f", {allocator.name})"
        manifest["name"] = f"{shipped}-{allocator.name.replace(' ', '-')}"
        manifest["environment"] = {
            **manifest.get("environment", {}),
            **allocator.environment,
            **FORCED.get(instruction_set, {}),
        }
        path = folder / f"{manifest['name']}-{instruction_set or 'best'}.json"
        path.write_text(json.dumps(manifest, indent=1))
        out.append(Opponent(manifest["name"], allocator.name, path))
    return out
