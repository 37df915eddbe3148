# SPDX-License-Identifier: MIT
"""The A/A check: the engine against itself as two variants must come out SAME.

Runs whole sessions of `aether-bench run --aa`, each with another seed, and counts the verdicts. Exits 1 when fewer
than 19 of 20 (in proportion) say SAME. Figures belong in docs/measurement.md.

SAME means that the ratio's 95 % interval lies within 2 % of 1, so a session goes on until that interval is within
0.5 %. Two processes of one program differ by up to 2 % for as long as they live; starting them anew averages that out.
Small batches and single steps give many pairs a minute; the engine's threads sleep as soon as they are idle, so a
short pause is enough between them.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUIRED_SHARE = 19 / 20
PROCEDURE = ["--batch", "8", "--block-seconds", "0", "--settle", "2", "--max-noise", "0.5%", "--timeout", "180"]
PROCEDURE += ["--relaunch", "20"]


def session(program, seed, options):
    """The comparison of one session, as the result file has it."""
    command = [
        program,
        "run",
        "--aa",
        "--framework",
        "aether",
        "--precision",
        "fp32",
        "--no-verify",
        "--no-profile",
        "--quiet",
        "--seed",
        str(seed),
        "-o",
        "json",
        *(options or PROCEDURE),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"session with seed {seed} ended with {finished.returncode}: {finished.stderr.strip()}")
    return json.loads(finished.stdout)["comparisons"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/aether-bench"))
    parser.add_argument("options", nargs="*", help="options of 'aether-bench run' in place of this procedure, after --")
    arguments = parser.parse_args()
    same = 0
    for number in range(1, arguments.sessions + 1):
        begin = time.monotonic()
        comparison = session(arguments.program, number, arguments.options)
        same += comparison["verdict"] == "SAME"
        low, high = comparison["ratio_low"], comparison["ratio_high"]
        print(
            f"{number:3}  {comparison['verdict']:9}  {comparison['ratio']:.4f} [{low:.4f}, {high:.4f}]  "
            f"n={comparison['pairs']}  {time.monotonic() - begin:5.1f} s",
            flush=True,
        )
    print(f"SAME in {same} of {arguments.sessions} sessions")
    return 0 if same >= REQUIRED_SHARE * arguments.sessions else 1


if __name__ == "__main__":
    sys.exit(main())
