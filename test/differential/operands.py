# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws element types, dims and elements: common ones, and those at which arithmetic goes wrong."""

import math
import struct
from dataclasses import dataclass

# TensorFlow's name in op signatures: (number, name in JSON, struct format of an element)
DTYPES = {"float": (1, "float32", "f"), "double": (2, "float64", "d"), "int32": (3, "int32", "i"),
          "uint8": (4, "uint8", "B"), "int16": (5, "int16", "h"), "int8": (6, "int8", "b"),
          "string": (7, "string", ""),
          "complex64": (8, "complex64", "2f"), "int64": (9, "int64", "q"), "bool": (10, "bool", "?"),
          "bfloat16": (14, "bfloat16", "H"), "uint16": (17, "uint16", "H"),
          "complex128": (18, "complex128", "2d"), "half": (19, "float16", "e"),
          "uint32": (22, "uint32", "I"), "uint64": (23, "uint64", "Q")}
FLOATS = ("float", "double", "half", "bfloat16")
COMPLEX = ("complex64", "complex128")
# What programs compute with most, and floats that code converts.
COMPILED = ("float", "double", "int32", "int64", "half", "bfloat16")
SIZES = (1, 2, 3, 4, 8, 17)

# Largest, smallest normal and largest denormal number.
LIMITS = {"float": (3.4028234663852886e38, 2.0**-126, 2.0**-126 - 2.0**-149),
          "double": (1.7976931348623157e308, 2.0**-1022, 2.0**-1022 - 2.0**-1074),
          "half": (65504.0, 2.0**-14, 2.0**-14 - 2.0**-24),
          "bfloat16": (3.3895313892515355e38, 2.0**-126, 2.0**-126 - 2.0**-133)}

# So few that each pair of them comes up in 60 draws.
EDGES = (0.0, 0.0, -0.0, math.inf, -math.inf, math.nan, math.nan, 0.5, -1.5, 1.0, 7.0, -100.0)


@dataclass
class Operand:
    """A constant of the graph, or a tensor that is fed; its dims may be unknown to the compiler."""
    dtype: str
    dims: list
    data: bytes
    constant: bool = False


def bits_of(dtype):
    return 8 * struct.calcsize("<" + DTYPES[dtype][2])


def range_of(dtype):
    bits = bits_of(dtype)
    return (0, 2**bits - 1) if dtype[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)


def pack(dtype, elements):
    form = DTYPES[dtype][2]
    if dtype == "bfloat16":
        elements = [struct.unpack("<I", struct.pack("<f", e))[0] >> 16 for e in elements]
    if dtype in COMPLEX:
        return b"".join(struct.pack("<" + form, e.real, e.imag) for e in elements)
    return struct.pack(f"<{len(elements)}{form}", *elements)


def unpack(operand):
    """The numbers of an operand that are not complex."""
    form = DTYPES[operand.dtype][2]
    numbers = struct.unpack(f"<{math.prod(operand.dims)}{form}", operand.data)
    if operand.dtype == "bfloat16":
        return [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for bits in numbers]
    return list(numbers)


def draw_float(dtype, rng, wild):
    if not wild or rng.random() < 0.3:
        return rng.choice([rng.uniform(-4, 4), float(rng.randint(-3, 3))])
    largest, normal, denormal = LIMITS[dtype]
    value = rng.choice([0.0, 1.0, 0.5, 1.5, 2.5, math.inf, math.nan, largest, normal, denormal,
                        denormal / 64, 126.5, 2.0**15, 2.0**-20 if dtype == "half" else 2.0**-40,
                        300.0, 65000.0 if dtype == "half" else 2.0**31,
                        1000.0 if dtype == "half" else rng.choice([2.0**63, 1e30, 1e-30])])
    return -value if rng.random() < 0.5 else value


def draw_integer(dtype, rng, wild):
    low, high = range_of(dtype)
    if not wild or rng.random() < 0.3:
        return rng.randint(max(-4, low), 5)
    return rng.choice([low, low + 1, high, high - 1, 0, 1, max(-1, low), bits_of(dtype),
                       bits_of(dtype) - 1, rng.randint(low, high)])


def draw_element(dtype, rng, wild):
    if dtype == "bool":
        return rng.random() < 0.5
    if dtype in COMPLEX:
        part = "float" if dtype == "complex64" else "double"
        return complex(draw_float(part, rng, wild), draw_float(part, rng, wild))
    return draw_float(dtype, rng, wild) if dtype in FLOATS else draw_integer(dtype, rng, wild)


def draw_dims(rng, least=0, most=4):
    """Few elements; sometimes none, and sometimes a thousand in a row."""
    rank = rng.randint(least, most)
    if rank == 1 and rng.random() < 0.1:
        return [1000]
    sizes = (0, *SIZES) if rng.random() < 0.1 else SIZES
    dims = [rng.choice(sizes) for _ in range(rank)]
    while math.prod(dims) > 600:
        dims[dims.index(max(dims))] = rng.randint(1, 3)
    return dims


def draw_tensor(rng, dtype, dims, wild=False, constant=False):
    elements = [draw_element(dtype, rng, wild) for _ in range(math.prod(dims))]
    return Operand(dtype, list(dims), pack(dtype, elements), constant)


def draw_quarters(rng, dtype, dims):
    """Small numbers, of which sums and products are exact in every floating type."""
    def quarter():
        return rng.randint(-12, 12) / 4

    elements = [draw_element(dtype, rng, False) for _ in range(math.prod(dims))]
    if dtype in FLOATS:
        elements = [quarter() for _ in elements]
    elif dtype in COMPLEX:
        elements = [complex(quarter(), quarter()) for _ in elements]
    return Operand(dtype, list(dims), pack(dtype, elements))


def draw_edges(rng, dtype, dims):
    """Numbers at which ops differ that are alike elsewhere; all are exact in every type."""
    def edge():
        if dtype in COMPLEX:
            return complex(rng.choice(EDGES), rng.choice(EDGES))
        if dtype in FLOATS:
            return rng.choice(EDGES)
        return rng.random() < 0.5 if dtype == "bool" else rng.randint(least, 100)

    least = 0 if dtype[0] == "u" else -100
    return Operand(dtype, list(dims), pack(dtype, [edge() for _ in range(math.prod(dims))]))


def integers(dtype, values, dims=None, constant=True):
    return Operand(dtype, [len(values)] if dims is None else list(dims), pack(dtype, values),
                   constant)


def compressed(rng, dims):
    """Dims that broadcast to the given ones: some are 1, and some at the front are missing."""
    kept = dims[rng.randint(0, len(dims)):] if rng.random() < 0.4 else dims
    return [1 if rng.random() < 0.3 else dim for dim in kept]


def without_denormals(operand):
    """The same with zeros for them: TensorFlow flushes them in some of its threads."""
    form = DTYPES[operand.dtype][2][-1]
    if operand.dtype != "bfloat16" and form not in "fd":
        return operand
    size, exponent = {"H": (2, 0x7f80), "f": (4, 0x7f800000), "d": (8, 0x7ff0 << 48)}[form]
    parts = [operand.data[i:i + size] for i in range(0, len(operand.data), size)]
    data = b"".join(part if int.from_bytes(part, "little") & exponent else bytes(size)
                    for part in parts)
    return Operand(operand.dtype, operand.dims, data, operand.constant)
