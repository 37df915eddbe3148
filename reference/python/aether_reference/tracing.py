# SPDX-License-Identifier: MIT
"""`trace`: K steps from given weights, batches and masks, every result written down."""

import math

import numpy as np
import torch

from .failure import NUMERICS, Failure
from .tensors import Inputs, assign, to_canonical, write_tensors


def _read(session, inputs, steps):
    """Assigns the weights; returns (images, labels, masks) of every step."""
    workload, size = session.workload, session.batch
    values = {p.name: inputs.get(f"parameter.{p.name}", p.shape, np.float32) for p in workload.parameters}
    shape = workload.input
    batches = []
    for k in range(steps):
        images = inputs.get(f"image.{k}", (size, shape.height, shape.width, shape.channels), np.uint8)
        labels = inputs.get(f"label.{k}", (size,), np.int32)
        masks = [
            inputs.get(f"mask.{layer.name}.{k}", layer.mask_shape(size), np.float32)
            for layer in workload.layers
            if layer.drops
        ]
        batches.append(
            (
                torch.from_numpy(images),
                torch.from_numpy(labels.astype(np.int64)),
                [torch.from_numpy(mask) for mask in masks],
            )
        )
    for name, value in values.items():
        assign(session.parameters[name], value)
    return batches


def trace(session, inputs_path, outputs_path, steps):
    """Returns the losses. Runs the step that measure times, from optimizer step 0."""
    batches = _read(session, Inputs(inputs_path), steps)
    session.restart()
    losses, results = [], {}
    for k, (images, labels, masks) in enumerate(batches):
        loss, _ = session.advance(session.step, images, labels, masks)
        losses.append(loss.item())
        if not math.isfinite(losses[-1]):
            raise Failure(NUMERICS, f"the loss of step {k} is {losses[-1]}")
        if k == 0:
            results |= {f"gradient.{name}": to_canonical(p.grad).copy() for name, p in session.parameters.items()}
    results |= {f"parameter.{name}": to_canonical(p).copy() for name, p in session.parameters.items()}
    results |= {name: buffer.numpy().copy() for name, buffer in session.network.running_by_name().items()}
    results["loss"] = np.array(losses, dtype=np.float64)
    write_tensors(results, outputs_path)
    return losses
