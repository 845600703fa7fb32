# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of reductions, scans and products of matrices."""


def reduction(op):
    def rule(d):
        dims = d.dims()
        if op == "mean":
            dims = [max(dim, 1) for dim in dims]  # that of nothing is NaN
        axes = d.axes(len(dims))
        scalar = len(axes) == 1 and d.chance(0.5)
        d.y(*d.op(f"nd.reduce_{op}", [d.x(dims), d.ints(axes, [] if scalar else None)],
                  keep_dims=d.chance(0.5)))
    return rule


def scan(op):
    def rule(d):
        dims = d.dims(1)
        x = d.x(dims)
        d.y(*d.op(f"nd.{op}", [x, d.number(d.axis(len(dims)))], exclusive=d.chance(0.5),
                  reverse=d.chance(0.5)))
    return rule


def l2_loss(d):
    d.y(*d.op("nd.l2_loss", [d.x(d.dims())]))


def top_k(d):
    dims = d.dims(1)
    count = d.rng.randint(0, dims[-1])
    values, _ = d.op("nd.top_k", [d.x(dims), d.fixed("i32", [count], [])], ["f64", "i32"])
    d.y(values)


def matmul(d):
    m, k, n = d.dims(3, 3)
    batch = d.dims(0, 2)
    others = [batch, d.compressed(batch) if d.chance(0.6) else batch]
    d.rng.shuffle(others)
    turns = [d.rng.choice(["", "", "transpose", "adjoint"]) for _ in range(2)]
    sizes = [[k, m] if turns[0] else [m, k], [n, k] if turns[1] else [k, n]]
    flags = {f"{how}_{side}": turn == how for how in ("transpose", "adjoint")
             for side, turn in zip(("lhs", "rhs"), turns)}
    d.y(*d.op("nd.matmul", [d.x(others[0] + sizes[0]), d.x(others[1] + sizes[1])], **flags))


def matmul_onto(d):
    m, k, n = d.dims(3, 3)
    turns = [d.chance(0.5), d.chance(0.5)]
    sizes = [[k, m] if turns[0] else [m, k], [n, k] if turns[1] else [k, n]]
    d.y(*d.op("nd.matmul_onto", [d.x([m, n]), d.x(sizes[0]), d.x(sizes[1])],
              transpose_lhs=turns[0], transpose_rhs=turns[1]))


RULES = {**{f"nd.reduce_{op}": reduction(op) for op in ("sum", "mean", "prod", "max", "min")},
         **{f"nd.{op}": scan(op) for op in ("cumsum", "cumprod")},
         "nd.l2_loss": l2_loss, "nd.top_k": top_k, "nd.matmul": matmul,
         "nd.matmul_onto": matmul_onto}
