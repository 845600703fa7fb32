# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops on bits, parts of complex numbers and places of values ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import math

import operands

# ---- Bits


def integers(d):
    return d.same_or_broadcast()


def bits(d):
    """With a last dim that makes up larger elements, but for a few."""
    before, after = (operands.bits_of(d.dtype(name)) for name in ("T", "type"))
    dims = d.dims(0, 3)
    if after > before:
        dims.append(after // before + (1 if d.chance(0.03) else 0))
    return [d.tensor("T", dims)]


# ---- Complex numbers

PARTS = {"complex64": "float", "complex128": "double"}


def complex_numbers(d):
    if "Tout" in d.attrs:
        d.set("Tout", "type", PARTS[d.dtype("T")])
    return d.same_or_broadcast()


def parts(d):
    d.set("Tout", "type", next(whole for whole, part in PARTS.items() if part == d.dtype("T")))
    return d.same_or_broadcast()


# ---- Diagonals


def tensor_diagonal(d):
    return [d.tensor("T", d.dims(1, 2))]


def tensor_diagonal_part(d):
    half = [min(size, 4) for size in d.dims(1, 2)]
    other = [half[0] + 1, *half[1:]] if d.chance(0.03) else half
    return [d.tensor("T", [*half, *other])]


# ---- Places


def nth(d):
    x = d.dims(1)
    return [d.tensor("T", x), d.ints("int32", [d.rng.randint(0, max(x[-1] - 1, 0))], [])]


def ordered(d, dtype, dims):
    """Rows in rising order."""
    name = d.dtype(dtype)
    rising = [index % max(dims[-1], 1) for index in range(math.prod(dims))]
    if name in operands.COMPLEX:
        rising = [complex(number) for number in rising]
    return operands.Operand(name, list(dims), operands.pack(name, rising))


def bound(d):
    rows = d.rng.randint(1, 3)
    sorted_rows = ordered(d, "T", [rows, d.rng.randint(0, 9)])
    other = rows + 1 if d.chance(0.03) else rows
    return [sorted_rows, d.tensor("T", [other, d.rng.randint(0, 5)])]


def buckets(d):
    limits = [d.rng.randint(-8, 8) / 2 for _ in range(d.rng.randint(0, 5))]
    d.set("boundaries", "floats", sorted(limits))
    return [d.tensor("T", d.dims())]


def equal_steps(d):
    num = d.rng.randint(0 if d.chance(0.1) else 1, 9)
    return [d.tensor("T", []), d.tensor("T", []), d.ints("Tidx", [num], [])]


def histogram(d):
    dtype = d.dtype("T")
    low, width = d.rng.randint(-3, 1), d.rng.randint(0 if d.chance(0.05) else 1, 6)
    bins = d.rng.randint(1, 6)
    if d.numbers:  # the ends of the bins are exact: TensorFlow rounds others in its own way
        width, bins = d.rng.choice([1, 2, 4, 8]), d.rng.choice([1, 2, 4])
    limits = operands.Operand(dtype, [2], operands.pack(dtype, [low, low + width]))
    return [d.tensor("T", d.dims()), limits, d.ints("int32", [bins], [])]


def parallel(d):
    count = d.rng.randint(1, 4)
    dims = [1, *d.dims(0, 2)]
    d.set("N", "int", count)
    d.set("shape", "shape", [count, *dims[1:]])
    return [d.tensor("T", dims) for _ in range(count)]


RULES = {
    **dict.fromkeys(["BitwiseAnd", "BitwiseOr", "BitwiseXor", "Invert", "LeftShift", "RightShift",
                     "PopulationCount"], integers),
    "Bitcast": bits,
    **dict.fromkeys(["Real", "Imag", "ComplexAbs", "Angle", "Conj"], complex_numbers),
    "Complex": parts,
    "Diag": tensor_diagonal, "DiagPart": tensor_diagonal_part,
    "NthElement": nth, "LowerBound": bound, "UpperBound": bound, "Bucketize": buckets,
    "LinSpace": equal_steps, "HistogramFixedWidth": histogram, "ParallelConcat": parallel,
}
