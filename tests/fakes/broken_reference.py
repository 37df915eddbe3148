#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real Python runner with exactly one thing wrong: what verify must find.

python tests/fakes/broken_reference.py --break NAME
"""

import argparse
import dataclasses
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "reference", "python"))


def _recipe(change):
    """A break that is a wrong number in the workload as the runner understands it."""

    def install():
        from aether_reference import runner

        right = runner.load_workload

        def wrong(path):
            workload = right(path)
            change(workload)
            return workload

        runner.load_workload = wrong

    return install


def _optimizer(**values):
    return _recipe(lambda workload: setattr(workload, "optimizer", dataclasses.replace(workload.optimizer, **values)))


def _layers(**values):
    def change(workload):
        for layer in workload.layers:
            for key, value in values.items():
                setattr(layer, key, value)

    return _recipe(change)


def _skips_dropout():
    from aether_reference.network import MaskedDropout

    MaskedDropout.forward = lambda self, x, mask: x


def _permuted_layout():
    """The bytes are N, H, W, C and get read as N, C, H, W: the same number of elements."""
    from aether_reference import step

    right = step.standardise

    def wrong(images, dtype, layout):
        n, h, w, c = images.shape
        return right(images.reshape(n, c, h, w).permute(0, 2, 3, 1), dtype, layout)

    step.standardise = wrong


def _skips_backward():
    """Every gradient is zero: the update sees only the weight decay."""
    from aether_reference import step

    right = step.loss_of

    def wrong(*arguments):
        loss = right(*arguments)
        return loss.detach() + 0.0 * loss  # the reported loss is right

    step.loss_of = wrong


def _constant_loss():
    """The reported loss says nothing; gradients are right."""
    from aether_reference import step

    right = step.loss_of

    def wrong(*arguments):
        loss = right(*arguments)
        return loss - loss.detach() + 2.302585

    step.loss_of = wrong


BREAKS = {
    "skips-dropout": _skips_dropout,
    "permuted-layout": _permuted_layout,
    "no-weight-decay": _optimizer(weight_decay=0.0),
    "wrong-momentum": _layers(momentum=0.99),
    "no-l2": _layers(l2=0.0),
    "no-decay": _optimizer(learning_rate_decay=0.0),
    "constant-loss": _constant_loss,
    "skips-backward": _skips_backward,
    "wrong-epsilon": _layers(epsilon=1e-3),
    "wrong-optimizer-epsilon": _optimizer(epsilon=1e-8),
    "no-label-smoothing": _recipe(lambda workload: setattr(workload, "label_smoothing", 0.0)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--break", dest="name", choices=BREAKS, required=True)
    BREAKS[parser.parse_args().name]()
    from aether_reference.__main__ import main as serve

    return serve()


if __name__ == "__main__":
    sys.exit(main())
