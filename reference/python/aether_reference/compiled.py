# SPDX-License-Identifier: MIT
"""torch.compile around the whole step, and what it made of the layout."""

import inspect
import re

import torch
import torch._dynamo
import torch._inductor.async_compile
import torch._inductor.codecache

from .failure import OUT_OF_MEMORY, UNAVAILABLE, Failure, failure_from

# The generated program states the strides that it got from each convolution:
# assert_tensor_metadata(buf4, (256, 32, 32, 32), (32768, 1, 1024, 32), torch.float32, '...convolution.default')
_CONVOLUTION_RESULT = re.compile(
    r"assert_(?:tensor_metadata|size_stride)\(\w+, \((\d+), (\d+), (\d+), (\d+)\), \((\d+), (\d+), (\d+), (\d+)\)"
    r".*'torch\.ops\.\w+\.[\w.]*conv"
)


def forget_compiled():
    """Drops every compiled program of this process."""
    torch._dynamo.reset()


# What torch.compile calls the modes of the protocol.
COMPILE_MODES = {"compiled": "default", "max-autotune": "max-autotune"}


def compile_step(step, mode, name="whole_step"):
    """One graph of forward, loss, backward and update, compiled when it is first called. Another name is another
    program: Dynamo keeps its programs with the code object."""
    torch._dynamo.config.trace_autograd_ops = True  # else the graph breaks at backward()

    def whole_step(images, labels, masks, number):
        return step(images, labels, masks, number)

    whole_step.__code__ = whole_step.__code__.replace(co_name=name)
    return torch.compile(whole_step, fullgraph=True, dynamic=False, mode=COMPILE_MODES[mode])


def first_call(action):
    """Runs the first compiled step; what fails in it is the compiler's doing, so the variant is unavailable."""
    try:
        return action()
    except Exception as error:
        failure = failure_from(error)
        if failure.kind == OUT_OF_MEMORY:
            raise
        raise Failure(UNAVAILABLE, f"torch.compile failed: {str(failure)[:300]}") from error
    finally:
        torch._inductor.async_compile.shutdown_compile_workers()


def layout_of(shape, strides):
    """ "nchw" or "nhwc" of a [N, C, H, W] activation; None where the strides fit both or neither."""
    n, c, h, w = shape
    matches = [
        name
        for name, wanted in (("nchw", (c * h * w, h * w, w, 1)), ("nhwc", (h * w * c, 1, w * c, c)))
        if all(size == 1 or a == b for size, a, b in zip(shape, strides, wanted))
    ]
    return matches[0] if len(matches) == 1 else None


def generated_programs():
    """Source texts of the programs that Inductor has loaded, in order."""
    return [inspect.getsource(module) for module in torch._inductor.codecache.PyCodeCache.modules]


def compiled_layout(programs):
    """(layout or None, reason) of the first convolution's result in the generated program."""
    for program in programs:
        found = _CONVOLUTION_RESULT.search(program)
        if found:
            numbers = [int(number) for number in found.groups()]
            layout = layout_of(numbers[:4], numbers[4:])
            return layout, None if layout else "the first convolution's result has the strides of neither or of both"
    return None, "the generated program does not state the strides of a convolution's result"
