# SPDX-License-Identifier: MIT
"""Markdown tables of whole_step.py's final sessions, from nothing but their result files."""

PHASES = ("forward", "backward", "optimizer", "other")


def is_engine(run):
    return run["framework"] == "aether"


def measured(run):
    return run["status"] == "measured" and run["statistics"] is not None


def run_of(result, run_id):
    return next(run for run in result["runs"] if run["id"] == run_id)


def ms(nanoseconds):
    return f"{nanoseconds / 1e6:.2f}"


def mib(run):
    return "-" if run["memory_bytes"] is None else f"{run['memory_bytes'] / 2**20:.0f}"


def times(run):
    statistics = run["statistics"]
    return f"{ms(statistics['median_step_ns'])} ({ms(statistics['min_step_ns'])}–{ms(statistics['max_step_ns'])})"


def opponent_name(run):
    """ "compiled NHWC (Python, tcmalloc)" """
    layout = run["requested_layout"].upper()
    ran_in = (run["effective_layout"] or run["requested_layout"]).upper()
    where = run["runner_title"].rpartition("(")[2].removesuffix(")")
    return f"{run['mode']} {layout if ran_in == layout else f'{layout}, ran in {ran_in},'} ({where})"


def setting(result):
    """ "avx2 only, 2 threads, fp32" """
    run = result["runs"][0]
    engine = next((r for r in result["runs"] if is_engine(r) and r["instruction_set"]), run)
    instructions = engine["instruction_set"] + (" only" if result["session"]["instruction_set"] else "")
    threads = result["session"]["threads"]
    return f"{instructions}, {threads} thread{'' if threads == 1 else 's'}, {run['precision']}"


def row(*cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def ratio(comparison):
    if comparison["verdict"] == "INVALID":
        return "none: " + comparison["sentence"]
    return f"{comparison['ratio']:.2f} [{comparison['ratio_low']:.2f}, {comparison['ratio_high']:.2f}]"


def comparison_table(finals):
    lines = [
        row(
            "configuration", "engine", "ms (min–max)", "MiB", "strongest PyTorch", "ms (min–max)", "MiB", "times faster"
        ),
        row("---", "---", "---:", "---:", "---", "---:", "---:", "---:"),
    ]
    for result in finals:
        for comparison in result["comparisons"]:
            engine, opponent = (run_of(result, comparison[side]) for side in ("candidate", "baseline"))
            sides = [
                (name, times(run) if measured(run) else run["status"], mib(run))
                for name, run in ((engine["version"], engine), (opponent_name(opponent), opponent))
            ]
            lines.append(row(setting(result), *sides[0], *sides[1], ratio(comparison)))
    return lines


def phase_sums(run):
    """Milliseconds in each phase; children lie inside their parents."""
    stages = run["stages"]["stages"]
    return [ms(sum(s["wall_ns"] for s in stages if s["phase"] == phase)) for phase in PHASES]


def stage_table(result):
    """Stages of the engine's default generation (the last one), then sums of it and of its opponent."""
    comparison = result["comparisons"][-1]
    engine, opponent = (run_of(result, comparison[side]) for side in ("candidate", "baseline"))
    lines = ["", f"Where the time goes: {setting(result)}", ""]
    if not engine["stages"]:
        return [*lines, f"{engine['version']} told no stages."]
    lines += [row("ms a step", *PHASES), row("---", *["---:"] * len(PHASES))]
    stages = engine["stages"]["stages"]
    for name in dict.fromkeys(stage["name"] for stage in stages):
        spent = {s["phase"]: s["wall_ns"] for s in stages if s["name"] == name}
        lines.append(row(name, *(ms(spent[phase]) if phase in spent else "" for phase in PHASES)))
    lines.append(row(f"**{engine['version']}, sum**", *phase_sums(engine)))
    if opponent["stages"]:
        lines.append(row(f"**PyTorch {opponent_name(opponent)}, sum**", *phase_sums(opponent)))
    return lines


def failures(results):
    """What a session was asked for and could not measure, or what failed parity; each sentence once."""
    found = {}
    for result in results:
        for run in result["runs"]:
            name = f"{run['version'] if is_engine(run) else opponent_name(run)}, {setting(result)}"
            if not measured(run):
                found[f"Not measured: {name}: {run['status']}: {run['reason']}"] = None
            elif run["parity"]["state"] == "failed":
                found[f"Parity failed: {name}: {run['parity']['reason']}"] = None
    return list(found)


def report(finals, heats, left_out):
    """The whole text. `finals` give every number; `heats` only who dropped out; `left_out`: sentences."""
    first = finals[0]
    workload, session = first["workload"], first["session"]
    versions = sorted({run["framework_version"] for result in finals for run in result["runs"] if not is_engine(run)})
    lines = [
        f"{first['context']['cpu']}, {first['context']['os']}; PyTorch {', '.join(versions)}; engine "
        f"{first['context']['app_commit'][:12]}. {workload['name']}, batch {workload['batch']}, {workload['data']} "
        f"data, {session['rounds_done']} rounds. Times are medians, MiB the step's peak memory, intervals 95 %.",
        "",
        *comparison_table(finals),
    ]
    for result in finals:
        if result["comparisons"]:
            lines += stage_table(result)
    notes = [*left_out, *failures([*heats, *finals])]
    if notes:
        lines += ["", *(f"- {note}" for note in notes)]
    return "\n".join(lines) + "\n"
