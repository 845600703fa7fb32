#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that read variables are collapsed, and give what the graph says in all ways to run them.

Usage: hoisted_reads_test.py SLUICEC

The calls write the variables after the loop, before it, or not at all, and run the loop also zero
times while the variables have no value yet.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "random"), str(TESTS / "bench")]
import graph as graphs  # noqa: E402
from checking import Checker  # noqa: E402
from program import Program, Signature, tensor  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402
from ways import Way, draw_ways  # noqa: E402

SIZE = 4
SHAPE = f"dim {{ size: {SIZE} }}"
RESOURCE = "type: DT_RESOURCE"
SEED = 7


class References:
    """Variables as TensorFlow 1 has them."""

    def declare(self, g, name):
        g.node(name, "VariableV2", dtype=FLOAT, shape=f"shape {{ {SHAPE} }}")

    def write(self, g, name, variable, value, change="", after=()):
        return g.node(name, f"Assign{change}", [variable, value, *(f"^{other}" for other in after)],
                      T=FLOAT)

    def read(self, g, loop, variable, after):
        # By the op that computes with it, when its other operands are there.
        return loop.enter(f"enter_{variable}", variable, FLOAT, constant=True)


class Resources:
    """Variables as TensorFlow 2 has them."""

    def declare(self, g, name):
        g.node(name, "VarHandleOp", dtype=FLOAT, shape=f"shape {{ {SHAPE} }}",
               shared_name=f's: "{name}"')

    def write(self, g, name, variable, value, change="", after=()):
        return g.node(name, f"Assign{change}VariableOp",
                      [variable, value, *(f"^{other}" for other in after)], dtype=FLOAT)

    def read(self, g, loop, variable, after):
        handle = loop.enter(f"enter_{variable}", variable, RESOURCE, constant=True)
        return g.node(f"{loop.name}/read_{variable}", "ReadVariableOp",
                      [handle, f"^{after}"], dtype=FLOAT)


def add_loop(g, kind, name, x):
    """while (i < n) {i = i + 1; x = x * u + v}"""
    loop = Loop(g, name, 10)
    loop.count_to("n")
    y = loop.variable("_1", x, FLOAT)
    product = g.node(f"{name}/mul", "Mul", [y, kind.read(g, loop, "u", y)], T=FLOAT)
    total = g.node(f"{name}/sum", "Add", [product, kind.read(g, loop, "v", product)], T=FLOAT)
    return loop.close("_1", total, FLOAT)


def graph(kind):
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, SHAPE)
    for variable in "uv":
        kind.declare(g, variable)
        kind.write(g, f"init_{variable}", variable, "x")
    last = add_loop(g, kind, "plain", "x")
    # Updated by what loops give, one of which begins only after the other's update.
    first = add_loop(g, kind, "first", "x")
    update = kind.write(g, "update", "u", first, "Add")
    late = g.node("late", "Identity", ["x", f"^{update}"], T=FLOAT)
    second = add_loop(g, kind, "second", late)
    kind.write(g, "update_again", "v", second, "Sub")
    g.node("both", "Add", [first, second], T=FLOAT)
    return g.text(), last


def program(kind):
    text, last = graph(kind)
    x = {"x": tensor("f", [0.5, -1.25, 3.0, 1.0], [SIZE])}

    def call(signature, n=None):
        return {"signature": signature,
                "inputs": x if n is None else {**x, "n": tensor("i", [n], [])}}
    signatures = [Signature("init", ["x"], [], ["init_u", "init_v"]),
                  Signature("plain", ["n", "x"], [last]),
                  Signature("train", ["n", "x"], ["both"], ["update", "update_again"])]
    requests = [call("plain", 0), call("plain", 2), call("init"), call("plain", 0),
                call("plain", 3), call("train", 2), call("plain", 1), call("train", 0),
                call("train", 3), call("plain", 2)]
    return Program(graphs.parse_graph(text), signatures, requests)


def faults_of(kind, sluicec):
    chosen = program(kind)
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(folder) / "graph"
        file = stem.with_suffix(".pbtxt")
        file.write_text(graphs.print_graph(chosen.nodes))
        explained = subprocess.run(
            [sluicec, file, *chosen.selection_flags(stem), "--explain-loops", "-o", stem],
            check=True, capture_output=True, text=True).stdout
    if explained.count(": collapsed") != 3:
        yield f"expected three collapsed loops but got: {explained}"
    ways = [Way([], ["--workers=0"], linked=True), *draw_ways(random.Random(SEED)),
            *draw_ways(random.Random(SEED + 1))]
    for failure in Checker(sluicec).failures(chosen, ways):
        yield failure.text()


def main():
    failed = 0
    for kind in References(), Resources():
        faults = list(faults_of(kind, sys.argv[1]))
        for fault in faults:
            print(f"{type(kind).__name__}: {fault}")
        failed += bool(faults)
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
