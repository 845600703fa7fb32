#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a simulated card by a library, a fake that computes: the values of the host, but not
its bits; and those again where there is no library, where it refuses, and with --card-library=never.

Usage: card_library_test.py SLUICEC
"""

import array
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from card_loops_test import halving, integers  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, Graph  # noqa: E402

DOUBLE, HALF, BFLOAT16 = "type: DT_DOUBLE", "type: DT_HALF", "type: DT_BFLOAT16"
LIBRARY = {"SLUICE_SIM_CUBLASLT": "1"}
TOLERANCES = {FLOAT: 1e-4, DOUBLE: 1e-11, HALF: 1e-2, BFLOAT16: 1e-1}
SLUICEC = None


def elements(path):
    data = path.read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    return array.array({b"<f4": "f", b"<f8": "d"}[data[data.index(b"'<") + 1:][:3]], data[begin:])


def product(batch, m, k, n, kind=FLOAT, swaps=(False, False), known=True, of_rhs=None, bias=False):
    """a times b, and what is added to that."""
    left = [*batch, *((k, m) if swaps[0] else (m, k))]
    right = [*(batch if of_rhs is None else of_rhs), *((n, k) if swaps[1] else (k, n))]
    fed = kind if kind in (FLOAT, DOUBLE) else FLOAT
    g = Graph()
    feeds = {"a": left, "b": right, **({"c": [*batch, m, n]} if bias else {})}
    for name, shape in feeds.items():
        g.placeholder(name, fed, dims(*(shape if known else [-1] * len(shape))))
    operands = {name: name if kind == fed else
                g.node(f"{name}/cast", "Cast", [name], SrcT=fed, DstT=kind) for name in feeds}
    batched = len(left) > 2 or len(right) > 2
    x, y = ("adj_x", "adj_y") if batched else ("transpose_a", "transpose_b")
    result = g.node("product", "BatchMatMulV2" if batched else "MatMul",
                    [operands["a"], operands["b"]], T=kind,
                    **{x: f"b: {str(swaps[0]).lower()}", y: f"b: {str(swaps[1]).lower()}"})
    if bias:
        result = g.node("sum", "Add", [result, operands["c"]], T=kind)
    if kind != fed:
        result = g.node("wide", "Cast", [result], SrcT=kind, DstT=fed)
    g.node("result", "Identity", [result], T=fed)
    return g.text(), {name: f"{'x'.join(map(str, shape))}x{'f64' if fed == DOUBLE else 'f32'}"
                      for name, shape in feeds.items()}


def perceptron():
    """The mean square of what two layers are wrong by."""
    g = Graph()
    for name, sizes in (("x", (9, 12)), ("v", (12, 20)), ("w", (20, 5)), ("y", (9, 5))):
        g.placeholder(name, FLOAT, dims(*sizes))
    no = {"transpose_a": "b: false", "transpose_b": "b: false"}
    hidden = g.node("tanh", "Tanh", [g.node("first", "MatMul", ["x", "v"], T=FLOAT, **no)], T=FLOAT)
    out = g.node("second", "MatMul", [hidden, "w"], T=FLOAT, **no)
    error = g.node("square", "Square", [g.node("error", "Sub", [out, "y"], T=FLOAT)], T=FLOAT)
    g.node("loss", "Mean", [error, integers(g, "axes", range(2))], T=FLOAT, Tidx="type: DT_INT32",
           keep_dims="b: false")
    return g.text()


class CardLibrary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def compile(self, text, feeds, *flags, fetches=("result",)):
        (self.path / "graph.pbtxt").write_text(text)
        self.fetches = fetches
        subprocess.run([SLUICEC, self.path / "graph.pbtxt", "--target=sim", "--least-card-work=0",
                        "--feed", ",".join(feeds), *flags, "-o", self.path / "program"],
                       check=True, capture_output=True)

    def run_one(self, feeds, env=(), *flags):
        """Results, and how many products the library and kernels have done; None on the host."""
        command = [self.path / "program", *flags, "--stats-json"]
        for name, value in feeds.items():
            command += ["--input", f"{name}={value}"]
        for i, name in enumerate(self.fetches):
            command += ["--output", f"{name}=@{self.path / str(i)}.npy"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120,
                             env={**os.environ, **dict(env)})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("sluice-sim:", ran.stderr)
        stats = json.loads(ran.stderr.strip().splitlines()[-1])
        return ([elements(self.path / f"{i}.npy") for i in range(len(self.fetches))],
                (stats.get("gpu_0_library_products"), stats.get("gpu_0_kernel_products")))

    def check(self, feeds, count, tolerance=TOLERANCES[FLOAT], left=0):
        """The library does `count` products, and kernels the others that it is asked for."""
        host, _ = self.run_one(feeds, (), "--device=cpu")
        first = None
        for seed in (1, 2, 3):
            by_library, counts = self.run_one(feeds, {**LIBRARY, "SLUICE_SIM_SEED": str(seed)})
            self.assertEqual(counts, (count, left))
            for expected, got in zip(host, by_library):
                self.assertEqual(len(expected), len(got))
                for x, y in zip(expected, got):
                    self.assertAlmostEqual(x, y, delta=tolerance * (1 + abs(x)))
            self.assertEqual(first or by_library, by_library)
            first = by_library
        return host, by_library

    def check_bits(self, feeds, count, env=(), *flags):
        """Without it they are the host's, or, of whole programs, those of a card without one."""
        got, counts = self.run_one(feeds, env, *flags)
        self.assertEqual(counts, (0, count))
        return [values.tobytes() for values in got]

    def test_products_of_all_forms(self):
        for batch, m, k, n in (((), 9, 130, 12), ((), 1, 5, 1), ((4,), 5, 18, 7), ((2, 3), 4, 8, 4)):
            for swaps in ((False, False), (True, False), (False, True), (True, True)):
                with self.subTest(batch=batch, m=m, swaps=swaps):
                    text, shapes = product(batch, m, k, n, swaps=swaps)
                    feeds = dict.fromkeys(shapes, "rand")
                    self.compile(text, shapes, "--fetch=result")
                    self.check(feeds, 1)

    def test_products_of_all_types(self):
        for kind, tolerance in TOLERANCES.items():
            for bias in (False, True):
                with self.subTest(kind=kind, bias=bias):
                    text, shapes = product((), 20, 33, 17, kind, bias=bias)
                    self.compile(text, shapes, "--fetch=result")
                    self.check(dict.fromkeys(shapes, "rand"), 1, tolerance)

    def test_sizes_that_are_known_late(self):
        for batch in ((), (3,)):
            with self.subTest(batch=batch):
                text, shapes = product(batch, 6, 19, 5, known=False)
                self.compile(text, shapes, "--fetch=result")
                self.check({name: f"@{self.drawn(name, shape)}" for name, shape in shapes.items()}, 1)

    def drawn(self, name, shape):
        """A file of numbers of that shape."""
        sizes = [int(size) for size in shape.split("x")[:-1]]
        count = 1
        for size in sizes:
            count *= size
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(sizes)}, }}"
        head += " " * (-(len(head) + 11) % 64) + "\n"
        values = array.array("f", (((i * 37) % 101) / 50 - 1 for i in range(count)))
        path = self.path / f"{name}.npy"
        path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() +
                         values.tobytes())
        return path

    def test_operands_of_fewer_batches(self):
        text, shapes = product((4,), 5, 18, 7, of_rhs=())
        self.compile(text, shapes, "--fetch=result")
        self.check(dict.fromkeys(shapes, "rand"), 1)
        # A batch for each of one dim and one for all of the other is no equal distance.
        text, shapes = product((2, 3), 5, 18, 7, of_rhs=(3,))
        self.compile(text, shapes, "--fetch=result")
        self.check(dict.fromkeys(shapes, "rand"), 0)

    def test_nothing_to_sum_up(self):
        text, shapes = product((), 4, 0, 8)
        self.compile(text, shapes, "--fetch=result")
        self.check(dict.fromkeys(shapes, "rand"), 0, left=1)

    def test_bits_are_those_of_the_host_without_it(self):
        text, shapes = product((), 40, 130, 24)
        feeds = dict.fromkeys(shapes, "rand")
        self.compile(text, shapes, "--fetch=result")
        host, by_library = self.check(feeds, 1)
        self.assertNotEqual(host, by_library)
        bits = [values.tobytes() for values in host]
        self.assertEqual(self.check_bits(feeds, 1), bits)
        self.assertEqual(self.check_bits(feeds, 1, LIBRARY, "--card-library=never"), bits)
        for refusal in ("cublasLtCreate:1=1", "cublasLtMatmulAlgoGetHeuristic:1=15",
                        "cublasLtMatmul:1=15"):
            env = {**LIBRARY, "SLUICE_SIM_FAIL": refusal}
            self.assertEqual(self.check_bits(feeds, 1, env), bits)
            self.assertEqual(self.check_bits(feeds, 4, env, "--steps=4"), bits)

    def test_factors_are_rounded_where_that_is_allowed(self):
        text, shapes = product((), 10, 30, 14)
        feeds = dict.fromkeys(shapes, "rand")
        self.compile(text, shapes, "--fetch=result")
        exact, _ = self.run_one(feeds, LIBRARY)
        rounded, counts = self.run_one(feeds, LIBRARY, "--allow-tf32")
        self.assertEqual(counts, (1, 0))
        self.assertNotEqual(exact, rounded)
        for x, y in zip(exact[0], rounded[0]):
            self.assertAlmostEqual(x, y, delta=1e-2 * (1 + abs(x)))
        self.assertEqual(self.check_bits(feeds, 1, (), "--allow-tf32"),
                         self.check_bits(feeds, 1, ()))

    def test_kernels_of_tensor_cores_round_factors_as_well(self):
        """Where sizes are not known, or are large; with bits that do not depend on how kernels are simulated."""
        sizes = ((40, 50, 36), (33, 19, 7), (130, 20, 132), (1, 1, 1))
        for m, k, n in sizes:
            for swaps in ((False, False), (True, False), (False, True), (True, True)):
                with self.subTest(m=m, k=k, n=n, swaps=swaps):
                    text, shapes = product((), m, k, n, swaps=swaps, known=False)
                    self.compile(text, shapes, "--fetch=result")
                    self.check_short_factors({name: f"@{self.drawn(name, shape)}" for name, shape in shapes.items()},
                                             differ=m > 1)
        text, shapes = product((), 256, 256, 256)
        self.compile(text, shapes, "--fetch=result")
        self.check_short_factors(dict.fromkeys(shapes, "rand"))

    def check_short_factors(self, feeds, differ=True):
        exact, _ = self.run_one(feeds)
        rounded, counts = self.run_one(feeds, (), "--allow-tf32")
        self.assertEqual(counts, (0, 1))
        self.assertTrue(exact != rounded or not differ)
        for x, y in zip(exact[0], rounded[0]):
            self.assertAlmostEqual(x, y, delta=4e-3 * (1 + abs(x)))
        self.assertEqual(self.run_one(feeds, {"SLUICE_SIM_PTX": "1"}, "--allow-tf32")[0], rounded)
        self.assertEqual(self.run_one(feeds, (), "--allow-tf32", "--card-library=never")[0], exact)

    def test_loops_of_the_host(self):
        feeds = {"x": "rand", "b": "rand", "w": "rand", "limit": "f32=0"}
        self.compile(halving(dims(24, 24), most=5, product=True), feeds, "--fetch=result",
                     "--card-loops=never")
        self.check(feeds, 5)

    def test_a_loop_of_the_card_does_not_ask(self):
        feeds = {"x": "rand", "b": "rand", "w": "rand", "limit": "f32=0"}
        self.compile(halving(dims(24, 24), most=5, product=True), feeds, "--fetch=result",
                     "--card-loops=always")
        host, by_library = self.check(feeds, 0)
        self.assertEqual(host, by_library)

    def test_derivatives(self):
        feeds = dict.fromkeys("xvwy", "rand")
        self.compile(perceptron(), feeds, "--fetch=loss", "--gradients=loss=v,w",
                     fetches=("loss", "gradients/v", "gradients/w"))
        host, _ = self.check(feeds, 5)
        self.assertEqual(self.check_bits(feeds, 5),
                         self.check_bits(feeds, 5, LIBRARY, "--card-library=never"))


if __name__ == "__main__":
    SLUICEC = sys.argv.pop(1)
    unittest.main()
