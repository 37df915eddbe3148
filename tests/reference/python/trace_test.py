# SPDX-License-Identifier: MIT
"""Traces against the float64 truth: the right runner is near it, every broken one is not, where it should not be."""

import importlib.util
import sys

import numpy as np
import pytest
import safetensors.numpy
from aether_reference import network, runner, step
from driver import ROOT, V2, Conversation, distance, load_workload, run_trace, write_trace_inputs

BROKEN = ROOT / "tests" / "fakes" / "broken_reference.py"

WORKLOAD = load_workload(V2)
WEIGHTS = [p.name for p in WORKLOAD.parameters if p.role == "weight"]
# A bias in front of a batch norm has the gradient 0: what is there is rounding, which Adam blows up to full steps.
IDLE = {"conv1.bias", "conv2.bias", "conv3.bias"}
ALIVE = [p.name for p in WORKLOAD.parameters if p.name not in IDLE]


def worst(a, b, prefix, names):
    return max((distance(a[prefix + name], b[prefix + name]), name) for name in names)


def assert_near(result, truth):
    """Gradients of the first step are compared sharply; from then on Adam turns the rounding of a gradient near zero
    into a full step, so what five steps give is compared loosely."""
    assert np.allclose(result["loss"][0], truth["loss"][0], rtol=1e-6, atol=0)
    assert np.allclose(result["loss"], truth["loss"], rtol=1e-4, atol=0)
    assert worst(result, truth, "gradient.", ALIVE)[0] < 1e-4
    assert worst(result, truth, "parameter.", ALIVE)[0] < 2e-2
    for bn in ("bn1", "bn2", "bn3"):
        variance = truth[f"running.{bn}.variance"]
        assert distance(result[f"running.{bn}.variance"], variance) < 1e-4
        # The mean contains the idle bias in front, so its measure is the spread of the channel.
        shift = (result[f"running.{bn}.mean"] - truth[f"running.{bn}.mean"]) / np.sqrt(variance)
        assert np.abs(shift).max() < 0.01


def test_the_trace_has_every_tensor_in_its_canonical_shape(truth):
    expected = {"loss": (5,)}
    for p in WORKLOAD.parameters:
        expected |= {f"gradient.{p.name}": p.shape, f"parameter.{p.name}": p.shape}
    for name, channels in (("bn1", 32), ("bn2", 64), ("bn3", 128)):
        expected |= {f"running.{name}.mean": (channels,), f"running.{name}.variance": (channels,)}
    assert {name: tensor.shape for name, tensor in truth.items()} == expected
    assert all(tensor.dtype == np.float64 for tensor in truth.values())


def test_fp32_is_near_the_truth(fp32, truth):
    assert_near(fp32, truth)


def test_channels_last_computes_the_same(folder, truth):
    assert_near(run_trace(folder, "nhwc", layout="nhwc"), truth)


def test_a_second_trace_starts_anew(folder, fp32):
    """In one session, with steps in between that leave moments, statistics and weights behind."""
    with Conversation() as conversation:
        conversation.prepare()
        for name in ("once", "again"):
            conversation.ask("measure", steps=2)
            files = {"inputs": str(folder / "inputs-cifar10-v2-8-5.safetensors"), "outputs": str(folder / name)}
            assert conversation.ask("trace", steps=5, **files)[0]["event"] == "traced"
    once, again = (safetensors.numpy.load_file(folder / name) for name in ("once", "again"))
    assert all(np.array_equal(once[name], again[name]) for name in fp32)
    assert np.array_equal(once["loss"], fp32["loss"])


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["compiled", "max-autotune"])
@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
def test_the_compiled_step_is_near_the_truth(folder, truth, layout, mode):
    assert_near(run_trace(folder, f"{mode}-{layout}", layout=layout, mode=mode), truth)


@pytest.fixture
def broken(folder, monkeypatch):
    """name -> the trace of that broken runner; what it overrides is put back afterwards."""
    spec = importlib.util.spec_from_file_location("broken_reference", BROKEN)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)

    def run(name):
        for owner, attribute in (
            (runner, "load_workload"),
            (step, "standardise"),
            (step, "loss_of"),
            (network.MaskedDropout, "forward"),
        ):
            monkeypatch.setattr(owner, attribute, getattr(owner, attribute))
        program.BREAKS[name]()
        return run_trace(folder, name)

    return run


def test_the_broken_runner_is_a_program_that_speaks_the_protocol():
    with Conversation([sys.executable, str(BROKEN), "--break", "no-l2"]) as conversation:
        assert conversation.prepare()["event"] == "prepared"


def update(result, folder, name):
    """What five steps changed."""
    start = write_trace_inputs(folder / "start.safetensors", V2, 8, 5)
    return result[f"parameter.{name}"] - start[f"parameter.{name}"].astype(np.float64)


def first_loss(result):
    return result["loss"][0]


def test_skipping_dropout_shows_in_the_first_loss(folder, fp32, broken):
    assert abs(first_loss(broken("skips-dropout")) / first_loss(fp32) - 1) > 1e-2


def test_a_permuted_layout_shows_in_the_first_gradient(folder, fp32, broken):
    assert distance(broken("permuted-layout")["gradient.conv1.weight"], fp32["gradient.conv1.weight"]) > 0.1


def test_missing_weight_decay_shows_in_the_weights_update_alone(folder, fp32, broken):
    result = broken("no-weight-decay")
    assert first_loss(result) == first_loss(fp32)
    assert np.array_equal(result["gradient.fc1.weight"], fp32["gradient.fc1.weight"])
    shrunk = update(fp32, folder, "fc1.weight") - update(result, folder, "fc1.weight")
    start = write_trace_inputs(folder / "start.safetensors", V2, 8, 5)["parameter.fc1.weight"]
    slope = np.vdot(shrunk, start) / np.vdot(start, start)
    assert slope == pytest.approx(-5 * 1e-3 * 0.01, rel=0.1)


def test_another_momentum_shows_in_the_running_statistics_alone(folder, fp32, broken):
    result = broken("wrong-momentum")
    assert np.array_equal(result["loss"], fp32["loss"])
    assert distance(result["running.bn1.mean"], fp32["running.bn1.mean"]) > 0.5


def test_missing_l2_shows_in_loss_and_gradient_of_that_layer(folder, fp32, broken):
    result = broken("no-l2")
    weight = write_trace_inputs(folder / "start.safetensors", V2, 8, 5)["parameter.fc1.weight"].astype(np.float64)
    assert first_loss(fp32) - first_loss(result) == pytest.approx(2e-5 * np.sum(weight**2), rel=1e-2)
    difference = fp32["gradient.fc1.weight"].astype(np.float64) - result["gradient.fc1.weight"]
    assert distance(difference, 2 * 2e-5 * weight) < 1e-2
    assert np.array_equal(result["gradient.conv1.weight"], fp32["gradient.conv1.weight"])


def test_missing_decay_shows_in_the_size_of_the_update(folder, fp32, broken):
    result = broken("no-decay")
    assert np.array_equal(result["loss"][:2], fp32["loss"][:2])  # step 0 has the same rate
    ratio = np.linalg.norm(update(result, folder, "fc2.weight")) / np.linalg.norm(update(fp32, folder, "fc2.weight"))
    assert 1 + 5e-5 < ratio < 1 + 1e-3


def test_a_constant_loss_shows_in_the_losses(broken):
    assert np.ptp(broken("constant-loss")["loss"]) < 1e-6


def test_skipping_backward_shows_in_every_gradient(folder, fp32, broken):
    result = broken("skips-backward")
    assert all(not result[f"gradient.{name}"].any() for name in ALIVE if name != "fc1.weight")
    assert first_loss(result) == first_loss(fp32)


@pytest.mark.parametrize(
    "name, tensor, least",
    [("wrong-epsilon", "gradient.conv1.weight", 1e-4), ("wrong-optimizer-epsilon", "parameter.bn1.shift", 1e-5)],
)
def test_another_epsilon_shows(fp32, broken, name, tensor, least):
    assert distance(broken(name)[tensor], fp32[tensor]) > least


def test_missing_label_smoothing_shows_in_the_first_loss(folder, fp32, broken):
    assert abs(first_loss(broken("no-label-smoothing")) / first_loss(fp32) - 1) > 1e-3
