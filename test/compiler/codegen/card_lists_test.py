#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops with lists that a simulated card runs by itself: what a loop saves for its derivative is in arrays with room
for all iterations, and has the bits of a loop that the host runs; as one kernel, as a graph of the driver and enqueued
ahead; with no iterations, an early end, loops within loops, branches; and an LSTM that is trained.

Usage: card_lists_test.py SLUICEC
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "bench"))
from card_loops_test import Carried, largest, number, write_matrix  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, VARIANT, Graph  # noqa: E402

OLD_DRIVER = {"SLUICE_SIM_VERSION": "12020"}  # without conditions
SLUICEC = None


def body(g, name, x, w):
    """(tanh(x * w) + x) * w"""
    product = g.node(f"{name}/product", "Mul", [x, w], T=FLOAT)
    tanh = g.node(f"{name}/tanh", "Tanh", [product], T=FLOAT)
    both = g.node(f"{name}/both", "Add", [tanh, x], T=FLOAT)
    return g.node(f"{name}/scaled", "Mul", [both, w], T=FLOAT)


def branched(g, name, i, x, w):
    """The same where i is odd, else x * w."""
    rest = g.node(f"{name}/rest", "FloorMod", [i, number(g, f"{name}/two", 2, i)], T=INT)
    odd = g.node(f"{name}/isOdd", "Equal", [rest, number(g, f"{name}/odd", 1, i)], T=INT)
    x, w = (g.node(f"{name}/{key}/branch", "Switch", [value, odd], T=FLOAT) for key, value in (("x", x), ("w", w)))
    no = g.node(f"{name}/no", "Mul", [x, w], T=FLOAT)
    return g.node(f"{name}/joined", "Merge", [no, body(g, f"{name}/yes", f"{x}:1", f"{w}:1")], N="i: 2", T=FLOAT)


def loss_of(g, y, rank=2):
    axes = g.node("axes", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { "
                  f"dim {{ size: {rank} }} }} " + " ".join(f"int_val: {k}" for k in range(rank)) + " }")
    g.node("loss", "Sum", [y, axes], T=FLOAT, Tidx=INT, keep_dims="b: false")


def counted(sizes, count=None, early=False, start=0, branch=False):
    """while (i < n) x = (tanh(x * w) + x) * w; `early`: it also ends once no element is larger than the limit."""
    g = Graph()
    for name in ("x", "w"):
        g.placeholder(name, FLOAT, dims(*sizes))
    g.placeholder("n", INT, "")
    g.placeholder("limit", FLOAT, "")
    first = g.constant("first", INT, start)
    loop = Carried(g, "loop", [("i", first, INT), ("x", "x", FLOAT)])
    loop.enter("w/Enter", "w", FLOAT, constant=True)
    loop.enter("limit/Enter", "limit", FLOAT, constant=True)
    if count is None:
        bound = loop.enter("n/Enter", "n", INT, constant=True)
    else:
        bound = number(g, "loop/count", count, loop.pivot)
    test = g.node("loop/below", "Less", [loop.merged["i"], bound], T=INT)
    if early:
        size = largest(g, "loop/largest", loop.merged["x"])
        above = g.node("loop/above", "Greater", [size, "loop/limit/Enter"], T=FLOAT)
        test = above if early == "only" else g.node("loop/test", "LogicalAnd", [test, above])
    loop.while_(test)
    one = number(g, "loop/one", 1, loop.value["i"])
    i = g.node("loop/next", "Add", [loop.value["i"], one], T=INT)
    g.node("steps", "Identity", [loop.next("i", i)], T=INT)
    x = loop.value["x"]
    x = branched(g, "loop", loop.value["i"], x, "loop/w/Enter") if branch else body(g, "loop", x, "loop/w/Enter")
    loss_of(g, loop.next("x", x))
    return g.text()


def nested(sizes, outer, inner):
    """The same in a loop in a loop."""
    g = Graph()
    for name in ("x", "w"):
        g.placeholder(name, FLOAT, dims(*sizes))
    g.placeholder("n", INT, "")
    g.placeholder("limit", FLOAT, "")
    zero = g.constant("zero", INT, 0)
    a = Carried(g, "outer", [("i", zero, INT), ("x", "x", FLOAT)])
    w = a.enter("w/Enter", "w", FLOAT, constant=True)
    n = a.enter("n/Enter", "n", INT, constant=True)
    bound = number(g, "outer/count", outer, a.pivot) if outer else n
    a.while_(g.node("outer/below", "Less", [a.merged["i"], bound], T=INT))
    none = number(g, "outer/zero", 0, a.value["i"])
    b = Carried(g, "inner", [("i", none, INT), ("x", a.value["x"], FLOAT)])
    b.enter("w/Enter", w, FLOAT, constant=True)
    bound = number(g, "inner/count", inner, b.pivot) if inner else b.enter("n/Enter", n, INT, constant=True)
    b.while_(g.node("inner/below", "Less", [b.merged["i"], bound], T=INT))
    one = number(g, "inner/one", 1, b.value["i"])
    b.next("i", g.node("inner/step", "Add", [b.value["i"], one], T=INT))
    x = b.next("x", body(g, "inner", b.value["x"], "inner/w/Enter"))
    one = number(g, "outer/one", 1, a.value["i"])
    i = a.next("i", g.node("outer/step", "Add", [a.value["i"], one], T=INT))
    g.node("steps", "Identity", [i], T=INT)
    loss_of(g, a.next("x", g.node("outer/tanh", "Tanh", [x], T=FLOAT)))
    return g.text()


def numbers(g, name, values):
    return g.node(name, "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { "
                  f"dim {{ size: {len(values)} }} }} " + " ".join(f"int_val: {k}" for k in values) + " }")


def sized(rows, columns, room=None):
    """Takes the rows of x from the last one on, and sets every third of `room` rows, round and round, to what has become
    of them together with a row that may be empty yet. As many as there are iterations if `room` is not given."""
    g = Graph()
    for name in ("x", "w"):
        g.placeholder(name, FLOAT, dims(rows, columns))
    g.placeholder("n", INT, "")
    g.placeholder("limit", FLOAT, "")
    zero, shape = g.constant("zero", INT, 0), numbers(g, "shape", [columns])
    kinds = {"element_dtype": FLOAT, "shape_type": INT}
    taken = g.node("taken", "TensorListFromTensor", ["x", shape], **kinds)
    count = g.constant("room", INT, room) if room else "n"
    made = g.node("made", "TensorListReserve", [shape, count], **kinds)
    first = g.node("first", "Sum", ["w", g.constant("axis", INT, 0)], T=FLOAT, Tidx=INT, keep_dims="b: false")
    loop = Carried(g, "loop", [("i", zero, INT), ("v", first, FLOAT), ("l", made, VARIANT)])
    loop.enter("n/Enter", "n", INT, constant=True)
    loop.enter("taken/Enter", taken, VARIANT, constant=True)
    loop.while_(g.node("loop/below", "Less", [loop.merged["i"], "loop/n/Enter"], T=INT))
    i, v, made = (loop.value[key] for key in ("i", "v", "l"))
    one, last, three = (number(g, f"loop/{key}", value, i) for key, value in (("one", 1), ("last", rows - 1), ("three", 3)))
    row = numbers(g, "loop/shape", [columns])
    back = g.node("loop/back", "Sub", [last, i], T=INT)
    x = g.node("loop/get", "TensorListGetItem", ["loop/taken/Enter", back, row], element_dtype=FLOAT)
    at = i
    if room:
        product = g.node("loop/product", "Mul", [i, three], T=INT)
        at = g.node("loop/at", "FloorMod", [product, number(g, "loop/room", room, i)], T=INT)
    old = g.node("loop/old", "TensorListGetItem", [made, at, row], element_dtype=FLOAT)
    v = g.node("loop/tanh", "Tanh", [g.node("loop/sum", "AddN", [x, v, old], N="i: 3", T=FLOAT)], T=FLOAT)
    loop.next("v", v)
    made = loop.next("l", g.node("loop/set", "TensorListSetItem", [made, at, v], element_dtype=FLOAT))
    g.node("steps", "Identity", [loop.next("i", g.node("loop/next", "Add", [i, one], T=INT))], T=INT)
    g.node("rows", "TensorListStack", [made, shape], element_dtype=FLOAT, num_elements="i: -1")
    loss_of(g, "rows")
    return g.text()


class CardLists(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def compile(self, text, how="always", flags=(), result="gradients/w"):
        """Programs whose loops are the card's and the host's. Gives what --explain-loops says."""
        (self.path / "graph.pbtxt").write_text(text)
        said, self.result = {}, result
        wanted = ["--fetch", "loss,steps", "--gradients", "loss=w"] if "/" in result else ["--fetch", f"loss,steps,{result}"]
        for name, loops in (("card", how), ("host", "never")):
            made = subprocess.run(
                [SLUICEC, self.path / "graph.pbtxt", "--feed", "x,w,n,limit", *wanted, "--target=sim", f"--card-loops={loops}", "--explain-loops", "-o", self.path / name, *flags],
                capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            said[name] = made.stdout
        return said["card"]

    def run_one(self, program, sizes, n=3, limit=-1, seed=1, env=(), flags=()):
        for name, step in (("x", 0.37), ("w", 0.011)):
            if not (self.path / f"{name}.npy").exists():
                write_matrix(self.path / f"{name}.npy", *sizes, step)
        done = subprocess.run(
            [self.path / program, "--input", f"x=@{self.path / 'x.npy'}", "--input", f"w=@{self.path / 'w.npy'}",
             "--input", f"n=i32={n}", "--input", f"limit=f32={limit}", "--output", "loss=-", "--output", "steps=-",
             "--output", f"{self.result}=@{self.path / 'dw.npy'}", *flags],
            env={**os.environ, "SLUICE_SIM_SEED": str(seed), **dict(env)}, capture_output=True, text=True, timeout=120)
        return done, (self.path / "dw.npy").read_bytes() if done.returncode == 0 else None

    def check(self, sizes, seeds=(1, 2), **given):
        expected, bits = self.run_one("host", sizes, **given)
        self.assertEqual(expected.returncode, 0, expected.stderr)
        for env in ({}, OLD_DRIVER):
            for seed in seeds:
                with self.subTest(env=env, seed=seed, **given):
                    got, found = self.run_one("card", sizes, env=env, seed=seed, **given)
                    self.assertEqual(got.returncode, 0, got.stderr)
                    self.assertEqual(got.stdout, expected.stdout)
                    self.assertTrue(found == bits)  # without a difference in words, which takes minutes

    def test_stacks_of_a_known_size(self):
        for sizes in ((5, 7), (90, 100)):  # one kernel; a graph of the driver
            said = self.compile(counted(sizes, count=6), how="always")
            self.assertEqual(said.count("run by the card"), 2, said)
            self.assertEqual(said.count("lists as arrays"), 2, said)
            self.check(sizes)
            for name in ("x", "w"):
                (self.path / f"{name}.npy").unlink()

    def test_as_many_rows_as_a_number_says(self):
        said = self.compile(counted((5, 7)))
        self.assertEqual(said.count("lists as arrays"), 2, said)
        for n in (0, 1, 9, -4):
            self.check((5, 7), n=n)

    def test_a_counter_that_starts_elsewhere(self):
        self.assertIn("lists as arrays", self.compile(counted((5, 7), start=3)))
        for n in (2, 3, 9):
            self.check((5, 7), n=n)

    def test_an_early_end(self):
        said = self.compile(counted((5, 7), count=30, early=True))
        self.assertEqual(said.count("lists as arrays"), 2, said)
        for limit in (-1, 0.5, 100):
            self.check((5, 7), limit=limit)

    def test_more_iterations_than_the_card_does_at_once(self):
        self.compile(counted((2, 3)))
        self.check((2, 3), n=5000, seeds=(1,))

    def test_loops_within_loops(self):
        for outer, inner in ((3, 4), (3, None), (None, None)):
            said = self.compile(nested((4, 5), outer, inner))
            self.assertIn("lists as arrays", said)
            self.assertNotIn("the host enqueues", said)
            self.check((4, 5), n=3, seeds=(1,))

    def test_branches_that_push(self):
        for sizes in ((5, 7), (36, 40)):
            said = self.compile(counted(sizes, branch=True))
            self.assertEqual(said.count("lists as arrays"), 2, said)
            for n in (0, 1, 6):
                self.check(sizes, n=n, seeds=(1,))
            for name in ("x", "w"):
                (self.path / f"{name}.npy").unlink()

    def test_lists_that_keep_their_length(self):
        for rows, columns, room in ((6, 7, 4), (6, 7, None), (40, 300, 5)):
            said = self.compile(sized(rows, columns, room), result="rows")
            self.assertIn("2 lists as arrays", said)
            for n in (0, 1, 5):
                self.check((rows, columns), n=n)
            expected, _ = self.run_one("host", (rows, columns), n=rows + 1)
            got, _ = self.run_one("card", (rows, columns), n=rows + 1)
            self.assertEqual(got.returncode, expected.returncode)
            self.assertNotEqual(got.returncode, 0)
            for name in ("x", "w"):
                (self.path / f"{name}.npy").unlink()

    def test_arrays_of_a_training_step_of_tensorflow(self):
        """Whose results are looked at by conformance-card-loops."""
        (self.path / "signatures.json").write_text(json.dumps({"signatures": [
            {"name": "main", "feeds": ["x:0", "y:0"], "fetches": ["loss:0"], "targets": ["train"]}]}))
        made = subprocess.run(
            [SLUICEC, ROOT / "test" / "conformance" / "fixtures" / "rnn" / "gru_full_sgd.pb", "--signatures",
             self.path / "signatures.json", "--target=sim", "--card-loops=always", "--explain-loops", "-o", self.path / "p"],
            capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(made.stdout.count("10 lists as arrays"), 2, made.stdout)

    def test_what_stays_a_list_is_said(self):
        said = self.compile(counted((5, 7), early="only"))
        self.assertIn("pushes to a list, and nobody knows before the loop how often", said)
        self.assertNotIn("lists as arrays", said)
        self.check((5, 7), limit=100, seeds=(1,))

    def test_rows_that_may_have_to_move(self):
        said = self.compile(counted((128, 128)), how="auto")
        self.assertIn("makes a list that may have to move to the host's memory", said)

    def test_an_lstm_is_trained(self):
        example = ROOT / "examples" / "gpu-lstm"
        subprocess.run([sys.executable, example / "make_data.py", self.path], check=True)
        results = []
        for loops in ("never", "auto", "always"):
            program = self.path / loops
            made = subprocess.run(
                [SLUICEC, example / "lstm.pb", "--feed", "x,y", "--fetch", "loss", "--train", "loss", "--optimizer",
                 "adam(lr=0.02)", "--weights", self.path / "first.safetensors", "--target=sim",
                 f"--card-loops={loops}", "--explain-loops", "-o", program], check=True, capture_output=True, text=True)
            if loops != "never":
                self.assertEqual(made.stdout.count("7 lists as arrays"), 2, made.stdout)
                self.assertNotIn("the host enqueues", made.stdout)
            for env in ({}, OLD_DRIVER) if loops != "never" else ({},):
                done = subprocess.run(
                    [program, "--signature", "train", "--input", f"x=@{self.path / 'x.npy'}", "--input",
                     f"y=@{self.path / 'y.npy'}", "--steps", "5", "--output", "loss=-", "--save",
                     self.path / "after.safetensors"],
                    env={**os.environ, **env}, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                results.append((done.stdout, (self.path / "after.safetensors").read_bytes()))
        for loss, weights in results[1:]:
            self.assertEqual(loss, results[0][0])
            self.assertTrue(weights == results[0][1])


if __name__ == "__main__":
    SLUICEC = sys.argv.pop(1)
    unittest.main()
