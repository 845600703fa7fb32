#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the generator: what it draws is deterministic, well-formed and varied."""

import collections
import unittest

import graph
import library
from generator import draw_program
from graph import node_of

SEEDS = range(300)


class Generator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = [draw_program(seed) for seed in SEEDS]

    def test_a_seed_gives_the_same_program_each_time(self):
        for seed in (0, 7, 91):
            first, second = draw_program(seed), draw_program(seed)
            self.assertEqual(first.text(), second.text())
            self.assertEqual(first.requests, second.requests)
            self.assertEqual(first.signatures, second.signatures)

    def test_seeds_give_different_programs(self):
        self.assertEqual(len({one.text() for one in self.programs}), len(SEEDS))

    def test_what_may_be_dead_can_be_fed(self):
        program = draw_program(822)
        other = next(one for one in program.signatures if one.name == "other")
        self.assertIn("identity_13", other.feeds)
        requests = [one for one in program.requests if one["signature"] == "other"]
        self.assertTrue(requests)
        for request in requests:
            self.assertEqual(list(request["inputs"]), other.feeds)

    def bodies(self):
        """(nodes, names of arguments, names of what is given) of graphs and functions."""
        for program in self.programs:
            yield program.nodes, set(), set()
            for one in program.functions.values():
                yield (one.nodes, {name for name, _ in one.arguments},
                       {node_of(ref) for _, _, ref in one.results} | set(one.waits))

    def test_names_are_those_of_one_node(self):
        for program in self.programs:
            names = [node.name for node in program.all_nodes()]
            self.assertEqual(len(set(names)), len(names))

    def test_every_input_names_a_node(self):
        for nodes, arguments, given in self.bodies():
            names = {node.name for node in nodes} | arguments
            for node in nodes:
                self.assertLessEqual({node_of(source) for source in node.inputs}, names)
            self.assertLessEqual(given, names)

    def test_only_back_edges_go_back(self):
        for nodes, arguments, _ in self.bodies():
            seen = set(arguments)
            for node in nodes:
                back = {node_of(source) for source in node.inputs} - seen
                self.assertTrue(not back or node.op == "Merge", f"{node.name} needs {back}")
                seen.add(node.name)

    def test_programs_differ_in_size(self):
        sizes = [len(one.nodes) for one in self.programs]
        self.assertLess(min(sizes), 15)
        self.assertGreater(max(sizes), 200)

    def test_everything_is_drawn_sometimes(self):
        ops = collections.Counter(node.op for one in self.programs for node in one.all_nodes())
        for op in ("Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond", "NoOp",
                   "ControlTrigger", "TensorArrayV3", "TensorArrayWriteV3", "TensorArrayReadV3",
                   "TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArraySizeV3",
                   "TensorArrayConcatV3", "TensorArraySplitV3", "TensorArrayGradV3",
                   "TensorArrayCloseV3", "AddN", "StackPushV2", "StackPopV2", "StackCloseV2",
                   "ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "VariableV2",
                   "FloorDiv", "If", "StatelessIf", "Case", "StatelessCase", "While",
                   "StatelessWhile", "For", "PartitionedCall", "StatefulPartitionedCall",
                   "_SwitchN", "FakeParam", "DeviceIndex", "ToBool", "Print", "Assert",
                   "RandomUniform", "EmptyTensorList", "TensorListReserve", "TensorListFromTensor",
                   "TensorListScatter", "TensorListScatterV2", "TensorListSplit",
                   "TensorListScatterIntoExistingList", "TensorListPushBack", "TensorListPopBack",
                   "TensorListSetItem", "TensorListGetItem", "TensorListResize", "TensorListLength",
                   "TensorListElementShape", "TensorListStack", "TensorListGather",
                   "TensorListConcat", "TensorListConcatV2", "TensorListConcatLists"):
            self.assertGreater(ops[op], 0, op)
        self.assertTrue(any(len(one.signatures) > 1 for one in self.programs))
        self.assertTrue(any(len(one.requests) > 2 for one in self.programs))

    def test_a_third_has_arrays_or_stacks(self):
        def has(program):
            roots = [root for one in program.signatures for root in one.roots()]
            return any(node.op.startswith(("TensorArray", "Stack"))
                       for node in graph.reachable(program.nodes, roots))
        count = sum(map(has, self.programs))
        self.assertGreater(count, len(SEEDS) * 0.25)
        self.assertLess(count, len(SEEDS) * 0.45)

    def test_a_third_has_lists(self):
        count = self.has(lambda one: any(node.op.startswith("TensorList")
                                         for node in one.all_nodes()))
        self.assertGreater(count, len(SEEDS) * 0.25)
        self.assertLess(count, len(SEEDS) * 0.45)

    def test_lists_go_where_tensors_go(self):
        def forwards(op):
            return self.has(lambda one: any(node.op == op and "type: DT_VARIANT" in node.attributes
                                            .get("T", "") for node in one.all_nodes()))
        for op in ("Switch", "Merge", "Enter", "Exit", "NextIteration", "AddN", "Identity"):
            self.assertGreater(forwards(op), 0, op)
        for op in ("If", "Case", "While", "PartitionedCall"):
            self.assertGreater(self.has(lambda one, op=op: any(
                node.op.endswith(op) and "DT_VARIANT" in node.attributes.get("Tin", "")
                + node.attributes.get("T", "") for node in one.all_nodes())), 0, op)
        self.assertGreater(self.has(lambda one: any(
            node.attributes.get("element_dtype") == "type: DT_VARIANT"
            for node in one.all_nodes())), 3)

    def has(self, fits):
        """The number of programs of which something is true."""
        return sum(bool(fits(program)) for program in self.programs)

    def test_a_third_has_functions(self):
        count = self.has(lambda one: one.functions)
        self.assertGreater(count, len(SEEDS) * 0.28)
        self.assertLess(count, len(SEEDS) * 0.45)

    def test_functions_call_themselves(self):
        def cycles(program):
            """The functions that lead to themselves, each with what it calls directly."""
            found, functions = {}, program.functions
            for name, one in functions.items():
                if name in library.reached(one.nodes, functions):
                    found[name] = [other for node in one.nodes
                                   for other in library.called(node, functions)]
            return found
        self.assertGreater(self.has(cycles), len(SEEDS) // 25)
        self.assertGreater(self.has(lambda one: any(  # not by way of a branch's functions
            name in called for name, called in cycles(one).items())), 0)
        self.assertGreater(self.has(lambda one: len(
            [name for name in cycles(one) if name.startswith("again")]) > 1), 0)

    def test_functions_do_all_that_graphs_do(self):
        def inside(op):
            return self.has(lambda one: any(node.op == op for function in one.functions.values()
                                            for node in function.nodes))
        for op in ("Enter", "Switch", "AssignVariableOp", "ReadVariableOp", "VarHandleOp", "While",
                   "If", "TensorArrayV3", "Print", "Assert", "RandomUniform"):
            self.assertGreater(inside(op), 0, op)

    def test_functions_are_called_in_several_ways(self):
        def calls(program):
            return collections.Counter(name for node in program.all_nodes()
                                       for name in set(library.called(node, program.functions)))
        self.assertGreater(self.has(lambda one: any(
            node.op in one.functions for node in one.all_nodes())), len(SEEDS) // 10)
        self.assertGreater(self.has(lambda one: max(calls(one).values(), default=0) > 1),
                           len(SEEDS) // 10)

    def test_functions_have_types_and_control_outputs(self):
        functions = [function for one in self.programs for function in one.functions.values()]
        self.assertTrue(any(one.attributes.get("T") == "" for one in functions))
        self.assertTrue(any(one.attributes.get("T") for one in functions))
        self.assertGreater(sum(bool(one.waits) for one in functions), len(SEEDS) // 10)
        self.assertGreater(sum(one.name.startswith("outlined") for one in functions),
                           len(SEEDS) // 10)

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
        self.assertGreater(sum(map(is_early, self.programs)), len(SEEDS) // 75)

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
