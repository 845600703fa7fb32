#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of programs with derivatives: how they are drawn, and that what is wrong is seen. The first
argument is the compiler."""

import copy
import sys
import unittest

import second_order
import tape
from answers import Answers
from differentiated import draw_differentiated
from graph import Node, type_of
from program import Program, Signature, tensor
from slopes import GradientChecker, numbers
from ways import Way

compiler = None  # set by main


def program_of(op):
    """y = sin(op(x))"""
    number = type_of("d")
    nodes = [Node("x", "Placeholder", [], {"dtype": number, "shape": "shape { dim { size: 2 } }"}),
             Node("z", op, ["x"], {"T": number}), Node("y", "Sin", ["z"], {"T": number}),
             Node("seed_of_0", "Placeholder", [], {"dtype": number,
                                                   "shape": "shape { unknown_rank: true }"})]
    main = Signature("main", ["x", "seed_of_0"], ["y"], [], [[[["y", "seed_of_0"]], ["x"], []]])
    call = {"signature": "main", "inputs": {"x": tensor("d", [0.3, -0.6], (2,))}}
    return Program(nodes, [main], [call], {"x": ("d", (2,), ""), "z": ("d", (2,), "")})


class Slopes(unittest.TestCase):
    def check(self, program, chosen=()):
        checker = GradientChecker(compiler)
        whole, failures = checker.check(program, list(chosen), True)
        return whole, [one.what for one in failures], checker.counts

    def test_right_derivatives_are_right(self):
        ways = [Way([], [], linked=True), Way(["--execute=sim", "--devices=2"], [])]
        whole, failures, counts = self.check(program_of("Exp"), ways)
        self.assertEqual(failures, [])
        self.assertEqual(counts["first derivatives, right"], 3)
        self.assertEqual(counts["second derivatives, right"], 3)
        self.assertEqual(whole.requests[-1]["inputs"]["seed_of_0"]["shape"], [2])

    def test_derivatives_that_are_zero_by_mistake_are_wrong(self):
        _, failures, _ = self.check(program_of("StopGradient"))
        self.assertEqual(failures, ["first derivatives are wrong"])

    def test_a_kink_in_the_very_place_is_no_mistake(self):
        program = program_of("Relu")
        program.requests[0]["inputs"]["x"] = tensor("d", [0.0, -0.6], (2,))
        _, failures, counts = self.check(program)
        self.assertEqual(failures, [])
        self.assertEqual(counts["first derivatives, kink"], 3)
        self.assertEqual(counts["first derivatives by tape, right"], 1)

    def test_what_only_the_tape_sees_is_seen(self):
        one = {"dtype": "float64", "shape": [1], "b64": tensor("d", [1e-9], (1,))["b64"]}
        other = {**one, "b64": tensor("d", [3e-9], (1,))["b64"]}
        for claimed, expected in ((one, "right"), (other, "wrong")):
            got = Answers([{"outputs": [one]}])
            self.assertEqual(tape.verdict(got, [claimed], numbers)[0], expected)

    def test_a_computed_x_that_is_a_stop_is_fed(self):
        program = program_of("Exp")
        program.signatures[0].gradients = [[[["y", "seed_of_0"]], ["x", "z"], ["z"]]]
        _, failures, counts = self.check(program)
        self.assertEqual(failures, [])
        self.assertEqual(counts["first derivatives, right"], 3)
        program.signatures[0].gradients[0][2].clear()  # so x is moved by z as well
        _, failures, _ = self.check(program)
        self.assertEqual(failures, ["first derivatives are wrong"])

    def test_what_is_not_differentiated_is_left_out(self):
        program = program_of("Exp")
        program.signatures[0].gradients.clear()
        _, failures, counts = self.check(program)
        self.assertEqual((failures, dict(counts)), ([], {"skipped, nothing is asked for": 1}))


class Drawing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = [one for one in map(draw_differentiated, range(120)) if one]

    def test_a_seed_gives_the_same_program_each_time(self):
        for seed in (3, 5, 8):
            first, second = draw_differentiated(seed), draw_differentiated(seed)
            self.assertEqual(first and first.text(), second and second.text())
            self.assertEqual(first and vars(first.signatures[-1]),
                             second and vars(second.signatures[-1]))

    def test_most_seeds_give_something_to_differentiate(self):
        self.assertGreater(len(self.programs), 80)

    def test_programs_vary(self):
        ops = {node.op for one in self.programs for node in one.all_nodes()}
        self.assertLessEqual({"While", "If", "Enter", "Switch", "TensorArrayWriteV3", "StackPushV2",
                              "TensorListPushBack", "PartitionedCall", "ReadVariableOp"}, ops)
        requests = [one.signatures[-1].gradients[0] for one in self.programs]
        variables = {node.name for one in self.programs for node in one.nodes
                     if node.op in ("VarHandleOp", "VariableV2")}
        self.assertTrue(any(stops for _, _, stops in requests))
        self.assertTrue(any(len(ys) > 1 for ys, _, _ in requests))
        self.assertTrue(any(set(xs) & variables for _, xs, _ in requests))

    def test_flows_of_arrays_stay_narrow_and_numbers_do_not(self):
        narrow = {node.op for one in self.programs for node in one.all_nodes()
                  if any("DT_FLOAT" in text for text in node.attributes.values())}
        self.assertFalse(narrow & {"Const", "Placeholder", "MatMul", "TensorArrayV3"})


class SecondOrder(unittest.TestCase):
    def test_types_are_told_apart(self):
        self.assertEqual(second_order.split_types("(tensor<2x?xf64>, !list.of<tensor<f64>>)"),
                         ["tensor<2x?xf64>", "!list.of<tensor<f64>>"])

    def test_a_program_is_not_changed(self):
        program = program_of("Exp")
        before = copy.deepcopy(program)
        GradientChecker(compiler).check(program, [], True)
        self.assertEqual(program, before)


if __name__ == "__main__":
    compiler = sys.argv.pop(1)
    unittest.main()
