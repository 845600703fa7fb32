#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison of hashes sees other bits, and tests that are in one run only."""

import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# In place of sluice-conformance: writes the hashes of one of two files, by whether it has flags.
TOOL = """#!/bin/sh
here=$(dirname "$0")
case "$*" in
  *schedule-seed*|*parallel-iterations*) cp "$here/variant" "$2" ;;
  *) cp "$here/plain" "$2" ;;
esac
"""


class BitIdentity(unittest.TestCase):
    def run_with(self, plain, variant):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "plain").write_text(plain)
            (folder / "variant").write_text(variant)
            tool = folder / "tool"
            tool.write_text(TOOL)
            tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
            run = subprocess.run([sys.executable, HERE / "bit_identity.py", tool, "schedules", "x"],
                                 capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def test_equal_hashes_pass(self):
        code, out = self.run_with("a 1\nb 2\n", "b@2/1 2\na@2/1 1\n")
        self.assertEqual((code, out), (0, "2 passed, 0 failed\n"))

    def test_other_bits_fail(self):
        code, out = self.run_with("a 1\nb 2\n", "a 1\nb 3\n")
        self.assertEqual(code, 1)
        self.assertIn("failed b: other bits under seed 1", out)
        self.assertIn("1 passed, 1 failed", out)

    def test_a_test_that_vanishes_fails(self):
        code, out = self.run_with("a 1\nb 2\n", "a 1\n")
        self.assertEqual(code, 1)
        self.assertIn("failed b: no result under seed 1", out)

    def test_a_test_that_appears_fails(self):
        code, out = self.run_with("a 1\n", "a 1\nb 2\n")
        self.assertEqual(code, 1)
        self.assertIn("failed b: a result that there is only under seed 1", out)


if __name__ == "__main__":
    unittest.main()
