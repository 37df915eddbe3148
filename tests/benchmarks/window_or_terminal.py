# SPDX-License-Identifier: MIT
"""Does the window disturb what it measures? The same plan from the terminal and from the window, in turns.

A turn is three sessions, two from the terminal and one from the window, whose place changes from turn to turn. Prints
the engine's median of each, the ratios of window to terminal (the mean of both) and of terminal to itself, and their
spread: the second says what a ratio of equals looks like on this machine. Needs the targets aether-bench, aether-engine
and window_run of the preset release; draws on xvfb where it is installed, offscreen with --offscreen.
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


def in_window(folder, rounds, offscreen):
    command = [str(folder / "window_run"), str(rounds)]
    environment = dict(os.environ)
    if offscreen or not shutil.which("xvfb-run"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    else:
        command = ["xvfb-run", "-a", *command]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return median_of(json.loads(pathlib.Path(finished.stdout.strip()).read_text()))


def summary(name, ratios):
    above = sum(ratio > 1 for ratio in ratios)
    return (
        f"{name}: median {statistics.median(ratios):.3f} ({min(ratios):.3f}–{max(ratios):.3f}), "
        f"{above} of {len(ratios)} above 1"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--offscreen", action="store_true", help="without a display server on the same cores")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin")
    arguments = parser.parse_args()
    window_ratios, terminal_ratios = [], []
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = home
        for turn in range(arguments.turns):
            terminal = []
            for place in range(3):
                if place == turn % 3:
                    window = in_window(arguments.programs, arguments.rounds, arguments.offscreen)
                else:
                    terminal.append(in_terminal(arguments.programs, arguments.rounds))
            window_ratios.append(window / statistics.mean(terminal))
            terminal_ratios.append(terminal[1] / terminal[0])
            print(
                f"{turn + 1}  terminal {terminal[0]:7.2f} {terminal[1]:7.2f} ms  window {window:7.2f} ms  "
                f"{window_ratios[-1]:.3f}  terminal to itself {terminal_ratios[-1]:.3f}",
                flush=True,
            )
    print(summary("window / terminal", window_ratios))
    print(summary("terminal / terminal", terminal_ratios))


if __name__ == "__main__":
    main()
