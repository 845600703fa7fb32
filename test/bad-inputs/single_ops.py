# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors and single ops on them, each as (op, inputs, attributes)."""

import base64
import struct

from graphdef import (BOOL, DOUBLE, FLOAT, INT32, INT64, dtype, field, integer, node, placeholder,
                      tensor)

FORMATS = {FLOAT: ("f", "float32"), DOUBLE: ("d", "float64"), INT32: ("i", "int32"),
           INT64: ("q", "int64"), BOOL: ("?", "bool")}


class Value:
    """A tensor: its elements in order, and its shape, which is a list of as many by default."""

    def __init__(self, element, values, sizes=None):
        self.element = element
        self.sizes = [len(values)] if sizes is None else sizes
        self.content = struct.pack(f"<{len(values)}{FORMATS[element][0]}", *values)

    def constant(self, name):
        return node(name, "Const", dtype=dtype(self.element),
                    value=tensor(self.element, self.sizes, self.content or None))

    def placeholder(self, name):
        # The shape is not known, so that nothing can be said before the program runs.
        return node(name, "Placeholder", dtype=dtype(self.element), shape=field(7, field(3, 1)))

    def shaped_placeholder(self, name):
        return placeholder(name, self.element, self.sizes)

    def ranked_placeholder(self, name):
        return placeholder(name, self.element, [-1] * len(self.sizes))

    def json(self):
        return {"dtype": FORMATS[self.element][1], "shape": self.sizes,
                "b64": base64.b64encode(self.content).decode()}


def f(*values, sizes=None):
    """A tensor of floats; `i` and `l` make int32 and int64."""
    return Value(FLOAT, values, sizes)


def i(*values, sizes=None):
    return Value(INT32, values, sizes)


def l(*values, sizes=None):
    return Value(INT64, values, sizes)


def scalar(value, element=INT32):
    return Value(element, [value], [])


def zeros(*sizes, element=FLOAT):
    count = 1
    for size in sizes:
        count *= size
    return Value(element, [0] * count, list(sizes))


def types(**given):
    return {name: dtype(value) for name, value in given.items()}


def reduction(op, value, axes):
    return op, [value, axes], types(T=FLOAT, Tidx=INT32)


def arithmetic(op, left, right):
    return op, [left, right], types(T=left.element)


def strided(value, begin, end, strides, **masks):
    return ("StridedSlice", [value, i(*begin), i(*end), i(*strides)],
            {**types(T=FLOAT, Index=INT32), **{key: integer(mask) for key, mask in masks.items()}})


def reshape(value, *sizes):
    return "Reshape", [value, i(*sizes)], types(T=FLOAT, Tshape=INT32)


def slice_of(value, begin, size):
    return "Slice", [value, i(*begin), i(*size)], types(T=FLOAT, Index=INT32)


def gather(value, indices, axis=0, **more):
    return ("GatherV2", [value, indices, scalar(axis)],
            {**types(Tparams=FLOAT, Tindices=indices.element, Taxis=INT32), **more})


def gather_nd(value, indices):
    return "GatherNd", [value, indices], types(Tparams=FLOAT, Tindices=INT32)


def scatter_nd(indices, updates, *sizes):
    return ("ScatterNd", [indices, updates, Value(indices.element, sizes)],
            types(T=FLOAT, Tindices=indices.element))


def segments(value, ids, count):
    return ("UnsortedSegmentSum", [value, ids, scalar(count)],
            types(T=FLOAT, Tindices=INT32, Tnumsegments=INT32))


def concat(axis, *values):
    return ("ConcatV2", [*values, scalar(axis)],
            {"N": integer(len(values)), **types(T=FLOAT, Tidx=INT32)})


def split(value, axis, count):
    return "Split", [scalar(axis), value], {"num_split": integer(count), **types(T=FLOAT)}


def split_v(value, sizes, axis):
    return ("SplitV", [value, sizes, scalar(axis)],
            {"num_split": integer(sizes.sizes[0]), **types(T=FLOAT, Tlen=INT32)})


def one_hot(depth, axis=-1):
    return ("OneHot", [i(0, 1), scalar(depth), scalar(1.0, FLOAT), scalar(0.0, FLOAT)],
            {"axis": integer(axis), **types(T=FLOAT, TI=INT32)})


def range_of(start, limit, delta, element=INT32):
    values = [scalar(value, element) for value in (start, limit, delta)]
    return "Range", values, types(Tidx=element)


def fill(*sizes, element=INT64):
    return ("Fill", [Value(element, sizes), scalar(1.0, FLOAT)],
            types(T=FLOAT, index_type=element))


def tile(value, *multiples):
    return "Tile", [value, i(*multiples)], types(T=FLOAT, Tmultiples=INT32)


def pad(value, *paddings):
    return ("Pad", [value, i(*paddings, sizes=[len(paddings) // 2, 2])],
            types(T=FLOAT, Tpaddings=INT32))


def transpose(value, *perm):
    return "Transpose", [value, i(*perm)], types(T=FLOAT, Tperm=INT32)


def top_k(value, k):
    return "TopKV2", [value, scalar(k)], types(T=FLOAT)


def matmul(left, right):
    return "MatMul", [left, right], types(T=FLOAT)


def random_uniform(sizes):
    return "RandomUniform", [sizes], types(T=sizes.element, dtype=FLOAT)
