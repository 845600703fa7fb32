# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws small graphs of nd ops: chains over random shapes, zero sizes and unknown dims among them.

A graph knows the dims that its feeds will have, so every op fits; some graphs fail all the same (an
integer divisor of 0, an index out of range), which is part of what is compared.
"""

import random

FLOATS, INTS = ("f32", "f64", "f16", "bf16"), ("i32", "i64", "i8")


class Value:
    """`dims` as they will be; those that are not in `known` are `?` in the type."""

    def __init__(self, name, dtype, dims, known=None):
        self.name, self.dtype, self.dims = name, dtype, list(dims)
        self.known = [True] * len(self.dims) if known is None else list(known)

    @property
    def rank(self):
        return len(self.dims)

    @property
    def type(self):
        dims = "".join(f"{d}x" if known else "?x" for d, known in zip(self.dims, self.known))
        return f"tensor<{dims}{self.dtype}>"


def broadcast(a, b):
    """(dims, known) of two values, or None if they do not fit."""
    dims, known = [], []
    for back in range(1, max(a.rank, b.rank) + 1):
        x, x_known = (a.dims[-back], a.known[-back]) if back <= a.rank else (1, True)
        y, y_known = (b.dims[-back], b.known[-back]) if back <= b.rank else (1, True)
        if x != y and 1 not in (x, y):
            return None
        dims.insert(0, y if x == 1 else x)
        decided = (x_known and x != 1) or (y_known and y != 1)
        known.insert(0, decided or (x_known and y_known))
    return dims, known


class Graph:
    def __init__(self, name, seed):
        self.name, self.random = name, random.Random(seed)
        self.feeds, self.values, self.lines, self.made = [], [], [], []

    def feed(self, dtype, dims, known=None):
        value = Value(f"%x{len(self.feeds)}", dtype, dims, known)
        self.feeds.append(value)
        self.values.append(value)
        return value

    def constant(self, elements, shape, dtype="i32"):
        value = Value(f"%c{len(self.lines)}", dtype, shape)
        self.lines.append(f"{value.name} = nd.constant {{value = dense<{elements}> : {value.type}}}"
                          f" : () -> {value.type}")
        return value

    def vector(self, numbers):
        return self.constant(list(numbers) if numbers else "", [len(numbers)])

    def axis(self, axis, rank):
        return self.constant(axis - (rank if self.random.random() < 0.3 else 0), [])

    def op(self, name, operands, results, attributes=""):
        """`results` are tuples (dtype, dims, known)."""
        made = [Value(f"%v{len(self.lines)}_{i}", *result) for i, result in enumerate(results)]
        self.lines.append(
            f"{', '.join(v.name for v in made)} = nd.{name} {', '.join(v.name for v in operands)}"
            f" {attributes} : ({', '.join(v.type for v in operands)}) ->"
            f" ({', '.join(v.type for v in made)})")
        self.values += made
        self.made += made
        return made[0]

    def partner(self, value):
        """A value of the same element type that broadcasts with another, perhaps a new feed."""
        fitting = [v for v in self.values if v.dtype == value.dtype and broadcast(value, v)]
        if self.random.random() < 0.5:
            return self.random.choice(fitting)
        cut = self.random.randint(0, value.rank) if self.random.random() < 0.4 else 0
        dims = [1 if self.random.random() < 0.2 else d for d in value.dims[cut:]]
        known = [d == 1 or k for d, k in zip(dims, value.known[cut:])]
        return self.feed(value.dtype, dims, known)

    def text(self):
        random_fetches = [v for v in self.made[:-1] if self.random.random() < 0.25]
        fetches = [self.made[-1], *random_fetches]
        lines = [f'{v.name} = flow.feed {{name = "x{i}"}} : () -> {v.type}'
                 for i, v in enumerate(self.feeds)]
        lines += self.lines
        lines += [f'flow.fetch {v.name} {{name = "y{i}"}} : ({v.type}) -> ()'
                  for i, v in enumerate(fetches)]
        return "\n".join([f"flow.graph @{self.name} {{", *(f"  {line}" for line in lines), "}"])


# ---- Steps: each adds an op on a value, if it fits ----------------------------------------------


def elementwise(g, a):
    floats = ["neg", "abs", "sign", "sqrt", "rsqrt", "floor", "ceil", "round", "exp", "log", "tanh",
              "sigmoid", "sin", "log1p"]
    names = floats if a.dtype in FLOATS else ["logical_not"] if a.dtype == "i1" else floats[:3]
    g.op(g.random.choice(names), [a], [(a.dtype, a.dims, a.known)])


def binary(g, a):
    b = g.partner(a)
    floats = ["add", "sub", "mul", "div", "maximum", "minimum", "div_no_nan", "floor_mod"]
    ints = ["add", "sub", "mul", "maximum", "minimum", "div", "floor_div", "trunc_mod"]
    bools = ["logical_and", "logical_or"]
    choice = bools if a.dtype == "i1" else floats if a.dtype in FLOATS else ints
    operands = g.random.sample([a, b], 2)
    g.op(g.random.choice(choice), operands, [(a.dtype, *broadcast(a, b))])


def compare(g, a):
    b = g.partner(a)
    names = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
    name = g.random.choice(names[:2] if a.dtype == "i1" else names)
    g.op(name, [a, b], [("i1", *broadcast(a, b))])


def select(g, a):
    b = g.partner(a)
    dims, known = broadcast(a, b)
    cut = g.random.randint(0, len(dims))
    condition = g.feed("i1", dims[cut:], known[cut:])
    g.op("select", [condition, a, b], [(a.dtype, dims, known)], "{leading = false}")


def cast(g, a):
    g.op("cast", [a], [(g.random.choice([*FLOATS, *INTS, "i1"]), a.dims, a.known)])


def transpose(g, a):
    order = g.random.sample(range(a.rank), a.rank)
    g.op("transpose", [a, g.vector(order)],
         [(a.dtype, [a.dims[i] for i in order], [a.known[i] for i in order])],
         "{conjugate = false}")


def reshape(g, a):
    elements = 1
    for dim in a.dims:
        elements *= dim
    g.op("reshape", [a, g.vector([-1])], [(a.dtype, [elements], [all(a.known)])])


def expand_dims(g, a):
    at = g.random.randint(0, a.rank)
    g.op("expand_dims", [a, g.axis(at, a.rank + 1)],
         [(a.dtype, a.dims[:at] + [1] + a.dims[at:], a.known[:at] + [True] + a.known[at:])])


def slice_box(g, a):
    begins, sizes, dims, known = [], [], [], []
    for dim, is_known in zip(a.dims, a.known):
        begin = g.random.randint(0, dim)
        rest = g.random.random() < 0.5
        begins.append(begin)
        dims.append(dim - begin if rest else g.random.randint(0, dim - begin))
        sizes.append(-1 if rest else dims[-1])
        known.append(is_known or not rest)
    g.op("slice", [a, g.vector(begins), g.vector(sizes)], [(a.dtype, dims, known)])


def strided_slice(g, a):
    steps = [g.random.choice([1, -1, 2, -2] if known else [1, -1]) for known in a.known]
    dims = [len(range(dim)[::step]) for dim, step in zip(a.dims, steps)]
    mask = (1 << a.rank) - 1
    g.op("strided_slice", [a, g.vector([0] * a.rank), g.vector([0] * a.rank), g.vector(steps)],
         [(a.dtype, dims, a.known)],
         f"{{begin_mask = {mask} : i64, end_mask = {mask} : i64, ellipsis_mask = 0 : i64, "
         "new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64}")


def concat(g, a):
    if a.rank:
        axis = g.random.randrange(a.rank)
        dims = [g.random.randint(0, 4) if d == axis else dim for d, dim in enumerate(a.dims)]
        known = [d == axis or k for d, k in enumerate(a.known)]
        parts = g.random.sample([a, g.feed(a.dtype, dims, known)], 2)
        whole = [dim + dims[d] if d == axis else dim for d, dim in enumerate(a.dims)]
        g.op("concat", [*parts, g.axis(axis, a.rank)], [(a.dtype, whole, a.known)])


def pack(g, a):
    axis, other = g.random.randint(0, a.rank), g.feed(a.dtype, a.dims, a.known)
    g.op("pack", g.random.sample([a, other], 2),
         [(a.dtype, a.dims[:axis] + [2] + a.dims[axis:], a.known[:axis] + [True] + a.known[axis:])],
         f"{{axis = {axis} : i64}}")


def unpack(g, a):
    axes = [d for d in range(a.rank) if a.known[d] and 0 < a.dims[d] <= 4]
    if axes:
        axis = g.random.choice(axes)
        part = (a.dtype, a.dims[:axis] + a.dims[axis + 1:], a.known[:axis] + a.known[axis + 1:])
        g.op("unpack", [a], [part] * a.dims[axis], f"{{axis = {axis} : i64}}")


def split(g, a):
    axes = [d for d in range(a.rank) if a.dims[d] and a.dims[d] % 2 == 0]
    if axes:
        axis = g.random.choice(axes)
        dims = [dim // 2 if d == axis else dim for d, dim in enumerate(a.dims)]
        g.op("split", [a, g.axis(axis, a.rank)], [(a.dtype, dims, a.known)] * 2)


def pad(g, a):
    if a.rank:
        border = [[g.random.randint(0, 2), g.random.randint(0, 2)] for _ in a.dims]
        dims = [dim + before + after for dim, (before, after) in zip(a.dims, border)]
        g.op("pad", [a, g.constant(border, [a.rank, 2]), g.feed(a.dtype, [])],
             [(a.dtype, dims, a.known)])


def tile(g, a):
    if a.rank:
        times = [g.random.choice([1, 1, 2, 3]) for _ in a.dims]
        g.op("tile", [a, g.vector(times)],
             [(a.dtype, [dim * n for dim, n in zip(a.dims, times)], a.known)])


def reverse(g, a):
    axes = g.random.sample(range(a.rank), g.random.randint(0, a.rank))
    g.op("reverse", [a, g.vector(axes)], [(a.dtype, a.dims, a.known)])


def reduce(g, a):
    axes = g.random.sample(range(a.rank), g.random.randint(0, a.rank))
    keeps = g.random.random() < 0.5
    left = [d for d in range(a.rank) if keeps or d not in axes]
    dims = [1 if d in axes else a.dims[d] for d in left]
    names = ["all", "any"] if a.dtype == "i1" else ["sum", "mean", "max", "min", "prod"]
    g.op(f"reduce_{g.random.choice(names)}", [a, g.vector(axes)],
         [(a.dtype, dims, [d in axes or a.known[d] for d in left])],
         f"{{keep_dims = {str(keeps).lower()}}}")


def matmul(g, a):
    if a.rank >= 2 and a.dtype in FLOATS:
        columns = g.random.choice([1, 3, 8, 17])
        b = g.feed(a.dtype, a.dims[:-2] + [a.dims[-1], columns], a.known[:-2] + [a.known[-1], True])
        g.op("matmul", [a, b], [(a.dtype, a.dims[:-1] + [columns], a.known[:-1] + [True])],
             "{transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, "
             "adjoint_rhs = false}")


def gather(g, a):
    if a.rank:
        axis, count = g.random.randrange(a.rank), g.random.randint(0, 4)
        indices = g.feed("i32", [count])
        g.op("gather", [a, indices, g.axis(axis, a.rank)],
             [(a.dtype, a.dims[:axis] + [count] + a.dims[axis + 1:],
               a.known[:axis] + [True] + a.known[axis + 1:])], "{batch_dims = 0 : i64}")


def shape(g, a):
    g.op("shape", [a], [("i32", [a.rank], [True])])


STEPS = [elementwise, elementwise, binary, binary, compare, select, cast, transpose, reshape,
         expand_dims, slice_box, strided_slice, concat, pack, unpack, split, pad, tile, reverse,
         reduce, matmul, gather, shape]


def draw(name, seed):
    """A graph of one to five ops."""
    g = Graph(name, seed)
    rank = g.random.choice([0, 1, 1, 2, 2, 2, 3])
    sizes = [1, 2, 3, 4, 7, 8, 16, 17, 33] + ([0] if g.random.random() < 0.1 else [])
    dims = [g.random.choice(sizes) for _ in range(rank)]
    dynamic = g.random.random() < 0.5
    dtypes = ["f32", "f32", "f32", "f64", "f16", "bf16", "i32", "i64", "i8", "i1"]
    g.feed(g.random.choice(dtypes), dims,
           [not (dynamic and g.random.random() < 0.6) for _ in dims])
    for _ in range(g.random.randint(1, 5)):
        newest = g.random.choice(g.values[-3:])
        if newest.rank <= 5:
            g.random.choice(STEPS)(g, newest)
    if not g.made:
        elementwise(g, g.feeds[0])
    return g
