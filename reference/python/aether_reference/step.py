# SPDX-License-Identifier: MIT
"""One whole training step: standardise, forward, loss, accuracy, backward, AdamW."""

import torch
import torch.nn.functional as F

from .network import MEMORY_FORMATS


def standardise(images, dtype, layout):
    """uint8 [N, H, W, C] -> the batch standardised over all its elements, as [N, C, H, W] in the layout's strides."""
    x = images.to(dtype) / 255.0
    std, mean = torch.std_mean(x, correction=0)
    x = (x - mean) / (std + 1e-8)
    return x.permute(0, 3, 1, 2).contiguous(memory_format=MEMORY_FORMATS[layout])


def loss_of(logits, labels, network, label_smoothing):
    """The reported loss: cross entropy with label smoothing, mean over the batch, and the L2 terms."""
    loss = F.cross_entropy(logits, labels, label_smoothing=label_smoothing)
    for l2, weight in network.l2_terms:
        loss = loss + l2 * weight.square().sum()
    return loss


def accuracy_of(logits, labels):
    return (logits.argmax(1) == labels).float().mean()


class Unobserved:
    """What a step tells whoever watches it; this one doesn't listen."""

    def forward(self, name, activation):
        """A stage's result, in the order of computation: standardise, the layers, loss, accuracy."""

    def backward(self):
        """All gradients are there."""

    def update(self):
        """All parameters are updated."""


class Step:
    """Callable: (images, labels, masks, number) -> (loss, accuracy); gradients stay in the parameters' .grad.
    `number` is the step from 0 as a float64 scalar tensor."""

    def __init__(self, workload, network, optimizer, layout, precision):
        self.network, self.optimizer, self.layout = network, optimizer, layout
        self.label_smoothing = workload.label_smoothing
        self.dtype = torch.float64 if precision == "fp64" else torch.float32
        self.mixed = precision == "bf16"

    def logits(self, images, masks, observer=Unobserved()):
        """[N, classes] in the precision of the loss. An evaluation needs no masks."""
        x = standardise(images, self.dtype, self.layout)
        observer.forward("standardise", x)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.mixed):
            logits = self.network(x, masks, observer.forward)
        return logits.to(self.dtype)

    def forward(self, images, labels, masks, observer=Unobserved()):
        """Loss (with its graph) and accuracy."""
        logits = self.logits(images, masks, observer)
        loss = loss_of(logits, labels, self.network, self.label_smoothing)
        observer.forward("loss", loss)
        accuracy = accuracy_of(logits.detach(), labels)
        observer.forward("accuracy", accuracy)
        return loss, accuracy

    def evaluate(self, images, labels):
        """Cross entropy alone and accuracy, for a network in evaluation mode."""
        logits = self.logits(images, ())
        return F.cross_entropy(logits, labels, label_smoothing=self.label_smoothing), accuracy_of(logits, labels)

    def __call__(self, images, labels, masks, number, observer=Unobserved()):
        parameters = self.optimizer.parameters
        for p in parameters:
            p.grad = None
        loss, accuracy = self.forward(images, labels, masks, observer)
        loss.backward()
        observer.backward()
        self.optimizer.update([p.grad for p in parameters], number)
        observer.update()
        return loss.detach(), accuracy
