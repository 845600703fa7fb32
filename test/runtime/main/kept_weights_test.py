#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that multiply by variables and update them in place give the same bits with packed
matrices kept, with none kept, and where each use of one is compared with the elements.

Usage: kept_weights_test.py SLUICEC
"""

import base64
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

SLUICEC = sys.argv.pop()
PROGRAMS, CALLS = 6, 3
NO, YES = "b: false", "b: true"
RESOURCE = "type: DT_RESOURCE"


def dims(*sizes):
    return " ".join(f"dim {{ size: {size} }}" for size in sizes)


def tensor(dtype, shape, code, numbers):
    elements = struct.pack(f"<{len(numbers)}{code}", *numbers)
    return {"dtype": dtype, "shape": shape, "b64": base64.b64encode(elements).decode()}


class Variable:
    """A matrix whose reads wait for the last write, and whose writes wait for all reads."""

    def __init__(self, graph, name, rows, columns):
        self.graph, self.name, self.rows, self.columns = graph, name, rows, columns
        graph.node(name, "VarHandleOp", dtype=FLOAT, shape=f"shape {{ {dims(rows, columns)} }}",
                   shared_name=f's: "{name}"', container='s: ""')
        self.written, self.uses, self.count = [], [], 0

    def next_name(self, what):
        self.count += 1
        return f"{self.name}/{what}{self.count}"

    def read(self):
        value = self.graph.node(self.next_name("read"), "ReadVariableOp",
                                [self.name, *(f"^{node}" for node in self.written)], dtype=FLOAT)
        self.uses.append(value)
        return value

    def used(self, node):
        self.uses.append(node)
        return node

    def write(self, op, *operands, **attributes):
        inputs = [self.name, *operands, *(f"^{node}" for node in [*self.written, *self.uses])]
        self.written = [self.graph.node(self.next_name("write"), op, inputs, **attributes)]
        self.uses = []


class Program:
    """Steps of two layers: products with both weights, as they are and transposed, in straight lines
    and in loops, then an update of each."""

    def __init__(self, seed):
        self.rng, self.graph = random.Random(seed), Graph()
        rng, g = self.rng, self.graph
        self.size, self.hidden = rng.randint(64, 100), rng.randint(64, 130)
        self.rows = rng.choice([1, 3, 8, 12, 17, 40])
        g.placeholder("x", FLOAT, dims(self.rows, self.size))
        g.placeholder("n", INT, "")
        self.first = Variable(g, "first", self.size, self.hidden)
        self.second = Variable(g, "second", self.hidden, self.size)
        self.slots = {v: Variable(g, f"{v.name}/slot", v.rows, v.columns)
                      for v in (self.first, self.second)}
        self.fetches = []
        for step in range(rng.randint(2, 4)):
            self.step(f"step{step}")
        for variable in (self.first, self.second):
            self.fetches.append(variable.read())

    def product(self, name, a, b, left=NO, right=NO, of=None):
        node = self.graph.node(name, "MatMul", [a, b], T=FLOAT, transpose_a=left, transpose_b=right)
        return of.used(node) if of else node

    def step(self, name):
        g, y = self.graph, "x"
        for k in range(self.rng.randint(2, 5)):
            hidden = self.product(f"{name}/h{k}", y, self.first.read(), of=self.first)
            hidden = g.node(f"{name}/tanh{k}", "Tanh", [hidden], T=FLOAT)
            y = self.product(f"{name}/y{k}", hidden, self.second.read(), of=self.second)
            y = g.node(f"{name}/bounded{k}", "Tanh", [y], T=FLOAT)
            back = self.product(f"{name}/back{k}", y, self.second.read(), right=YES,
                                of=self.second)
        if self.rng.random() < 0.7:
            y = self.loop(f"{name}/loop", y)
        self.fetches.append(y)
        self.update(name, self.first, self.product(f"{name}/d1", "x", back, left=YES))
        self.update(name, self.second, self.product(f"{name}/d2", hidden, y, left=YES))

    def loop(self, name, y):
        first, second = self.first.read(), self.second.read()
        loop = Loop(self.graph, name, self.rng.choice([1, 10]))
        loop.count_to("n")
        x = loop.variable("_1", y, FLOAT)
        a = loop.enter("first", first, FLOAT, constant=True)
        b = loop.enter("second", second, FLOAT, constant=True)
        hidden = self.product(f"{name}/h", x, a)
        x = self.product(f"{name}/y", hidden, b)
        after = loop.close("_1", self.graph.node(f"{name}/tanh", "Tanh", [x], T=FLOAT), FLOAT)
        return self.first.used(self.second.used(after))

    def update(self, name, variable, gradient):
        g, name = self.graph, f"{name}/{variable.name}"
        kind = self.rng.choice(["add", "sub", "descent", "momentum", "rows", "assign"])
        small = g.node(f"{name}/small", "Mul", [g.constant(f"{name}/rate", FLOAT, 0.01), gradient],
                       T=FLOAT)
        if kind in ("add", "sub"):
            variable.write(f"Assign{kind.title()}VariableOp", small, dtype=FLOAT)
        elif kind == "descent":
            rate = g.constant(f"{name}/alpha", FLOAT, 0.03)
            variable.write("ResourceApplyGradientDescent", rate, gradient, T=FLOAT)
        elif kind == "momentum":
            rate, momentum = (g.constant(f"{name}/{word}", FLOAT, value)
                              for word, value in (("lr", 0.02), ("momentum", 0.9)))
            slot = self.slots[variable]
            uses = [f"^{node}" for node in [*slot.written, *slot.uses]]
            variable.write("ResourceApplyMomentum", slot.name, rate, gradient, momentum, *uses,
                           T=FLOAT)
            slot.written, slot.uses = list(variable.written), []
        elif kind == "rows":
            index = g.constant(f"{name}/row", INT, 3, dims(1))
            begin = g.constant(f"{name}/begin", INT, 0, dims(2))
            sizes = g.node(f"{name}/size", "Pack", [g.constant(f"{name}/one", INT, 1),
                                                    g.constant(f"{name}/all", INT, -1)],
                           T=INT, N="i: 2")
            row = g.node(f"{name}/part", "Slice", [small, begin, sizes], T=FLOAT, Index=INT)
            variable.write("ResourceScatterAdd", index, row, dtype=FLOAT, Tindices=INT)
        else:
            value = variable.read()
            value = g.node(f"{name}/sum", "AddV2", [value, small], T=FLOAT)
            variable.write("AssignVariableOp", value, dtype=FLOAT)

    def matrix(self, rows, columns):
        numbers = [self.rng.randint(-64, 64) / 512 for _ in range(rows * columns)]
        return tensor("float32", [rows, columns], "f", numbers)

    def requests(self):
        variables = [self.first, self.second, *self.slots.values()]
        state = {v.name: self.matrix(v.rows, v.columns) for v in variables}
        lines = []
        for call in range(CALLS):
            inputs = {"x": self.matrix(self.rows, self.size),
                      "n": tensor("int32", [], "i", [self.rng.randint(0, 9)])}
            lines.append(json.dumps({"inputs": inputs, "want_state": True,
                                     **({"state": state} if call == 0 else {})}))
        return "\n".join(lines) + "\n"


WAYS = [[], ["--guard-pages=behind"], ["--workers=2", "--limit=inline-operations=1"],
        ["--limit=packed-bytes=60000"]]


class KeptWeights(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def answers(self, requests, flags):
        """What the program answers, and its figures."""
        run = subprocess.run([self.folder / "program", "--calls", "-", "--stats-json", *flags],
                             input=requests, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout, json.loads(run.stderr.splitlines()[-1])

    def test_same_bits_with_and_without(self):
        reused = 0
        for seed in range(PROGRAMS):
            program = Program(seed)
            (self.folder / "g.pbtxt").write_text(program.graph.text())
            requests = program.requests()
            for switches in ([], ["--no-collapse"], ["--no-codelets"]):
                subprocess.run([SLUICEC, "g.pbtxt", *(f"--fetch={name}" for name in program.fetches),
                                *(f"--feed={name}" for name in ("x", "n")),
                                *switches, "-o", "program"], cwd=self.folder, check=True)
                expected, figures = self.answers(requests, ["--limit=packed-bytes=1"])
                self.assertNotIn('"error"', expected)
                self.assertEqual(figures["packed_matrices"], 0)
                for flags in WAYS:
                    with self.subTest(seed=seed, switches=switches, flags=flags):
                        got, figures = self.answers(requests, flags)
                        self.assertEqual(got, expected)
                        reused += figures["packed_matrices_reused"]
        self.assertGreater(reused, 100 * PROGRAMS)


if __name__ == "__main__":
    unittest.main()
