#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the generator: what it draws is deterministic, well-formed and varied."""

import collections
import unittest

import graph
from generator import draw_program
from graph import node_of

SEEDS = range(150)


class Generator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = [draw_program(seed) for seed in SEEDS]

    def test_a_seed_gives_the_same_program_each_time(self):
        for seed in (0, 7, 91):
            first, second = draw_program(seed), draw_program(seed)
            self.assertEqual(graph.print_graph(first.nodes), graph.print_graph(second.nodes))
            self.assertEqual(first.requests, second.requests)
            self.assertEqual(first.signatures, second.signatures)

    def test_seeds_give_different_programs(self):
        self.assertEqual(len({graph.print_graph(one.nodes) for one in self.programs}), len(SEEDS))

    def test_what_may_be_dead_can_be_fed(self):
        program = draw_program(822)
        other = next(one for one in program.signatures if one.name == "other")
        self.assertIn("identity_13", other.feeds)
        requests = [one for one in program.requests if one["signature"] == "other"]
        self.assertTrue(requests)
        for request in requests:
            self.assertEqual(list(request["inputs"]), other.feeds)

    def test_every_input_names_a_node(self):
        for program in self.programs:
            names = {node.name for node in program.nodes}
            self.assertEqual(len(names), len(program.nodes))
            for node in program.nodes:
                self.assertLessEqual({node_of(source) for source in node.inputs}, names)

    def test_only_back_edges_go_back(self):
        for program in self.programs:
            seen = set()
            for node in program.nodes:
                back = {node_of(source) for source in node.inputs} - seen
                self.assertTrue(not back or node.op == "Merge", f"{node.name} needs {back}")
                seen.add(node.name)

    def test_programs_differ_in_size(self):
        sizes = [len(one.nodes) for one in self.programs]
        self.assertLess(min(sizes), 15)
        self.assertGreater(max(sizes), 200)

    def test_everything_is_drawn_sometimes(self):
        ops = collections.Counter(node.op for one in self.programs for node in one.nodes)
        for op in ("Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond", "NoOp",
                   "ControlTrigger", "TensorArrayV3", "TensorArrayWriteV3", "TensorArrayReadV3",
                   "TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArraySizeV3",
                   "TensorArrayConcatV3", "TensorArraySplitV3", "TensorArrayGradV3",
                   "TensorArrayCloseV3", "AddN", "StackPushV2", "StackPopV2", "StackCloseV2", "ReadVariableOp", "AssignVariableOp",
                   "AssignAddVariableOp", "VariableV2", "FloorDiv"):
            self.assertGreater(ops[op], 0, op)
        self.assertTrue(any(len(one.signatures) > 1 for one in self.programs))
        self.assertTrue(any(len(one.requests) > 2 for one in self.programs))

    def test_a_third_has_arrays_or_stacks(self):
        def has(program):
            roots = [root for one in program.signatures for root in one.fetches + one.targets]
            return any(node.op.startswith(("TensorArray", "Stack"))
                       for node in graph.reachable(program.nodes, roots))
        count = sum(map(has, self.programs))
        self.assertGreater(count, len(SEEDS) * 0.25)
        self.assertLess(count, len(SEEDS) * 0.45)

    def test_merges_meet_what_is_outside_their_branch(self):
        """A value that is alive in any case, beside one that is alive on a side."""
        def is_met(program):
            facts = program.facts
            partly = {node.name for node in program.nodes
                      if node.op in ("Switch", "Exit", "Enter", "Identity")}
            return any(node.op == "Merge" and any(
                           source in facts and facts[source][2] == facts[node.name][2]
                           and node_of(source) not in partly for source in node.inputs)
                       for node in program.nodes if node.name in facts)
        self.assertGreater(sum(map(is_met, self.programs)), len(SEEDS) // 20)

    def test_dead_values_enter_loops(self):
        def has_dead_enter(program):
            switches = {node.name for node in program.nodes if node.op == "Switch"}
            return any(node.op == "Enter" and node_of(node.inputs[0]) in switches
                       for node in program.nodes)
        self.assertGreater(sum(map(has_dead_enter, self.programs)), len(SEEDS) // 20)

    def test_loops_begin_with_what_outer_ones_capture(self):
        def is_early(program):
            captures = {node.name for node in program.nodes
                        if node.op == "Enter" and node.attributes["is_constant"] == graph.flag(True)}
            return any(node.op == "Enter" and node.inputs[0] in captures
                       and node.attributes["is_constant"] == graph.flag(False)
                       for node in program.nodes)
        self.assertGreater(sum(map(is_early, self.programs)), len(SEEDS) // 50)

    def test_loops_are_nested(self):
        def depth(program):
            frames, by_name = {}, {node.name: node for node in program.nodes}

            def frame(name):  # how many frames a node lies in, from any input that is known
                if name not in frames:
                    frames[name] = 0  # cycles end here
                    node = by_name[name]
                    levels = [frame(node_of(source)) for source in node.inputs]
                    frames[name] = (max(levels, default=0) + (node.op == "Enter")
                                    - (node.op == "Exit"))
                return frames[name]
            return max(frame(node.name) for node in program.nodes)
        self.assertGreaterEqual(max(depth(program) for program in self.programs), 3)


if __name__ == "__main__":
    unittest.main()
