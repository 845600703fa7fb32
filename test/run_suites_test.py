#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The counts of every kind of suite are read from its own summary."""

import subprocess
import sys
import tempfile
import unittest

import run_suites
from run_suites import Suite, count


class CountTest(unittest.TestCase):
    def test_googletest(self):
        output = ("[==========] 51 tests from 8 test suites ran. (4 ms total)\n"
                  "[  PASSED  ] 48 tests.\n[  SKIPPED ] 1 test, listed below:\n"
                  "[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.b\n\n 2 FAILED TESTS\n")
        self.assertEqual(count(output, 1), [48, 2, 1])

    def test_googletest_that_passes(self):
        output = "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n"
        self.assertEqual(count(output, 0), [1, 0, 0])

    def test_own_tools(self):
        self.assertEqual(count("skipped a: B (1)\n3 passed, 0 failed, 1 skipped\n", 0), [3, 0, 1])
        self.assertEqual(count("3 passed, 2 failed\n", 1), [3, 2, 0])

    def test_unittest(self):
        output = "Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n"
        self.assertEqual(count(output, 1), [3, 3, 1])
        self.assertEqual(count("Ran 1 test in 0.1s\n\nOK\n", 0), [1, 0, 0])

    def test_lit(self):
        output = ("Testing Time: 0.35s\n\nTotal Discovered Tests: 9\n  Unsupported: 1 (11.1%)\n"
                  "  Passed     : 6 (66.7%)\n  Failed     : 2 (22.2%)\n")
        self.assertEqual(count(output, 1), [6, 2, 1])

    def test_plain_commands(self):
        self.assertEqual(count("anything\n", 0), [1, 0, 0])
        self.assertEqual(count("anything\n", 3), [0, 1, 0])

    def test_deaths_after_the_last_test_are_failures(self):
        output = "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n"
        self.assertEqual(count(output, -11), [1, 1, 0])


class TurnTest(unittest.TestCase):
    SUITES = [Suite(name, [], "/", {}, 1, rotates=name.startswith("long"))
              for name in ("a", "long-e", "c", "long-d", "long-b", "long-f")]

    def names(self, turn):
        return [suite.name for suite in run_suites.in_turn(self.SUITES, turn)]

    def test_one_of_the_long_suites_runs_with_each_commit(self):
        self.assertEqual(self.names(0), ["a", "c", "long-b"])
        self.assertEqual(self.names(1), ["a", "c", "long-d"])
        self.assertEqual(self.names(6), ["a", "long-e", "c"])

    def test_a_third_of_the_other_ways_runs_with_each_commit(self):
        suites = [Suite("each", [], "/", {}, 1)] + [
            Suite(name, [], "/", {}, 1, third=True, cost=cost)
            for name, cost in (("a", 30), ("b", 50), ("c", 20), ("d", 40), ("e", 10))]
        self.assertEqual(run_suites.thirds(suites), [["b"], ["d", "e"], ["a", "c"]])
        self.assertEqual([suite.name for suite in run_suites.in_turn(suites, 4)],
                         ["each", "d", "e"])

    def test_short_suites_all_run(self):
        self.assertEqual(run_suites.in_turn(self.SUITES[:1], 7), self.SUITES[:1])

    def test_commits_are_those_of_a_checkout(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(run_suites.commits(folder))
            for command in (["init", "-q"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit",
                                             "-q", "--allow-empty", "-m", "first"]):
                subprocess.run(["git", "-C", folder, *command], check=True)
            self.assertEqual(run_suites.commits(folder), 1)


class RunTest(unittest.TestCase):
    def test_hangs_are_failures(self):
        suite = Suite("s", ["/bin/sh", "-c", "sleep 60"], "/", {}, 0.5)
        result = run_suites.run(suite)
        self.assertEqual((result.passed, result.failed), (0, 1))
        self.assertIn("no end after", result.output)

    def test_programs_that_were_not_built_are_failures(self):
        result = run_suites.run(Suite("s", ["/nowhere/program"], "/", {}, 5))
        self.assertEqual((result.passed, result.failed), (0, 1))

    def test_environment_reaches_the_suite(self):
        command = [sys.executable, "-c", "import os; print(os.environ['SETTING'])"]
        self.assertIn("yes", run_suites.run(Suite("s", command, "/", {"SETTING": "yes"}, 30)).output)


if __name__ == "__main__":
    unittest.main()
