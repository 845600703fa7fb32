#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests what is made of measured times, without a rival."""

import pathlib
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rivals import page, picture  # noqa: E402
from rivals.families import FAMILIES, MODELS  # noqa: E402
from rivals.worker import RIVALS  # noqa: E402

NAME = next(iter(MODELS))
FOUND = {"Sluice": {"seconds": [2e-3, 9e-3, 1e-3]}, "TensorFlow": {"seconds": [5e-3]},
         "JAX": {"seconds": [8e-2]}, "ONNX Runtime": {"reason": "it | cannot"}}
RESULTS = {NAME: {"1": FOUND}}


class PageTest(unittest.TestCase):
    def test_rows_have_ratios_of_medians(self):
        row = list(page.table(RESULTS, "1", page.Reasons()))[-1]
        self.assertEqual(row, f"| {NAME} | 2 ms | 2.50 | - (1) | - (2) | 40 | - (1) | - (1) |")

    def test_reasons_are_listed_once_and_fit_into_a_table(self):
        reasons = page.Reasons()
        list(page.table(RESULTS, "1", reasons))
        self.assertEqual(reasons.known, ["not measured", "it  cannot"])

    def test_rivals_have_times_where_sluice_has_none(self):
        cells = list(page.cells({"TensorFlow": {"seconds": [3e-6]}}, page.Reasons()))
        self.assertEqual(cells[:3], ["- (1)", "3 µs", "- (1)"])

    def test_the_picture_has_a_dot_for_each_ratio(self):
        drawn = picture.of(RESULTS)
        xml.etree.ElementTree.fromstring(drawn)
        self.assertEqual(drawn.count("<title>"), 2)

    def test_all_rivals_have_a_colour(self):
        self.assertEqual(set(picture.COLOURS) | {"Sluice"}, set(RIVALS))

    def test_names_are_in_one_family(self):
        self.assertEqual(len(MODELS), sum(len(family.MODELS) for family in FAMILIES))

    def test_the_first_page_has_models_that_there_are(self):
        self.assertLessEqual(set(page.FIRST), set(MODELS))


if __name__ == "__main__":
    unittest.main()
