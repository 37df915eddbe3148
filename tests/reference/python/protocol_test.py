# SPDX-License-Identifier: MIT
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from driver import RUNNER, V2, Conversation, write_trace_inputs


@pytest.fixture(scope="module")
def runner():
    with Conversation() as conversation:
        yield conversation


@pytest.fixture(scope="module")
def prepared(runner):
    return runner.prepare()


def test_hello_names_protocol_and_framework(runner):
    import torch

    assert {
        "event": "hello",
        "protocol": "1.0",
        "runner": "aether-reference-python",
        "framework": "pytorch",
        "version": torch.__version__,
    }.items() <= runner.hello.items()


def test_describe_says_what_cannot_be_done(runner):
    device = runner.ask("describe")[0]["devices"][0]
    assert device["uuid"] == "cpu-0" and device["layouts"] == ["nchw", "nhwc"]
    assert device["modes"] == ["eager", "compiled", "max-autotune"] and device["modes_on_request"] == ["max-autotune"]
    native = {p["name"]: p["native"] for p in device["precisions"]}
    flags = open("/proc/cpuinfo", encoding="utf-8").read()
    assert native == {"fp32": True, "bf16": "avx512_bf16" in flags or "amx_bf16" in flags, "fp64": False}
    cannot = [(entry["precision"], entry.get("mode")) for entry in device["unsupported"]]
    assert cannot == [("fp64", "compiled"), ("fp64", "max-autotune"), ("fp64", None)]


def test_prepared_reports_what_was_built(prepared):
    assert prepared["event"] == "prepared"
    assert (prepared["parameters"], prepared["batch"], prepared["effective_layout"]) == (111498, 8, "nchw")
    assert prepared["data"] == "synthetic" and prepared["threads"] == 1 and prepared["device"]["uuid"] == "cpu-0"
    assert prepared["compile_ns"] is None and prepared["compile_ns_reason"]
    assert prepared["memory_bytes"] > 4 * 4 * 111498


def test_measure_times_a_block(runner, prepared):
    begin = time.perf_counter_ns()
    sample = runner.ask("measure", steps=3)[0]
    assert sample["steps"] == 3 and 0 < sample["wall_ns"] < time.perf_counter_ns() - begin
    assert 1 < sample["loss"] < 10 and 0 <= sample["accuracy"] <= 1
    assert sample["device_ns"] is None and sample["device_ns_reason"]


def test_stages_add_up_to_the_step(runner, prepared):
    stages = runner.ask("profile", steps=2)[0]
    total = sum(stage["wall_ns"] for stage in stages["stages"])
    assert 0.9 * stages["step_wall_ns"] < total <= 1.001 * stages["step_wall_ns"]
    phases = {(stage["name"], stage["phase"]) for stage in stages["stages"]}
    assert {("conv1", "forward"), ("conv1", "backward"), ("fc2", "backward"), ("adamw", "optimizer")} <= phases
    assert len(phases) == len(stages["stages"]) and all(stage["wall_ns"] >= 0 for stage in stages["stages"])


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["compiled", "max-autotune"])
def test_a_compiled_step_tells_its_layout_and_its_stages(mode):
    with Conversation() as runner:
        prepared = runner.prepare(mode=mode, layout="nhwc")
        assert prepared["compile_ns"] > 0 and prepared["effective_layout"] == "nhwc"
        stages = runner.ask("profile", steps=2)[0]
    assert {"forward", "backward", "other"} == {stage["phase"] for stage in stages["stages"]}
    total = sum(stage["wall_ns"] for stage in stages["stages"])
    assert 0.9 * stages["step_wall_ns"] < total <= 1.001 * stages["step_wall_ns"]


def test_a_broken_line_is_answered_and_the_next_one_served(runner, prepared):
    for line, id_ in (("no json", None), ("[1]", None), ('{"command": "dance", "id": 77}', 77), ('{"id": 78}', 78)):
        runner.send_raw(line)
        answer = runner.answer()[0]
        assert (answer["event"], answer["kind"], answer["id"]) == ("failed", "usage", id_)
    assert runner.ask("measure", steps=1)[0]["event"] == "sample"


@pytest.mark.parametrize(
    "values, kind, words",
    [
        ({"device": "gpu-7"}, "unavailable", ["gpu-7", "cpu-0"]),
        ({"layout": "nchwc"}, "unsupported", ["nchwc", "nhwc"]),
        ({"precision": "fp8"}, "unsupported", ["fp8", "bf16"]),
        ({"precision": "fp64", "layout": "nhwc"}, "unsupported", ["nchw"]),
        ({"precision": "fp64", "mode": "max-autotune"}, "unsupported", ["eager only"]),
        ({"version": "winograd"}, "unsupported", ["winograd"]),
        ({"workload": "/nowhere/a.json"}, "usage", ["/nowhere/a.json"]),
        ({"data": "/nowhere/data"}, "usage", ["/nowhere/data", "data_batch_"]),
        ({"cores": [4711]}, "usage", ["4711"]),
        ({"batch": 5000}, "usage", ["5000", "2048"]),
        ({"batch": "many"}, "usage", ["batch", '"many"']),
    ],
)
def test_a_refused_prepare_says_why(runner, values, kind, words):
    answer = runner.prepare(**values)
    assert (answer["event"], answer["kind"]) == ("failed", kind)
    assert all(word in answer["message"] for word in words), answer["message"]
    assert runner.ask("measure", steps=1)[0]["kind"] == "usage"


def test_trace_names_a_missing_tensor_and_a_wrong_shape(runner, tmp_path):
    runner.prepare(batch=4)
    path = tmp_path / "inputs ü.safetensors"
    write_trace_inputs(path, V2, 8, 1)
    answer = runner.ask("trace", inputs=str(path), outputs=str(tmp_path / "out"), steps=1)[0]
    assert answer["kind"] == "usage" and str(path) in answer["message"] and "image.0" in answer["message"]
    write_trace_inputs(path, V2, 4, 1)
    answer = runner.ask("trace", inputs=str(path), outputs=str(tmp_path / "out"), steps=2)[0]
    assert answer["kind"] == "usage" and "image.1" in answer["message"]
    assert runner.ask("trace", inputs=str(path), outputs=str(tmp_path / "out"), steps=1)[0]["event"] == "traced"
    assert runner.ask("measure", steps=1)[0]["event"] == "sample"


def test_end_of_input_is_close_without_an_answer():
    done = subprocess.run(RUNNER, input=b"", capture_output=True, timeout=60, env=environment())
    assert done.returncode == 0
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["hello"]


def environment():
    from driver import ROOT

    return dict(os.environ, PYTHONPATH=str(ROOT / "reference" / "python"))


def test_sigterm_ends_a_running_block_at_once():
    with Conversation() as runner:
        runner.prepare()
        runner.send_raw(json.dumps({"command": "measure", "id": 9, "steps": 1000000}))
        time.sleep(0.5)
        begin = time.monotonic()
        runner.process.send_signal(signal.SIGTERM)
        assert runner.process.wait(10) == 128 + signal.SIGTERM
        assert time.monotonic() - begin < 2


def test_without_torch_the_runner_says_why(tmp_path):
    (tmp_path / "torch.py").write_text(
        "print('a stray line')\nraise ImportError('libcudart.so.13: cannot open shared object file')\n"
    )
    path = f"{tmp_path}{os.pathsep}{environment()['PYTHONPATH']}"
    commands = [{"command": "describe", "id": 1}, {"command": "prepare", "id": 2}, {"command": "close", "id": 3}]
    done = subprocess.run(
        RUNNER,
        input="\n".join(map(json.dumps, commands)).encode(),
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    hello, description, failed, closed = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0 and hello["version"] is None and closed["event"] == "closed"
    assert description["devices"] == [] and "libcudart.so.13" in description["unavailable"][0]["reason"]
    assert failed["kind"] == "unavailable" and sys.executable in failed["message"]


def test_train_reports_every_epoch(tmp_path):
    """Also a last batch that is smaller."""
    import numpy as np

    generator = np.random.default_rng(1)
    for name, count in (("data_batch_1.bin", 44), ("test_batch.bin", 20)):
        records = generator.integers(0, 256, (count, 3073), dtype=np.uint8)
        records[:, 0] = np.arange(count) % 10
        records.tofile(tmp_path / name)
    with Conversation() as runner:
        assert runner.prepare(data=str(tmp_path), batch=16)["data"] == "cifar10-binary"
        trained, events = runner.ask("train", epochs=2)
        assert [event["epoch"] for event in events] == [1, 2]
        assert all(event["wall_ns"] > 0 and event["loss"] > 0 and 0 <= event["test_accuracy"] <= 1 for event in events)
        assert trained["test_accuracy"] == events[-1]["test_accuracy"]


@pytest.mark.slow
def test_compiling_shows_progress_and_leaves_no_worker():
    with Conversation() as runner:
        runner.id = 5
        prepared, events = runner.ask(
            "prepare",
            device="cpu-0",
            workload=str(V2),
            layout="nchw",
            mode="compiled",
            precision="fp32",
            batch=8,
            threads=1,
        )
        assert prepared["event"] == "prepared", prepared
        assert prepared["compile_ns"] > 0 and prepared["effective_layout"] in ("nchw", "nhwc")
        assert [e for e in events if e["phase"] == "compiling"]
        children = open(f"/proc/{runner.process.pid}/task/{runner.process.pid}/children", encoding="ascii").read()
        assert children == ""
        stages = runner.ask("profile", steps=2)[0]
        assert sum(s["wall_ns"] for s in stages["stages"]) <= 1.01 * stages["step_wall_ns"]
        assert any(s["name"].startswith("convolution_backward") for s in stages["stages"])
