# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands that are made of what is fed: parts of a larger tensor, turned, reshaped, or shared.

What is fed then has other dims than the operand; where the op and the one that makes the operand
become one piece of compiled code, the operand is a view and has no memory of its own.
"""

import math
import struct

import operands
from operands import DTYPES, Operand

EXTRA = 2  # rows or columns that the larger tensor has more


def size_of(dtype):
    return struct.calcsize("<" + DTYPES[dtype][2])


def blocks(operand, axis):
    """The bytes of the operand, cut where an index of a dim before the axis grows."""
    bytes_of_block = math.prod(operand.dims[axis:]) * size_of(operand.dtype)
    count = math.prod(operand.dims[:axis])
    return [operand.data[i * bytes_of_block:(i + 1) * bytes_of_block] for i in range(count)]


def enlarged(operand, axis, in_front, rng):
    """A tensor of which the operand is a slice."""
    dims = list(operand.dims)
    dims[axis] += EXTRA
    more = [EXTRA, *operand.dims[axis + 1:]]
    data = b""
    for block in blocks(operand, axis):
        filler = operands.draw_tensor(rng, operand.dtype, more).data
        data += filler + block if in_front else block + filler
    return Operand(operand.dtype, dims, data)


def transposed(operand):
    """The operand with its dims in reverse order."""
    size, dims = size_of(operand.dtype), operand.dims
    strides = [math.prod(dims[axis + 1:]) for axis in range(len(dims))]
    positions = [0]
    for size_here, stride in zip(reversed(dims), reversed(strides)):
        positions = [at + i * stride for at in positions for i in range(size_here)]
    data = b"".join(operand.data[at * size:(at + 1) * size] for at in positions)
    return Operand(operand.dtype, dims[::-1], data)


def flat(*parts):
    return Operand(parts[0].dtype, [sum(math.prod(part.dims) for part in parts)],
                   b"".join(part.data for part in parts))


def slice_of(dims, axis, in_front):
    begins = [EXTRA if in_front and i == axis else 0 for i in range(len(dims))]
    return "Slice", begins, dims


# kind: (least rank, what is fed, the op that makes the operand and its further operands)
KINDS = {
    "its tensor's first rows": (1, lambda x, rng: enlarged(x, 0, False, rng),
                                lambda x: slice_of(x.dims, 0, False)),
    "its tensor's last rows": (1, lambda x, rng: enlarged(x, 0, True, rng),
                               lambda x: slice_of(x.dims, 0, True)),
    "its tensor's first columns": (2, lambda x, rng: enlarged(x, len(x.dims) - 1, False, rng),
                                   lambda x: slice_of(x.dims, len(x.dims) - 1, False)),
    "its tensor's last columns": (2, lambda x, rng: enlarged(x, len(x.dims) - 1, True, rng),
                                  lambda x: slice_of(x.dims, len(x.dims) - 1, True)),
    "transposed": (2, lambda x, _: transposed(x),
                   lambda x: ("Transpose", list(range(len(x.dims)))[::-1])),
    "reshaped": (1, lambda x, _: flat(x), lambda x: ("Reshape", x.dims)),
}
