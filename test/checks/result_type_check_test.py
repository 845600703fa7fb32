#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of result_type_check.py."""

import unittest

import result_type_check as check
from op_records import Record


def record(example):
    return Record("nd", "nd.add", "elementwise", "dialects/nd/x.td", "sum", "Adds.", "always.", "dead.",
                  "none.", "none.", example)


class Types(unittest.TestCase):
    def test_elements_are_kept(self):
        rank = "7x" * 7
        for before, elements in (("tensor<f32>", "f32"), ("tensor<2x?xi1>", "i1"),
                                 ("tensor<*xcomplex<f32>>", "complex<f32>"),
                                 ("tensor<3x!nd.string>", "!nd.string")):
            self.assertEqual(check.of_another_rank(before), f"tensor<{rank}{elements}>")

    def test_other_types_have_no_rank(self):
        self.assertIsNone(check.of_another_rank("!flow.token"))
        self.assertIsNone(check.of_another_rank("!state.ref<tensor<2xf32>>"))


class Variants(unittest.TestCase):
    def test_one_for_each_tensor(self):
        example = "%z:3 = nd.add %x : (tensor<f32>) -> (tensor<f32>, !flow.token, tensor<2xi32>)"
        (first, one), (second, two) = check.contradictions(record(example))
        self.assertEqual((first, second), (0, 2))
        self.assertTrue(one.endswith("-> (tensor<7x7x7x7x7x7x7xf32>, !flow.token, tensor<2xi32>)"))
        self.assertTrue(two.endswith("-> (tensor<f32>, !flow.token, tensor<7x7x7x7x7x7x7xi32>)"))

    def test_a_region_may_follow(self):
        example = "%z = nd.add (%x) : (tensor<f32>) -> tensor<f32> body {\n  %y = nd.neg\n}"
        [(number, text)] = check.contradictions(record(example))
        self.assertEqual(number, 0)
        self.assertIn("-> (tensor<7x7x7x7x7x7x7xf32>) body {\n  %y = nd.neg\n}", text)

    def test_no_results(self):
        self.assertEqual(check.contradictions(record("nd.add %x : (tensor<f32>) -> ()")), [])


if __name__ == "__main__":
    unittest.main()
