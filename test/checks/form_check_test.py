#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""form_check.py finds what it is for."""

import pathlib
import tempfile
import unittest

import form_check

TOP = f"// {form_check.LICENCE}\n"


class Files(unittest.TestCase):
    def faults(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return form_check.check(pathlib.Path(folder))

    def test_good_files(self):
        for name, text in (("runtime/a.h", TOP + "// Adds.\n#pragma once\n"),
                           ("runtime/a.h", f"/* {form_check.LICENCE}\n * Adds.\n */\n"),
                           ("test/a.py", f'#!/bin/python3\n# {form_check.LICENCE}\n"""Adds."""\n'),
                           ("tools/CMakeLists.txt", f"# {form_check.LICENCE}\nproject(a)\n"),
                           ("test/conformance/fixtures/a.py", "1\n"), ("docs/a.py", "1\n")):
            with self.subTest(name):
                self.assertEqual(self.faults(name, text), [])

    def test_without_a_licence(self):
        for name in ("runtime/a.cpp", "test/a.py", "compiler/CMakeLists.txt", "examples/a/run"):
            for text in ("", "\n\n", "int a;\n" + TOP):
                with self.subTest(name):
                    self.assertEqual(self.faults(name, text),
                                     [f"{name}: expected the licence's line at the top"])

    def test_without_a_purpose(self):
        for text in (TOP, TOP + '#include "runtime/a.h"\n', TOP + "\n// Adds.\n"):
            self.assertEqual(self.faults("runtime/a.cpp", text),
                             ["runtime/a.cpp: expected the file's purpose below the licence"])

    def test_long_files(self):
        long = TOP + "// Adds.\n" + "int a;\n" * (form_check.MOST_LINES - 2)
        self.assertEqual(self.faults("runtime/a.cpp", long), [])
        self.assertEqual(self.faults("runtime/a.cpp", long + "int b;\n"),
                         ["runtime/a.cpp: expected at most 400 lines but got 401: "
                          "which two files is it?"])


if __name__ == "__main__":
    unittest.main()
