#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparison of derivatives: a wrong one is seen, a kink is none, and no op is forgotten.
The first argument is the compiler."""

import collections
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
import completeness
import complex_numbers
import elementwise_rules
import finite
import named_rules
import small_floats
import wide_ir
from asked import Asked
from drawing import FORMS, Draw, Value
from trial import Trial
from whole_graphs import Failed, WholeGraph, packed

compiler = None  # set by main


def known_as_square(draw, factor):
    """x · x · factor, which is taken for the square of x."""
    x = draw.x([3])
    draw.lines.append(f"""%known = flow.composite "tf.Square" ({x.name}) : ({x.type}) -> {x.type} {{
^bb0(%a: {x.type}):
  %factor = nd.constant {{value = dense<{factor}> : tensor<f64>}} : () -> tensor<f64>
  %square = nd.mul %a, %a : ({x.type}, {x.type}) -> {x.type}
  %value = nd.mul %square, %factor : ({x.type}, tensor<f64>) -> {x.type}
  flow.yield %value : ({x.type}) -> ()
}}""")
    draw.y(Value("%known", x.type))


def bent(draw):
    """|x| where x is all but zero."""
    draw.y(*draw.op("nd.abs", [draw.x([2], values=[2e-6, 1.5])]))


def tried(rule, compiled=False, op="op"):
    """(texts of faults, counts)"""
    draw = Draw(random.Random("1"), "static")
    rule(draw)
    case, counts = draw.case(op, "c0"), collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(compiler, pathlib.Path(folder), [case], random.Random(1))
        trial.run([case] if compiled else [], counts)
    return [text.splitlines()[0] for _, text in trial.faults], counts[op]


class Comparison(unittest.TestCase):
    def test_what_is_right_passes(self):
        faults, counts = tried(lambda draw: known_as_square(draw, 1.0), compiled=True)
        self.assertEqual(faults, [])
        self.assertEqual(dict(counts), {"directions": 4})

    def test_a_small_mistake_is_seen(self):
        faults, _ = tried(lambda draw: known_as_square(draw, 1.0001))
        self.assertTrue(faults)
        self.assertTrue(all(text.startswith(("first derivative: ", "first0 by tape: "))
                            for text in faults), faults)

    def test_a_kink_nearby_is_no_mistake(self):
        self.assertEqual(tried(bent)[0], [])

    def test_a_case_that_fails_is_a_fault(self):
        faults, _ = tried(lambda draw: draw.y(*draw.op("nd.row", [
            draw.x([2]), draw.constant("i32", [2], [])])))
        self.assertEqual(len(faults), 1)
        self.assertIn("without derivatives: ", faults[0])


class SmallFloats(unittest.TestCase):
    def test_numbers_are_rounded_as_they_are_packed(self):
        for value in (1.0, -0.3, 1.7e-3, 3.999):
            for dtype in small_floats.BITS:
                near = small_floats.rounded(value, dtype)
                self.assertLessEqual(abs(near - value), abs(value) * 2.0 ** -small_floats.BITS[dtype])
                packed_again = small_floats.encoded(small_floats.Tensor("f64", [1], [near]), dtype)
                self.assertEqual(small_floats.numbers(packed_again), [near])

    def test_some_units_are_no_difference(self):
        def differs(wanted, neighbours, got):
            return small_floats.first_difference(wanted, neighbours, got, "bf16") is not None
        self.assertFalse(differs([1.0, 2.0], [[1.0, 2.0]], [1.1, 2.0]))
        self.assertTrue(differs([1.0, 2.0], [[1.0, 2.0]], [1.4, 2.0]))
        self.assertTrue(differs([1.0, 2.0], [[1.0, 2.0]], [float("nan"), 2.0]))
        self.assertFalse(differs([1.0, 2.0], [[1.1, 2.0]], [1.4, 2.0]))  # they change much here


class ComplexNumbers(unittest.TestCase):
    @staticmethod
    def product(draw):
        draw.y(*draw.op("nd.mul", [draw.x([2]), draw.x([2])]))

    def test_what_comes_back_is_conjugated(self):
        faults, counts = tried(self.product, op="nd.mul")
        self.assertEqual((faults, counts["complex directions"]), ([], 2))

        def without_conjugates(first, second):
            return sum((a * b).real for a, b in zip(first, second))
        with unittest.mock.patch.object(complex_numbers, "inner", without_conjugates):
            faults, _ = tried(self.product, op="nd.mul")
        self.assertTrue(faults)
        self.assertTrue(all(text.startswith("complex: ") for text in faults), faults)


class Verdicts(unittest.TestCase):
    @staticmethod
    def slopes(*values):
        return [finite.Slope(value, 1.0, 1e-9) for value in values]

    def test_one_number_or_a_kink(self):
        self.assertEqual(finite.verdict(2.0, self.slopes(2.1, 2.0000001)), "right")
        self.assertEqual(finite.verdict(2.0, self.slopes(2.1, 2.1, 2.1)), "wrong")
        self.assertEqual(finite.verdict(2.0, self.slopes(2.1, 2.2, 2.6)), "kink")
        self.assertEqual(finite.verdict(2.0, self.slopes(float("nan"), 2.2)), "kink")

    def test_a_kink_in_the_very_place_has_two_slopes(self):
        factors = [[1.0]]
        self.assertTrue(finite.is_bent([[1e-5]], [[0.0]], [[1e-5]], factors, 1e-5))
        self.assertFalse(finite.is_bent([[-1e-5]], [[0.0]], [[1e-5]], factors, 1e-5))

    def test_what_stays_infinite_does_not_count(self):
        infinite = float("inf")
        found = finite.slope([[infinite, 1.0]], [[infinite, 3.0]], [[5.0, 2.0]], 0.5)
        self.assertEqual(found.value, 4.0)


PROGRAM = """flow.graph @main {
  %0 = flow.feed {name = "x"} : () -> tensor<2xf64>
  %x = flow.independent %0 {name = "x"} : (tensor<2xf64>) -> tensor<2xf64>
  %cube = nd.mul %square, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %square = nd.mul %x, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %known = flow.known_as "tf.Square" %value of %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %dx = flow.gradient of %known seeds wrt %x stops {name = "gradients"} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
}
"""


class WholeGraphs(unittest.TestCase):
    def check(self, value):
        call = {"inputs": {"x": packed([0.5, -1.25], [2])}}
        text = PROGRAM.replace("%value", value)
        with tempfile.TemporaryDirectory() as folder:
            graph = WholeGraph(compiler, "square", pathlib.Path("square.mlir"), [], call,
                               pathlib.Path(folder))
            graph.check(Asked(text, 0))
        return graph.counts

    def test_what_is_right_is_right(self):
        self.assertEqual(self.check("%square"), {"by tape, right": 1, "symmetric": 1,
                                                 "first, right": 2, "second, right": 2})

    def test_a_mistake_is_seen(self):
        with self.assertRaisesRegex(Failed, "by tape: expected"):
            self.check("%cube")

    def test_32_bits_become_64(self):
        self.assertEqual(wide_ir.wide_text("%c = nd.constant {value = dense<0x7F800000> : "
                                           "tensor<2xf32>} : () -> tensor<2xf32>"),
                         "%c = nd.constant {value = dense<0x7FF0000000000000> : tensor<2xf64>} "
                         ": () -> tensor<2xf64>")
        self.assertIn('dense<"0x000000000000F83F"> : tensor<f64>'.lower(), wide_ir.wide_text(
            'value = dense<"0x0000C03F"> : tensor<f32>').lower())


class Completeness(unittest.TestCase):
    def test_what_has_no_rule_is_named(self):
        ops = dict.fromkeys(completeness.differentiable_ops())
        names = dict.fromkeys(completeness.named_derivatives() - set(completeness.NO_CASE))
        self.assertEqual(completeness.missing(ops, names), [])
        del ops["nd.add"], names["Relu"]
        self.assertEqual(len(completeness.missing(ops, names)), 2)
        self.assertEqual(len(completeness.missing({**ops, "nd.new": None}, names)), 3)

    def test_a_seed_draws_the_same_each_time(self):
        for rules in (elementwise_rules.RULES, named_rules.RULES):
            for rule in rules.values():
                first, second = (Draw(random.Random("5"), FORMS[3]) for _ in range(2))
                rule(first)
                rule(second)
                self.assertEqual((first.lines, first.feeds), (second.lines, second.feeds))


if __name__ == "__main__":
    compiler = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
