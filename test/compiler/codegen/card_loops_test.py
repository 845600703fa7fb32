#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that a simulated card runs by itself: the same bits as on the host, as one kernel, as a
graph of the driver and with a driver that has no such graphs; with branches, sizes that change from
call to call, failures, cancellation and several calls at once.

Usage: card_loops_test.py SLUICEC
"""

import array
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from card_loop_graphs import ADDED_PRODUCTS, JOINED_NUMBERS, many_loops  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

OLD_DRIVER = {"SLUICE_SIM_VERSION": "12020"}  # without conditions
SLUICEC = None


def integers(g, name, values):
    elements = " ".join(f"int_val: {value}" for value in values)
    return g.node(name, "Const", dtype=INT, value=f"tensor {{ dtype: DT_INT32 tensor_shape {{ "
                  f"{dims(len(values))} }} {elements} }}")


def number(g, name, value, after):
    return g.constant(name, INT if isinstance(value, int) else FLOAT, value, after=[after])


class Carried:
    """A loop with variables (name, first value, type), whose test may depend on any."""

    def __init__(self, g, name, variables):
        self.g, self.name, self.dtypes = g, name, {}
        self.merged, self.value = {}, {}
        for variable, first, dtype in variables:
            place = f"{name}/{variable}"
            self.dtypes[variable] = dtype
            self.enter(f"{variable}/Enter", first, dtype)
            self.merged[variable] = g.node(
                f"{place}/Merge", "Merge", [f"{place}/Enter", f"{place}/NextIteration"],
                N="i: 2", T=dtype)

    def enter(self, name, source, dtype, constant=False):
        return self.g.node(f"{self.name}/{name}", "Enter", [source], T=dtype,
                           frame_name=f's: "{self.name}"', parallel_iterations="i: 10",
                           is_constant="b: true" if constant else "b: false")

    @property
    def pivot(self):
        return next(iter(self.merged.values()))

    def while_(self, test):
        self.g.node(f"{self.name}/LoopCond", "LoopCond", [test])
        for variable, dtype in self.dtypes.items():
            place = f"{self.name}/{variable}"
            self.g.node(f"{place}/Switch", "Switch",
                        [f"{place}/Merge", f"{self.name}/LoopCond"], T=dtype)
            self.value[variable] = self.g.node(f"{place}/Identity", "Identity",
                                               [f"{place}/Switch:1"], T=dtype)

    def next(self, variable, following):
        place, dtype = f"{self.name}/{variable}", self.dtypes[variable]
        self.g.node(f"{place}/NextIteration", "NextIteration", [following], T=dtype)
        return self.g.node(f"{place}/Exit", "Exit", [f"{place}/Switch"], T=dtype)


def largest(g, name, x, rank=2):
    g.node(f"{name}/abs", "Abs", [x], T=FLOAT)
    axes = integers(g, f"{name}/axes", range(rank))
    return g.node(name, "Max", [f"{name}/abs", axes], T=FLOAT, Tidx=INT, keep_dims="b: false")


def halving(sizes, most=20, branch=False, product=False, of_b=None):
    """while (i < most && max |x| > limit): x = x / 2 + b / 8, or with a branch x = x - b / 2 where
    i is odd; with a product x @ w before."""
    g = Graph()
    g.placeholder("x", FLOAT, sizes)
    g.placeholder("b", FLOAT, sizes if of_b is None else of_b)
    g.placeholder("limit", FLOAT, "")
    if product:
        g.placeholder("w", FLOAT, sizes)
    zero = g.constant("zero", INT, 0)
    loop = Carried(g, "loop", [("i", zero, INT), ("x", "x", FLOAT)])
    loop.enter("limit/Enter", "limit", FLOAT, constant=True)
    loop.enter("b/Enter", "b", FLOAT, constant=True)
    bound = number(g, "loop/most", most, loop.pivot)
    early = g.node("loop/early", "Less", [loop.merged["i"], bound], T=INT)
    size = largest(g, "loop/largest", loop.merged["x"])
    above = g.node("loop/above", "Greater", [size, "loop/limit/Enter"], T=FLOAT)
    loop.while_(g.node("loop/test", "LogicalAnd", [early, above]))
    one = number(g, "loop/one", 1, loop.value["i"])
    i = g.node("loop/next", "Add", [loop.value["i"], one], T=INT)
    x = loop.value["x"]
    if product:
        loop.enter("w/Enter", "w", FLOAT, constant=True)
        x = g.node("loop/product", "MatMul", [x, "loop/w/Enter"], T=FLOAT,
                   transpose_a="b: false", transpose_b="b: false")
    half = number(g, "loop/half", 0.5, loop.value["i"])
    eighth = number(g, "loop/eighth", 0.125, loop.value["i"])
    if branch:
        two = number(g, "loop/two", 2, loop.value["i"])
        odd = g.node("loop/mod", "FloorMod", [loop.value["i"], two], T=INT)
        none = number(g, "loop/none", 0, loop.value["i"])
        even = g.node("loop/even", "Equal", [odd, none], T=INT)
        for name, source in (("x", x), ("b", "loop/b/Enter")):
            g.node(f"loop/{name}/branch", "Switch", [source, even], T=FLOAT)
        yes = g.node("loop/yes/half", "Mul", ["loop/x/branch:1", half], T=FLOAT)
        part = g.node("loop/yes/part", "Mul", ["loop/b/branch:1", eighth], T=FLOAT)
        yes = g.node("loop/yes", "Add", [yes, part], T=FLOAT)
        part = g.node("loop/no/part", "Mul", ["loop/b/branch", half], T=FLOAT)
        no = g.node("loop/no", "Sub", ["loop/x/branch", part], T=FLOAT)
        y = g.node("loop/joined", "Merge", [no, yes], N="i: 2", T=FLOAT)
    else:
        y = g.node("loop/halved", "Mul", [x, half], T=FLOAT)
        part = g.node("loop/part", "Mul", ["loop/b/Enter", eighth], T=FLOAT)
        y = g.node("loop/sum", "Add", [y, part], T=FLOAT)
    g.node("steps", "Identity", [loop.next("i", i)], T=INT)
    g.node("result", "Identity", [loop.next("x", y)], T=FLOAT)
    return g.text()


def rows():
    """Adds up the rows 0, 1, … n - 1 of x, which has four."""
    g = Graph()
    g.placeholder("x", FLOAT, dims(4, 3))
    g.placeholder("n", INT, "")
    zero = g.constant("zero", INT, 0)
    start = g.constant("start", FLOAT, 0, dims(1, 3))
    loop = Carried(g, "loop", [("i", zero, INT), ("sum", start, FLOAT)])
    loop.enter("n/Enter", "n", INT, constant=True)
    loop.enter("x/Enter", "x", FLOAT, constant=True)
    loop.while_(g.node("loop/test", "Less", [loop.merged["i"], "loop/n/Enter"], T=INT))
    one = number(g, "loop/one", 1, loop.value["i"])
    none = number(g, "loop/none", 0, loop.value["i"])
    i = g.node("loop/next", "Add", [loop.value["i"], one], T=INT)
    begin = g.node("loop/begin", "Pack", [loop.value["i"], none], T=INT, N="i: 2", axis="i: 0")
    size = g.node("loop/size", "Const", [f"^{loop.value['i']}"], dtype=INT,
                  value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
                        "int_val: 1 int_val: 3 }")
    row = g.node("loop/row", "Slice", ["loop/x/Enter", begin, size], T=FLOAT, Index=INT)
    total = g.node("loop/total", "Add", [loop.value["sum"], row], T=FLOAT)
    loop.next("i", i)
    g.node("steps", "Identity", ["loop/i/Exit"], T=INT)
    g.node("result", "Identity", [loop.next("sum", total)], T=FLOAT)
    return g.text()


def write_matrix(path, rows_, columns, step):
    """A .npy of f32 whose elements differ."""
    values = array.array("f", ([((k * step) % 7) - 3 for k in range(rows_ * columns)]))
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows_}, {columns}), }}"
    header += " " * (117 - len(header)) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     values.tobytes())


class CardLoops(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def compile(self, text, fetch, *flags, how="always", feed="x,b,limit"):
        """Two programs: for a card, and for the host. Returns what --explain-loops says."""
        (self.path / "graph.pbtxt").write_text(text)
        return self.compile_file("graph.pbtxt", "--feed", feed, "--fetch", fetch, *flags, how=how)

    def compile_file(self, name, *flags, how):
        common = [SLUICEC, self.path / name, *flags]
        subprocess.run([*common, "-o", self.path / "host"], check=True, capture_output=True)
        made = subprocess.run(
            [*common, "--target=sim", f"--card-loops={how}", "--explain-loops",
             "-o", self.path / "card"], check=True, capture_output=True, text=True)
        return made.stdout

    def matrix(self, rows_, columns, step=0.37):
        name = f"{rows_}x{columns}-{step}.npy"
        write_matrix(self.path / name, rows_, columns, step)
        return f"@{self.path / name}"

    def run_one(self, program, inputs, env=(), flags=(), seed=1):
        """What it prints, and its result."""
        command = [self.path / program, *flags, "--output", "steps=-",
                   "--output", f"result=@{self.path / 'result.npy'}"]
        for name, value in inputs.items():
            command += ["--input", f"{name}={value}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "SLUICE_SIM_SEED": str(seed), **dict(env)})

    def check(self, inputs, env=(), seeds=(1, 2, 3)):
        expected = self.run_one("host", inputs)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        result = (self.path / "result.npy").read_bytes()
        for seed in seeds:
            got = self.run_one("card", inputs, env, seed=seed)
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertEqual(got.stdout, expected.stdout)
            self.assertEqual((self.path / "result.npy").read_bytes(), result)

    def test_the_card_asks_itself_whether_to_go_on(self):
        explained = self.compile(halving(dims(5, 7)), "steps,result", how="auto")
        self.assertIn("run by the card", explained)
        inputs = {"x": self.matrix(5, 7), "b": self.matrix(5, 7, 0.011), "limit": "f32=0.6"}
        for limit in ("0.6", "1.5", "100"):  # the last: no iteration
            self.check({**inputs, "limit": f"f32={limit}"})
            self.check({**inputs, "limit": f"f32={limit}"}, OLD_DRIVER)

    def test_a_large_body_is_a_graph_of_the_driver(self):
        self.compile(halving(dims(64, 70)), "steps,result")
        inputs = {"x": self.matrix(64, 70), "b": self.matrix(64, 70, 0.011), "limit": "f32=0.6"}
        self.check(inputs)
        self.check(inputs, OLD_DRIVER)
        # With graphs nothing is launched for an iteration; without, iterations ahead are.
        fails = {"SLUICE_SIM_FAIL": "cuGraphLaunch:1=719"}
        self.assertIn("cuGraphLaunch", self.run_one("card", inputs, fails).stderr)
        got = self.run_one("card", inputs, {**fails, **OLD_DRIVER})
        self.assertEqual(got.returncode, 0, got.stderr)

    def test_a_small_body_is_one_kernel(self):
        self.compile(halving(dims(5, 7)), "steps,result")
        inputs = {"x": self.matrix(5, 7), "b": self.matrix(5, 7, 0.011), "limit": "f32=0.6"}
        fails = {"SLUICE_SIM_FAIL": "cuGraphLaunch:1=719"}
        self.assertEqual(self.run_one("card", inputs, fails).returncode, 0)

    def test_products_and_branches(self):
        for sizes, n in ((dims(9, 9), 9), (dims(40, 40), 40)):
            for branch in (False, True):
                self.compile(halving(sizes, most=3, branch=branch, product=True), "steps,result",
                             feed="x,b,limit,w")
                inputs = {"x": self.matrix(n, n), "b": self.matrix(n, n, 0.011), "w": self.matrix(n, n, 0.003),
                          "limit": "f32=0.01"}
                for env in ({}, OLD_DRIVER):
                    with self.subTest(n=n, branch=branch, env=env):
                        self.check(inputs, env)

    def test_products_are_added_to_what_is_carried(self):
        (self.path / "graph.mlir").write_text(ADDED_PRODUCTS)
        self.assertIn("run by the card", self.compile_file("graph.mlir", how="always"))
        for n in (0, 1, 4):
            inputs = {"a": self.matrix(8, 5), "b": self.matrix(8, 6, 0.011), "n": f"i32={n}"}
            for env in ({}, OLD_DRIVER):
                self.check(inputs, env)

    def test_numbers_of_a_thread_are_joined(self):
        (self.path / "graph.mlir").write_text(JOINED_NUMBERS)
        self.assertIn("run by the card", self.compile_file("graph.mlir", how="always"))
        for n in (0, 1, 6):
            inputs = {"a": self.matrix(1, 4), "b": self.matrix(1, 1, 0.011), "n": f"i32={n}"}
            for env in ({}, OLD_DRIVER):
                self.check(inputs, env)
        for program in ("host", "card"):  # there is no second row
            got = self.run_one(program, {**inputs, "n": "i32=65"})
            self.assertEqual(got.returncode, 1, got.stderr)
            self.assertIn("INVALID_ARGUMENT", got.stderr)

    def test_more_loops_than_are_compiled_at_a_time(self):
        """What sets their conditions is in the program once."""
        (self.path / "graph.mlir").write_text(many_loops(52))
        self.assertEqual(self.compile_file("graph.mlir", how="always").count("run by the card"), 52)
        self.check({"a": self.matrix(2, 3), "n": "i32=2"}, seeds=(1,))

    def test_sizes_may_change_from_call_to_call(self):
        unknown = "dim { size: -1 } dim { size: -1 }"
        explained = self.compile(halving(unknown, branch=True, of_b=""), "steps,result")
        self.assertIn("run by the card", explained)
        for rows_, columns in ((3, 4), (60, 71), (1, 1), (0, 4)):
            inputs = {"x": self.matrix(rows_, columns), "limit": "f32=0.6", "b": "f32=0.3"}
            for env in ({}, OLD_DRIVER):
                self.check(inputs, env)

    def test_a_row_that_there_is_not_fails(self):
        self.assertIn("run by the card", self.compile(rows(), "steps,result", feed="x,n"))
        for env in ({}, OLD_DRIVER):
            self.check({"x": self.matrix(4, 3), "n": "i32=4"}, env)
            expected = self.run_one("host", {"x": self.matrix(4, 3), "n": "i32=6"})
            got = self.run_one("card", {"x": self.matrix(4, 3), "n": "i32=6"}, env)
            self.assertEqual(got.returncode, expected.returncode)
            self.assertEqual(got.stderr, expected.stderr)

    def test_what_never_ends_can_be_ended(self):
        self.compile(halving(dims(5, 7), most=2**31 - 1), "steps,result")
        inputs = {"x": self.matrix(5, 7), "b": self.matrix(5, 7, 0.011), "limit": "f32=-1"}
        for env in ({}, OLD_DRIVER):
            got = self.run_one("card", inputs, env, ["--timeout", "1"])
            self.assertEqual(got.returncode, 12, got.stderr)

    def test_several_calls_have_words_of_their_own(self):
        self.compile(halving(dims(5, 7)), "steps,result")
        values = [[k / 10 * (call + 1) for k in range(35)] for call in range(12)]
        lines = [json.dumps({"inputs": {
            "x": {"dtype": "float32", "shape": [5, 7], "data": value},
            "b": {"dtype": "float32", "shape": [5, 7], "data": value[::-1]},
            "limit": {"dtype": "float32", "shape": [], "data": [0.6]}}}) for value in values]
        answers = []
        for program, flags in (("host", []), ("card", ["--concurrent-calls=4"])):
            got = subprocess.run([self.path / program, "--calls", "-", *flags], text=True, timeout=120,
                                 input="\n".join(lines) + "\n", capture_output=True)
            self.assertEqual(got.returncode, 0, got.stderr)
            answers.append(got.stdout)
        self.assertEqual(answers[0], answers[1])

    def test_what_the_driver_refuses_is_named(self):
        self.compile(halving(dims(64, 70)), "steps,result")
        inputs = {"x": self.matrix(64, 70), "b": self.matrix(64, 70, 0.011), "limit": "f32=0.6"}
        for function in ("cuGraphCreate:1", "cuGraphConditionalHandleCreate:1", "cuGraphAddNode:1",
                         "cuGraphAddNode:2", "cuGraphAddNode:3", "cuGraphAddNode:7",
                         "cuGraphInstantiateWithFlags:1", "cuGraphLaunch:1"):
            with self.subTest(function):
                got = self.run_one("card", inputs, {"SLUICE_SIM_FAIL": f"{function}=2"})
                self.assertNotEqual(got.returncode, 0)
                self.assertIn(function.split(":")[0], got.stderr)

    def test_the_host_enqueues_where_that_is_as_quick(self):
        explained = self.compile(halving(dims(5, 7)), "steps,result", how="never")
        self.assertIn("not collapsed", explained)
        self.assertIn("the host enqueues iterations", explained)
        self.check({"x": self.matrix(5, 7), "b": self.matrix(5, 7, 0.011), "limit": "f32=0.6"})


if __name__ == "__main__":
    SLUICEC = sys.argv.pop(1)
    unittest.main()
