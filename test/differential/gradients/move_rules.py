# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops that move elements: other shapes, parts, pieces and repetitions."""

import math

from drawing import tensor_type


def squared(d, *values):
    """What the op gives, in a way that is not linear, so that the second derivative is not zero."""
    for value in values:
        d.y(*d.op("nd.mul", [value, value]))


def reshape(d):
    dims = d.dims()
    sizes = d.rng.choice([[math.prod(dims)], list(reversed(dims)), [1, *dims]])
    if sizes and math.prod(dims) and d.chance(0.4):
        sizes[d.rng.randrange(len(sizes))] = -1
    squared(d, *d.op("nd.reshape", [d.x(dims), d.ints(sizes)]))


def expand_dims(d):
    dims = d.dims()
    squared(d, *d.op("nd.expand_dims", [d.x(dims), d.number(d.axis(len(dims) + 1))]))


def squeeze(d):
    dims = d.dims(1)
    ones = d.rng.sample(range(len(dims)), d.rng.randint(1, len(dims)))
    for axis in ones:
        dims[axis] = 1
    axes = [axis - len(dims) if d.chance(0.3) else axis for axis in ones]
    squared(d, *d.op("nd.squeeze", [d.x(dims)], axes=[] if d.chance(0.3) else axes))


def assume_shape(d):
    dims = d.dims()
    sizes = [dim if d.chance(0.7) else "?" for dim in dims]
    squared(d, *d.op("nd.assume_shape", [d.x(dims)], [tensor_type("f64", sizes)]))


def match_shape(d):
    dims = d.dims()
    reference = d.ints([0] * math.prod(dims), dims) if d.chance(0.5) else d.x(dims)
    squared(d, *d.op("nd.match_shape", [d.x(dims), reference]))


def broadcast_to(d):
    dims = d.dims()
    squared(d, *d.op("nd.broadcast_to", [d.x(d.compressed(dims)), d.ints(dims)]))


def pack(d):
    dims, count = d.dims(0, 2), d.rng.randint(1, 3)
    xs = [d.x(dims) for _ in range(count)]
    if d.chance(0.3):
        xs.append(xs[0])
    squared(d, *d.op("nd.pack", xs, axis=d.axis(len(dims) + 1)))


def unpack(d):
    dims = d.dims(1, size=[1, 2, 3])
    axis = d.axis(len(dims))
    parts = d.op("nd.unpack", [d.x(dims)], ["f64"] * dims[axis], axis=axis)
    squared(d, *some(d, parts))


def some(d, parts):
    """Not all that an op gives is used."""
    return [part for part in parts if d.chance(0.7)] or parts[:1]


def concat(d):
    dims = d.dims(1)
    axis = d.axis(len(dims))
    parts = []
    for _ in range(d.rng.randint(1, 3)):
        dims[axis] = d.rng.choice([0, 1, 2])
        parts.append(d.x(dims))
    squared(d, *d.op("nd.concat", [*parts, d.fixed("i32", [axis], [])]))


def split(d):
    dims, count = d.dims(1), d.rng.randint(1, 3)
    axis = d.axis(len(dims))
    dims[axis] *= count
    parts = d.op("nd.split", [d.x(dims), d.fixed("i32", [axis], [])], ["f64"] * count)
    squared(d, *some(d, parts))


def split_v(d):
    dims = d.dims(1)
    sizes = [d.rng.choice([0, 1, 2]) for _ in range(d.rng.randint(1, 3))]
    axis = d.axis(len(dims))
    dims[axis] = sum(sizes)
    if d.chance(0.4):
        sizes[d.rng.randrange(len(sizes))] = -1
    operands = [d.x(dims), d.ints(sizes), d.fixed("i32", [axis], [])]
    squared(d, *some(d, d.op("nd.split_v", operands, ["f64"] * len(sizes))))


def slice_(d):
    dims = d.dims()
    begins = [d.rng.randint(0, dim) for dim in dims]
    sizes = [-1 if d.chance(0.3) else d.rng.randint(0, dim - begin)
             for dim, begin in zip(dims, begins)]
    kind = d.rng.choice(["i32", "i64"])
    squared(d, *d.op("nd.slice", [d.x(dims), d.fixed(kind, begins), d.fixed(kind, sizes)]))


def box(d, dims):
    """begin, end and strides of some leading axes, and masks: (lists, attributes)"""
    count = d.rng.randint(0, len(dims))
    begins, ends, strides, shrunk = [], [], [], 0
    for axis, dim in enumerate(dims[:count]):
        stride = d.rng.choice([1, 1, 2, -1, -2])
        low, high = sorted([d.rng.randint(0, dim), d.rng.randint(0, dim)])
        if dim and d.chance(0.2):
            shrunk |= 1 << axis
            low, stride = d.rng.randrange(dim), 1
            high = low + 1
        if stride < 0:  # from the last to before the first, which counts from the end
            low, high = high - 1 if high else 0, low - 1 - dim if low else -dim - 1
        begins.append(low)
        ends.append(high)
        strides.append(stride)

    def mask(probability):
        return sum(1 << axis for axis in range(count) if d.chance(probability)) & ~shrunk
    masks = {"begin_mask": mask(0.2), "end_mask": mask(0.2), "ellipsis_mask": 0,
             "new_axis_mask": 0, "shrink_axis_mask": shrunk}
    if d.chance(0.4):  # a new axis somewhere, or an ellipsis behind all of them
        which = d.rng.choice(["new_axis_mask", "ellipsis_mask"])
        masks[which] = 1 << count
        begins, ends, strides = begins + [0], ends + [0], strides + [1]
    return (begins, ends, strides), masks


def strided_slice(d):
    dims = d.dims(1)
    lists, masks = box(d, dims)
    kind = d.rng.choice(["i32", "i64"])
    operands = [d.x(dims), *(d.fixed(kind, each) for each in lists)]
    squared(d, *d.op("nd.strided_slice", operands, **masks))


def strided_slice_grad(d):
    dims = d.dims(1)
    rows = d.rng.randint(0, dims[0])
    kind = d.rng.choice(["i32", "i64"])
    begin = d.rng.randint(0, dims[0] - rows)
    operands = [d.fixed(kind, each) for each in (dims, [begin], [begin + rows], [1])]
    squared(d, *d.op("nd.strided_slice_grad", [*operands, d.x([rows, *dims[1:]])], begin_mask=0,
                     end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0))


def transpose(d):
    dims = d.dims()
    order = d.rng.sample(range(len(dims)), len(dims))
    squared(d, *d.op("nd.transpose", [d.x(dims), d.ints(order)], conjugate=d.chance(0.3)))


def tile(d):
    dims = d.dims()
    times = [d.rng.choice([1, 2, 3, 1, 2, 0]) for _ in dims]
    squared(d, *d.op("nd.tile", [d.x(dims), d.ints(times)]))


def pad(d):
    dims = d.dims()
    paddings = [d.rng.randint(0, 2) for _ in range(2 * len(dims))]
    squared(d, *d.op("nd.pad", [d.x(dims), d.ints(paddings, [len(dims), 2]), d.x([])]))


def fill(d):
    squared(d, *d.op("nd.fill", [d.ints(d.dims()), d.x([])]))


def range_(d):
    # The number of elements must not depend on rounding: limit is not near any of them.
    count, start, delta = d.rng.randint(1, 4), d.rng.uniform(-1, 1), d.rng.uniform(0.5, 1)
    delta *= d.rng.choice([1, -1])
    limit = start + delta * (count - 0.5)
    squared(d, *d.op("nd.range", [d.x([], values=[each]) for each in (start, limit, delta)]))


def reverse(d):
    dims = d.dims()
    squared(d, *d.op("nd.reverse", [d.x(dims), d.ints(d.axes(len(dims)))]))


RULES = {"nd.reshape": reshape, "nd.expand_dims": expand_dims, "nd.squeeze": squeeze,
         "nd.assume_shape": assume_shape, "nd.match_shape": match_shape,
         "nd.broadcast_to": broadcast_to, "nd.pack": pack, "nd.unpack": unpack,
         "nd.concat": concat, "nd.split": split, "nd.split_v": split_v, "nd.slice": slice_,
         "nd.strided_slice": strided_slice, "nd.strided_slice_grad": strided_slice_grad,
         "nd.transpose": transpose, "nd.tile": tile, "nd.pad": pad, "nd.fill": fill,
         "nd.range": range_, "nd.reverse": reverse}
