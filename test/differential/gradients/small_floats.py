# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives in 16 bits, against those in 64 of the same numbers.

What is fed is rounded first, so that both see the same. Each of a few ops rounds to a unit in the last
place, and the derivatives may be far from each other where they change much from one number to its
neighbours: so they may differ by some units of the largest one, and by some of such changes.
"""

import base64
import math
import struct

from drawing import Tensor

BITS = {"f16": 10, "bf16": 7}  # behind the first one
# Ops for 32 and 64 bits alone.
WIDE = {"nd.matmul_onto", "sci.betainc", "sci.complex", "sci.imaginary", "sci.magnitude",
        "sci.next_after", "sci.polygamma", "sci.zeta"}
UNITS = 16  # of the largest element
STEPS = 8  # of the change to the neighbours


def rounded(value, dtype):
    """The nearest number of the type; one that is in the middle goes away from zero."""
    if not value or not math.isfinite(value):
        return value
    fraction, exponent = math.frexp(value)
    scale = 2.0 ** (BITS[dtype] + 1)
    return math.ldexp(math.copysign(math.floor(abs(fraction) * scale + 0.5), fraction) / scale, exponent)


def encoded(tensor, dtype):
    if dtype == "f16":
        raw = struct.pack(f"<{len(tensor.values)}e", *tensor.values)
    else:
        raw = b"".join(struct.pack("<f", value)[2:] for value in tensor.values)
    return {"dtype": {"f16": "float16", "bf16": "bfloat16"}[dtype], "shape": tensor.dims,
            "b64": base64.b64encode(raw).decode()}


def numbers(output):
    raw = base64.b64decode(output["b64"])
    if output["dtype"] == "float16":
        return list(struct.unpack(f"<{len(raw) // 2}e", raw))
    return [struct.unpack("<f", b"\0\0" + raw[i:i + 2])[0] for i in range(0, len(raw), 2)]


def moved(feeds, dtype, units):
    """Rounded, and so many units of the last place up."""
    scale = 1 + units * 2.0 ** -BITS[dtype]
    return {name: tensor if tensor.dtype != "f64" else Tensor(
        "f64", tensor.dims, [rounded(value, dtype) * scale for value in tensor.values])
            for name, tensor in feeds.items()}


def first_difference(wanted, neighbours, got, dtype):
    """A text, or None if all are near enough. `neighbours` are two more of `wanted`."""
    largest = max([abs(x) for x in wanted if math.isfinite(x)], default=0)
    unit = 2.0 ** -BITS[dtype] * (largest + 1)
    spread = max([abs(a - b) for other in neighbours for a, b in zip(wanted, other)
                  if math.isfinite(a - b)], default=0)
    for a, b in zip(wanted, got):
        if math.isfinite(a) and not abs(a - b) <= UNITS * unit + STEPS * spread:
            return f"expected {wanted} but got {got}"
    return None
