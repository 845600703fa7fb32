# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops that move elements ask of their operands: permutations, bounds, shapes.

The rules are those of `operand_rules.py`, which has the others.
"""

import math


# ---- Layout


def permuted(d):
    x = d.dims()
    order = d.order(len(x))
    if order and d.chance(0.02):
        order[0] = order[-1]
    return [d.tensor("T", x), d.ints("Tperm", order)]


def tile(d):
    x = d.dims()
    return [d.tensor("T", x), d.ints("Tmultiples", [d.rng.choice([1, 1, 2, 3, 0]) for _ in x])]


def pad(d):
    x = d.dims()
    least = -1 if d.chance(0.02) else 0
    border = [d.rng.randint(least, 2) for _ in range(2 * len(x))]
    found = [d.tensor("T", x), d.ints("Tpaddings", border, [len(x), 2])]
    return found + ([d.tensor("T", [])] if d.signature.name == "PadV2" else [])


def fill(d):
    return [d.ints("index_type", d.dims()), d.tensor("T", [])]


def range_(d):
    start, limit = d.rng.randint(0, 5), d.rng.randint(0, 20)
    step = d.rng.choice([1, 2, 3, 7]) if limit >= start or d.dtype("Tidx")[0] == "u" else -2
    numbers = [start, limit, 0 if d.chance(0.03) else step]
    return [d.ints("Tidx", [number], []) for number in numbers]


def reverse(d):
    x = d.dims()
    return [d.tensor("T", x), d.ints("Tidx", d.axes(len(x)))]


def slice_box(d):
    x = d.dims()
    begins = [d.rng.randint(0, dim) for dim in x]
    counts = [-1 if d.chance(0.3) else d.rng.randint(0, dim - begin)
              for dim, begin in zip(x, begins)]
    if x and d.chance(0.03):
        counts[0] = x[0] + 1
    return [d.tensor("T", x), d.ints("Index", begins), d.ints("Index", counts)]


def strides(d, x):
    """(begin, end, strides) of a slice of dims `x`, with masks."""
    entries = []  # (begin, end, stride) for each entry of the specification
    masks = dict.fromkeys(["begin", "end", "ellipsis", "new_axis", "shrink_axis"], 0)
    covered = d.rng.randint(0, len(x))
    ellipsis_at = d.rng.randint(0, covered) if d.chance(0.3) else None
    axis = 0
    for i in range(covered):
        if d.chance(0.1):
            masks["new_axis"] |= 1 << len(entries)
            entries.append((0, 1, 1))
        if i == ellipsis_at:
            masks["ellipsis"] |= 1 << len(entries)
            entries.append((0, 0, 1))
            axis += len(x) - covered
        size = x[axis]
        axis += 1
        if size and d.chance(0.2):
            at = d.rng.randint(-size, size - 1) + (2 * size if d.chance(0.03) else 0)
            masks["shrink_axis"] |= 1 << len(entries)
            entries.append((at, at + 1, 1))
            continue
        for name in ("begin", "end"):
            masks[name] |= (1 << len(entries)) if d.chance(0.3) else 0
        begin, end = (d.rng.randint(-size - 2, size + 2) for _ in range(2))
        if d.chance(0.05):
            begin, end = d.rng.choice([(-2**31, 2**31 - 1), (2**31 - 1, -2**31)])
        entries.append((begin, end, 0 if d.chance(0.01) else d.rng.choice([1, 1, 2, 3, -1, -2])))
    if d.dtype("Index") == "int16":
        entries = [tuple(max(min(number, 2**15 - 1), -2**15) for number in e) for e in entries]
    for name, mask in masks.items():
        d.set(f"{name}_mask", "int", mask)
    return [[entry[i] for entry in entries] for i in range(3)]


def strided_slice(d):
    x = d.dims()
    return [d.tensor("T", x), *(d.ints("Index", numbers) for numbers in strides(d, x))]


def strided_slice_grad(d):
    """Of a slice of which the dims are known without a rule for all masks: whole dims, turned."""
    x = d.dims()
    steps = [d.rng.choice([1, 2, -1, -2]) for _ in x]
    whole = (1 << len(x)) - 1
    for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis"):
        d.set(f"{name}_mask", "int", whole if name in ("begin", "end") else 0)
    zeros = [0] * len(x)
    sliced = [len(range(dim)[::step]) for dim, step in zip(x, steps)]
    return [d.ints("Index", x), d.ints("Index", zeros), d.ints("Index", zeros),
            d.ints("Index", steps), d.tensor("T", sliced)]


def pack(d):
    x = d.dims(0, 3)
    d.set("N", "int", d.rng.randint(1, 4))
    d.set("axis", "int", d.axis(len(x) + 1))
    return [d.tensor("T", x) for _ in range(d.attrs["N"][1])]


def unpack(d):
    x = d.dims(1)
    axis = d.valid_axis(len(x))
    x[axis] = min(x[axis], 5)
    d.set("num", "int", x[axis])
    d.set("axis", "int", axis)
    return [d.tensor("T", x)]


def concat(d):
    x = d.dims(1)
    axis = d.axis(len(x))
    d.set("N", "int", d.rng.randint(2, 4))
    parts = []
    for _ in range(d.attrs["N"][1]):
        dims = list(x)
        if -len(x) <= axis < len(x):
            dims[axis] = d.rng.randint(0, 4)
        parts.append(d.tensor("T", dims))
    if d.signature.name == "Concat":
        return [d.ints("int32", [axis], []), *parts]
    return [*parts, d.ints("Tidx", [axis], [])]


def split(d):
    x = d.dims(1)
    axis = d.valid_axis(len(x))
    parts = d.rng.randint(1, 4)
    x[axis] = d.rng.randint(0, 3) * parts
    d.set("num_split", "int", parts)
    return [d.ints("int32", [axis], []), d.tensor("T", x)]


def split_v(d):
    x = d.dims(1)
    axis = d.valid_axis(len(x))
    parts = [d.rng.randint(0, 4) for _ in range(d.rng.randint(1, 4))]
    x[axis] = sum(parts)
    if d.chance(0.4):
        parts[d.rng.randrange(len(parts))] = -1
    d.set("num_split", "int", len(parts))
    return [d.tensor("T", x), d.ints("Tlen", parts), d.ints("int32", [axis], [])]


# ---- Shapes


def shape_n(d):
    d.set("N", "int", d.rng.randint(1, 3))
    return [d.tensor("T", d.dims()) for _ in range(d.attrs["N"][1])]


def reshape(d):
    x = d.dims()
    flat = [math.prod(x)] if d.chance(0.3) else d.rng.sample(x, len(x))
    if flat and d.chance(0.4):
        flat[d.rng.randrange(len(flat))] = -1
    if flat and d.chance(0.03):
        flat[0] = 5
    return [d.tensor("T", x), d.ints("Tshape", flat)]


def expand_dims(d):
    x = d.dims(0, 3)
    return [d.tensor("T", x), d.ints("Tdim", [d.axis(len(x) + 1)], [])]


def squeeze(d):
    x = [1 if d.chance(0.4) else dim for dim in d.dims()]
    ones = [i for i, dim in enumerate(x) if dim == 1]
    axes = d.rng.sample(ones, d.rng.randint(0, len(ones)))
    if x and d.chance(0.02):
        axes.append(0)
    d.set("squeeze_dims", "ints", [a - len(x) if d.chance(0.3) else a for a in axes])
    return [d.tensor("T", x)]


def broadcast_pair(d):
    x = d.dims()
    kept = x[d.rng.randint(0, len(x)):]
    return x, [1 if d.chance(0.3) else dim + (1 if d.chance(0.02) else 0) for dim in kept]


def broadcast_to(d):
    wide, narrow = broadcast_pair(d)
    return [d.tensor("T", narrow), d.ints("Tidx", wide)]


def two_shapes(d):
    pair = list(broadcast_pair(d))
    d.rng.shuffle(pair)
    return [d.ints("T", dims) for dims in pair]


def concat_offset(d):
    x = d.dims(1)
    d.set("N", "int", d.rng.randint(2, 3))
    axis = d.rng.randrange(len(x))
    shapes = [[d.rng.randint(0, 4) if i == axis else dim for i, dim in enumerate(x)]
              for _ in range(d.attrs["N"][1])]
    return [d.ints("int32", [axis], []), *(d.ints("shape_type", dims) for dims in shapes)]


def permutation(d):
    order = list(range(d.rng.randint(0, 9)))
    d.rng.shuffle(order)
    if order and d.chance(0.05):
        order[0] = d.rng.choice([-1, len(order), order[-1]])
    return [d.ints("T", order)]


RULES = {
    "Transpose": permuted, "ConjugateTranspose": permuted, "Tile": tile, "Pad": pad, "PadV2": pad,
    "Fill": fill, "Range": range_, "ReverseV2": reverse, "Slice": slice_box,
    "StridedSlice": strided_slice, "StridedSliceGrad": strided_slice_grad, "Pack": pack,
    "Unpack": unpack, "Concat": concat, "ConcatV2": concat, "Split": split, "SplitV": split_v,
    "ShapeN": shape_n, "Reshape": reshape, "ExpandDims": expand_dims, "Squeeze": squeeze,
    "BroadcastTo": broadcast_to, "BroadcastArgs": two_shapes, "BroadcastGradientArgs": two_shapes,
    "ConcatOffset": concat_offset, "InvertPermutation": permutation,
}
