# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a case: a graph around an op, as IR, and what is fed to it.

Floats that are fed are what the case is differentiated by. They are drawn at random, so that a kink
is met by chance only; whoever compares looks out for that.
"""

import math
import struct
from dataclasses import dataclass, field

UNKNOWN = "tensor<*x{}>"
# How much of the sizes of what is fed the compiler is told.
FORMS = ("static", "dynamic", "unranked", "mixed")
PACKED = {"f64": ("float64", "d"), "f32": ("float32", "f"), "i32": ("int32", "i"),
          "i64": ("int64", "q"), "i1": ("bool", "?")}


@dataclass
class Tensor:
    dtype: str
    dims: list
    values: list


@dataclass(frozen=True)
class Value:
    name: str
    type: str


@dataclass
class Case:
    op: str
    name: str
    text: str  # lines of the graph: what is fed, and what depends on it; %ys are fetched
    feeds: dict  # name → Tensor
    xs: list  # names of feeds
    ys: list  # values
    traits: set = field(default_factory=set)


def tensor_type(dtype, dims):
    return f"tensor<{''.join(f'{dim}x' for dim in dims)}{dtype}>"


def nested(values, dims):
    if not dims:
        return str(values[0]).lower()
    step = len(values) // dims[0]
    return "[" + ", ".join(nested(values[i * step:(i + 1) * step], dims[1:])
                           for i in range(dims[0])) + "]"


def attribute(dtype, dims, values):
    return f"dense<{nested(values, dims) if values else ''}> : {tensor_type(dtype, dims)}"


def single(value):
    """The nearest number that 32 bits hold."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Draw:
    def __init__(self, rng, form):
        self.rng, self.form = rng, form
        self.lines, self.feeds, self.xs, self.ys, self.traits = [], {}, [], [], set()
        self.numbers = 0
        # Of a case that is a node of a graph file: the node, and which results are left out.
        self.node, self.unused = None, []

    def chance(self, probability):
        return self.rng.random() < probability

    def new(self, word):
        self.numbers += 1
        return f"{word}{self.numbers}"

    # ---- Sizes

    def dims(self, least=0, most=3, size=None):
        """Few elements; now and then none, and often one along an axis."""
        sizes = size or ([0, 1, 2, 3] if self.chance(0.12) else [1, 2, 3, 2, 3])
        return [self.rng.choice(sizes) for _ in range(self.rng.randint(least, most))]

    def compressed(self, dims):
        """Dims that broadcast to the given ones."""
        kept = dims[self.rng.randint(0, len(dims)):] if self.chance(0.4) else dims
        return [1 if self.chance(0.3) else dim for dim in kept]

    def broadcasting(self, count=2):
        """Of as many operands."""
        dims = self.dims()
        if self.chance(0.4):
            return [dims] * count
        found = [self.compressed(dims) for _ in range(count - 1)] + [dims]
        self.rng.shuffle(found)
        return found

    def axis(self, rank):
        return self.rng.randint(-rank, rank - 1)

    def axes(self, rank):
        """Some of them."""
        axes = self.rng.sample(range(rank), self.rng.randint(0, rank))
        return [axis - rank if self.chance(0.3) else axis for axis in axes]

    # ---- Operands

    def declared(self, dtype, dims):
        known = {"static": 1, "dynamic": 0, "mixed": 0.5}.get(self.form)
        if known is None:
            return UNKNOWN.format(dtype)
        return tensor_type(dtype, [dim if self.chance(known) else "?" for dim in dims])

    def feed(self, dtype, dims, values):
        name = self.new("x")
        kind = self.declared(dtype, dims)
        self.lines.append(f'%{name} = flow.feed {{name = "{name}"}} : () -> {kind}')
        self.feeds[name] = Tensor(dtype, list(dims), list(values))
        return Value(f"%{name}", kind)

    def x(self, dims, low=-2.0, high=2.0, values=None):
        """An operand of floats that there is a derivative with respect to."""
        if values is None:
            values = [self.rng.uniform(low, high) for _ in range(math.prod(dims))]
        value = self.feed("f64", dims, [single(each) for each in values])
        self.xs.append(value.name[1:])
        return value

    def signed(self, dims, low, high):
        """One with elements of both signs, not near zero."""
        return self.x(dims, values=[self.rng.uniform(low, high) * self.rng.choice([1, -1])
                                    for _ in range(math.prod(dims))])

    def constant(self, dtype, values, dims=None):
        dims = [len(values)] if dims is None else list(dims)
        name, kind = self.new("c"), tensor_type(dtype, dims)
        self.lines.append(f"%{name} = nd.constant {{value = {attribute(dtype, dims, values)}}} "
                          f": () -> {kind}")
        return Value(f"%{name}", kind)

    def fixed(self, dtype, values, dims=None):
        """One that is not differentiated by; the compiler may know it or not."""
        if self.form == "static" or self.form == "mixed" and self.chance(0.5):
            return self.constant(dtype, values, dims)
        return self.feed(dtype, [len(values)] if dims is None else list(dims), values)

    def ints(self, values, dims=None):
        """Indices, axes, sizes."""
        return self.fixed(self.rng.choice(["i32", "i64"]), values, dims)

    def number(self, value):
        return self.ints([value], [])

    # ---- Ops

    def op(self, name, operands, results=("f64",), **attributes):
        """Its results, of the given element types, or types that begin with `!` or `tensor`."""
        kinds = [kind if kind[0] in "!t" else UNKNOWN.format(kind) for kind in results]
        made = [Value(f"%{self.new('v')}", kind) for kind in kinds]
        written = ", ".join(f"{key} = {attribute_text(value)}" for key, value in attributes.items())
        self.lines.append(
            f"{', '.join(value.name for value in made)} = {name} "
            f"{', '.join(operand.name for operand in operands)} "
            f"{f'{{{written}}} ' if written else ''}"
            f": ({', '.join(operand.type for operand in operands)}) -> ({', '.join(kinds)})")
        return made

    def y(self, *values):
        """What is differentiated."""
        self.ys += values

    def case(self, op, name):
        return Case(op, name, "\n".join(self.lines), self.feeds, self.xs, self.ys, self.traits)


def attribute_text(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, list):
        return f"array<i64{': ' * bool(value)}{', '.join(map(str, value))}>"
    return value
