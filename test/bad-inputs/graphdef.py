# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes GraphDef files byte by byte, also such as no library would write."""

import struct

FLOAT, DOUBLE, INT32, STRING, COMPLEX64, INT64, BOOL = 1, 2, 3, 7, 8, 9, 10
BFLOAT16, HALF, RESOURCE, VARIANT, FLOAT_REF = 14, 19, 20, 21, 101


def varint(number):
    """Negative numbers take ten bytes, as 64-bit two's complement."""
    number &= 2**64 - 1
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    """One field: an int as varint, text or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


# Values of attributes.

def text(value):
    return field(2, value)


def integer(value):
    return field(3, value)


def number(value):
    return varint(4 << 3 | 5) + struct.pack("<f", value)


def boolean(value):
    return field(5, int(value))


def dtype(value):
    return field(6, value)


def dims(sizes):
    """A TensorShapeProto."""
    return b"".join(field(2, field(1, size)) for size in sizes)


def shape(*sizes):
    return field(7, dims(sizes))


def tensor(element, sizes, content=None, values=b""):
    """`content` is raw bytes; `values` are further fields, such as typed values."""
    body = field(1, element) + field(2, dims(sizes))
    if content is not None:
        body += field(4, content)
    return field(8, body + values)


def floats(*values):
    """float_val, packed."""
    return field(5, b"".join(struct.pack("<f", value) for value in values))


def node(name, op, *inputs, attrs=(), **more):
    """A NodeDef. Attributes are keywords, or pairs in `attrs` where one occurs twice."""
    body = field(1, name) + field(2, op) + b"".join(field(3, source) for source in inputs)
    for key, value in [*attrs, *more.items()]:
        body += field(5, field(1, key) + field(2, value))
    return body


def graph(*nodes, producer=24, extra=b""):
    return b"".join(field(1, body) for body in nodes) + field(4, field(1, producer)) + extra


# Nodes that many cases share.

def placeholder(name="x", element=FLOAT, sizes=(2,)):
    return node(name, "Placeholder", dtype=dtype(element), shape=shape(*sizes))


def constant(name="c", value=1.0):
    return node(name, "Const", dtype=dtype(FLOAT), value=tensor(FLOAT, [], values=floats(value)))


def flag(name="p", value=True):
    return node(name, "Const", dtype=dtype(BOOL),
                value=tensor(BOOL, [], content=bytes([int(value)])))


def unary(name, op, source):
    return node(name, op, source, T=dtype(FLOAT))


def enter(name, source, frame="loop", **more):
    return node(name, "Enter", source, T=dtype(FLOAT), frame_name=text(frame), **more)


def nest_of_loops(depth, source):
    """Frames inside each other around the node `x`, which are entered and left once."""
    nodes, last = [source], "x"
    for k in range(depth):
        nodes.append(enter(f"e{k}", last, f"frame{k}"))
        last = f"e{k}"
    for k in range(depth):
        nodes.append(unary(f"l{k}", "Exit", last))
        last = f"l{k}"
    return graph(*nodes, unary("y", "Identity", last))


def merge(name, *sources):
    return node(name, "Merge", *sources, N=integer(len(sources)), T=dtype(FLOAT))
