#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that add to elements of lists, as derivatives of what loops read do, run by a simulated card: with the bits of
the host, zeros below zero among them; through loops, loops within loops and branches; of empty lists, of rows that are
there, and of zeros like another list.

Usage: card_sums_test.py SLUICEC
"""

import os
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import card_lists_test  # noqa: E402
import card_loops_test  # noqa: E402
from card_loops_test import OLD_DRIVER, CardLoops  # noqa: E402

LIST = "!list.of<tensor<3xf32>>"
MAKE = {
    "empty": '%l = list.make %five {element_shape = tensor<3xf32>, identical = false} : (tensor<i32>) -> ' + LIST,
    "of as many": '%l = list.make %n {element_shape = tensor<3xf32>, identical = false} : (tensor<i32>) -> ' + LIST,
    "rows": "%l = list.unstack %a {element_shape = tensor<3xf32>} : (tensor<5x3xf32>) -> " + LIST,
    "zeros": "%of = list.unstack %a {element_shape = tensor<3xf32>} : (tensor<5x3xf32>) -> " + LIST + "\n"
             "  %l = list.zeros_like %of : (" + LIST + ") -> " + LIST,
}
# Ops of an iteration, and the list that they leave.
ADD = ("%m = list.accumulate %k, %at, %v : (LIST, tensor<i32>, tensor<3xf32>) -> LIST", "%m")
BRANCH = ("""%m = flow.cond %even(%k, %at, %v) : (tensor<i1>, LIST, tensor<i32>, tensor<3xf32>) -> LIST on_true {
    ^bb0(%kk: LIST, %aa: tensor<i32>, %vv: tensor<3xf32>):
      %ww = nd.add %vv, %vv : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %mm = list.accumulate %kk, %aa, %ww : (LIST, tensor<i32>, tensor<3xf32>) -> LIST
      flow.yield %mm : (LIST) -> ()
    } on_false {
    ^bb0(%kk: LIST, %aa: tensor<i32>, %vv: tensor<3xf32>):
      %ww = nd.mul %vv, %vv : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %mm = list.set %kk, %aa, %ww {grow = false, once = false} : (LIST, tensor<i32>, tensor<3xf32>) -> LIST
      flow.yield %mm : (LIST) -> ()
    }""", "%m")
INNER = ("""%two_ = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %none_ = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %in:2 = flow.while(%none_, %k) (%two_, %at, %v) {frame = "inner", parallel_iterations = 10 : i64} :
        (tensor<i32>, LIST, tensor<i32>, tensor<i32>, tensor<3xf32>) -> (tensor<i32>, LIST) before {
    ^bb0(%j: tensor<i32>, %q: LIST, %end_: tensor<i32>, %aa: tensor<i32>, %vv: tensor<3xf32>):
      %below = nd.less %j, %end_ : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %below(%j, %q) : (tensor<i1>, tensor<i32>, LIST) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %q: LIST, %end_: tensor<i32>, %aa: tensor<i32>, %vv: tensor<3xf32>):
      %one_ = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %more = nd.add %j, %one_ : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %ww = nd.add %vv, %vv : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %s = list.accumulate %q, %aa, %ww : (LIST, tensor<i32>, tensor<3xf32>) -> LIST
      flow.yield %more, %s : (tensor<i32>, LIST) -> ()
    }""", "%in#1")

# steps = n; result: to each second element, round and round, a row of a is added that is multiplied by what is below
# zero, so there are zeros of both signs.
GRAPH = """
flow.graph @main {
  %a = flow.feed {name = "a"} : () -> tensor<5x3xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  MAKE
  %r:2 = flow.while(%none, %l) (%n, %a) {frame = "loop", parallel_iterations = 10 : i64} :
      (tensor<i32>, LIST, tensor<i32>, tensor<5x3xf32>) -> (tensor<i32>, LIST) before {
  ^bb0(%i: tensor<i32>, %k: LIST, %end: tensor<i32>, %x: tensor<5x3xf32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %k) : (tensor<i1>, tensor<i32>, LIST) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %k: LIST, %end: tensor<i32>, %x: tensor<5x3xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %rows = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %double = nd.mul %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %at = nd.floor_mod %double, %rows : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row = nd.row %x, %at : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>
    %by = nd.constant {value = dense<[-0.0, 0.0, -1.5]> : tensor<3xf32>} : () -> tensor<3xf32>
    %v = nd.mul %row, %by : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %rest = nd.floor_mod %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %even = nd.equal %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    ADD
    flow.yield %next, LEFT : (tensor<i32>, LIST) -> ()
  }
  %s = list.stack %r#1 {element_shape = tensor<3xf32>, num_elements = -1 : i64} : (LIST) -> tensor<?x3xf32>
  flow.fetch %r#0 {name = "steps"} : (tensor<i32>) -> ()
  flow.fetch %s {name = "result"} : (tensor<?x3xf32>) -> ()
}
"""


def graph(make, iteration):
    ops, left = iteration
    text = GRAPH.replace("MAKE", MAKE[make]).replace("ADD", ops).replace("LEFT", left)
    return text.replace("LIST", LIST)


class CardSums(CardLoops):
    def check_all(self, make, add, numbers):
        (self.path / "graph.mlir").write_text(graph(make, add))
        said = self.compile_file("graph.mlir", how="always")
        self.assertIn("run by the card", said)
        self.assertRegex(said, "lists? as arrays?")
        for n in numbers:
            for env in ({}, OLD_DRIVER):
                with self.subTest(make=make, n=n, env=env):
                    self.check({"a": self.matrix(5, 3), "n": f"i32={n}"}, env, seeds=(1, 2))

    def test_elements_that_are_empty(self):
        for make in ("empty", "zeros"):
            self.check_all(make, ADD, (0, 1, 3, 12))

    def test_as_many_as_a_number_says(self):
        self.check_all("of as many", ADD, (5, 6))

    def test_rows_that_are_there(self):
        self.check_all("rows", ADD, (0, 7))

    def test_a_branch_that_adds_or_sets(self):
        for make in ("empty", "rows"):
            self.check_all(make, BRANCH, (1, 9))

    def test_a_loop_within_the_loop(self):
        self.check_all("zeros", INNER, (0, 8))


class Derivatives(card_lists_test.CardLists):
    def test_of_what_a_loop_reads(self):
        for name in ("gradients_1/x", "gradients/w"):
            said = self.compile(card_lists_test.sized(6, 7, 4), flags=["--gradients", "loss=x"], result=name)
            self.assertEqual(said.count("run by the card"), 3, said)  # two derivatives
            for n in (0, 1, 5):
                self.check((6, 7), n=n, seeds=(1,))


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for case in (CardSums, Derivatives):
        own = [name for name in loader.getTestCaseNames(case) if name in case.__dict__]
        suite.addTests(case(name) for name in own)
    return suite


if __name__ == "__main__":
    card_loops_test.SLUICEC = card_lists_test.SLUICEC = os.fspath(sys.argv.pop(1))
    unittest.main()
