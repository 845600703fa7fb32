# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of special functions, parts of complex numbers, and numbers seen as others."""

from scenario import g, of, tensor, type_attr, vector

import graphs  # isort: skip
import operands  # isort: skip

POSITIVE = [0.25, 0.5, 1.5, 2.5, 7.0]
SIGNED = [-2.5, -0.5, 0.25, 1.5, 6.0]
# Of each function: what its operands are. All numbers are exact in all types.
FUNCTIONS = {
    "Erf": [SIGNED], "Erfc": [SIGNED], "Dawsn": [SIGNED],
    "Erfinv": [[-0.75, -0.125, 0.25, 0.5, 0.875]], "Ndtri": [[0.125, 0.25, 0.625, 0.75, 0.9375]],
    "FresnelSin": [SIGNED], "FresnelCos": [SIGNED], "Expint": [POSITIVE], "Spence": [POSITIVE],
    "Lgamma": [SIGNED], "Digamma": [SIGNED],
    **{f"Bessel{name}": [SIGNED] for name in ("I0", "I1", "I0e", "I1e", "J0", "J1")},
    **{f"Bessel{name}": [POSITIVE] for name in ("K0", "K1", "K0e", "K1e", "Y0", "Y1")},
    "Polygamma": [[1, 2, 3, 1, 0], POSITIVE], "Zeta": [[2, 3, 1.5, 2.5, 4], POSITIVE],
    "Igamma": [POSITIVE, [1, 0.25, 1.5, 4, 3]], "Igammac": [POSITIVE, [1, 0.25, 1.5, 4, 3]],
    "IgammaGradA": [POSITIVE, [1, 0.25, 1.5, 4, 3]],
    "RandomGammaGrad": [POSITIVE, [1, 0.25, 1.5, 4, 3]],
    "Betainc": [POSITIVE, [1, 3, 0.5, 2, 4], [0.125, 0.25, 0.5, 0.75, 0.875]],
    **{name: [[-1, -0.25, 0, 0.5, 1]] for name in ("Asin", "Acos", "Atanh")},
    **{name: [SIGNED] for name in ("Atan", "Asinh", "Sinh", "Cosh")},
    "Acosh": [[1, 1.125, 2, 7, 100]],
    "Atan2": [SIGNED, [1, -2, -0.25, 3, 0]], "NextAfter": [SIGNED, [1, -2, -0.25, 3, 0]],
}


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def function(s, attrs):
    dtype = attrs["T"][1]
    xs = [s.feed(f"x{i}", vector(dtype, values)) for i, values in enumerate(FUNCTIONS[s.op])]
    s.step([s.node("", s.op, *xs, **encoded(attrs))])


def pair_of(attrs):
    """The types of complex numbers and of their parts, of which the goal may ask for one."""
    wanted = [attrs[name][1] for name in ("T", "Tout") if name in attrs]
    is_wide = "complex128" in wanted or "double" in wanted
    return ("complex128", "double") if is_wide else ("complex64", "float")


def part(s, attrs):
    whole, narrow = pair_of(attrs)
    more = {"Tout": type_attr(narrow)} if "Tout" in attrs else {}
    x = s.feed("x", of(whole, [5], [3 + 4j, -1.5 + 2j, -0.5 - 3j, 2 - 0.25j, 0]))
    s.step([s.node("", s.op, x, T=type_attr(whole), **more)])


def whole_of_parts(s, attrs):
    whole, narrow = pair_of(attrs)
    xs = [s.feed(f"x{i}", tensor(narrow, dims, i)) for i, dims in enumerate(([2, 1], [3]))]
    s.step([s.node("", s.op, *xs, T=type_attr(narrow), Tout=type_attr(whole))])


def bits(s, attrs):
    """From bytes that are ordinary numbers: of a floating type, if one is, and of the wider one."""
    before, after = (attrs[name][1] for name in ("T", "type"))
    sizes = [max(operands.bits_of(dtype) // 8, 1) for dtype in (before, after)]  # of strings: 0
    floats = operands.FLOATS + operands.COMPLEX
    made_of = max((before, after), key=lambda dtype: (dtype in floats, operands.bits_of(dtype)))
    made = tensor(made_of, [3 * max(sizes) * 8 // max(operands.bits_of(made_of), 8)]).data
    dims = [3, sizes[1] // sizes[0]] if sizes[1] > sizes[0] else [3]
    x = s.feed("x", operands.Operand(before, dims, made))
    s.step([s.node("", s.op, x, **encoded(attrs))])


def parallel(s, attrs):
    dtype = attrs["T"][1]
    xs = [s.feed(f"x{i}", tensor(dtype, [1, 2], i)) for i in range(3)]
    s.step([s.node("", s.op, *xs, T=type_attr(dtype), N=g.integer(3), shape=g.shape(3, 2))])


def buckets(s, attrs):
    """At boundaries, between them and outside."""
    dtype = attrs["T"][1]
    x = s.feed("x", of(dtype, [2, 3], [-5, 0, 1, 2, 3, 9]))
    limits = graphs.attr_value("floats", [0, 2, 2.5])
    s.step([s.node("", s.op, x, T=type_attr(dtype), boundaries=limits)])


BUILDERS = {**dict.fromkeys(FUNCTIONS, function),
            **dict.fromkeys(["Real", "Imag", "ComplexAbs", "Angle", "Conj"], part),
            "Complex": whole_of_parts, "Bitcast": bits, "ParallelConcat": parallel,
            "Bucketize": buckets}
