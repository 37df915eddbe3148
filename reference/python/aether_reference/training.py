# SPDX-License-Identifier: MIT
"""`train`: epochs over the data in the defined order with the defined masks, and a test after each."""

import math
import time

import torch

from .failure import NUMERICS, Failure
from .randomness import epoch_order


@torch.no_grad()
def evaluate(session):
    """(loss, accuracy) over the test set: running statistics, no dropout, the training's batch size."""
    images, labels = torch.from_numpy(session.data.test.pixels), torch.from_numpy(session.data.test.labels)
    totals = [0.0, 0.0]
    session.network.eval()
    for begin in range(0, len(labels), session.batch):
        chosen = labels[begin : begin + session.batch]
        loss, accuracy = session.plain_step.evaluate(images[begin : begin + session.batch], chosen)
        totals[0] += loss.item() * len(chosen)
        totals[1] += accuracy.item() * len(chosen)
    session.network.train()
    return totals[0] / len(labels), totals[1] / len(labels)


def train_epoch(session, epoch):
    """One pass in the epoch's order. Returns (mean loss, mean accuracy, nanoseconds). A smaller last batch has another
    shape, so it runs uncompiled rather than wait for a compilation of its own."""
    begin = time.perf_counter_ns()
    order = torch.from_numpy(epoch_order(session.data.train.count, session.seed, epoch))
    results = []
    for chosen in order.split(session.batch):
        step = session.step if len(chosen) == session.batch else session.plain_step
        masks = session.defined_masks(len(chosen))
        results.append((len(chosen), *session.advance(step, session.images[chosen], session.labels[chosen], masks)))
    loss = sum(n * loss.item() for n, loss, _ in results) / len(order)
    accuracy = sum(n * accuracy.item() for n, _, accuracy in results) / len(order)
    return loss, accuracy, time.perf_counter_ns() - begin


def train(session, epochs, on_epoch):
    """Starts anew. Calls on_epoch(values of an `epoch` event) after each; returns the last test accuracy."""
    session.reset()
    for epoch in range(epochs):
        loss, accuracy, wall_ns = train_epoch(session, epoch)
        test_loss, test_accuracy = evaluate(session)
        if not math.isfinite(loss + test_loss):
            raise Failure(NUMERICS, f"epoch {epoch + 1}: the loss is {loss}, the test loss {test_loss}")
        on_epoch(
            {
                "epoch": epoch + 1,
                "loss": loss,
                "accuracy": accuracy,
                "test_loss": test_loss,
                "test_accuracy": test_accuracy,
                "wall_ns": wall_ns,
            }
        )
    return test_accuracy
