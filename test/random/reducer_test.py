#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the reducer, with failures that are planted. The first argument is the compiler."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import answers
import checking
import library
import program as programs
import reducer
from generator import draw_program

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 600  # it is done much sooner

# A compiler that fails when it is to run a loop in any way but the reference interpreter's.
PLANTED = """#!/bin/sh
case " $* " in
*" --interpret "*) ;;
*) if grep -q '"Exit"' "$1"; then echo "error: planted" >&2; exit 70; fi ;;
esac
exec "{compiler}" "$@"
"""

compiler = None  # set by main


def first_program(fits, lists=False):
    return next(one for one in map(draw_program, range(1000))
                if lists == any("TensorList" in op for op in ops(one)) and fits(one))


def ops(program):
    return [node.op for node in program.all_nodes()]


def has_much(program):
    """Functions with types, with control outputs and with effects."""
    functions = program.functions.values()
    return (any(one.attributes for one in functions) and any(one.waits for one in functions)
            and any(one.stateful for one in functions))


class Reducer(unittest.TestCase):
    def test_keeps_what_fails_and_little_else(self):
        big = first_program(lambda one: len(one.nodes) > 150 and "Tanh" in ops(reducer.pruned(one)))
        small = reducer.reduce(big, lambda one: "Tanh" in ops(one), SECONDS)
        self.assertIn("Tanh", ops(small))
        self.assertLessEqual(len(small.nodes), 3)
        self.assertEqual([len(one.fetches) + len(one.targets) for one in small.signatures], [1])

    def test_gives_back_what_cannot_be_smaller(self):
        one = reducer.pruned(draw_program(3))
        self.assertEqual(reducer.reduce(one, lambda _: False, SECONDS).text(), one.text())

    def test_requests_that_matter_stay(self):
        big = first_program(lambda one: len(one.requests) > 2)
        small = reducer.reduce(big, lambda one: len(one.requests) >= 2, SECONDS)
        self.assertEqual(len(small.requests), 2)

    def test_ends_in_time(self):
        big = first_program(lambda one: len(one.nodes) > 100)
        attempts = []
        reducer.reduce(big, lambda one: attempts.append(one), 0)
        self.assertLessEqual(len(attempts), 1)

    def test_saved_programs_are_read_back(self):
        for one in first_program(lambda one: not one.functions), first_program(has_much):
            self.save_and_load(one)

    def save_and_load(self, one):
        with tempfile.TemporaryDirectory() as folder:
            programs.save(one, pathlib.Path(folder) / "one", what="nothing")
            again, record = programs.load(pathlib.Path(folder) / "one")
        self.assertEqual(again.text(), one.text())
        self.assertEqual(again.functions, one.functions)
        self.assertEqual((again.signatures, again.requests), (one.signatures, one.requests))
        self.assertEqual(record["what"], "nothing")


def inner_ops(program):
    """Those of functions."""
    return [node.op for one in program.functions.values() for node in one.nodes]


class Lists(unittest.TestCase):
    def test_a_new_list_stands_for_one_that_was_made_in_many_steps(self):
        def stacks(program):
            by_name = {node.name: node.op for node in program.all_nodes()}
            return any(node.op == "TensorListStack" and "TensorList" in by_name[node.inputs[0]]
                       for node in program.nodes
                       if node.inputs and node.inputs[0] in by_name)
        big = first_program(lambda one: ops(reducer.pruned(one)).count("TensorListSetItem") > 2
                            and stacks(reducer.pruned(one)), lists=True)
        small = reducer.reduce(big, stacks, SECONDS)
        self.assertLessEqual(len(small.all_nodes()), 5, small.text())
        self.assertLessEqual({"TensorListStack", "TensorListReserve"}, set(ops(small)))

    def test_lists_of_loops_stay_if_they_matter(self):
        def carries(program):
            return any(node.op.endswith("While") and "DT_VARIANT" in node.attributes["T"]
                       for node in program.all_nodes())
        small = reducer.reduce(first_program(lambda one: carries(reducer.pruned(one)), lists=True),
                               carries, SECONDS)
        self.assertLessEqual(len(small.functions), 3, small.text())
        self.assertLessEqual(len(small.all_nodes()), 8, small.text())


class Functions(unittest.TestCase):
    def test_a_function_that_matters_stays_without_the_others(self):
        big = first_program(lambda one: len(one.functions) > 4
                            and "Tanh" in inner_ops(reducer.pruned(one)))
        small = reducer.reduce(big, lambda one: "Tanh" in inner_ops(one), SECONDS)
        self.assertEqual(len(small.functions), 1, small.text())
        self.assertLessEqual(len(small.all_nodes()), 5, small.text())

    def test_ports_that_do_not_matter_go(self):
        big = first_program(lambda one: "While" in ops(reducer.pruned(one)))
        small = reducer.reduce(big, lambda one: "While" in ops(one), SECONDS)
        self.assertLessEqual(len(small.functions), 3, small.text())
        for one in small.functions.values():
            self.assertLessEqual(len(one.arguments), 1, small.text())

    def test_recursion_stays_if_it_matters(self):
        def recurs(program):
            return any(name in library.reached(one.nodes, program.functions)
                       for name, one in program.functions.items())
        small = reducer.reduce(first_program(recurs), recurs, SECONDS)
        self.assertEqual(len(small.functions), 1, small.text())
        self.assertLessEqual(len(small.all_nodes()), 3, small.text())

    def test_programs_without_calls_mean_the_same(self):
        """Until nothing is left to put into the place of its call."""
        big = first_program(lambda one: sum(
            node.op == "PartitionedCall" for node in one.nodes) > 2
            and not {"Case", "For", "_SwitchN"} & {node.op for node in one.all_nodes()})
        checker = checking.Checker(compiler)
        expected = checker.settled(reducer.pruned(big))[1]
        self.assertEqual(expected.trouble, "", expected.message)
        attempts = list(reducer.FUNCTION_STEPS[1](reducer.pruned(big)))
        self.assertTrue(attempts)
        for _, make in attempts[:6]:
            got = checker.settled(make())[1]
            self.assertEqual(answers.difference(expected, got), "", got.message)


class Planted(unittest.TestCase):
    def test_a_failure_is_found_made_small_and_repeatable(self):
        seed = next(seed for seed in range(1000) if 60 < len(draw_program(seed).nodes) < 90
                    and "Exit" in ops(reducer.pruned(draw_program(seed))))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            broken = folder / "broken-compiler"
            broken.write_text(PLANTED.format(compiler=compiler))
            broken.chmod(0o755)
            outcome = subprocess.run(
                [sys.executable, HERE / "run.py", "--count=1", f"--seed={seed}",
                 f"--keep={folder / 'kept'}", f"--compiler={broken}", f"--reduce={SECONDS}"],
                capture_output=True, text=True, check=False)
            self.assertEqual(outcome.returncode, 1, outcome.stdout + outcome.stderr)
            self.assertTrue(outcome.stdout.endswith("\n0 passed, 1 failed\n"), outcome.stdout)
            small, record = programs.load(folder / "kept" / str(seed))
            self.assertIn("Exit", ops(small))
            self.assertLessEqual(len(small.nodes), 15, small.text())
            self.assertIn("exit code 70", record["what"])
            script = (folder / "kept" / f"{seed}.sh").read_text()
            again = subprocess.run(["sh", "-c", script], capture_output=True, text=True,
                                   check=False)
            self.assertEqual(again.returncode, 70, script + again.stderr)
            self.assertIn("planted", again.stderr)


def main():
    global compiler
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} COMPILER [unittest's flags]")
    compiler = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()


if __name__ == "__main__":
    main()
