# SPDX-License-Identifier: MIT
"""The border between torch's tensors (OIHW, [units, inputs]) and the canonical ones (HWIO, [inputs, units])."""

import numpy as np
import safetensors
import safetensors.numpy
import torch

from .failure import USAGE, Failure


def to_canonical(tensor):
    """A parameter or its gradient as numpy, in the workload's layout."""
    order = {4: (2, 3, 1, 0), 2: (1, 0)}.get(tensor.dim())
    return np.ascontiguousarray((tensor.detach() if order is None else tensor.detach().permute(order)).numpy())


@torch.no_grad()
def assign(tensor, values):
    """Copies canonical values into a parameter of torch's layout."""
    order = {4: (3, 2, 0, 1), 2: (1, 0)}.get(values.ndim)
    source = torch.from_numpy(np.ascontiguousarray(values))
    tensor.copy_(source if order is None else source.permute(order))


class Inputs:
    """A safetensors file, tensor by tensor; a missing or wrong one is named with the path."""

    def __init__(self, path):
        self.path = path
        try:
            self.file = safetensors.safe_open(path, framework="np")
        except (OSError, safetensors.SafetensorError) as error:
            raise Failure(USAGE, f"{path}: {error}; expected a safetensors file") from error
        self.names = set(self.file.keys())

    def get(self, name, shape, dtype):
        if name not in self.names:
            raise Failure(USAGE, f'{self.path}: no tensor "{name}"')
        tensor = self.file.get_tensor(name)
        if tuple(tensor.shape) != tuple(shape) or tensor.dtype != dtype:
            raise Failure(
                USAGE,
                f"{self.path}: {name} is {tensor.dtype} {list(tensor.shape)}, expected {np.dtype(dtype)} {list(shape)}",
            )
        return tensor


def write_tensors(tensors, path):
    try:
        safetensors.numpy.save_file(tensors, path)
    except (OSError, safetensors.SafetensorError) as error:
        raise Failure(USAGE, f"{path}: can't be written: {error}") from error
