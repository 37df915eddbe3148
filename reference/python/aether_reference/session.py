# SPDX-License-Identifier: MIT
"""A prepared training: network, data, optimizer and step number on one device."""

import numpy as np
import torch

from .compiled import COMPILE_MODES, compile_step
from .failure import USAGE, Failure
from .network import MEMORY_FORMATS, Network
from .optimizer import AdamW, FusedAdamW
from .randomness import dropout_mask, initial_parameter
from .step import Step, Unobserved
from .tensors import assign


class _FirstActivation(Unobserved):
    """Keeps shape and strides of one layer's result."""

    def __init__(self, layer_name):
        self.layer_name, self.seen = layer_name, None

    def forward(self, name, activation):
        if name == self.layer_name:
            self.seen = tuple(activation.shape), activation.stride()


class Session:
    """`plain_step` is the step as Python runs it, `step` the one that is timed: the same or compiled."""

    def __init__(self, workload, data, layout, mode, precision, batch, seed):
        if data.train.count < batch:
            raise Failure(USAGE, f"the training set has {data.train.count} images, batch {batch} needs as many")
        self.workload, self.data, self.batch, self.seed = workload, data, batch, seed
        self.layout, self.mode, self.precision = layout, mode, precision
        self.compiles = mode in COMPILE_MODES
        self.network = Network(workload)
        if precision == "fp64":
            self.network.double()
        self.network.to(memory_format=MEMORY_FORMATS[layout])
        self.parameters = self.network.parameters_by_name()
        trained = [(self.parameters[p.name], p.decays) for p in workload.parameters]
        self.optimizer = (AdamW if self.compiles else FusedAdamW)(trained, workload.optimizer)
        self.plain_step = Step(workload, self.network, self.optimizer, layout, precision)
        self.step = compile_step(self.plain_step, mode) if self.compiles else self.plain_step
        self.images = torch.from_numpy(data.train.pixels)
        self.labels = torch.from_numpy(data.train.labels)
        self.reset()

    def reset(self):
        """Initial weights, statistics, optimizer state and step number."""
        for index, parameter in enumerate(self.workload.parameters):
            assign(self.parameters[parameter.name], initial_parameter(self.workload, index, self.seed))
        self.restart()

    def restart(self):
        """The same without touching the weights."""
        for name, buffer in self.network.running_by_name().items():
            buffer.fill_(1.0 if name.endswith(".variance") else 0.0)
        self.optimizer.reset()
        self.network.train()
        self.number = 0
        self.position = 0
        self.generator = torch.Generator().manual_seed(self.seed)

    def next_batch(self):
        """Images and labels in storage order; an incomplete batch at the end is skipped."""
        if (self.position + 1) * self.batch > self.data.train.count:
            self.position = 0
        chosen = slice(self.position * self.batch, (self.position + 1) * self.batch)
        self.position += 1
        return self.images[chosen], self.labels[chosen]

    def drawn_masks(self):
        """Masks from torch's own generator, for where only time is measured."""
        return [
            torch.empty(layer.mask_shape(self.batch)).bernoulli_(1.0 - layer.rate, generator=self.generator)
            for layer in self.workload.layers
            if layer.drops
        ]

    def defined_masks(self, size):
        """The masks that docs/workload.md defines for the running step."""
        return [
            torch.from_numpy(dropout_mask(layer, index, size, self.seed, self.number))
            for index, layer in enumerate(self.workload.layers)
            if layer.drops
        ]

    def advance(self, step, images, labels, masks, **how):
        """One step of the given step function; returns its (loss, accuracy) as tensors."""
        number = torch.tensor(float(self.number), dtype=torch.float64)
        self.number += 1
        return step(images, labels, masks, number, **how)

    def timed_step(self):
        """What measure times: next batch, fresh masks, one step."""
        return self.advance(self.step, *self.next_batch(), self.drawn_masks())

    def state_bytes(self):
        """What stays between steps: weights, gradients, moments, statistics and one batch of images."""
        trained = sum(p.numel() * p.element_size() for p in self.parameters.values())
        running = sum(b.numel() * b.element_size() for b in self.network.buffers())
        return 4 * trained + running + int(np.prod(self.images.shape[1:])) * self.batch

    def first_activation_strides(self):
        """Shape and strides behind the first convolution when the step runs uncompiled; None without a convolution."""
        first = next((layer.name for layer in self.workload.layers if layer.type == "convolution"), None)
        watcher = _FirstActivation(first)
        images, labels = self.next_batch()
        with torch.no_grad():
            self.plain_step.forward(images, labels, self.drawn_masks(), watcher)
        return watcher.seen
