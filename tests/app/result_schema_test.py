# SPDX-License-Identifier: GPL-3.0-only
"""A result that the program really wrote and the published ones obey resources/schemas/result-1.schema.json; damaged
ones do not.

python tests/app/result_schema_test.py PATH/aether-bench SOURCE_ROOT
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema (pip install jsonschema)")
    sys.exit(77)


def write_result(program, root, folder):
    manifests = []
    for behaviour, framework in (
        ("good", "aether"),
        ("good", "pytorch"),
        ("dies-by-signal", "jax"),
        ("null-sample", "tinygrad"),
    ):
        manifest = folder / f"{framework}.json"
        manifest.write_text(
            json.dumps(
                {
                    "schema": "aether-bench/runner/1",
                    "name": framework,
                    "title": framework,
                    "command": [
                        sys.executable,
                        str(root / "tests/fakes/fake_runner.py"),
                        "--behaviour",
                        behaviour,
                        "--framework",
                        framework,
                        "--modes",
                        "eager",
                        "--layouts",
                        "nhwc",
                    ],
                }
            )
        )
        manifests += ["--runner", str(manifest)]
    (folder / "root/resources/runners").mkdir(parents=True)
    os.symlink(root / "resources/workloads", folder / "root/resources/workloads")
    environment = {**os.environ, "AETHER_ROOT": str(folder / "root"), "XDG_CONFIG_HOME": str(folder / "config")}
    result = folder / "result.json"
    subprocess.run(
        [
            program,
            "run",
            "--workload",
            "cifar10-v2",
            "--batch",
            "8",
            "-r",
            "2",
            "--block-seconds",
            "0.02",
            "--settle",
            "1",
            "--max-load",
            "1000%",
            "--runner",
            "/no/such/runner",
            *manifests,
            "--export-json",
            result,
            "--output-dir",
            folder / "results",
            "-q",
        ],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return json.loads(result.read_text())


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "resources/schemas/result-1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with tempfile.TemporaryDirectory() as folder:
        document = write_result(program, root, pathlib.Path(folder))
    for error in validator.iter_errors(document):
        print(f"{'/'.join(map(str, error.path))}: {error.message}")
    assert validator.is_valid(document)
    assert {run["status"] for run in document["runs"]} == {"measured", "failed", "unavailable"}

    def breaks(change):
        damaged = copy.deepcopy(document)
        change(damaged)
        assert not validator.is_valid(damaged), change.__doc__

    measured = [run["status"] for run in document["runs"]].index("measured")
    breaks(lambda d: d.pop("session"))
    breaks(lambda d: d["runs"][0].update(status="fast"))
    breaks(lambda d: d["runs"][measured]["samples"][0].update(step_ns="1"))
    breaks(lambda d: d.update(schema="aether-bench/result/2.0"))
    breaks(lambda d: d["comparisons"][0].update(verdict="WON"))
    breaks(lambda d: d.update(source=1))

    published = sorted((root / "resources/published").glob("*.json"))
    assert len(published) == 4, published
    for file in published:
        document = json.loads(file.read_text())
        for error in validator.iter_errors(document):
            print(f"{file.name}: {'/'.join(map(str, error.path))}: {error.message}")
        assert validator.is_valid(document), file
        assert document["source"]


if __name__ == "__main__":
    main()
