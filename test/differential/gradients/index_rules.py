# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops that take indices: reads, writes, sums of rows, and what looks for values."""

import math

from move_rules import squared


def indices_below(d, size, dims):
    return [d.rng.randrange(size) for _ in range(math.prod(dims))]


def gather(d):
    dims = d.dims(1, 4)
    axis = d.rng.randrange(len(dims))
    dims[axis] = d.rng.randint(1, 4)
    batch = d.rng.randint(0, axis)
    shape = dims[:batch] + d.dims(0, 2)
    written = d.rng.choice([batch, batch - len(shape)]) if batch else 0
    indices = d.ints(indices_below(d, dims[axis], shape), shape)
    given = axis if d.chance(0.6) else axis - len(dims)
    squared(d, *d.op("nd.gather", [d.x(dims), indices, d.number(given)], batch_dims=written))


def vectors(d, dims, depth, leading):
    """Index vectors of so many numbers, within the dims."""
    return [d.rng.randrange(dims[axis]) for _ in range(math.prod(leading))
            for axis in range(depth)]


def points(d, dims, depth, leading):
    return d.ints(vectors(d, dims, depth, leading), [*leading, depth])


def gather_nd(d):
    dims = d.dims(1, size=[1, 2, 3])
    depth = d.rng.randint(0, len(dims))
    squared(d, *d.op("nd.gather_nd", [d.x(dims), points(d, dims, depth, d.dims(1, 2))]))


def row(d):
    dims = d.dims(1, size=[1, 2, 3])
    squared(d, *d.op("nd.row", [d.x(dims), d.number(d.rng.randrange(dims[0]))]))


def set_row(d):
    dims = d.dims(1, size=[1, 2, 3])
    operands = [d.x(dims), d.number(d.rng.randrange(dims[0])), d.x(dims[1:])]
    squared(d, *d.op("nd.set_row", operands))


def scatter_nd(d):
    dims = d.dims(1, size=[1, 2, 3])
    depth, leading = d.rng.randint(1, len(dims)), d.dims(1, 2)
    values = vectors(d, dims, depth, leading)
    kind = d.rng.choice(["i32", "i64"])
    operands = [d.fixed(kind, values, [*leading, depth]), d.x(leading + dims[depth:]),
                d.fixed(kind, dims)]
    squared(d, *d.op("nd.scatter_nd", operands))


def update_points(d):
    how = d.rng.choice(["update", "add", "sub", "max", "min"])
    ignore = d.chance(0.4)
    dims = d.dims(1, size=[1, 2, 3])
    depth, leading = d.rng.randint(0, len(dims)), d.dims(1, 2)
    beyond = 2 if ignore else 0
    values = [d.rng.randint(-beyond, dims[axis] - 1 + beyond)
              for _ in range(math.prod(leading)) for axis in range(depth)]
    operands = [d.x(dims), d.ints(values, [*leading, depth]), d.x(leading + dims[depth:])]
    squared(d, *d.op("nd.update_points", operands, how=f'"{how}"', ignore_bad_indices=ignore))


def unique(d):
    dims = d.dims(1)
    axis = d.axis(len(dims))
    axes = d.fixed("i64", [axis] if len(dims) > 1 or d.chance(0.5) else [])
    values, *_ = d.op("nd.unique", [d.x(dims), axes], ["f64", "i32", "i32"])
    squared(d, values)


def list_diff(d):
    values, _ = d.op("nd.list_diff", [d.x(d.dims(1, 1)), d.fixed("f64", [8.0, 9.0])],
                     ["f64", "i32"])
    squared(d, values)


def one_hot(d):
    shape = d.dims(0, 2)
    depth = d.rng.randint(0, 3)
    values = [d.rng.randint(-1, depth) for _ in range(math.prod(shape))]
    operands = [d.fixed("i32", values, shape), d.fixed("i32", [depth], []), d.x([]), d.x([])]
    squared(d, *d.op("nd.one_hot", operands, axis=d.rng.randint(-1, len(shape))))


def segment(op):
    def rule(d):
        dims = d.dims(1)
        depth = d.rng.randint(1, len(dims))
        count = d.rng.randint(1, 4)
        ids = [d.rng.randint(-1, count - 1) for _ in range(math.prod(dims[:depth]))]
        made, = d.op(f"nd.unsorted_segment_{op}",
                     [d.x(dims), d.ints(ids, dims[:depth]), d.fixed("i32", [count], [])])
        if op in ("max", "min"):  # of nothing it is the largest number there is
            d.y(made)
        else:
            squared(d, made)
    return rule


RULES = {"nd.gather": gather, "nd.gather_nd": gather_nd, "nd.row": row, "nd.set_row": set_row,
         "nd.scatter_nd": scatter_nd, "nd.update_points": update_points, "nd.unique": unique,
         "nd.list_diff": list_diff, "nd.one_hot": one_hot,
         **{f"nd.unsorted_segment_{op}": segment(op) for op in ("sum", "prod", "max", "min")}}
