# SPDX-License-Identifier: MIT
"""./aether bench with fake runners: heats find the fastest PyTorch, the tables tell what the result files say."""

import json
import os
import sys

import pytest
from conftest import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "tests/benchmarks"))

import opponents  # noqa: E402
import whole_step  # noqa: E402

FAKE = f"exec {sys.executable} {ROOT / 'tests/fakes/fake_runner.py'}"
ENGINE = f"{FAKE} --framework aether --modes native --layouts nhwc --step-ms 20 --instruction-sets plain,avx2,avx512"
# Faster with huge pages; its instruction set is the environment's.
PYTORCH = f"{FAKE} --framework pytorch --instruction-sets ${{ATEN_CPU_CAPABILITY:-avx512}}"
PYTORCH += " --step-ms $((60 - 20 * ${THP_MEM_ALLOC_ENABLE:-0}))"
RUNNERS = {
    "aether-engine": ("Aether engine", f"{ENGINE} --versions reference,direct,winograd"),
    "aether-reference-python": (
        "PyTorch (Python)",
        f"{PYTORCH} --modes eager,max-autotune --modes-on-request max-autotune",
    ),
    "aether-reference": ("PyTorch (C++)", f"{PYTORCH} --modes eager"),
}
WORDS = [
    "--workload",
    "cifar10-v2",
    "--batch",
    "8",
    "--threads",
    "1",
    "--instruction-set",
    "avx2",
    "--heat-rounds",
    "2",
]
QUIETLY = ["--", "--block-seconds", "0.02", "--settle", "1", "--max-load", "1000%"]


@pytest.fixture
def bench(tmp_path, monkeypatch, capfd):
    """Calls whole_step.py with fakes in the place of the shipped runners; returns (stdout, stderr)."""
    (tmp_path / "resources/runners").mkdir(parents=True)
    os.symlink(ROOT / "resources/workloads", tmp_path / "resources/workloads")
    for name, (title, command) in RUNNERS.items():
        manifest = {"schema": "aether-bench/runner/1", "name": name, "title": title, "command": ["sh", "-c", command]}
        (tmp_path / "resources/runners" / f"{name}.json").write_text(json.dumps(manifest))
    huge_pages = tmp_path / "huge_pages"
    huge_pages.write_text("always [madvise] never\n")
    monkeypatch.setattr(opponents, "ROOT", tmp_path)
    monkeypatch.setattr(opponents, "HUGE_PAGES", huge_pages)
    lost = opponents.Allocator("lost", {"LD_PRELOAD": "libno_such_allocator.so"}, "libno-such")
    monkeypatch.setattr(opponents, "ALLOCATORS", (*opponents.ALLOCATORS[:2], lost))
    monkeypatch.setenv("AETHER_ROOT", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["whole_step.py", "--program", PROGRAM, *map(str, words), *QUIETLY])
        whole_step.main()
        return capfd.readouterr()

    return call


def test_the_tables_tell_what_the_result_files_say(bench, tmp_path):
    results, out = tmp_path / "results", tmp_path / "table.md"
    text = bench(*WORDS, "--results", results, "--out", out).out
    assert out.read_text() == text
    final = json.loads((results / "avx2-1-threads-fp32-final.json").read_text())
    heats = [json.loads(file.read_text()) for file in sorted(results.glob("*heat*.json"))]

    assert final["session"]["instruction_set"] == "avx2" and {r["instruction_set"] for r in final["runs"]} == {"avx2"}
    assert [len(heat["runs"]) for heat in heats] == [7, 7], "the engine, 2 modes of Python and one of C++ in 2 layouts"
    titles = [run["runner_title"] for run in final["runs"] if run["framework"] == "pytorch"]
    assert len(titles) == 3 and all("huge pages" in title for title in titles)

    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| avx2")]
    assert [row[1] for row in rows] == ["direct", "winograd"]
    for row, comparison in zip(rows, final["comparisons"]):
        engine, opponent = (
            next(run for run in final["runs"] if run["id"] == comparison[side]) for side in ("candidate", "baseline")
        )
        assert row[0] == "avx2 only, 1 thread, fp32"
        assert row[2].startswith(f"{engine['statistics']['median_step_ns'] / 1e6:.2f} (")
        assert row[4] == f"{opponent['mode']} {opponent['requested_layout'].upper()} " + (
            "(C++, huge pages)" if "C++" in opponent["runner_title"] else "(Python, huge pages)"
        )
        assert row[5].startswith(f"{opponent['statistics']['median_step_ns'] / 1e6:.2f} (")
        assert row[3] == row[6] == "1"
        interval = f"[{comparison['ratio_low']:.2f}, {comparison['ratio_high']:.2f}]"
        assert row[7] == f"{comparison['ratio']:.2f} {interval}"
    assert "| conv1 | 6.00 | 12.00 |  |  |" in text
    assert "| **winograd, sum** | 6.00 | 12.00 | 2.00 | 0.00 |" in text
    assert "libno_such_allocator.so can't be preloaded (Debian's package libno-such)" in text

    again = bench(*WORDS, "--results", results)
    assert again.out == text
    assert again.err.count("taken from") == 3 and "measuring" not in again.err
    with pytest.raises(SystemExit, match="is of another workload, batch"):
        bench(*WORDS, "--batch", "16", "--results", results)


def test_a_dry_run_says_how_long_it_would_take(bench, tmp_path):
    said = bench(*WORDS, "--results", tmp_path / "results", "--dry-run")
    assert said.out == "" and "3 sessions, about" in said.err
    assert not (tmp_path / "results").exists()


def test_an_allocator_that_would_change_nothing_is_left_out(monkeypatch, tmp_path):
    setting = tmp_path / "huge_pages"
    monkeypatch.setattr(opponents, "HUGE_PAGES", setting)
    huge_pages = next(a for a in opponents.ALLOCATORS if a.name == "huge pages")
    assert "no transparent huge pages" in huge_pages.unavailable()
    setting.write_text("always madvise [never]\n")
    assert "never" in huge_pages.unavailable()
    setting.write_text("always [madvise] never\n")
    assert huge_pages.unavailable() == ""


def test_avx2_is_not_measured_twice(monkeypatch):
    for flags, expected in (({"avx2"}, [None]), ({"avx2", "avx512f"}, [None, "avx2"])):
        monkeypatch.setattr(whole_step, "cpu_flags", lambda flags=flags: flags)
        chosen, left_out = whole_step.chosen_instruction_sets(["best", "avx2"])
        assert chosen == expected and len(left_out) == 2 - len(expected)
    assert whole_step.chosen_instruction_sets(["avx2"])[0] == ["avx2"]
