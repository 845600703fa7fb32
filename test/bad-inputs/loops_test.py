#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops, branches and arrays whose parts are wrong in themselves: frames, conditions, predicates,
shapes, indices."""

import struct

import harness
from control_flow_test import BRANCH, loop
from graphdef import (BOOL, FLOAT, INT32, boolean, constant, dtype, enter, flag, floats, graph, integer,
                      merge, nest_of_loops, node, placeholder, shape, tensor, text, unary)
from harness import BAD_GRAPH, Case, add, add_graph_cases, program

EXIT = unary("y", "Identity", "exit")


def whole(name, value):
    return node(name, "Const", dtype=dtype(INT32),
                value=tensor(INT32, [], content=struct.pack("<i", value)))


def flags(name, count):
    return node(name, "Const", dtype=dtype(BOOL), value=tensor(BOOL, [count], content=bytes(count)))


def framed(name, **more):
    """An Enter and an Exit with a frame of this name."""
    return graph(constant("c"), node("e", "Enter", "c", T=dtype(FLOAT), **more),
                 unary("y", "Exit", "e"))


def growing():
    """A loop whose value is joined with itself in each iteration: its shape is no invariant."""
    return graph(
        node("v", "Const", dtype=dtype(FLOAT), value=tensor(FLOAT, [2], values=floats(1.0, 2.0))),
        whole("zero", 0), whole("limit", 3),
        node("i", "Enter", "zero", T=dtype(INT32), frame_name=text("loop")),
        node("l", "Enter", "limit", T=dtype(INT32), frame_name=text("loop"),
             is_constant=boolean(True)),
        enter("e", "v"), node("mi", "Merge", "i", "ni", N=integer(2), T=dtype(INT32)),
        merge("m", "e", "n"), node("less", "Less", "mi", "l", T=dtype(INT32)),
        node("cond", "LoopCond", "less"), node("si", "Switch", "mi", "cond", T=dtype(INT32)),
        node("s", "Switch", "m", "cond", T=dtype(FLOAT)), unary("b", "Identity", "s:1"),
        node("one", "Const", "^b", dtype=dtype(INT32),
             value=tensor(INT32, [], content=struct.pack("<i", 1))),
        node("axis", "Const", "^b", dtype=dtype(INT32),
             value=tensor(INT32, [], content=struct.pack("<i", 0))),
        node("add", "Add", "si:1", "one", T=dtype(INT32)),
        node("ni", "NextIteration", "add", T=dtype(INT32)),
        node("join", "ConcatV2", "b", "b", "axis", N=integer(2), T=dtype(FLOAT), Tidx=dtype(INT32)),
        unary("n", "NextIteration", "join"), unary("y", "Exit", "s"))


def loops_inside_each_other(depth):
    """Loops that could go round, each in the body of the one around it."""
    nodes, source = [placeholder("x", FLOAT, ())], "x"
    for k in range(depth):
        nodes += [enter(f"enter{k}", source, f"frame{k}"), merge(f"merge{k}", f"enter{k}", f"next{k}"),
                  node(f"less{k}", "Less", f"merge{k}", f"merge{k}", T=dtype(FLOAT)),
                  node(f"cond{k}", "LoopCond", f"less{k}"),
                  node(f"switch{k}", "Switch", f"merge{k}", f"cond{k}", T=dtype(FLOAT)),
                  unary(f"exit{k}", "Exit", f"switch{k}")]
        source = f"switch{k}:1"
    nodes.append(unary("inside", "Neg", source))
    ends = [f"exit{k}" for k in range(1, depth)] + ["inside"]
    nodes += [unary(f"next{k}", "NextIteration", end) for k, end in enumerate(ends)]
    return graph(*nodes, unary("y", "Identity", "exit0"))


class Loops(Case):
    def compiled(self, content, flags=(), fetch="y", more=()):
        path = self.write("g.pb", content)
        feeds = [f"--feed={name}" for name in flags]
        self.accepted([program("sluicec"), path, *feeds, f"--fetch={fetch}", *more, "-o", "program"])
        return [str(self.folder / "program")]

    def runs(self, content, code, says, feeds=(), inputs=()):
        """Executable, with the loop as code and token by token, and interpreter agree."""
        given = [f"--input={value}" for value in inputs]
        commands = [self.compiled(content, feeds, more=more)
                    for more in ((), ("--no-codelets", "--no-raise"))]
        commands.append([program("sluicec"), self.write("g.pb", content), "--fetch=y", "--interpret",
                         *[f"--feed={name}" for name in feeds]])
        for command in commands:
            if code:
                self.refused(code, command + given, says)
            else:
                self.assertIn(says.encode(), self.accepted(command + given).out)

    def test_loops_on_several_devices_nest_at_most_64_deep(self):
        command = [program("sluicec"), str(self.folder / "g.pb"), "--feed=x", "--fetch=y",
                   "--devices=2", "--placement-seed=1", "--execute=sim", "--input=x=f32=3"]
        self.write("g.pb", loops_inside_each_other(64))
        self.assertIn(b"= 3", self.accepted(command).out)
        self.write("g.pb", loops_inside_each_other(65))
        self.refused(BAD_GRAPH, command,
                     "expected at most 64 nested loops on several ranks but got 65")

    def test_item_067_no_loop_cond(self):
        """item 67: a frame without one is legal"""
        self.runs(framed("e", frame_name=text("loop")), 0, "= 1")

    def test_item_069_all_inputs_dead(self):
        content = graph(*BRANCH, node("s2", "Switch", "s", "p", T=dtype(FLOAT)),
                        merge("y", "s2:1", "s2:1"))
        self.runs(content, BAD_GRAPH, "is dead", ["x", "p"], ["x=2xf32=1,2", "p=bool=true"])

    def test_item_071_predicate_of_unknown_rank(self):
        """item 71: shows when the program runs"""
        content = graph(placeholder("x"), node("p", "Placeholder", dtype=dtype(BOOL)),
                        node("s", "Switch", "x", "p", T=dtype(FLOAT)), unary("y", "Neg", "s:1"))
        self.runs(content, BAD_GRAPH, "scalar", ["x", "p"], ["x=2xf32=1,2", "p=2xbool=1,1"])
        self.runs(content, BAD_GRAPH, "is dead", ["x", "p"], ["x=2xf32=1,2", "p=bool=0"])

    def test_item_073_nested_100(self):
        self.runs(nest_of_loops(100, constant("x")), 0, "= 1")

    def test_item_073_nested_1000(self):
        path = self.write("g.pb", nest_of_loops(1000, constant("x")))
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"],
                     "node 'e100' (Enter): error: expected at most 100 loops inside each other but "
                     "got 101")

    def test_item_074_largest_window(self):
        self.runs(framed("e", frame_name=text("loop"), parallel_iterations=integer(2**31 - 1)), 0,
                  "= 1")

    def test_item_076_shape_that_grows(self):
        """item 76: no shape is taken for granted that the loop changes"""
        self.runs(growing(), 0, "f32[16]")

    def test_item_078_control_edge_of_a_body_from_a_constant(self):
        """item 78: only an Enter brings anything into a loop, be it an order"""
        path = self.write("g.pb", loop(EXIT, node("late", "NoOp", "^body", "^zero")))
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "--run=late", "-o", "out"],
                     "node 'late' (NoOp)", "different frames")


add_graph_cases(Loops, [
    (66, "empty frame name", framed("e", frame_name=text("")), ["node 'e' (Enter)", "frame name"]),
    (66, "no frame name", framed("e"), ["node 'e' (Enter)", "'frame_name'", "missing"]),
    (66, "frame name that is a number", framed("e", frame_name=integer(3)),
     ["node 'e' (Enter)", "'frame_name'", "expected string but got int"]),
    (66, "one frame name in two parents",
     graph(constant("c"), enter("a", "c", "outer"), enter("b", "a", "inner"),
           enter("y", "c", "inner")), ["Mismatched parent frames", "'inner'"]),
    (67, "two LoopConds",
     loop(EXIT, flag("p"), node("pe", "Enter", "p", T=dtype(BOOL), frame_name=text("loop")),
          node("cond2", "LoopCond", "pe")),
     ["node 'cond2' (LoopCond)", "more than one LoopCond", "node 'cond'"]),
    (68, "LoopCond of a float", loop(EXIT, condition="merge"),
     ["node 'cond' (LoopCond)", "expected bool but got float"]),
    (68, "LoopCond of a vector",
     loop(EXIT, flags("two", 2), node("e2", "Enter", "two", T=dtype(BOOL), frame_name=text("loop"),
                                      is_constant=boolean(True)), condition="e2"),
     ["(Switch)", "expected a scalar as predicate", "rank 1"]),
    (69, "Merge of back edges only",
     graph(constant("c"), enter("e", "c"), unary("n", "NextIteration", "e"), merge("y", "n", "n")),
     ["node 'y' (Merge)", "no back edge"]),
    (71, "predicate that is a vector",
     graph(placeholder("x"), flags("p", 2), node("s", "Switch", "x", "p", T=dtype(FLOAT)),
           unary("y", "Neg", "s:1")),
     ["node 's' (Switch)", "expected a scalar as predicate", "rank 1"], {"feeds": ["x"]}),
    (71, "predicate that is a float",
     graph(placeholder("x"), node("s", "Switch", "x", "x", T=dtype(FLOAT)),
           unary("y", "Neg", "s:1")),
     ["node 's' (Switch)", "expected bool but got float"], {"feeds": ["x"]}),
])

for window in (0, -1, 2**31, -2**63):
    add_graph_cases(Loops, [
        (74, f"window {window}",
         framed("e", frame_name=text("loop"), parallel_iterations=integer(window)),
         ["node 'e' (Enter)", "'parallel_iterations'", "expected 1 to 2147483647", str(window)])])


# Arrays and stacks (item 80).


def array(size, *more, element=FLOAT, **declared):
    return graph(
        whole("size", size) if isinstance(size, int) else size, constant("value"),
        node("ta", "TensorArrayV3", "size", dtype=dtype(element), **declared), *more)


def write(name, index, flow, value="value", element=FLOAT):
    return [whole(f"{name}/i", index),
            node(name, "TensorArrayWriteV3", "ta", f"{name}/i", value, flow, T=dtype(element))]


def read(index, flow, element=FLOAT):
    return [whole("read/i", index),
            node("y", "TensorArrayReadV3", "ta", "read/i", flow, dtype=dtype(element))]


def gather(indices, flow, **declared):
    return [node("gather/i", "Const", dtype=dtype(INT32),
                 value=tensor(INT32, [len(indices)],
                              content=struct.pack(f"<{len(indices)}i", *indices))),
            node("y", "TensorArrayGatherV3", "ta", "gather/i", flow, dtype=dtype(FLOAT), **declared)]


def runs(item, title, content, *says):
    """The same failure, whether the array has become a tensor or not."""
    def body(self):
        for command in (self.compiled(content), self.compiled(content, more=["--no-raise"]),
                        [program("sluicec"), self.write("g.pb", content), "--fetch=y",
                         "--interpret"]):
            self.refused(BAD_GRAPH, command, *says)
    add(Loops, item, title, body)


runs(80, "read below 0", array(2, *read(-1, "ta:1")), "node 'y'", "-1")
runs(80, "read at the size", array(2, *write("w", 0, "ta:1"), *read(2, "w")), "node 'y'", "2")
runs(80, "read before write", array(2, *write("w", 0, "ta:1"), *read(1, "w")), "node 'y'", "1")
runs(80, "write below 0", array(2, *write("w", -1, "ta:1"), *read(0, "w")), "node 'w'", "-1")
runs(80, "write at the size", array(2, *write("w", 2, "ta:1"), *read(0, "w")), "node 'w'", "2")
runs(80, "write twice", array(2, *write("w", 0, "ta:1"), *write("v", 0, "w"), *read(0, "v")),
     "node 'v'")
runs(80, "size below 0", array(-1, *read(0, "ta:1")), "node 'ta'", ">= 0")
runs(80, "use after close",
     array(2, *write("w", 0, "ta:1"), node("close", "TensorArrayCloseV3", "ta", "^w"),
           whole("read/i", 0),
           node("y", "TensorArrayReadV3", "ta", "read/i", "w", "^close", dtype=dtype(FLOAT))),
     "node 'y'", "close")
runs(80, "read as another dtype",
     array(2, *write("w", 0, "ta:1"), *read(0, "w", INT32)), "node 'y'")
runs(80, "gather of another element shape",
     array(1, *write("w", 0, "ta:1"), *gather([0], "w", element_shape=shape(1000))), "node 'y'",
     "[1000]")
runs(80, "gather of no elements of unknown shape",
     array(1, *write("w", 0, "ta:1"), *gather([], "w"), clear_after_read=boolean(False)), "node 'y'",
     "TensorArray has size zero")
runs(80, "write of another shape than declared",
     array(1, *write("w", 0, "ta:1"), *read(0, "w"), element_shape=shape(-1)), "node 'w'",
     "incompatible")
runs(80, "pop of an empty stack",
     graph(whole("size", -1), node("stack", "StackV2", "size", elem_type=dtype(FLOAT)),
           node("y", "StackPopV2", "stack", elem_type=dtype(FLOAT))), "node 'y'")

add_graph_cases(Loops, [
    (80, "array where a stack is wanted",
     graph(whole("size", 2), node("ta", "TensorArrayV3", "size", dtype=dtype(FLOAT)),
           node("y", "StackPopV2", "ta", elem_type=dtype(FLOAT))), ["node 'y'"]),
])

if __name__ == "__main__":
    harness.main()
