#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of op_record_check.py."""

import pathlib
import tempfile
import unittest

import op_record_check as check
from op_records import Record

COMPLETE = {"summary": "sum", "semantics": "Adds.", "fires": "always.", "dead": "dead.",
            "failures": "none.", "constraints": "C1. One. C2. Two.",
            "example": "%z = nd.add %x, %y : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>"}


def record(**changes):
    return Record("nd", "nd.add", "elementwise", "dialects/nd/x.td", **{**COMPLETE, **changes})


class Parts(unittest.TestCase):
    def test_a_complete_record_has_no_fault(self):
        self.assertEqual(check.check_parts(record()), [])
        self.assertEqual(check.check_parts(record(constraints="none.")), [])

    def test_every_missing_part_is_a_fault(self):
        for part in check.PARTS:
            with self.subTest(part):
                self.assertIn(f"with {part}", check.check_parts(record(**{part: ""}))[0])

    def test_constraints_are_numbered_without_gaps(self):
        self.assertIn("[1, 3]", check.check_parts(record(constraints="C1. One. C3. Three."))[0])
        self.assertIn("'none.'", check.check_parts(record(constraints="Some words."))[0])


class Constraints(unittest.TestCase):
    def test_tested_and_untested(self):
        self.assertEqual(check.check_constraints([record()], {("nd.add", 1), ("nd.add", 2)}), [])
        self.assertIn("nd.add C2: expected a negative test",
                      check.check_constraints([record()], {("nd.add", 1)})[0])

    def test_a_test_of_what_is_no_constraint(self):
        tested = {("nd.add", 1), ("nd.add", 2), ("nd.add", 3)}
        self.assertIn("no such constraint", check.check_constraints([record()], tested)[0])

    def test_reads_the_comments_of_test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.mlir").write_text("// nd.add C1\nx\n// see nd.add C2 too\n")
            self.assertEqual(check.negative_tests(pathlib.Path(folder)), {("nd.add", 1)})


class Examples(unittest.TestCase):
    def test_types_are_split_outside_brackets(self):
        self.assertEqual(check.split_types("tensor<2xf32>, !a.b<c, d>"), ["tensor<2xf32>", "!a.b<c, d>"])
        self.assertEqual(check.split_types(""), [])

    def test_operands_get_producers(self):
        self.assertEqual(check.missing_operands(COMPLETE["example"]),
                         [("%x", "tensor<f32>"), ("%y", "tensor<2xf32>")])
        self.assertEqual(check.missing_operands("%a = x : () -> i1\ny %a : (i1) -> ()"), [])

    def test_symbols_get_declarations(self):
        text = check.wrap("%v = state.reference {variable = @w} : () -> !state.ref<tensor<2xf32>>")
        self.assertIn('state.variable @w {key = "v", type = tensor<2xf32>}', text)

    def test_a_message_names_the_op(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "opt"
            program.write_text("#!/bin/sh\necho '<stdin>:7:3: error: bad' >&2\nexit 1\n")
            program.chmod(0o755)
            records = [record(), Record("nd", "nd.sub", "", "", **COMPLETE)]
            self.assertEqual(check.check_examples(records, str(program)),
                             ["nd.sub: the example does not parse: bad"])


if __name__ == "__main__":
    unittest.main()
