# SPDX-License-Identifier: MIT
"""The workload's layers as torch modules. Inside, activations are N, C, H, W with the strides of the chosen layout."""

import torch
import torch.nn.functional as F
from torch import nn

from .failure import INTERNAL, Failure

MEMORY_FORMATS = {"nchw": torch.contiguous_format, "nhwc": torch.channels_last}
# Behind these a ReLU may overwrite its input: their backward passes don't need their own output.
_OUTPUT_NOT_SAVED = ("convolution", "batch_norm", "dense")


class Convolution(nn.Module):
    """Stride 1, same zero padding; weight is OIHW here."""

    def __init__(self, layer):
        super().__init__()
        self.padding = layer.kernel // 2
        self.weight = nn.Parameter(torch.empty(layer.output.channels, layer.input.channels, layer.kernel, layer.kernel))
        self.bias = nn.Parameter(torch.empty(layer.output.channels))

    def forward(self, x):
        return F.conv2d(x, self.weight, self.bias, padding=self.padding)


class BatchNorm(nn.Module):
    def __init__(self, layer):
        super().__init__()
        channels = layer.input.channels
        self.epsilon = layer.epsilon
        self.momentum = 1.0 - layer.momentum  # torch's is the share of the new statistic
        self.scale = nn.Parameter(torch.empty(channels))
        self.shift = nn.Parameter(torch.empty(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))

    def forward(self, x):
        return F.batch_norm(
            x, self.mean, self.variance, self.scale, self.shift, self.training, self.momentum, self.epsilon
        )


class LeakyRelu(nn.Module):
    """slope 0 is ReLU. Overwrites its input where that is safe."""

    def __init__(self, layer, overwrite):
        super().__init__()
        self.slope, self.overwrite = layer.slope, overwrite

    def forward(self, x):
        if self.slope == 0.0:
            return F.relu(x, inplace=self.overwrite)
        return F.leaky_relu(x, self.slope, inplace=self.overwrite)


class MaxPool(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.size = layer.size

    def forward(self, x):
        return F.max_pool2d(x, self.size)


class MaskedDropout(nn.Module):
    """Dropout whose mask of zeros and ones comes from outside; as torch's own, scaled in the activation's type."""

    def __init__(self, layer):
        super().__init__()
        self.kept = 1.0 - layer.rate

    def forward(self, x, mask):
        noise = mask.to(x.dtype) / self.kept
        if mask.dim() == 4:
            noise = noise.permute(0, 3, 1, 2)  # N, H, W, C
        elif x.dim() == 4:
            noise = noise[:, :, None, None]  # one value per image and channel
        return x * noise


class GlobalAveragePool(nn.Module):
    def forward(self, x):
        return x.mean((2, 3)) if x.dim() == 4 else x


class Dense(nn.Module):
    """weight is [units, inputs] here; images are flattened in the order H, W, C."""

    def __init__(self, layer):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(layer.output.channels, layer.input.elements))
        self.bias = nn.Parameter(torch.empty(layer.output.channels))

    def forward(self, x):
        if x.dim() == 4:
            x = x.permute(0, 2, 3, 1).flatten(1)
        return F.linear(x, self.weight, self.bias)


def _module(layer, before):
    if layer.type in ("relu", "leaky_relu"):
        return LeakyRelu(layer, overwrite=before in _OUTPUT_NOT_SAVED)
    if layer.type == "global_average_pool":
        return GlobalAveragePool()
    return {
        "convolution": Convolution,
        "batch_norm": BatchNorm,
        "max_pool": MaxPool,
        "spatial_dropout": MaskedDropout,
        "dropout": MaskedDropout,
        "dense": Dense,
    }[layer.type](layer)


class Network(nn.Module):
    """The chain of layers. `parameters_by_name` holds the trained tensors under the workload file's names."""

    def __init__(self, workload):
        super().__init__()
        types = [None] + [layer.type for layer in workload.layers]
        self.layers = nn.ModuleList(_module(layer, before) for layer, before in zip(workload.layers, types))
        self.names = [layer.name for layer in workload.layers]
        self.drops = [layer.drops for layer in workload.layers]
        self.l2_terms = [(layer.l2, module.weight) for layer, module in zip(workload.layers, self.layers) if layer.l2]
        built = sum(p.numel() for p in self.parameters())
        if built != workload.parameter_count:
            raise Failure(
                INTERNAL, f"the network has {built} parameters, workload {workload.name} has {workload.parameter_count}"
            )

    def parameters_by_name(self):
        return {
            f"{name}.{role}": parameter
            for name, layer in zip(self.names, self.layers)
            for role, parameter in layer.named_parameters()
        }

    def running_by_name(self):
        """`running.LAYER.mean` and `running.LAYER.variance`."""
        return {
            f"running.{name}.{which}": buffer
            for name, layer in zip(self.names, self.layers)
            for which, buffer in layer.named_buffers()
        }

    def forward(self, x, masks, after):
        """x: standardised [N, C, H, W]; masks: one for each dropout layer, in order; evaluation needs none.
        after(name, activation) is called behind every layer."""
        masks = iter(masks)
        for name, layer, drops in zip(self.names, self.layers, self.drops):
            if not drops:
                x = layer(x)
            elif self.training:
                x = layer(x, next(masks))
            after(name, x)
        return x
