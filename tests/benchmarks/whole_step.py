# SPDX-License-Identifier: MIT
"""The engine's generations against the strongest PyTorch that can be put together on this machine.

For every instruction set and number of threads: PyTorch from Python (eager, compiled, max-autotune) and from C++
(eager), in both layouts and under every allocator of opponents.py, first runs in heats of a few rounds, one heat an
allocator (all processes of a session live at once, and all of them together would not fit into memory). The engine
sets the pace of each heat, and the variants nearest to it meet in the final: verified, interleaved with the engine's
generations in one session of `aether-bench run`, whose result file has the ratio and its interval.

A session whose result file is in the results folder already is not measured again, so an interrupted run goes on where
it stopped. Tables go to stdout and to --out; figures belong in docs/performance.md.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import opponents
import whole_step_report as reporting

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MEASURED, SOMETHING_FAILED = 0, 1  # exit codes of `aether-bench run` after which there is a result
QUICK = {"modes": "eager", "allocators": "plain,huge pages", "batch": 8, "threads": "1", "instruction_set": "best"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def minutes(seconds):
    return f"about {max(1, round(seconds / 60))} min"


@dataclasses.dataclass
class Setting:
    """One instruction set (None: the best) and number of threads, and what aether-bench plans for it."""

    instruction_set: str | None
    threads: str  # "all": one per core
    opponents: list
    plan: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        return f"{self.instruction_set or 'best'}-{self.plan['session']['threads']}-threads"

    def arguments(self, opponents):
        return [
            *(["--instruction-set", self.instruction_set] if self.instruction_set else []),
            *(["--threads", self.threads] if self.threads != "all" else []),
            *(word for opponent in opponents for word in ("--runner", opponent.manifest)),
        ]

    def able(self, precision, engine):
        """Runs in that precision that can be measured: the engine's, or PyTorch's."""
        runs = [run for run in self.plan["runs"] if run["status"] == "queued" and run["precision"] == precision]
        return [run for run in runs if reporting.is_engine(run) == engine]

    def precisions(self):
        """Those that the engine and PyTorch can be compared in."""
        names = dict.fromkeys(run["precision"] for run in self.plan["runs"])
        return [name for name in names if self.able(name, True) and self.able(name, False)]


class Bench:
    """`aether-bench run` with what every session has in common, and the folder of its results."""

    def __init__(self, arguments, folder):
        self.program, self.folder, self.results = arguments.program, folder, arguments.results
        self.common = ["--workload", arguments.workload, "--mode", arguments.modes]
        self.common += ["--engine-version", arguments.engine_version]
        self.common += ["--batch", arguments.batch] if arguments.batch else []
        self.heat_rounds, self.options = arguments.heat_rounds, arguments.options
        self.begin, self.done, self.expected = 0, 0, 0

    def run(self, words):
        """(exit code, stdout). What it says meanwhile goes to this program's stderr."""
        command = [self.program, "run", *self.common, *words, *self.options]
        finished = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False)
        return finished.returncode, finished.stdout

    def plan(self, setting, precision):
        names = ",".join(["aether", *(opponent.runner for opponent in setting.opponents)])
        # Only the best instruction set has those of bf16.
        precision = precision or ("fp32" if setting.instruction_set else None)
        words = ["--framework", names, *setting.arguments(setting.opponents)]
        words += ["--precision", precision] if precision else []
        words += ["--rounds", self.heat_rounds]
        code, text = self.run([*words, "--dry-run", "-o", "json", "--quiet"])
        if code != MEASURED:
            sys.exit(f"there is no plan: aether-bench ended with {code}")
        setting.plan = json.loads(text)

    def session(self, setting, name, runs, rounds, *words):
        """The result of one session; measured only if its file is not there yet."""
        self.done += 1
        file = self.results / f"{name}.json"
        progress = f"[{self.done}/{self.expected}] {name}: {len(runs)} variants, {rounds} rounds"
        if file.exists():
            say(f"{progress}, taken from {file}")
            return checked(json.loads(file.read_text()), file, setting, runs, rounds)
        say(progress + self.left())
        runners = {run["runner"] for run in runs}
        command = setting.arguments([o for o in setting.opponents if o.runner in runners])
        command += ["--precision", runs[0]["precision"], "--rounds", rounds, *words]
        command += [word for run in runs for word in ("--variant", run["id"])]
        fresh = self.folder / file.name
        code, _ = self.run([*command, "--output-dir", self.folder / "unfinished", "--export-json", fresh])
        if code not in (MEASURED, SOMETHING_FAILED):
            sys.exit(f"{name}: aether-bench ended with {code}; with --results {self.results} it goes on from here")
        file.write_text(fresh.read_text())
        return json.loads(file.read_text())

    def left(self):
        if self.done == 1:
            return ""
        each = (time.monotonic() - self.begin) / (self.done - 1)
        return f", {minutes(each * (self.expected - self.done + 1))} left"


def checked(result, file, setting, runs, rounds):
    """A result that is there already, if it is of the same work."""

    def work(result, runs, rounds):
        return result["workload"]["digest"], result["workload"]["batch"], rounds, {run["id"] for run in runs}

    if work(result, result["runs"], result["session"]["rounds"]) != work(setting.plan, runs, rounds):
        sys.exit(f"{file} is of another workload, batch, number of rounds or choice: take another folder for --results")
    return result


def paces(heat):
    """(time in steps of the engine in the same heat, run) of every PyTorch variant that was measured in it."""
    median = {run["id"]: run["statistics"]["median_step_ns"] for run in heat["runs"] if reporting.measured(run)}
    (engine,) = (run for run in heat["runs"] if reporting.is_engine(run))
    if engine["id"] not in median:
        sys.exit(f"the engine was not measured: {engine['reason']}")
    rivals = (run for run in heat["runs"] if run["id"] in median and run is not engine)
    return [(median[run["id"]] / median[engine["id"]], run) for run in rivals]


def contest(bench, setting, precision, arguments):
    """Heats and final of one setting and precision: (result of the final, results of the heats)."""
    name = f"{setting.name}-{precision}"
    engines, rivals = setting.able(precision, True), setting.able(precision, False)
    heats = []
    for allocator in dict.fromkeys(opponent.allocator for opponent in setting.opponents):
        runners = {opponent.runner for opponent in setting.opponents if opponent.allocator == allocator}
        field = [engines[-1], *(run for run in rivals if run["runner"] in runners)]
        label = f"{name}-heat-{allocator.replace(' ', '-')}"
        heats.append(bench.session(setting, label, field, bench.heat_rounds, "--no-verify", "--no-profile"))
    ranking = sorted((entry for heat in heats for entry in paces(heat)), key=lambda entry: entry[0])
    if not ranking:
        sys.exit(f"{name}: no variant of PyTorch was measured")
    for place, (pace, run) in enumerate(ranking):
        mark = "final" if place < arguments.finalists else "     "
        say(f"  {mark}  {pace:6.2f} engine steps  {reporting.opponent_name(run)}")
    field = [*engines, *(run for _, run in ranking[: arguments.finalists])]
    return bench.session(setting, f"{name}-final", field, arguments.rounds), heats


def cpu_flags():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    return set(next((line for line in text.splitlines() if line.startswith("flags")), "").split())


def chosen_instruction_sets(names):
    """(instruction sets, None: the best; sentences about those left out)."""
    nothing_new = "best" in names and "avx512f" not in cpu_flags()
    chosen = [None if name == "best" else name for name in names if not (name == "avx2" and nothing_new)]
    left_out = "avx2 only: this processor has nothing better, so it would be measured twice"
    return chosen, [left_out] if nothing_new and "avx2" in names else []


def chosen_allocators(names):
    """(allocators, sentences about those left out)."""
    known = {allocator.name: allocator for allocator in opponents.ALLOCATORS}
    for name in names:
        if name not in known:
            sys.exit(f"--allocators: {name} is not one of {', '.join(known)}")
    reasons = {name: known[name].unavailable() for name in names}
    return [known[name] for name in names if not reasons[name]], [f"{n}: {why}" for n, why in reasons.items() if why]


def planned_settings(bench, arguments):
    """Every instruction set with every number of threads, and sentences about what was left out."""
    instruction_sets, left_out = chosen_instruction_sets(arguments.instruction_set.split(","))
    allocators, missing = chosen_allocators(arguments.allocators.split(","))
    left_out += missing
    settings = {}
    for instruction_set in instruction_sets:
        field = [o for a in allocators for o in opponents.write_manifests(bench.folder, a, instruction_set)]
        for threads in arguments.threads.split(","):
            setting = Setting(instruction_set, threads, field)
            bench.plan(setting, arguments.precision)
            settings.setdefault(setting.name, setting)  # one core: 1 and all are the same
    for setting in settings.values():
        unavailable = [run for run in setting.plan["runs"] if run["status"] == "unavailable"]
        left_out += [f"{run['id']}, {setting.name}: {run['reason']}" for run in unavailable]
    return list(settings.values()), left_out


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(SOURCE / "build/release/bin/aether-bench"))
    parser.add_argument("--workload", default="cifar10-v1", help="as of aether-bench run")
    parser.add_argument("--batch", type=int, help="images a step (default: the workload's)")
    parser.add_argument("--engine-version", default="direct,winograd", help="generations; the last one sets the pace")
    parser.add_argument("--modes", default="all", help="PyTorch's: eager,compiled,max-autotune")
    parser.add_argument("--allocators", default=",".join(a.name for a in opponents.ALLOCATORS))
    parser.add_argument("--precision", help="default: those that the processor has instructions for")
    parser.add_argument("--threads", default="1,all", help="all: one per core")
    parser.add_argument("--instruction-set", default="best,avx2", help="avx2: everybody is held to it")
    parser.add_argument("--heat-rounds", type=int, default=3)
    parser.add_argument("--finalists", type=int, default=3, help="variants of PyTorch in a final")
    parser.add_argument("--rounds", type=int, default=6, help="of a final; fewer than 6 give no interval of 95 %%")
    parser.add_argument("--quick", action="store_true", help=f"other defaults, to see that it works: {QUICK}")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be measured and how long it takes")
    parser.add_argument("--results", type=pathlib.Path, help="folder of the result files (default: a new one)")
    parser.add_argument("--out", type=pathlib.Path, help="also write the tables to this file")
    parser.add_argument("options", nargs="*", help="more options of 'aether-bench run' for every session, after --")
    if "--quick" in sys.argv:
        parser.set_defaults(**QUICK)
    arguments = parser.parse_args()
    if not arguments.results:
        arguments.results = pathlib.Path("results") / time.strftime("whole-step-%Y%m%dT%H%M%SZ", time.gmtime())
    return arguments


def main():
    arguments = parse()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        settings, left_out = planned_settings(bench, arguments)
        for sentence in left_out:
            say(f"left out: {sentence}")
        contests = [(setting, precision) for setting in settings for precision in setting.precisions()]
        if not contests:
            sys.exit("nothing to compare: the engine and PyTorch have no precision in common here")
        heats = len({opponent.allocator for opponent in settings[0].opponents})
        bench.expected = len(contests) * (heats + 1)
        seconds = sum(setting.plan["estimated_seconds"] for setting in settings) * (heats + 1) / heats
        say(f"{bench.expected} sessions, {minutes(seconds)}; results: {arguments.results}")
        if arguments.dry_run:
            return
        arguments.results.mkdir(parents=True, exist_ok=True)
        bench.begin = time.monotonic()
        outcomes = [contest(bench, setting, precision, arguments) for setting, precision in contests]
    text = reporting.report([final for final, _ in outcomes], [heat for _, each in outcomes for heat in each], left_out)
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
