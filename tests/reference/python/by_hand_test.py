# SPDX-License-Identifier: MIT
"""One step of a tiny network with every kind of layer, against plain numpy written from docs/workload.md."""

import json

import numpy as np
import pytest
import safetensors.numpy
from driver import distance, run_trace

LAYERS = [
    {"type": "convolution", "name": "conv1", "filters": 4, "kernel": 3, "l2": 0.01},
    {"type": "batch_norm", "name": "bn1", "epsilon": 0.01, "momentum": 0.7},
    {"type": "leaky_relu", "name": "leaky1", "slope": 0.1},
    {"type": "max_pool", "name": "pool1", "size": 2},
    {"type": "spatial_dropout", "name": "drop1", "rate": 0.25},
    {"type": "convolution", "name": "conv2", "filters": 3, "kernel": 1},
    {"type": "relu", "name": "relu2"},
    {"type": "dropout", "name": "drop2", "rate": 0.4},
    {"type": "dense", "name": "fc1", "units": 6, "l2": 0.02},
    {"type": "dropout", "name": "drop3", "rate": 0.3},
    {"type": "dense", "name": "fc2", "units": 3},
]
OPTIMIZER = {
    "type": "adamw",
    "learning_rate": 0.01,
    "learning_rate_decay": 0.5,
    "beta1": 0.8,
    "beta2": 0.9,
    "epsilon": 1e-3,
    "weight_decay": 0.1,
}
BATCH, SMOOTHING = 5, 0.1


@pytest.fixture(scope="module")
def step(tmp_path_factory):
    """(inputs, outputs) of one traced float64 step; 7 x 7 pixels, so that pooling drops a rest."""
    folder = tmp_path_factory.mktemp("hand")
    workload = folder / "tiny.json"
    workload.write_text(
        json.dumps(
            {
                "schema": "aether-bench/workload/1",
                "name": "tiny",
                "batch": BATCH,
                "seed": 7,
                "input": {"height": 7, "width": 7, "channels": 2, "classes": 3, "preprocess": "batch_standardise"},
                "layers": LAYERS,
                "loss": {"type": "softmax_cross_entropy", "label_smoothing": SMOOTHING},
                "optimizer": OPTIMIZER,
            }
        )
    )
    outputs = run_trace(folder, "tiny", workload, BATCH, 1, precision="fp64")
    return safetensors.numpy.load_file(folder / f"inputs-tiny-{BATCH}-1.safetensors"), outputs


def convolve(x, weight, bias):
    n, h, w, _ = x.shape
    k = weight.shape[0]
    padded = np.pad(x, ((0, 0), (k // 2,) * 2, (k // 2,) * 2, (0, 0)))
    taps = sum(padded[:, i : i + h, j : j + w] @ weight[i, j] for i in range(k) for j in range(k))
    return taps + bias


def forward(inputs, parameters, running=None):
    """The reported loss; running statistics into `running`."""
    x = inputs["image.0"].astype(np.float64) / 255
    x = (x - x.mean()) / (x.std() + 1e-8)
    penalty = 0.0
    for layer in LAYERS:
        p = {role: parameters.get(f"{layer['name']}.{role}") for role in ("weight", "bias", "scale", "shift")}
        kind = layer["type"]
        if kind == "convolution":
            x = convolve(x, p["weight"], p["bias"])
        elif kind == "dense":
            x = x.reshape(BATCH, -1) @ p["weight"] + p["bias"]
        elif kind == "batch_norm":
            mean, variance, n = x.mean((0, 1, 2)), x.var((0, 1, 2)), x[..., 0].size
            if running is not None:
                m = layer["momentum"]
                running["mean"], running["variance"] = (1 - m) * mean, m + (1 - m) * variance * n / (n - 1)
            x = (x - mean) / np.sqrt(variance + layer["epsilon"]) * p["scale"] + p["shift"]
        elif kind in ("relu", "leaky_relu"):
            x = np.where(x > 0, x, layer.get("slope", 0.0) * x)
        elif kind == "max_pool":
            x = np.max([x[:, i:6:2, j:6:2] for i in range(2) for j in range(2)], axis=0)
        else:
            mask = inputs[f"mask.{layer['name']}.0"]
            x = x * (mask[:, None, None, :] if kind == "spatial_dropout" else mask) / (1 - layer["rate"])
        penalty += layer.get("l2", 0.0) * np.sum(p["weight"] ** 2) if "l2" in layer else 0.0
    log_p = x - np.log(np.exp(x).sum(1, keepdims=True))
    target = np.eye(3)[inputs["label.0"]] * (1 - SMOOTHING) + SMOOTHING / 3
    return -np.sum(target * log_p) / BATCH + penalty


def start(inputs):
    return {
        name.removeprefix("parameter."): tensor.astype(np.float64)
        for name, tensor in inputs.items()
        if name.startswith("parameter.")
    }


def test_masks_have_the_shape_of_their_layer(step):
    shapes = {name: tensor.shape for name, tensor in step[0].items() if name.startswith("mask.")}
    assert shapes == {"mask.drop1.0": (5, 4), "mask.drop2.0": (5, 3, 3, 3), "mask.drop3.0": (5, 6)}


def test_loss_and_running_statistics(step):
    inputs, outputs = step
    running = {}
    assert outputs["loss"][0] == pytest.approx(forward(inputs, start(inputs), running), rel=1e-12)
    assert distance(outputs["running.bn1.mean"], running["mean"]) < 1e-12
    assert distance(outputs["running.bn1.variance"], running["variance"]) < 1e-12


def test_gradients_by_difference(step):
    inputs, outputs = step
    parameters = start(inputs)
    for name, values in parameters.items():
        for index in list(np.ndindex(values.shape))[:: max(1, values.size // 5)]:
            saved, losses = values[index], []
            for side in (1e-6, -1e-6):
                values[index] = saved + side
                losses.append(forward(inputs, parameters))
            values[index] = saved
            assert outputs[f"gradient.{name}"][index] == pytest.approx(
                (losses[0] - losses[1]) / 2e-6, rel=1e-5, abs=1e-8
            )


def test_adamw_decays_weights_alone(step):
    inputs, outputs = step
    for name, w in start(inputs).items():
        g = outputs[f"gradient.{name}"]
        decay = OPTIMIZER["weight_decay"] if name.endswith("weight") else 0.0
        # At t = 1 the bias-corrected moments are g and g squared.
        expected = w - 0.01 * g / (np.abs(g) + 1e-3) - 0.01 * decay * w
        assert np.abs(outputs[f"parameter.{name}"] - expected).max() < 1e-9
