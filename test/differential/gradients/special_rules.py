# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops of the dialect sci: special functions, complex numbers, running sums, diagonals.

A rule draws one and says what its results are, as those of `elementwise_rules.py` do.
"""

POSITIVE = (0.3, 3.0)
# Where each is drawn from: away from its poles and kinks.
UNARY = {"erf": (-2, 2), "erfc": (-2, 2), "erfinv": (-0.8, 0.8), "ndtri": (0.1, 0.9),
         "dawsn": (-2, 2), "fresnel_sin": (-2, 2), "fresnel_cos": (-2, 2), "expint": POSITIVE,
         "spence": POSITIVE, "lgamma": POSITIVE, "digamma": POSITIVE,
         **{f"bessel_{name}": (-2, 2) for name in ("i0", "i1", "j0", "j1")},
         **{f"bessel_{name}": POSITIVE for name in (
             "i0e", "i1e", "k0", "k1", "k0e", "k1e", "y0", "y1")}}
# Of two operands: where both are drawn from, and whether there is a derivative by the first.
BINARY = {"atan2": (POSITIVE, POSITIVE, True), "igamma": (POSITIVE, POSITIVE, False),
          "igammac": (POSITIVE, POSITIVE, False), "zeta": ((2, 5), POSITIVE, False)}


def unary(op):
    return lambda d: d.y(*d.op(f"sci.{op}", [d.x(d.dims(), *UNARY[op])]))


def numbers(d, dims, low, high):
    """Of which nothing is asked."""
    count = 1
    for dim in dims:
        count *= dim
    return d.feed("f64", dims, [d.rng.uniform(low, high) for _ in range(count)])


def binary(op):
    first, second, has_both = BINARY[op]

    def rule(d):
        dims = d.broadcasting()
        left = d.x(dims[0], *first) if has_both else numbers(d, dims[0], *first)
        d.y(*d.op(f"sci.{op}", [left, d.x(dims[1], *second)]))
    return rule


def polygamma(d):
    dims = d.broadcasting()
    count = 1
    for dim in dims[0]:
        count *= dim
    order = d.feed("f64", dims[0], [d.rng.randint(1, 3) for _ in range(count)])
    d.y(*d.op("sci.polygamma", [order, d.x(dims[1], *POSITIVE)]))


def next_after(d):
    """Neighbours move as the number itself does."""
    dims = d.broadcasting()
    d.y(*d.op("sci.next_after", [d.x(dims[0]), numbers(d, dims[1], 3, 4)]))


def betainc(d):
    dims = d.broadcasting(3)
    shapes = [numbers(d, each, 0.5, 3) for each in dims[:2]]
    d.y(*d.op("sci.betainc", [*shapes, d.x(dims[2], 0.1, 0.9)]))


# ---- Complex numbers

WHOLE = "tensor<*xcomplex<f64>>"


def complex_of(d, dims=None):
    dims = dims or [d.dims()] * 2
    whole, = d.op("sci.complex", [d.signed(each, 0.3, 2) for each in dims], [WHOLE])
    return whole


def complex_parts(d):
    whole = complex_of(d, d.broadcasting())
    squared, = d.op("nd.mul", [whole, whole], [WHOLE])
    d.y(*d.op("nd.cast", [squared]), *d.op("sci.imaginary", [squared]))


def part(op):
    return lambda d: d.y(*d.op(f"sci.{op}", [complex_of(d)]))


# ---- Along an axis


def running_log_sum(d):
    dims = d.dims(1, size=[1, 2, 3])
    d.y(*d.op("sci.cumulative_logsumexp", [d.x(dims), d.number(d.axis(len(dims)))],
              exclusive=False, reverse=d.chance(0.5)))


# ---- Diagonals


def places(d):
    return {"right_above": d.chance(0.5), "right_below": d.chance(0.5)}


def which(d):
    """Dims in front, size of the matrices, numbers of diagonals, and the dims of these."""
    leading, size = d.dims(0, 1, [1, 2]), [d.rng.randint(1, 3) for _ in range(2)]
    low, high = sorted(d.rng.randint(1 - size[0], size[1] - 1) for _ in range(2))
    longest = min(size[0] + min(high, 0), size[1] - max(low, 0))
    k = d.fixed("i32", [low, high])
    return leading, size, k, [high - low + 1] * (low != high) + [longest]


def diagonals(d):
    leading, size, k, _ = which(d)
    padding = d.feed("f64", [], [0.5])
    d.y(*d.op("sci.diagonals", [d.x([*leading, *size]), k, padding], **places(d)))


def set_diagonals(d):
    leading, size, k, dims = which(d)
    d.y(*d.op("sci.set_diagonals", [d.x([*leading, *size]), d.x([*leading, *dims]), k],
              **places(d)))


RULES = {**{f"sci.{op}": unary(op) for op in UNARY},
         **{f"sci.{op}": binary(op) for op in BINARY},
         "sci.polygamma": polygamma, "sci.next_after": next_after, "sci.betainc": betainc,
         "sci.complex": complex_parts, "sci.imaginary": part("imaginary"),
         "sci.magnitude": part("magnitude"), "sci.cumulative_logsumexp": running_log_sum,
         "sci.diagonals": diagonals, "sci.set_diagonals": set_diagonals}
