# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops that compute each element for itself. A rule draws one and says what its results are."""

POSITIVE = (0.2, 3.0)
UNARY = {"neg": (-2, 2), "abs": (-2, 2), "sqrt": POSITIVE, "rsqrt": POSITIVE, "exp": (-2, 2),
         "expm1": (-2, 2), "log": POSITIVE, "log1p": (-0.7, 3), "tanh": (-2, 2),
         "sigmoid": (-3, 3), "sin": (-3, 3), "cos": (-3, 3)}


def unary(op):
    def rule(d):
        d.y(*d.op(f"nd.{op}", [d.x(d.dims(), *UNARY[op])]))
    return rule


def binary(op):
    def rule(d):
        if d.chance(0.15):  # one value twice
            same = pair(d, op, [d.dims()])[0]
            return d.y(*d.op(f"nd.{op}", [same, same]))
        return d.y(*d.op(f"nd.{op}", pair(d, op, d.broadcasting())))
    return rule


def pair(d, op, dims):
    if op == "pow":
        return [d.x(each, 0.3, 2) for each in dims[:1]] + [d.x(each) for each in dims[1:]]
    if op in ("div", "div_no_nan", "floor_mod", "trunc_mod"):
        return [d.signed(each, 0.5, 3) for each in dims]
    return [d.x(each) for each in dims]


def select(d):
    leading = d.chance(0.3)
    first, second, third = d.broadcasting(3)
    if leading:
        dims = d.dims(1)
        first, second, third = d.rng.choice([dims[:1], dims]), dims, dims
    count = 1
    for dim in first:
        count *= dim
    chosen = d.fixed("i1", [d.chance(0.5) for _ in range(count)], first)
    d.y(*d.op("nd.select", [chosen, d.x(second), d.x(third)], leading=leading))


def cast(d):
    d.traits.add("mixes floats")
    x = d.x(d.dims())
    if d.chance(0.5):  # there and back; 32 bits would be too few for differences
        narrow, = d.op("nd.cast", [x], ["f32"])
        halved, = d.op("nd.sub", [narrow, narrow], ["f32"])
        wide, = d.op("nd.cast", [halved], ["f64"])
        x, = d.op("nd.add", [wide, x])
    return d.y(*d.op("nd.cast", [x]))


RULES = {**{f"nd.{op}": unary(op) for op in UNARY},
         **{f"nd.{op}": binary(op) for op in (
             "add", "sub", "mul", "div", "div_no_nan", "floor_mod", "trunc_mod", "pow", "maximum",
             "minimum")},
         "nd.select": select, "nd.cast": cast}
