#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches that do not fit together."""

import harness
from graphdef import (BOOL, FLOAT, boolean, constant, dtype, enter, flag, floats, graph, merge, node,
                      placeholder, tensor, unary)
from harness import USAGE, Case, add_graph_cases, program


def loop(*more, back="next", condition="test", limit=3.0):
    """A loop that counts: Enter, Merge, a test, Switch, an increment, NextIteration, Exit."""
    return graph(
        constant("zero", 0.0), constant("limit", limit), enter("enter", "zero"),
        enter("limit/enter", "limit", is_constant=boolean(True)), merge("merge", "enter", back),
        node("test", "Less", "merge", "limit/enter", T=dtype(FLOAT)),
        node("cond", "LoopCond", condition),
        node("switch", "Switch", "merge", "cond", T=dtype(FLOAT)),
        unary("body", "Identity", "switch:1"), node("one", "Const", "^body", dtype=dtype(FLOAT),
                                                    value=ONE),
        node("add", "Add", "body", "one", T=dtype(FLOAT)), unary("next", "NextIteration", "add"),
        unary("exit", "Exit", "switch"), *more)


ONE = tensor(FLOAT, [], values=floats(1.0))
BRANCH = [placeholder("x"), placeholder("p", BOOL, ()),
          node("s", "Switch", "x", "p", T=dtype(FLOAT))]


class ControlFlow(Case):
    def test_the_loop_itself_is_good(self):
        path = self.write("g.pb", loop(unary("y", "Identity", "exit")))
        outcome = self.accepted([program("sluicec"), path, "--fetch=y", "--interpret"])
        self.assertIn(b"3", outcome.out)

    def dead_fetch(self, make_command):
        path = self.write("g.pb", graph(*BRANCH, unary("y", "Neg", "s:1")))
        command = make_command(path, ["--feed=x", "--feed=p", "--fetch=y"])
        self.accepted(command + ["--input=x=2xf32=1,2", "--input=p=bool=true"])
        self.refused(1, command + ["--input=x=2xf32=1,2", "--input=p=bool=false"],
                     "y")

    def test_item_077_dead_fetch(self):
        """item 77: whether a fetch is dead shows when the program runs"""
        def compiled(path, flags):
            self.accepted([program("sluicec"), path, *flags, "-o", "program"])
            return [str(self.folder / "program")]
        self.dead_fetch(compiled)

    def test_item_077_dead_fetch_interpreted(self):
        """item 77: the reference interpreter says the same"""
        self.dead_fetch(lambda path, flags: [program("sluicec"), path, *flags, "--interpret"])


INSIDE = unary("y", "Neg", "body")

add_graph_cases(ControlFlow, [
    (65, "Exit without Enter", graph(placeholder("x"), unary("y", "Exit", "x")),
     ["node 'y' (Exit)", "expected an Enter"]),
    (65, "NextIteration without Enter",
     graph(placeholder("x"), unary("n", "NextIteration", "x"), merge("y", "x", "n")),
     ["node 'n' (NextIteration)", "expected an Enter"]),
    (65, "LoopCond without Enter", graph(flag("p"), node("y", "LoopCond", "p")),
     ["node 'y' (LoopCond)", "expected an Enter"]),
    (65, "Exit after Exit", loop(unary("y", "Exit", "exit")), ["node 'y' (Exit)"]),
    (70, "Merge of two frames",
     graph(constant("c"), enter("a", "c", "a"), enter("b", "c", "b"), merge("y", "a", "b")),
     ["node 'y' (Merge)", "'a' is in frame 'a'", "'b' is in frame 'b'"]),
    (70, "Merge of a frame and the root",
     graph(placeholder("c"), enter("a", "c"), merge("y", "a", "c")),
     ["node 'y' (Merge)", "frame 'loop'", "root frame"]),
    (70, "edge into a frame without Enter",
     loop(placeholder("x"), node("y", "Add", "merge", "x", T=dtype(FLOAT))),
     ["node 'y' (Add)", "different frames"]),
    (70, "edge out of a frame without Exit",
     loop(placeholder("x"), node("y", "Add", "x", "merge", T=dtype(FLOAT))),
     ["node 'y' (Add)", "different frames"]),
    (70, "control edge into a frame",
     loop(node("y", "Neg", "merge", "^zero", T=dtype(FLOAT))),
     ["node 'y' (Neg)", "different frames"]),
    (70, "frame entered from two parents",
     graph(constant("c"), enter("a", "c", "outer"), enter("b", "a", "inner"),
           enter("y", "c", "inner")), ["Mismatched parent frames", "'inner'"]),
    (72, "NextIteration into Neg",
     loop(unary("n", "NextIteration", "merge"), unary("y", "Neg", "n")),
     ["node 'y' (Neg)", "only Merge nodes can have back edges", "'n'"]),
    (72, "control edge out of NextIteration", loop(node("y", "NoOp", "^next")),
     ["node 'y' (NoOp)", "'next'"], {"fetches": [], "targets": ["y"]}),
    (72, "NextIteration into a Merge of another frame",
     loop(enter("e", "zero", "other"), merge("y", "e", "next")),
     ["node 'y' (Merge)", "frame 'other'", "frame 'loop'"]),
    (72, "NextIteration into a Merge of the root",
     loop(merge("y", "zero", "next")), ["node 'y' (Merge)", "root frame"]),
    (72, "Merge with back edges only",
     graph(constant("c"), enter("e", "c"), unary("n", "NextIteration", "e"), merge("y", "n", "n")),
     ["node 'y' (Merge)", "no back edge"]),
    (75, "NextIteration that depends on constant Enters alone",
     loop(unary("always", "Neg", "limit/enter"), unary("y", "NextIteration", "always"),
          merge("more", "enter", "y")),
     ["node 'y' (NextIteration)", "frame 'loop' never ends"]),
    (77, "fetch inside a loop", loop(INSIDE), ["node 'y' (Neg)", "inside a loop", "Exit"],
     {"code": USAGE}),
    (77, "target inside a loop", loop(INSIDE), ["node 'y' (Neg)", "inside a loop"],
     {"code": USAGE, "fetches": [], "targets": ["y"]}),
    (77, "fetch of an Enter", graph(constant("c"), enter("y", "c")),
     ["node 'y' (Enter)", "inside a loop"], {"code": USAGE}),
])

if __name__ == "__main__":
    harness.main()
