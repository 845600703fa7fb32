# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds graphs with branches and loops as the front end of TensorFlow 1 stores them."""

import pathlib
import struct
import sys

sys.setrecursionlimit(100_000)  # branches in branches are functions in functions
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bad-inputs"))
from graphdef import (BOOL, FLOAT, INT32, boolean, dtype, field, graph, integer,  # noqa: E402
                      node, shape, tensor, text)


class Graph:
    """Nodes by name. What has no input inside a branch or loop waits for its pivot, and what comes
    from outside comes through a Switch or a constant Enter, once."""

    def __init__(self):
        self.nodes, self.contexts, self.count = [], [], 0

    def bytes(self):
        return graph(*self.nodes)

    def node(self, op, *inputs, name=None, **attributes):
        """Adds a node; returns its name."""
        if name is None:
            name = f"n{self.count}"
            self.count += 1
        self.nodes.append(node(name, op, *inputs, **attributes))
        return name

    def placeholder(self, name, element=FLOAT, *sizes):
        return self.node("Placeholder", name=name, dtype=dtype(element), shape=shape(*sizes))

    def constant(self, value, element=FLOAT):
        waits = [f"^{self.contexts[-1].pivot}"] if self.contexts else []
        return self.node("Const", *waits, dtype=dtype(element),
                         value=tensor(element, [], values=scalar(element, value)))

    def unary(self, op, source, element=FLOAT, after=()):
        return self.node(op, source, *after, T=dtype(element))

    def binary(self, op, a, b, element=FLOAT):
        return self.node(op, a, b, T=dtype(element))

    def outer(self, source):
        """A value from outside of all contexts, brought into the innermost one."""
        for context in self.contexts:
            source = context.bring(source)
        return source

    def cond(self, predicate, if_true, if_false, element=FLOAT):
        """The branches get this graph and give a value each."""
        results = []
        pivot = self.node("Switch", predicate, predicate, T=dtype(BOOL))
        pivots = [self.unary("Identity", f"{pivot}{port}", BOOL) for port in (":1", "")]
        chosen = self.unary("Identity", predicate, BOOL)
        for way, branch in ((1, if_true), (0, if_false)):
            self.contexts.append(Branch(self, chosen, pivots[1 - way], way))
            results.append(branch(self))
            self.contexts.pop()
        return self.node("Merge", results[1], results[0], N=integer(2), T=dtype(element))

    def while_loop(self, inits, keeps_on, body, element=INT32, window=10):
        """`keeps_on` and `body` get this graph and the values of an iteration."""
        loop = Loop(self, f"loop{self.count}", window)
        merges = [self.node("Merge", loop.enter(init, element), f"{loop.name}/next{i}",
                            N=integer(2), T=dtype(element)) for i, init in enumerate(inits)]
        loop.pivot = merges[0]
        self.contexts.append(loop)
        condition = self.node("LoopCond", keeps_on(self, merges))
        switches = [self.node("Switch", merge, condition, T=dtype(element)) for merge in merges]
        values = [self.unary("Identity", f"{switch}:1", element) for switch in switches]
        loop.pivot = values[0]
        for i, following in enumerate(body(self, values)):
            self.node("NextIteration", following, name=f"{loop.name}/next{i}", T=dtype(element))
        self.contexts.pop()
        return [self.unary("Exit", switch, element) for switch in switches]

    def counted_loop(self, times, inits, body):
        """`body` gets this graph and the values but the counter; all are 32-bit integers."""
        def step(g, values):
            return [g.binary("AddV2", values[0], g.constant(1, INT32), INT32),
                    *body(g, values[1:])]
        return self.while_loop(
            [self.constant(0, INT32), *inits],
            lambda g, values: g.binary("Less", values[0], g.constant(times, INT32), INT32),
            step)[1:]


def scalar(element, value):
    """A TensorProto's field with the only value."""
    if element == FLOAT:
        return field(5, struct.pack("<f", value))
    return field({INT32: 7, BOOL: 11}[element], int(value))


class Branch:
    def __init__(self, graph_, predicate, pivot, way):
        self.graph, self.predicate, self.pivot, self.way = graph_, predicate, pivot, way
        self.known = {}

    def bring(self, source):
        if source not in self.known:
            switch = self.graph.node("Switch", source, self.predicate, T=dtype(FLOAT))
            self.known[source] = f"{switch}:{self.way}"
        return self.known[source]


class Loop:
    def __init__(self, graph_, name, window):
        self.graph, self.name, self.window, self.pivot = graph_, name, window, None
        self.known = {}

    def enter(self, source, element, constant=False):
        return self.graph.node("Enter", source, T=dtype(element), frame_name=text(self.name),
                               is_constant=boolean(constant),
                               parallel_iterations=integer(self.window))

    def bring(self, source, element=FLOAT):
        if source not in self.known:
            self.known[source] = self.enter(source, element, constant=True)
        return self.known[source]
