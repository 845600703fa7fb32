#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the check that every reason of raise occurs in a test."""

import pathlib
import tempfile
import unittest

import raise_reasons_check as check

SOURCE = '''#include "some/other file.h"
// A comment that says "two words".
std::string why() { return describe(op) + " has two" " parts"
                           ", which are one"; }
auto word = "single";
'''


class RaiseReasons(unittest.TestCase):
    def test_texts_of_several_words_are_reasons(self):
        self.assertEqual(check.reasons(SOURCE), {" has two", " parts, which are one"})

    def test_each_reason_needs_a_test(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "compiler/raise").mkdir(parents=True)
            (root / "test/compiler/raise").mkdir(parents=True)
            for name in check.SOURCES:
                (root / "compiler/raise" / name).write_text(f'return "reason of {name}";')
            tested = "\n".join(f"// reason of {name}" for name in check.SOURCES[1:])
            (root / "test/compiler/raise/a.mlir").write_text(tested)
            first = check.SOURCES[0]
            self.assertEqual(list(check.missing(root)), [(first, f"reason of {first}")])


if __name__ == "__main__":
    unittest.main()
