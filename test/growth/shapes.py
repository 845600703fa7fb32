# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of any size in which an analysis without a bound would get lost.

Each family is a function from its size to a graph; the number of its nodes and edges is linear in
the size, unless the doc string says what else is.
"""

from dataclasses import dataclass

from tf1_control_flow import Graph
from graphdef import FLOAT, INT32, RESOURCE, dtype, floats, integer, shape, tensor, text


@dataclass
class Shape:
    content: bytes
    feeds: tuple = ("x=f32=3",)
    fetches: tuple = ("y",)
    targets: tuple = ()
    signatures: tuple = ()  # names; instead of feeds and fetches: sK feeds xK and fetches yK


def started():
    g = Graph()
    g.placeholder("x")
    return g


def fetched(g, result, **more):
    g.node("Identity", result, name="y", T=dtype(FLOAT))
    return Shape(g.bytes(), **more)


# Ladders: two nodes a rung, each of which waits for both of the rung before.

def ladder(n, make):
    """Both nodes of a rung differ, so that they are not merged. `make` gets a value for each."""
    g = started()
    a, b = sources = g.unary("Tanh", "x"), g.unary("Abs", "x")
    for _ in range(n):
        a, b = (make(g, source, a, b) for source in sources)
    return g, a, b


def ladder_of_no_ops(n):
    g, a, b = ladder(n, lambda g, _, a, b: g.node("NoOp", f"^{a}", f"^{b}"))
    return fetched(g, g.unary("Neg", "x", after=(f"^{a}", f"^{b}")))


def ladder_of_identities(n):
    g, a, b = ladder(n, lambda g, source, a, b: g.unary("Identity", source,
                                                        after=(f"^{a}", f"^{b}")))
    return fetched(g, g.binary("Maximum", a, b))


def ladder_of_waiting_ops(n):
    g, a, b = ladder(n, lambda g, source, a, b: g.unary("Neg", source,
                                                        after=(f"^{a}", f"^{b}")))
    return fetched(g, g.binary("Maximum", a, b))


def diamonds(n):
    g = started()
    last = "x"
    for _ in range(n):
        last = g.binary("Maximum", g.unary("Neg", last), g.unary("Abs", last))
    return fetched(g, last)


def comb_of_no_ops(n):
    """Every rung is waited for by the next one and by a node of its own."""
    g = started()
    last, teeth = "x", []
    for _ in range(n):
        tooth = g.unary("Neg", "x")
        last = g.node("NoOp", f"^{last}", f"^{tooth}")
        teeth.append(g.unary("Abs", "x", after=(f"^{last}",)))
    return fetched(g, g.node("AddN", *teeth, N=integer(n), T=dtype(FLOAT)))


# Chains, fans.

def chain(n):
    g = started()
    last = "x"
    for i in range(n):
        last = g.unary("Neg" if i % 2 else "Tanh", last)
    return fetched(g, last)


def chain_of_no_ops(n):
    g = started()
    last = "x"
    for _ in range(n):
        last = g.node("NoOp", f"^{last}")
    return fetched(g, g.unary("Neg", "x", after=(f"^{last}",)))


def fan(n):
    g = started()
    values = [g.binary("AddV2", "x", g.constant(i)) for i in range(n)]
    return fetched(g, g.node("AddN", *values, N=integer(n), T=dtype(FLOAT)))


def fan_of_no_ops(n):
    """n nodes wait for one that waits for n."""
    g = started()
    first = [g.binary("AddV2", "x", g.constant(i)) for i in range(n)]
    middle = g.node("NoOp", *(f"^{name}" for name in first))
    last = [g.binary("Mul", g.unary("Neg", "x", after=(f"^{middle}",)), g.constant(i))
            for i in range(n)]
    return fetched(g, g.node("AddN", *last, N=integer(n), T=dtype(FLOAT)))


# Branches.

def positive(g):
    return g.binary("Greater", g.outer("x"), g.constant(0))


def nest_of_conds(n):
    """Each in a branch of the one around it, as tf.cond(p, lambda: tf.cond(…), …)."""
    def inner(g, depth):
        if depth == n:
            return g.unary("Neg", g.outer("x"))
        return g.cond(positive(g), lambda g: inner(g, depth + 1),
                      lambda g: g.unary("Abs", g.outer("x")))
    g = started()
    return fetched(g, inner(g, 0))


def chain_of_conds(n):
    g = started()
    last = "x"
    for _ in range(n):
        value = last
        last = g.cond(g.binary("Greater", value, g.constant(0)),
                      lambda g: g.unary("Neg", g.contexts[-1].bring(value)),
                      lambda g: g.unary("Abs", g.contexts[-1].bring(value)))
    return fetched(g, last)


def conds_on_one_predicate(n):
    g = started()
    p = positive(g)
    last = "x"
    for i in range(n):
        value = last
        last = g.cond(p, lambda g: g.unary("Neg", g.contexts[-1].bring(value)),
                      lambda g: g.unary("Abs", g.contexts[-1].bring(value)))
    return fetched(g, last)


def switches(n):
    """The value goes through one Switch after the other, and what leaves at each is merged."""
    g = started()
    last, left = "x", []
    for i in range(n):
        switch = g.node("Switch", last, g.binary("Greater", last, g.constant(-1 - i)), T=dtype(FLOAT))
        left.append(switch)
        last = f"{switch}:1"
    left.append(last)
    return fetched(g, g.node("Merge", *left, N=integer(n + 1), T=dtype(FLOAT)))


def majorities(n):
    """Each value is live if two of three predicates hold, in one of the three ways that can be."""
    g = started()
    predicates = [g.binary("Greater", "x", g.constant(i)) for i in range(-2, n)]
    last = "x"
    for i in range(n):
        p, q, r = predicates[i:i + 3]
        by_p = g.node("Switch", last, p, T=dtype(FLOAT))
        high, low = (g.node("Switch", f"{by_p}{port}", q, T=dtype(FLOAT)) for port in (":1", ""))
        between = g.node("Merge", high, f"{low}:1", N=integer(2), T=dtype(FLOAT))
        decided = g.node("Switch", between, r, T=dtype(FLOAT))
        last = g.node("Merge", f"{high}:1", f"{decided}:1", decided, low, N=integer(4),
                      T=dtype(FLOAT))
    return fetched(g, last)


# Loops.

def nest_of_loops(n):
    def inner(g, value, depth):
        if depth == n:
            return g.binary("AddV2", value, g.constant(1, INT32), INT32)
        return g.counted_loop(1, [value], lambda g, values: [inner(g, values[0], depth + 1)])[0]
    g = started()
    counted = inner(g, g.constant(0, INT32), 0)
    return fetched(g, g.node("Cast", counted, SrcT=dtype(INT32), DstT=dtype(FLOAT)))


def nest_of_growing_loops(n):
    """Of the variables of each loop all but the counter grow, one after the other."""
    def inner(g, value, depth):
        if depth == n:
            return g.unary("Neg", value)

        def body(g, values):
            grown = inner(g, values[1], depth + 1)
            twice = g.node("ConcatV2", grown, grown, g.constant(0, INT32), N=integer(2),
                           T=dtype(FLOAT), Tidx=dtype(INT32))
            return [g.binary("AddV2", values[0], g.constant(1)), twice,
                    *(g.unary("Neg", value) for value in values[1:-1])]
        return g.while_loop([g.constant(0), *[value] * 6],
                            lambda g, values: g.binary("Less", values[0], g.constant(1)), body,
                            element=FLOAT)[-1]
    g = Graph()
    g.placeholder("x", FLOAT, 1)
    return fetched(g, inner(g, "x", 0), feeds=("x=1xf32=3",))


def chain_of_loops(n):
    g = started()
    last = g.constant(0, INT32)
    for _ in range(n):
        last = g.counted_loop(2, [last], lambda g, values: [
            g.binary("AddV2", values[0], g.constant(1, INT32), INT32)])[0]
    return fetched(g, g.node("Cast", last, SrcT=dtype(INT32), DstT=dtype(FLOAT)))


def loops_beside_each_other(n):
    g = started()
    results = [g.counted_loop(2, [g.constant(i, INT32)], lambda g, values: [
        g.binary("AddV2", values[0], g.constant(1, INT32), INT32)])[0] for i in range(n)]
    total = g.node("AddN", *results, N=integer(n), T=dtype(INT32))
    return fetched(g, g.node("Cast", total, SrcT=dtype(INT32), DstT=dtype(FLOAT)))


def float_loop(n, inits, body):
    """Three iterations; the counter is a float, as the values are."""
    g = started()
    counter = g.constant(0)
    results = g.while_loop([counter, *inits(g)],
                           lambda g, values: g.binary("Less", values[0], g.constant(3)),
                           lambda g, values: [g.binary("AddV2", values[0], g.constant(1)),
                                              *body(g, values[1:])], element=FLOAT)
    return g, results[1:]


def loop_with_invariants(n):
    def body(g, values):
        last = values[0]
        for i in range(n):
            last = g.binary("AddV2", last, g.outer(f"w{i}"))
        return [last]

    def inits(g):
        for i in range(n):
            g.node("Mul", "x", g.constant(i), name=f"w{i}", T=dtype(FLOAT))
        return ["x"]
    g, results = float_loop(n, inits, body)
    return fetched(g, results[0])


def loop_with_variables(n):
    g, results = float_loop(
        n, lambda g: [g.binary("Mul", "x", g.constant(i)) for i in range(n)],
        lambda g, values: [g.binary("AddV2", a, b) for a, b in
                           zip(values, values[1:] + values[:1])])
    return fetched(g, g.node("AddN", *results, N=integer(n), T=dtype(FLOAT)))


def loop_with_long_body(n):
    def body(g, values):
        last = values[0]
        for i in range(n):
            last = g.unary("Neg" if i % 2 else "Tanh", last)
        return [last]
    g, results = float_loop(n, lambda g: ["x"], body)
    return fetched(g, results[0])


def loop_with_conds(n):
    def body(g, values):
        last = values[0]
        for _ in range(n):
            value = last
            last = g.cond(g.binary("Greater", value, g.constant(0)),
                          lambda g: g.unary("Neg", g.contexts[-1].bring(value)),
                          lambda g: g.unary("Abs", g.contexts[-1].bring(value)))
        return [last]
    g, results = float_loop(n, lambda g: ["x"], body)
    return fetched(g, results[0])


def mixed_nest(n):
    """A branch in a loop in a branch in a loop…"""
    def inner(g, value, depth):
        if depth == n:
            return g.unary("Neg", value)
        if depth % 2:
            return g.cond(g.binary("Less", value, g.constant(9)),
                          lambda g: inner(g, g.contexts[-1].bring(value), depth + 1),
                          lambda g: g.unary("Abs", g.contexts[-1].bring(value)))
        return g.while_loop(
            [g.constant(0), value],
            lambda g, values: g.binary("Less", values[0], g.constant(1)),
            lambda g, values: [g.binary("AddV2", values[0], g.constant(1)),
                               inner(g, values[1], depth + 1)], element=FLOAT)[1]
    g = started()
    return fetched(g, inner(g, "x", 0))


# State.

def variables(n):
    """Each is written, read, and written by what was read."""
    g = started()
    last = "x"
    for i in range(n):
        handle = g.node("VarHandleOp", name=f"v{i}", dtype=dtype(FLOAT), shape=shape(),
                        shared_name=text(f"v{i}"))
        write = g.node("AssignVariableOp", handle, last, dtype=dtype(FLOAT))
        last = g.node("ReadVariableOp", handle, f"^{write}", dtype=dtype(FLOAT))
    return fetched(g, last)


def scalar_variable(g):
    return g.node("VarHandleOp", name="v", dtype=dtype(FLOAT), shape=shape(), shared_name=text("v"))


def write_negation(g, handle, value):
    return g.node("AssignVariableOp", handle, g.unary("Neg", value), dtype=dtype(FLOAT))


def one_variable(n):
    """Written n times, and read each time."""
    g = started()
    handle, last = scalar_variable(g), "x"
    for _ in range(n):
        write = write_negation(g, handle, last)
        last = g.node("ReadVariableOp", handle, f"^{write}", dtype=dtype(FLOAT))
    return fetched(g, last)


def loops_on_one_variable(n):
    """It is written before each, which reads it in every iteration."""
    g = started()
    handle, last = scalar_variable(g), "x"
    for _ in range(n):
        write = write_negation(g, handle, last)
        start = g.unary("Identity", last, after=(f"^{write}",))

        def body(g, values):
            read = g.node("ReadVariableOp", g.contexts[-1].bring(handle, RESOURCE),
                          f"^{values[1]}", dtype=dtype(FLOAT))
            return [g.binary("AddV2", values[0], g.constant(1)), g.binary("AddV2", values[1], read)]
        last = g.while_loop([g.constant(0), start],
                            lambda g, values: g.binary("Less", values[0], g.constant(3)), body,
                            element=FLOAT)[1]
    return fetched(g, last)


# Constants, signatures.

def folded(n):
    """All of it is constant, and so is what is gated by the feed."""
    g = started()
    plain, gated = g.constant(1), g.node("Const", "^x", dtype=dtype(FLOAT),
                                         value=tensor(FLOAT, [], values=floats(1.0)))
    for _ in range(n):
        plain, gated = g.binary("Maximum", plain, plain), g.binary("Maximum", gated, plain)
    return fetched(g, gated)


def signatures(n):
    g = Graph()
    for i in range(n):
        g.placeholder(f"x{i}")
        g.node("Neg", g.unary("Tanh", f"x{i}"), name=f"y{i}", T=dtype(FLOAT))
    return Shape(g.bytes(), signatures=tuple(f"s{i}" for i in range(n)), fetches=())
