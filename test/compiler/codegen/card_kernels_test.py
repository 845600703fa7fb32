#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a card that are not a loop over elements, on a simulated card beside the host's code:
products have the same bits, whatever tiles they are cut into, unless they are those of tensor cores;
these and reductions have the same values.

Usage: card_kernels_test.py SLUICEC
"""

import pathlib
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from card_programs import DOUBLE, HALF, call, compile_for, elements, run, write_tensor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

# (batch, m, k, n). The first tiles of which there are 120 are taken: those of 128 by 128, of 128 by
# 64, of 64 by 64, of 64 by 32, of 32 by 16, else those of 8 by 8.
PRODUCTS = [((120,), 5, 18, 7), ((60,), 3, 35, 100), ((30,), 66, 16, 65), ((60,), 10, 33, 36),
            ((16,), 40, 64, 50), ((), 9, 130, 12), ((), 1, 1, 1), ((), 4, 0, 8), ((2, 3), 4, 8, 4),
            ((), 64, 8, 64), ((), 32, 192, 16)]
# Those of 128 by 128, of 64 by 64 and of 32 by 32, with and without sizes that are theirs.
SMALL_PRODUCTS = [((120,), 3, 8, 2), ((60,), 129, 1, 4), ((40,), 65, 40, 130), ((30,), 70, 33, 66),
                  ((), 32, 32, 32), ((), 33, 70, 31), ((), 1, 1, 1), ((), 4, 0, 8), ((2, 3), 4, 64, 6)]
BFLOAT16 = "type: DT_BFLOAT16"
SLUICEC = None


class OnCard(unittest.TestCase):
    def both(self, text, feeds, fetch):
        """What host and card give."""
        with tempfile.TemporaryDirectory() as folder:
            scratch, drawn = pathlib.Path(folder), random.Random(1)
            for name, (shape, kind) in feeds.items():
                write_tensor(scratch / f"{name}.npy", shape, kind, drawn)
            kind = next(iter(feeds.values()))[1]
            return [elements(run(SLUICEC, scratch, target, text, feeds, fetch), kind)
                    for target in ("cpu", "sim")]

    def product(self, batch, m, k, n, kind=FLOAT, swaps=(False, False), known=True):
        left = [*batch, *((k, m) if swaps[0] else (m, k))]
        right = [*batch, *((n, k) if swaps[1] else (k, n))]
        g = Graph()
        for name, shape in (("a", left), ("b", right)):
            g.placeholder(name, kind, dims(*(shape if known else [-1] * len(shape))))
        x, y = ("adj_x", "adj_y") if batch else ("transpose_a", "transpose_b")
        g.node("c", "BatchMatMulV2" if batch else "MatMul", ["a", "b"], T=kind,
               **{x: f"b: {str(swaps[0]).lower()}", y: f"b: {str(swaps[1]).lower()}"})
        host, card = self.both(g.text(), {"a": (left, kind), "b": (right, kind)}, "c")
        self.assertEqual(host.tobytes(), card.tobytes())

    def test_products_of_all_tiles_have_the_bits_of_the_host(self):
        for batch, m, k, n in PRODUCTS:
            with self.subTest(batch=batch, m=m, k=k, n=n):
                self.product(batch, m, k, n)

    def test_transposed_operands(self):
        for swaps in ((True, False), (False, True), (True, True)):
            for batch, m, k, n in (((), 36, 64, 16), ((), 7, 19, 5), ((60,), 4, 20, 68)):
                with self.subTest(swaps=swaps, m=m):
                    self.product(batch, m, k, n, swaps=swaps)

    def test_products_of_f64(self):
        for batch, m, k, n in PRODUCTS[:6]:
            with self.subTest(batch=batch, m=m, k=k, n=n):
                self.product(batch, m, k, n, kind=DOUBLE)

    def test_products_of_unknown_sizes(self):
        for batch, m, k, n in (PRODUCTS[0], PRODUCTS[5], PRODUCTS[7]):
            with self.subTest(batch=batch, m=m, k=k, n=n):
                self.product(batch, m, k, n, known=False)

    def small_product(self, batch, m, k, n, kind, swaps=(False, False), known=True, onto=False):
        """By tensor cores: the values of the host; and the host's bits where only they will do."""
        left = [*batch, *((k, m) if swaps[0] else (m, k))]
        right = [*batch, *((n, k) if swaps[1] else (k, n))]
        feeds = {"a": left, "b": right, **({"d": [m, n]} if onto else {})}
        g = Graph()
        for name, shape in feeds.items():
            g.placeholder(name, FLOAT, dims(*(shape if known else [-1] * len(shape))))
            g.node(f"{name}/small", "Cast", [name], SrcT=FLOAT, DstT=kind)
        x, y = ("adj_x", "adj_y") if batch else ("transpose_a", "transpose_b")
        result = g.node("c", "BatchMatMulV2" if batch else "MatMul", ["a/small", "b/small"], T=kind,
                        **{x: f"b: {str(swaps[0]).lower()}", y: f"b: {str(swaps[1]).lower()}"})
        if onto:
            result = g.node("sum", "AddV2", [result, "d/small"], T=kind)
        g.node("wide", "Cast", [result], SrcT=kind, DstT=FLOAT)
        with tempfile.TemporaryDirectory() as folder:
            scratch, drawn = pathlib.Path(folder), random.Random(1)
            for name, shape in feeds.items():
                write_tensor(scratch / f"{name}.npy", shape, FLOAT, drawn)
            host = elements(run(SLUICEC, scratch, "cpu", g.text(), feeds, "wide"), FLOAT)
            program = compile_for(SLUICEC, scratch, "sim", g.text(), feeds, ["wide"])
            results = []
            for flags in ((), ("--card-library=never",)):
                process, files = call(program, scratch, feeds, ["wide"], *flags)
                self.assertEqual((process.returncode, process.stderr), (0, ""))
                results.append(elements(files[0], FLOAT))
        by_tensor_cores, by_chains = results
        self.assertEqual(host.tobytes(), by_chains.tobytes())
        step = 2**-10 if kind == HALF else 2**-7
        for expected, got in zip(host, by_tensor_cores, strict=True):
            self.assertAlmostEqual(expected, got, delta=step * abs(expected) + 1e-5 * k)
        return host != by_tensor_cores

    def test_products_by_tensor_cores_of_all_tiles(self):
        for kind in (HALF, BFLOAT16):
            for batch, m, k, n in SMALL_PRODUCTS:
                with self.subTest(kind=kind, batch=batch, m=m, k=k, n=n):
                    self.small_product(batch, m, k, n, kind)

    def test_products_by_tensor_cores_of_all_forms(self):
        for swaps in ((True, False), (False, True), (True, True)):
            for m, k, n in ((40, 64, 48), (39, 45, 35)):
                for known in (True, False):
                    with self.subTest(swaps=swaps, m=m, known=known):
                        self.small_product((), m, k, n, HALF, swaps, known)

    def test_sums_of_tensor_cores_begin_with_a_matrix(self):
        for m, k, n in ((40, 64, 48), (33, 20, 37)):
            with self.subTest(m=m):
                self.small_product((), m, k, n, BFLOAT16, onto=True)

    def test_tensor_cores_sum_up_in_an_order_of_their_own(self):
        self.assertTrue(self.small_product((), 64, 1000, 64, HALF))

    def reduction(self, shape, axes, op, known=True):
        g = Graph()
        g.placeholder("a", FLOAT, dims(*(shape if known else [-1] * len(shape))))
        values = " ".join(f"int_val: {axis}" for axis in axes)
        g.node("axes", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { "
               f"{dims(len(axes))} }} {values} }}")
        g.node("r", op, ["a", "axes"], T=FLOAT, Tidx=INT, keep_dims="b: false")
        host, card = self.both(g.text(), {"a": (shape, FLOAT)}, "r")
        self.assertEqual(len(host), len(card))
        for x, y in zip(host, card):
            self.assertAlmostEqual(x, y, delta=1e-4 * (1 + abs(x)))
        return card

    def test_reductions_of_all_forms(self):
        for shape, axes in (((5, 7), [1]), ((3, 700), [1]), ((700, 3), [0]), ((5, 70), [0]),
                            ((40, 33), [0]), ((70000,), [0]), ((2, 66000), [1]),
                            ((4, 33, 5), [0, 2]), ((40, 3, 70), [0, 1])):
            for op in ("Sum", "Max", "Mean"):
                with self.subTest(shape=shape, axes=axes, op=op):
                    known = self.reduction(shape, axes, op)
                    # The order follows from the sizes, not from what is known of them.
                    self.assertEqual(known, self.reduction(shape, axes, op, known=False))

    def test_half_sums_of_squares(self):
        for shape in ((7,), (5, 70), (70000,)):
            for known in (True, False):
                with self.subTest(shape=shape, known=known):
                    g = Graph()
                    g.placeholder("a", FLOAT, dims(*(shape if known else [-1] * len(shape))))
                    g.node("r", "L2Loss", ["a"], T=FLOAT)
                    (host,), (card,) = self.both(g.text(), {"a": (shape, FLOAT)}, "r")
                    self.assertAlmostEqual(host, card, delta=1e-5 * abs(host))


if __name__ == "__main__":
    SLUICEC = sys.argv.pop(1)
    unittest.main()
