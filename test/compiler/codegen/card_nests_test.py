#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops within loops that a simulated card runs by itself: the same bits as on the host, as one kernel, as a
graph of the driver, and enqueued ahead; when the card stops in the middle of the inner loop, and goes on; with
inner loops in branches, three deep, and without iterations; failures and cancellation in the inner loop.

Usage: card_nests_test.py SLUICEC
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import card_loops_test  # noqa: E402
from card_loops_test import FLOAT, INT, OLD_DRIVER, Carried, Graph, dims, largest, number  # noqa: E402


class Nest:
    """for (i0 < n0) {x = x / 2 + b; for (i1 < n1 …) {…} x = x - b / 4; total += 1}

    The innermost loop also ends when no element of x is larger than the limit. With `rows` it adds the row i of
    b instead; with `branch` the second loop is entered where the counter around it is odd; with `bare` nothing
    precedes an inner loop and nothing follows it; with `numbers` it has no tensors."""

    def __init__(self, sizes, depth=2, branch=False, rows=False, bare=False, numbers=False):
        self.g, self.depth = Graph(), depth
        self.branch, self.rows, self.bare, self.numbers = branch, rows, bare, numbers
        self.g.placeholder("x", FLOAT, sizes if not rows else dims(1, 3))
        self.g.placeholder("b", FLOAT, sizes)
        self.g.placeholder("limit", FLOAT, "")
        for level in range(depth):
            self.g.placeholder(f"n{level}", INT, "")
        zero = self.g.constant("zero", INT, 0)
        given = {name: name for name in ["b", "limit", *(f"n{level}" for level in range(depth))]}
        x, total = self.level(0, "", given, "x", zero, zero)
        self.g.node("result", "Identity", [x], T=FLOAT)
        self.g.node("steps", "Identity", [total], T=INT)

    def scaled(self, name, x, factor, after):
        return self.g.node(name, "Mul", [x, number(self.g, f"{name}/factor", factor, after)], T=FLOAT)

    def row(self, name, b, i):
        none = number(self.g, f"{name}/none", 0, i)
        begin = self.g.node(f"{name}/begin", "Pack", [i, none], T=INT, N="i: 2", axis="i: 0")
        size = self.g.node(f"{name}/size", "Const", [f"^{i}"], dtype=INT,
                           value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 1 int_val: 3 }")
        return self.g.node(name, "Slice", [b, begin, size], T=FLOAT, Index=INT)

    def level(self, k, around, given, x, total, zero):
        """The loop as results x and total."""
        g, name = self.g, f"{around}loop{k}"
        loop = Carried(g, name, [("i", zero, INT), ("x", x, FLOAT), ("total", total, INT)])
        inside = {key: loop.enter(f"{key}/Enter", value, INT if key[0] == "n" else FLOAT, constant=True)
                  for key, value in given.items()}
        innermost = k == self.depth - 1
        test = g.node(f"{name}/early", "Less", [loop.merged["i"], inside[f"n{k}"]], T=INT)
        if innermost and not self.rows and not self.numbers:
            size = largest(g, f"{name}/largest", loop.merged["x"])
            above = g.node(f"{name}/above", "Greater", [size, inside["limit"]], T=FLOAT)
            test = g.node(f"{name}/test", "LogicalAnd", [test, above])
        loop.while_(test)
        i, x, total = (loop.value[v] for v in ("i", "x", "total"))
        one = number(g, f"{name}/one", 1, i)
        following = g.node(f"{name}/next", "Add", [i, one], T=INT)
        if innermost:
            if self.rows:
                x = g.node(f"{name}/sum", "Add", [x, self.row(f"{name}/row", inside["b"], i)], T=FLOAT)
            elif not self.numbers:
                part = self.scaled(f"{name}/part", inside["b"], 0.125, i)
                x = g.node(f"{name}/sum", "Add", [self.scaled(f"{name}/half", x, 0.5, i), part], T=FLOAT)
            total = g.node(f"{name}/count", "Add", [total, one], T=INT)
        else:
            if not self.bare and not self.rows:
                x = g.node(f"{name}/before", "Add", [self.scaled(f"{name}/half", x, 0.5, i), inside["b"]], T=FLOAT)
            x, total = (self.in_branch if self.branch and k == 0 else self.inner)(k, name, inside, i, x, total)
            if not self.bare and not self.rows:
                x = g.node(f"{name}/behind", "Sub", [x, self.scaled(f"{name}/quarter", inside["b"], 0.25, i)], T=FLOAT)
                total = g.node(f"{name}/count", "Add", [total, one], T=INT)
        loop.next("i", following)
        return loop.next("x", x), loop.next("total", total)

    def inner(self, k, name, inside, i, x, total):
        return self.level(k + 1, f"{name}/", inside, x, total, number(self.g, f"{name}/zero", 0, i))

    def in_branch(self, k, name, inside, i, x, total):
        g = self.g
        two, one = number(g, f"{name}/two", 2, i), number(g, f"{name}/odd", 1, i)
        rest = g.node(f"{name}/rest", "FloorMod", [i, two], T=INT)
        odd = g.node(f"{name}/isOdd", "Equal", [rest, one], T=INT)
        taken, other = {}, {}
        for key, value in {**inside, "x": x, "total": total}.items():
            kind = INT if key[0] in "nt" else FLOAT
            g.node(f"{name}/{key}/branch", "Switch", [value, odd], T=kind)
            taken[key] = g.node(f"{name}/{key}/taken", "Identity", [f"{name}/{key}/branch:1"], T=kind)
            other[key] = f"{name}/{key}/branch"
        x, total = taken.pop("x"), taken.pop("total")
        zero = number(g, f"{name}/zero", 0, total)
        x, total = self.level(k + 1, f"{name}/", taken, x, total, zero)
        x = self.scaled(f"{name}/yes", x, 0.75, x)
        no = g.node(f"{name}/no", "Add", [other["x"], other["b"]], T=FLOAT)
        return (g.node(f"{name}/joined", "Merge", [no, x], N="i: 2", T=FLOAT),
                g.node(f"{name}/total/joined", "Merge", [other["total"], total], N="i: 2", T=INT))

    def text(self):
        return self.g.text()


def with_loop_in_test(sizes):
    """while (i < n0 && max|x / 2^n1| > limit) x = 3/4 x + b / 8, where the power is a loop of n1 halvings."""
    g = Graph()
    for name in ("x", "b"):
        g.placeholder(name, FLOAT, sizes)
    g.placeholder("limit", FLOAT, "")
    for name in ("n0", "n1"):
        g.placeholder(name, INT, "")
    zero = g.constant("zero", INT, 0)
    outer = Carried(g, "loop0", [("i", zero, INT), ("x", "x", FLOAT)])
    b, limit, n0, n1 = (outer.enter(f"{name}/Enter", name, INT if name[0] == "n" else FLOAT, constant=True)
                        for name in ("b", "limit", "n0", "n1"))
    none = number(g, "loop0/none", 0, outer.pivot)
    inner = Carried(g, "inner", [("j", none, INT), ("y", outer.merged["x"], FLOAT)])
    bound = inner.enter("n1/Enter", n1, INT, constant=True)
    inner.while_(g.node("inner/test", "Less", [inner.merged["j"], bound], T=INT))
    j, y = inner.value["j"], inner.value["y"]
    inner.next("j", g.node("inner/next", "Add", [j, number(g, "inner/one", 1, j)], T=INT))
    y = inner.next("y", g.node("inner/half", "Mul", [y, number(g, "inner/factor", 0.5, y)], T=FLOAT))
    above = g.node("loop0/above", "Greater", [largest(g, "loop0/largest", y), limit], T=FLOAT)
    below = g.node("loop0/below", "Less", [outer.merged["i"], n0], T=INT)
    outer.while_(g.node("loop0/test", "LogicalAnd", [below, above]))
    i, x = outer.value["i"], outer.value["x"]
    part = g.node("loop0/part", "Mul", [b, number(g, "loop0/eighth", 0.125, i)], T=FLOAT)
    x = g.node("loop0/scaled", "Mul", [x, number(g, "loop0/factor", 0.75, i)], T=FLOAT)
    x = outer.next("x", g.node("loop0/sum", "Add", [x, part], T=FLOAT))
    i = outer.next("i", g.node("loop0/next", "Add", [i, number(g, "loop0/one", 1, i)], T=INT))
    g.node("result", "Identity", [x], T=FLOAT)
    g.node("steps", "Identity", [i], T=INT)
    return g.text()


PTX = {"SLUICE_SIM_PTX": "1"}


class CardNests(card_loops_test.CardLoops):
    """Takes no tests of the other, only how programs are made and compared."""

    def make(self, depth=2, sizes=(5, 7), how="always", text=None, **kind):
        text = text or Nest(dims(*sizes), depth, **kind).text()
        feeds = ["x", "b", "limit", *(f"n{level}" for level in range(depth))]
        explained = self.compile(text, "steps,result", how=how, feed=",".join(feeds))
        self.assertIn("loop 'loop0': run by the card", explained)
        self.assertNotIn("not collapsed", explained)
        self.sizes = sizes

    def inputs(self, *counts, limit="0.01"):
        return {"x": self.matrix(*self.sizes), "b": self.matrix(*self.sizes, 0.011), "limit": f"f32={limit}",
                **{f"n{level}": f"i32={count}" for level, count in enumerate(counts)}}

    def check_all(self, inputs, seeds=(1, 2)):
        for env in ({}, OLD_DRIVER):
            with self.subTest(inputs=inputs, env=env):
                self.check(inputs, env, seeds)

    def test_one_kernel(self):
        self.make()
        inputs = self.inputs(3, 4)
        fails = {"SLUICE_SIM_FAIL": "cuGraphLaunch:1=719"}
        self.assertEqual(self.run_one("card", inputs, fails).returncode, 0)
        self.check_all(inputs)
        self.check_all(self.inputs(3, 40, limit="0.4"))

    def test_a_graph_of_the_driver(self):
        self.make(sizes=(36, 40))
        self.check_all(self.inputs(3, 4))
        fails = {"SLUICE_SIM_FAIL": "cuGraphLaunch:1=719"}
        self.assertIn("cuGraphLaunch", self.run_one("card", self.inputs(3, 4), fails).stderr)

    def test_the_card_asks_itself(self):
        self.make(how="auto")

    def test_no_iteration_of_one_or_the_other(self):
        for sizes in ((5, 7), (36, 40)):
            self.make(sizes=sizes)
            for counts in ((0, 3), (3, 0), (0, 0), (1, 1)):
                self.check_all(self.inputs(*counts))
            self.check_all(self.inputs(2, 5, limit="100"))

    def test_nothing_around_the_inner_loop(self):
        for sizes in ((5, 7), (36, 40)):
            self.make(sizes=sizes, bare=True)
            self.check_all(self.inputs(3, 2))

    def test_three_loops(self):
        for sizes in ((5, 7), (36, 40)):
            self.make(depth=3, sizes=sizes)
            self.check_all(self.inputs(2, 3, 2))
            self.check_all(self.inputs(2, 0, 2))
            self.check_all(self.inputs(2, 2, 0))

    def test_inner_loops_in_a_branch(self):
        for sizes in ((5, 7), (36, 40)):
            for depth in (2, 3):
                self.make(depth, sizes, branch=True)
                self.check_all(self.inputs(*(4, 2, 2)[:depth]))
                self.check_all(self.inputs(*(3, 0, 2)[:depth]))

    def test_a_loop_in_the_test(self):
        for sizes in ((5, 7), (36, 40)):
            self.make(sizes=sizes, text=with_loop_in_test(dims(*sizes)))
            for counts in ((5, 3), (5, 0), (0, 3)):
                self.check_all(self.inputs(*counts))
            self.check_all(self.inputs(20, 2, limit="0.2"))
            self.check_all(self.inputs(5, 3, limit="100"), seeds=[1])

    def test_a_loop_in_the_test_of_many_iterations(self):
        self.make(sizes=(2, 2), text=with_loop_in_test(dims(2, 2)))
        self.check(self.inputs(3, 5000, limit="-1"), seeds=[1])

    def test_drivers_without_else(self):
        self.make(sizes=(36, 40), branch=True)
        self.check(self.inputs(4, 2), {"SLUICE_SIM_VERSION": "12070"})

    def test_numbers_alone_in_the_inner_loop(self):
        self.make(numbers=True)
        self.check_all(self.inputs(3, 4))

    def test_the_card_stops_in_the_inner_loop(self):
        """After 4,096 iterations; then it is behind what precedes the loop, and before what follows."""
        for kind in ({}, {"branch": True}, {"bare": True}):
            self.make(sizes=(2, 2), **kind)
            self.check(self.inputs(2, 5000, limit="0"), seeds=[1])
        self.make(sizes=(2, 2), depth=3, branch=True)
        self.check(self.inputs(3, 2, 2500, limit="0"), seeds=[1])

    def test_the_card_stops_in_the_graph(self):
        self.make(sizes=(36, 40), numbers=True)
        self.check_all(self.inputs(2, 5000), seeds=[1])

    def test_as_ptx(self):
        for sizes in ((3, 4), (36, 40)):
            self.make(sizes=sizes, branch=True)
            self.check(self.inputs(3, 2), PTX, seeds=[1])

    def test_a_row_that_there_is_not_fails_in_the_inner_loop(self):
        self.make(sizes=(4, 3), rows=True)
        for counts, code in (((3, 4), 0), ((2, 6), None)):
            inputs = {**self.inputs(*counts), "x": self.matrix(1, 3)}
            expected = self.run_one("host", inputs)
            self.assertEqual(expected.returncode == 0, code == 0)
            for env in ({}, OLD_DRIVER):
                got = self.run_one("card", inputs, env)
                self.assertEqual((got.returncode, got.stderr), (expected.returncode, expected.stderr))

    def test_an_inner_loop_that_never_ends_can_be_ended(self):
        for sizes, kind in (((5, 7), {}), ((36, 40), {"numbers": True})):
            self.make(sizes=sizes, **kind)
            for env in ({}, OLD_DRIVER):
                got = self.run_one("card", self.inputs(2, 2**31 - 1, limit="-1"), env, ["--timeout", "1"])
                self.assertEqual(got.returncode, 12, got.stderr)


def load_tests(loader, _, __):
    names = [name for name in vars(CardNests) if name.startswith("test_")]
    return unittest.TestSuite(CardNests(name) for name in names)


if __name__ == "__main__":
    card_loops_test.SLUICEC = sys.argv.pop(1)
    unittest.main()
