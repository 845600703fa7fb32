#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices by index vectors on a simulated card: the bits of the host's kernels, also where vectors
point to one slice more than once, and its errors.

Usage: card_points_test.py SLUICEC
"""

import itertools
import math
import pathlib
import sys

sys.dont_write_bytecode = True
from card_programs import BOOL, BYTE, DOUBLE, HALF, LONG, CardCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

NAN, INF = math.nan, math.inf
# Of what they point into, and how many points of how many indices each there are.
SIZES = [((7,), 5, 1), ((4, 3), 20, 1), ((5, 6), 40, 2), ((2, 3, 4), 9, 2), ((3, 70), 33, 1),
         ((1, 2), 300, 1), ((6, 2), 0, 1), ((4, 0), 3, 1), ((3, 2), 4, 0)]


class OnPoints(CardCase):
    def points(self, shape, count, depth):
        return [self.drawn.randrange(shape[i]) for _ in range(count) for i in range(depth)]

    def numbers(self, shape, kind):
        if kind in (FLOAT, DOUBLE):
            return None
        least, most = {BOOL: (0, 1), BYTE: (0, 255), HALF: (0, 0x3c00)}.get(kind, (-9, 9))
        return [self.drawn.randint(least, most) for _ in range(math.prod(shape))]

    # ---- Reading --------------------------------------------------------------------------------

    def gather(self, shape, count, depth, kind=FLOAT, at=None, known=True):
        g = Graph()
        self.feed(g, "params", shape, kind, self.numbers(shape, kind), known)
        at = self.points(shape, count, depth) if at is None else at
        self.feed(g, "indices", (count, depth), INT, at, known=True)
        g.node("y", "GatherNd", ["params", "indices"], Tparams=kind, Tindices=INT)
        return g

    def test_slices(self):
        for shape, count, depth in SIZES:
            for kind, known in ((FLOAT, 0 not in shape), (BYTE, False), (HALF, False)):
                with self.subTest(shape=shape, count=count, depth=depth, kind=kind, known=known):
                    self.compare(self.gather(shape, count, depth, kind, known=known),
                                 ["params", "indices"], {"y": kind}, checks=1)

    def test_bad_points_fail_as_on_the_host(self):
        self.assertIn("indices[1] = [4,3] does not index into param shape [5,3]",
                      self.fails(self.gather((5, 3), 2, 2, at=[4, 2, 4, 3]), ["params", "indices"],
                                 "y"))
        self.assertIn("indices[0] = [-1] does not index into param shape [5,3]",
                      self.fails(self.gather((5, 3), 2, 1, at=[-1, 9]), ["params", "indices"], "y"))

    # ---- Changing -------------------------------------------------------------------------------

    def scatter(self, shape, count, depth, kind=FLOAT, at=None, known=True, columns=False):
        g = Graph()
        at = self.points(shape, count, depth) if at is None else at
        self.feed(g, "indices", (count,) if columns else (count, depth), INT, at)
        rows = (count, *shape[depth:])
        self.feed(g, "updates", rows, kind, self.numbers(rows, kind), known)
        sizes = " ".join(f"int_val: {size}" for size in shape)
        g.node("shape", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape "
               f"{{ {dims(len(shape))} }} {sizes} }}")
        g.node("y", "ScatterNd", ["indices", "updates", "shape"], T=kind, Tindices=INT)
        return g

    def test_sums_of_slices(self):
        for shape, count, depth in SIZES:
            for kind, known in ((FLOAT, 0 not in shape), (INT, False), (HALF, False)):
                with self.subTest(shape=shape, count=count, depth=depth, kind=kind, known=known):
                    self.compare(self.scatter(shape, count, depth, kind, known=known),
                                 ["indices", "updates"], {"y": kind}, checks=1)

    def test_a_vector_of_indices_is_a_column(self):
        self.compare(self.scatter((4, 3), 9, 1, columns=True), ["indices", "updates"],
                     {"y": FLOAT}, checks=1)

    def update(self, how, shape, count, depth, kind=FLOAT, at=None, values=None, known=True):
        g = Graph()
        self.feed(g, "x", shape, kind, self.numbers(shape, kind), known)
        at = self.points(shape, count, depth) if at is None else at
        self.feed(g, "indices", (count, depth), INT, at)
        rows = (count, *shape[depth:])
        self.feed(g, "updates", rows, kind, values or self.numbers(rows, kind), known)
        g.node("y", f"TensorScatter{how}", ["x", "indices", "updates"], T=kind, Tindices=INT)
        return g

    def test_updates(self):
        kinds = itertools.cycle((FLOAT, INT, DOUBLE, HALF))
        for shape, count, depth in SIZES:
            for how, kind in zip(("Update", "Add", "Sub", "Max", "Min"), kinds):
                known = kind == DOUBLE and 0 not in shape
                with self.subTest(shape=shape, count=count, depth=depth, how=how, kind=kind):
                    self.compare(self.update(how, shape, count, depth, kind, known=known),
                                 ["x", "indices", "updates"], {"y": kind}, checks=1)

    def test_updates_of_other_types(self):
        for how, kind in (("Update", BOOL), ("Update", LONG), ("Add", BOOL), ("Sub", BOOL),
                          ("Max", BYTE), ("Min", BYTE), ("Add", BYTE)):
            with self.subTest(how=how, kind=kind):
                self.compare(self.update(how, (4, 9), 30, 1, kind), ["x", "indices", "updates"],
                             {"y": kind}, checks=1)

    def test_updates_with_odd_numbers(self):
        values = [NAN, 0.0, -0.0, 1e-40, INF, NAN, -INF, 2.0, NAN, -1e-40, 0.0, 5.0]
        for how in ("Update", "Add", "Sub", "Max", "Min"):
            for order in (values, values[::-1]):
                with self.subTest(how=how, order=order[0]):
                    at = [0, 1, 1, 2, 3, 2, 3, 0, 4, 5, 5, 4]
                    self.compare(self.update(how, (6,), 12, 1, at=at, values=order),
                                 ["x", "indices", "updates"], {"y": FLOAT}, checks=1)

    def test_bad_updates_fail_as_on_the_host(self):
        self.assertIn("indices[1] = [5] does not index into shape [5,3]",
                      self.fails(self.update("Add", (5, 3), 3, 1, at=[0, 5, 6]),
                                 ["x", "indices", "updates"], "y"))
        self.assertIn("indices[2] = [0,-1] does not index into shape [5,3]",
                      self.fails(self.scatter((5, 3), 3, 2, at=[0, 0, 1, 1, 0, -1]),
                                 ["indices", "updates"], "y"))

    def test_sizes_that_are_denied_fail_as_on_the_host(self):
        g = Graph()
        self.feed(g, "x", (5, 3), FLOAT, known=False)
        self.feed(g, "indices", (4, 1), INT, [0, 1, 2, 3])
        self.feed(g, "updates", (4, 2), FLOAT, known=False)
        g.node("y", "TensorScatterAdd", ["x", "indices", "updates"], T=FLOAT, Tindices=INT)
        self.assertIn("Dimensions of indices and output must give those of updates",
                      self.fails(g, ["x", "indices", "updates"], "y"))

    # ---- Integer division -----------------------------------------------------------------------

    def divide(self, op, kind, shape, divisors, dividends=None, known=True):
        g = Graph()
        self.feed(g, "x", shape, kind, dividends or self.numbers(shape, kind), known)
        own = (len(divisors),) if len(divisors) == shape[-1] else shape
        self.feed(g, "y", own, kind, divisors, known)
        g.node("z", op, ["x", "y"], T=kind)
        return g

    def test_quotients_and_remainders(self):
        least = -2**31
        for op in ("Div", "TruncateDiv", "FloorDiv", "FloorMod", "Mod", "TruncateMod"):
            for kind, shape, known in ((INT, (50,), True), (LONG, (7, 40), False),
                                       (BYTE, (3, 30), True)):
                if kind == BYTE and op in ("Mod", "TruncateMod"):
                    continue  # which TensorFlow does not have
                with self.subTest(op=op, kind=kind, shape=shape):
                    signs = (1,) if kind == BYTE else (1, -1)
                    divisors = [self.drawn.randint(1, 5) * self.drawn.choice(signs)
                                for _ in range(shape[-1])]
                    self.compare(self.divide(op, kind, shape, divisors, known=known),
                                 ["x", "y"], {"z": kind}, checks=1)
            with self.subTest(op=op):
                self.compare(self.divide(op, INT, (20,), [-1, 1, least, -1] * 5,
                                         [least, least, least, 7] * 5), ["x", "y"], {"z": INT},
                             checks=1)

    def test_powers(self):
        self.compare(self.divide("Pow", INT, (3, 6), [0, 1, 2, 3, 31, 100]), ["x", "y"], {"z": INT},
                     checks=1)
        self.assertIn("Integers to negative integer powers are not allowed",
                      self.fails(self.divide("Pow", INT, (9, 3), [0, 2, -1]), ["x", "y"], "z"))

    def test_divisors_that_the_card_has_computed(self):
        for op, divisors, said in (("FloorDiv", [3, 1, -2] * 10, None),
                                   ("FloorMod", [3, 0, -2] * 10, "Integer division by zero"),
                                   ("Pow", [3, 0, 2] * 10, None),
                                   ("Pow", [3, -1, 2] * 10, "negative integer powers")):
            with self.subTest(op=op, divisors=divisors[:3]):
                g = Graph()
                self.feed(g, "x", (2, 30), INT, self.numbers((2, 30), INT), known=False)
                self.feed(g, "y", (30,), INT, divisors, known=False)
                g.node("twice", "AddV2", ["y", "y"], T=INT)
                g.node("z", op, ["x", "twice"], T=INT)
                if said:
                    self.assertIn(said, self.fails(g, ["x", "y"], "z"))
                else:
                    self.compare(g, ["x", "y"], {"z": INT}, checks=1)

    def test_a_constant_divisor_is_not_looked_at(self):
        g = Graph()
        self.feed(g, "x", (9, 5), INT, self.numbers((9, 5), INT))
        g.constant("three", INT, 3)
        g.node("z", "FloorMod", ["x", "three"], T=INT)
        self.compare(g, ["x"], {"z": INT})

    def test_division_by_zero_fails_as_on_the_host(self):
        for kind, known in ((INT, True), (LONG, False)):
            with self.subTest(kind=kind):
                text = self.fails(self.divide("FloorDiv", kind, (8, 3), [1, 0, 2], known=known),
                                  ["x", "y"], "z")
                self.assertIn("Integer division by zero", text)
                self.assertIn("'z'", text)

    def test_divisors_of_nothing_may_be_zero(self):
        self.compare(self.divide("Div", INT, (0, 3), [1, 0, 2], known=False), ["x", "y"],
                     {"z": INT}, checks=1)


if __name__ == "__main__":
    CardCase.main()
