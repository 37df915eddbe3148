# SPDX-License-Identifier: MIT
"""Does the window disturb what it measures? The same plan from the terminal and from the window, in turns.

Prints the engine's median of every session and the ratio of the two medians with its spread. Needs the targets
aether-bench, aether-engine and window_run of the preset release; draws on xvfb where it is installed.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def median_of(result):
    (run,) = result["runs"]
    return statistics.median(s["step_ns"] for s in run["samples"] if not s["flags"]) / 1e6


def in_terminal(folder, rounds):
    command = [folder / "aether-bench", "run", "--framework", "aether", "--precision", "fp32", "--rounds", str(rounds)]
    command += ["--no-verify", "--no-profile", "--quiet", "-o", "json"]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    return median_of(json.loads(finished.stdout))


def in_window(folder, rounds):
    command = [str(folder / "window_run"), str(rounds)]
    if shutil.which("xvfb-run"):
        command = ["xvfb-run", "-a", *command]
    else:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    return median_of(json.loads(pathlib.Path(finished.stdout.strip()).read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin")
    arguments = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = home
        for turn in range(1, arguments.turns + 1):
            terminal = in_terminal(arguments.programs, arguments.rounds)
            window = in_window(arguments.programs, arguments.rounds)
            ratios.append(window / terminal)
            print(f"{turn}  terminal {terminal:7.2f} ms  window {window:7.2f} ms  {ratios[-1]:.3f}", flush=True)
    print(f"window / terminal: median {statistics.median(ratios):.3f} ({min(ratios):.3f}–{max(ratios):.3f})")


if __name__ == "__main__":
    main()
