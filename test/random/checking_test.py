#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparison: what is seen of calls after one that has failed. The first argument is the
compiler."""

import base64
import contextlib
import pathlib
import struct
import sys
import tempfile
import unittest

import answers
import checking
from graph import Node, flag, shape_of, text, type_of
from program import Program, Signature, tensor
from ways import Way

compiler = None  # set by main

# A compiler whose programs give an empty answer to some calls, unless the reference interpreter runs
# them as they are.
PLANTED = """#!/bin/sh
case " $* " in
*" --interpret "*) exec "{compiler}" "$@" ;;
*) "{compiler}" "$@" | sed '{where}s/.*/{{"outputs":[],"leftover_tokens":0,"state":{{}}}}/' ;;
esac
"""


def number(element):
    return tensor("i", [element], ())


def dividing_program(divisors):
    """v = divisor; 12 // divisor. The last call only reads v."""
    integer, scalar = type_of("i"), shape_of(())
    nodes = [
        Node("x", "Placeholder", [], {"dtype": integer, "shape": scalar}),
        Node("twelve", "Const", [], {"dtype": integer, "value": "tensor { dtype: DT_INT32 "
                                     "tensor_shape { } int_val: 12 }"}),
        Node("v", "VarHandleOp", [], {"dtype": integer, "shape": scalar, "shared_name": text("v"),
                                      "container": text("")}),
        Node("set", "AssignVariableOp", ["v", "x"], {"dtype": integer,
                                                     "validate_shape": flag(False)}),
        Node("quotient", "FloorDiv", ["twelve", "x"], {"T": integer}),
        Node("read", "ReadVariableOp", ["v"], {"dtype": integer})]
    signatures = [Signature("divide", ["x"], ["quotient"], ["set"]), Signature("look", [], ["read"])]
    requests = [{"signature": "divide", "inputs": {"x": number(x)}} for x in divisors]
    return Program(nodes, signatures, [*requests, {"signature": "look", "inputs": {}}])


def size_of_quotient(divisor):
    """The size is known, whatever the quotient."""
    program = dividing_program([divisor])
    size = Node("size", "Size", ["quotient"], {"T": type_of("i"), "out_type": type_of("i")})
    return Program([*program.nodes, size], [Signature("divide", ["x"], ["size"], [])],
                   program.requests[:1])


def elements(answer):
    return [struct.unpack("<i", base64.b64decode(each["b64"]))[0] for each in answer["outputs"]]


class Differences(unittest.TestCase):
    def test_calls_after_an_error_are_compared(self):
        failed, good = {"error": {"code": "INTERNAL"}}, {"outputs": [number(1)], "state": {}}
        expected = answers.Answers([failed, good])
        self.assertEqual(answers.difference(expected, answers.Answers([failed, good])), "")
        other = {"outputs": [number(2)], "state": {}}
        self.assertEqual(answers.difference(expected, answers.Answers([failed, other])),
                         "outputs differ")


WAY = Way(["--interpret=optimize"], [])


@contextlib.contextmanager
def planted(where):
    """Empty answers in these lines, as sed names them."""
    with tempfile.TemporaryDirectory() as folder:
        changed = pathlib.Path(folder) / "sluicec"
        changed.write_text(PLANTED.format(compiler=compiler, where=where))
        changed.chmod(0o755)
        yield changed


class Settled(unittest.TestCase):
    def test_a_call_after_an_error_begins_with_known_variables(self):
        program, expected = checking.Checker(compiler).settled(dividing_program([3, 0]))
        self.assertNotIn("state", program.requests[1])
        self.assertEqual(program.requests[2]["state"], {"v": number(3)})
        self.assertEqual(elements(expected.calls[0]), [4])
        self.assertIn("error", expected.calls[1])
        self.assertEqual(elements(expected.calls[2]), [3])

    def test_so_does_each_call_after_each_error(self):
        program, expected = checking.Checker(compiler).settled(dividing_program([0, 2, 0, 0]))
        self.assertEqual([request.get("state") for request in program.requests],
                         [None, {}, None, {"v": number(2)}, {"v": number(2)}])
        self.assertEqual(elements(expected.calls[4]), [2])

    def test_without_errors_nothing_is_told(self):
        program = dividing_program([3, 4])
        self.assertIs(checking.Checker(compiler).settled(program)[0], program)

    def test_what_differs_after_an_error_is_found(self):
        program = dividing_program([3, 0])
        self.assertEqual(checking.Checker(compiler).failures(program, [WAY]), [])
        with planted("$") as changed:
            (failure,) = checking.Checker(changed).failures(program, [WAY])
        self.assertEqual(failure.what, "outputs differ")


class Lost(unittest.TestCase):
    def test_what_nobody_needs_need_not_fail(self):
        program = size_of_quotient(0)
        self.assertIn("error", checking.Checker(compiler).settled(program)[1].calls[0])
        self.assertEqual(checking.Checker(compiler).failures(program, [WAY]), [])

    def test_what_is_kept_has_to_fail(self):
        with planted("1") as changed:
            (failure,) = checking.Checker(changed).failures(size_of_quotient(0), [WAY])
        self.assertEqual(failure.what, "call does not fail")


if __name__ == "__main__":
    compiler = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
