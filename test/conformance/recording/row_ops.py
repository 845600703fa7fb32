# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops on rows of ragged tensors, on colors, and on vectors in space."""

from scenario import g, of, scalar, tensor, vector

import graphs  # isort: skip


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def ranges(s, attrs):
    """Up, down, of nothing, and of scalars for all rows; steps of 0 are an error."""
    dtype = attrs["T"][1]
    starts, limits = s.feed("starts", vector(dtype, [2, 5, 3, -1])), s.feed(
        "limits", vector(dtype, [7, -2, 3, 4]))
    for i, deltas in enumerate((vector(dtype, [2, -3, 1, 1]), scalar(dtype, 2), vector(dtype, [1, 1, 0, 1]))):
        delta = s.feed(f"deltas{i}", deltas)
        made = s.node(f"r{i}" if i else "", s.op, starts, limits, delta, **encoded(attrs))
        s.step([f"{made}:0", f"{made}:1"])
    alone = [s.feed(f"alone{i}", scalar(dtype, value)) for i, value in enumerate((1, 6, 2))]
    made = s.node("scalars", s.op, *alone, **encoded(attrs))
    s.step([f"{made}:0", f"{made}:1"])


SPLITS = ([0, 2, 2, 5], [0, 1, 3, 3, 4, 6])


def rows(s, attrs):
    """Of one level and of two, by a scalar, a vector and a matrix; rows that are not there are an error."""
    types = {name: attrs[name] for name in ("Tvalues", "Tindices", "Tsplits")}
    levels = [s.feed(f"splits{i}", vector(attrs["Tsplits"][1], list(of))) for i, of in enumerate(SPLITS)]
    values = s.feed("values", tensor(attrs["Tvalues"][1], [6, 2]))
    short = s.feed("short", tensor(attrs["Tvalues"][1], [5]))
    chosen = ([2, 0, 2], [3], 1), ([2], [], 2), ([0, 2, 1, 1], [2, 2], 2), ([], [0], 2), ([3], [1], 1)
    for i, (numbers, dims, depth) in enumerate(chosen):
        indices = s.feed(f"indices{i}", of(attrs["Tindices"][1], dims, numbers))
        count = depth + len(dims) - 1
        made = s.node(f"r{i}" if i else "", s.op, *levels[:depth], values if depth == 2 else short, indices,
                      PARAMS_RAGGED_RANK=g.integer(depth), OUTPUT_RAGGED_RANK=g.integer(count),
                      **encoded(types))
        s.step([f"{made}:{slot}" for slot in range(count + 1)])


def unravel(s, attrs):
    dtype = attrs["Tidx"][1]
    dims = s.feed("dims", vector(dtype, [2, 3, 4]))
    for i, places in enumerate((vector(dtype, [0, 7, 23, 12]), scalar(dtype, 17), vector(dtype, [24]))):
        s.step([s.node(f"r{i}" if i else "", s.op, s.feed(f"x{i}", places), dims, **encoded(attrs))])


def empty(s, attrs):
    """With zeros: without, it is not known what TensorFlow gives."""
    dims = s.feed("dims", vector("int32", [2, 3]))
    s.step([s.node("", s.op, dims, **encoded({**attrs, "init": ("bool", True)}))])


def in_space(s, attrs):
    xs = [s.feed(f"x{i}", tensor(attrs["T"][1], [2, 3], i)) for i in range(2)]
    s.step([s.node("", s.op, *xs, **encoded(attrs))])


# Grey, black, each of the three as the largest one, and two that are equally large.
COLORS = [0.5, 0.5, 0.5, 0, 0, 0, 0.75, 0.25, 0.125, 0.25, 1, 0.5, 0.125, 0.25, 0.875, 0.25, 0.75, 0.75]


def colors(s, attrs):
    x = s.feed("x", of(attrs["T"][1], [6, 3], COLORS))
    s.step([s.node("", s.op, x, **encoded(attrs))])


def adjusted(s, attrs):
    x = s.feed("x", of(attrs["T"][1], [2, 3, 1, 3], COLORS))
    for i, number in enumerate((0.25, 1.5)):
        by = s.feed(f"by{i}", scalar("float", number))
        s.step([s.node(f"r{i}" if i else "", s.op, x, by, **encoded(attrs))])


BUILDERS = {"RaggedRange": ranges, "RaggedGather": rows, "UnravelIndex": unravel, "Empty": empty,
            "Cross": in_space, "RGBToHSV": colors, "HSVToRGB": colors,
            **dict.fromkeys(("AdjustSaturation", "AdjustHue", "AdjustContrastv2"), adjusted)}
