# SPDX-License-Identifier: MIT
"""A workload file (docs/workload.md) as values: layers with their shapes, parameters in canonical order."""

import json
import math
from dataclasses import dataclass, field

from . import RUNNER
from .failure import UNSUPPORTED, USAGE, Failure

SCHEMA = "aether-bench/workload/1"


@dataclass(frozen=True)
class Shape:
    """One image's activation, H x W x C; behind global pooling and dense layers height = width = 1."""

    height: int
    width: int
    channels: int

    @property
    def elements(self):
        return self.height * self.width * self.channels


@dataclass
class Layer:
    """One layer; only the fields of its type mean anything."""

    type: str
    name: str
    input: Shape
    output: Shape
    kernel: int = 0
    size: int = 0
    l2: float = 0.0
    epsilon: float = 0.0
    momentum: float = 0.0  # share of the old running statistic that stays
    slope: float = 0.0
    rate: float = 0.0

    @property
    def drops(self):
        return self.type in ("spatial_dropout", "dropout")

    def mask_shape(self, batch):
        """[N, C] for spatial dropout and behind pooling, [N, H, W, C] for dropout of images."""
        flat = self.type == "spatial_dropout" or (self.input.height == 1 and self.input.width == 1)
        return (
            (batch, self.input.channels) if flat else (batch, self.input.height, self.input.width, self.input.channels)
        )


@dataclass
class Parameter:
    """One trained tensor in the canonical layout (HWIO, [inputs, units], [channels])."""

    name: str
    role: str  # weight, bias, scale, shift
    layer: Layer
    shape: tuple
    fan_in: int = 0

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def l2(self):
        return self.layer.l2 if self.role == "weight" else 0.0

    @property
    def decays(self):
        return self.role == "weight"


@dataclass
class Optimizer:
    learning_rate: float
    learning_rate_decay: float
    beta1: float
    beta2: float
    epsilon: float
    weight_decay: float


@dataclass
class Workload:
    name: str
    input: Shape
    classes: int
    batch: int
    seed: int
    layers: list
    label_smoothing: float
    optimizer: Optimizer
    parameters: list = field(default_factory=list)

    @property
    def parameter_count(self):
        return sum(p.elements for p in self.parameters)

    def layer_index(self, layer):
        return self.layers.index(layer)


class _Fields:
    """An object of the file, read field by field; a wrong one is named with its path."""

    def __init__(self, values, where):
        if not isinstance(values, dict):
            raise Failure(USAGE, f"{where}: expected an object, found {json.dumps(values)[:60]}")
        self.values, self.where = values, where

    def _get(self, key, kinds, expected, default):
        value = self.values.get(key, default)
        if value is None or isinstance(value, bool) or not isinstance(value, kinds):
            found = json.dumps(value)[:60] if key in self.values else "nothing"
            raise Failure(USAGE, f"{self.where}.{key}: expected {expected}, found {found}")
        return value

    def text(self, key):
        return self._get(key, str, "a string", None)

    def whole(self, key, least=1):
        value = self._get(key, int, f"a whole number from {least}", None)
        if value < least:
            raise Failure(USAGE, f"{self.where}.{key}: expected a whole number from {least}, found {value}")
        return value

    def number(self, key, default=None, least=0.0, below=math.inf):
        value = float(self._get(key, (int, float), "a number", default))
        if not (least <= value < below):
            raise Failure(
                USAGE, f"{self.where}.{key}: expected a number from {least:g} to below {below:g}, found {value:g}"
            )
        return value

    def part(self, key):
        return _Fields(self._get(key, dict, "an object", None), f"{self.where}.{key}")

    def parts(self, key):
        return [_Fields(v, f"{self.where}.{key}[{i}]") for i, v in enumerate(self._get(key, list, "a list", None))]


def _layer(fields, name, shape):
    """The layer and, in shape.output, what it hands on."""
    kind = fields.text("type")
    h, w, c = shape.height, shape.width, shape.channels
    if kind == "convolution":
        kernel = fields.whole("kernel")
        if kernel % 2 == 0:
            raise Failure(UNSUPPORTED, f"layer {name}: kernel {kernel} is even, {RUNNER} needs an odd one")
        return Layer(
            kind, name, shape, Shape(h, w, fields.whole("filters")), kernel=kernel, l2=fields.number("l2", 0.0)
        )
    if kind == "batch_norm":
        return Layer(
            kind, name, shape, shape, epsilon=fields.number("epsilon"), momentum=fields.number("momentum", below=1.0)
        )
    if kind == "relu":
        return Layer(kind, name, shape, shape)
    if kind == "leaky_relu":
        return Layer(kind, name, shape, shape, slope=fields.number("slope"))
    if kind == "max_pool":
        size = fields.whole("size")
        if h // size == 0 or w // size == 0:
            raise Failure(USAGE, f"{fields.where}: layer {name} pools {size} x {size} windows out of {h} x {w} pixels")
        return Layer(kind, name, shape, Shape(h // size, w // size, c), size=size)
    if kind in ("spatial_dropout", "dropout"):
        return Layer(kind, name, shape, shape, rate=fields.number("rate", below=1.0))
    if kind == "global_average_pool":
        return Layer(kind, name, shape, Shape(1, 1, c))
    if kind == "dense":
        return Layer(kind, name, shape, Shape(1, 1, fields.whole("units")), l2=fields.number("l2", 0.0))
    raise Failure(UNSUPPORTED, f'layer {name}: {RUNNER} has no layer of type "{kind}"')


def _parameters(layer):
    """The layer's parameters: weight before bias, scale before shift."""
    c, filters = layer.input.channels, layer.output.channels
    if layer.type == "convolution":
        shape, fan_in = (layer.kernel, layer.kernel, c, filters), layer.kernel * layer.kernel * c
    elif layer.type == "dense":
        shape, fan_in = (layer.input.elements, filters), layer.input.elements
    elif layer.type == "batch_norm":
        return [Parameter(f"{layer.name}.{role}", role, layer, (c,)) for role in ("scale", "shift")]
    else:
        return []
    return [
        Parameter(f"{layer.name}.weight", "weight", layer, shape, fan_in),
        Parameter(f"{layer.name}.bias", "bias", layer, (filters,)),
    ]


def _only(fields, key, value):
    if fields.text(key) != value:
        raise Failure(UNSUPPORTED, f'{fields.where}.{key}: {RUNNER} knows only "{value}", found "{fields.values[key]}"')


def load_workload(path):
    """Reads and checks a workload file. Failure(usage) names path and field, Failure(unsupported) layer and runner."""
    try:
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(USAGE, f"{path}: {reason}; expected a workload file") from error
    except ValueError as error:
        raise Failure(USAGE, f"{path}: not JSON: {error}") from error
    top = _Fields(values, str(path))
    _only(top, "schema", SCHEMA)
    source = top.part("input")
    _only(source, "preprocess", "batch_standardise")
    loss = top.part("loss")
    _only(loss, "type", "softmax_cross_entropy")
    optimizer = top.part("optimizer")
    _only(optimizer, "type", "adamw")
    shape = Shape(source.whole("height"), source.whole("width"), source.whole("channels"))
    workload = Workload(
        name=top.text("name"),
        input=shape,
        classes=source.whole("classes", least=2),
        batch=top.whole("batch"),
        seed=top.whole("seed", least=0),
        layers=[],
        label_smoothing=loss.number("label_smoothing", 0.0, below=1.0),
        optimizer=Optimizer(
            learning_rate=optimizer.number("learning_rate"),
            learning_rate_decay=optimizer.number("learning_rate_decay", 0.0),
            beta1=optimizer.number("beta1", below=1.0),
            beta2=optimizer.number("beta2", below=1.0),
            epsilon=optimizer.number("epsilon"),
            weight_decay=optimizer.number("weight_decay", 0.0),
        ),
    )
    names = set()
    for fields in top.parts("layers"):
        name = fields.text("name")
        if name in names:
            raise Failure(USAGE, f'{fields.where}.name: a second layer is called "{name}"')
        names.add(name)
        layer = _layer(fields, name, shape)
        workload.layers.append(layer)
        workload.parameters += _parameters(layer)
        shape = layer.output
    if shape != Shape(1, 1, workload.classes):
        raise Failure(
            USAGE,
            f"{path}: the last layer gives {shape.height} x {shape.width} x {shape.channels} values, "
            f"expected one for each of {workload.classes} classes",
        )
    return workload
