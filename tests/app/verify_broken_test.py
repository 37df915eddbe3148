# SPDX-License-Identifier: GPL-3.0-only
"""Every broken runner of tests/fakes/broken_reference.py fails `aether-bench verify` under its right name, and the
honest one passes. Needs a Python with PyTorch (AETHER_PYTHON); skipped (77) without.

    python tests/app/verify_broken_test.py PATH/aether-bench SOURCE_ROOT
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

EXPECTED = {
    "skips-dropout": "as if dropout were missing",
    "permuted-layout": "as if images in NHWC were read as NCHW",
    "no-weight-decay": "as if weight decay were missing",
    "wrong-momentum": "as if batch norm's momentum were 0.99",
    "no-l2": "as if the L2 term were missing",
    "no-decay": "as if learning-rate decay were missing",
    "constant-loss": "the reported loss is constant",
    "skips-backward": "every gradient is zero: the backward pass is skipped",
    "wrong-epsilon": "as if batch norm's epsilon were 1e-3",
    "wrong-optimizer-epsilon": "as if Adam's epsilon were 1e-8",
    "no-label-smoothing": "as if label smoothing were missing",
}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    python = os.environ.get("AETHER_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import torch"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print(f"skipped: {python} has no torch (set AETHER_PYTHON)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for name in EXPECTED:
            manifest = pathlib.Path(folder) / f"{name}.json"
            manifest.write_text(
                json.dumps(
                    {
                        "schema": "aether-bench/runner/1",
                        "name": name,
                        "title": name,
                        "command": [python, str(root / "tests/fakes/broken_reference.py"), "--break", name],
                    }
                )
            )
            arguments += ["--runner", str(manifest)]
        run = subprocess.run(
            [
                program,
                "verify",
                "--batch",
                "8",
                "--mode",
                "eager",
                "--layout",
                "nchw",
                "--precision",
                "fp32",
                "--python",
                python,
                "--framework",
                ",".join(["aether-reference-python", *EXPECTED]),
                "--workload",
                "cifar10-v2",
                *arguments,
            ],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    print(run.stdout)
    lines = {line.split("[")[1].split("]")[0]: line for line in run.stdout.splitlines() if "batch 8:" in line}
    assert "passed" in lines["aether-reference-python"]
    for name, words in EXPECTED.items():
        assert "FAILED" in lines[name] and words in lines[name], f"{name}: {lines[name]}"
    assert run.returncode == 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
