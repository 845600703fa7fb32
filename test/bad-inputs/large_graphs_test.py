#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that are only large (item 32): nothing may recurse over nodes, or cost their square."""

import harness
from graphdef import FLOAT, graph, nest_of_loops, node, placeholder, unary
from harness import Case, program

COUNT = 100_000
CHAIN = graph(placeholder("x", FLOAT, ()),
              *(unary(f"n{i}", "Neg", f"n{i - 1}" if i else "x") for i in range(COUNT)))
FAN_OUT = graph(placeholder("x", FLOAT, ()), *(unary(f"n{i}", "Neg", "x") for i in range(COUNT)),
                node("all", "NoOp", *(f"^n{i}" for i in range(COUNT))))


class LargeGraphs(Case):
    def compiled(self, content, flags, unchanged=()):
        path = self.write("g.pb", content)
        self.accepted([program("sluicec"), path, "--feed=x", *flags, *unchanged, "-o", "program"])
        return [str(self.folder / "program"), "--input=x=f32=3"]

    def test_item_032_chain(self):
        """item 32: 100,000 nodes, one after the other"""
        last = f"n{COUNT - 1}"
        outcome = self.accepted(self.compiled(CHAIN, [f"--fetch={last}"]))
        self.assertIn(b"3", outcome.out)

    def test_item_032_fan_out(self):
        """item 32: 100,000 nodes that read one; merging of duplicates is off, so that they stay"""
        self.accepted(self.compiled(FAN_OUT, ["--run=all"], ["--no-merge-duplicates"]))

    def test_item_032_fan_out_merged(self):
        """item 32: the same, merged into one node"""
        self.accepted(self.compiled(FAN_OUT, ["--run=all"]))

    def test_item_032_chain_interpreted(self):
        path = self.write("g.pb", CHAIN)
        self.accepted([program("sluicec"), path, "--feed=x", f"--fetch=n{COUNT - 1}", "--interpret",
                       "--input=x=f32=3"])

    def test_item_032_million(self):
        """item 32: more nodes than the limit are refused before anything is made of them"""
        path = self.write("g.pb", b"\x0a\0" * 1_000_001)
        self.refused(harness.BAD_GRAPH, [program("sluicec"), path, "--fetch=y", "-o", "out"],
                     "at most 1000000 nodes but got 1000001; --limit nodes=N allows more")

    def test_item_032_loops_inside_each_other(self):
        """item 32: a graph may be as deep as the limit says, and no deeper"""
        for depth in (100, 101):
            path = self.write("g.pb", nest_of_loops(depth, placeholder("x", FLOAT, ())))
            command = [program("sluicec"), path, "--feed=x", "--fetch=y", "-o"]
            if depth == 101:
                self.refused(harness.BAD_GRAPH, command + ["out"], "node 'e100' (Enter)",
                             "at most 100 loops inside each other but got 101")
                continue
            self.accepted(command + ["program"])
            outcome = self.accepted([str(self.folder / "program"), "--input=x=f32=3"])
            self.assertIn(b"3", outcome.out)

    def test_item_028_large_cycle(self):
        """item 28: a cycle of 100,000 nodes is described in a few words"""
        content = graph(unary("n0", "Neg", f"n{COUNT - 1}"),
                        *(unary(f"n{i}", "Neg", f"n{i - 1}") for i in range(1, COUNT)))
        path = self.write("g.pb", content)
        self.refused(harness.BAD_GRAPH, [program("sluicec"), path, "--fetch=n0", "-o", "out"],
                     "cycle without NextIteration")

    def test_item_030_many_errors(self):
        """item 30: 100,000 unknown ops of as many kinds do not flood the terminal"""
        content = graph(*(node(f"n{i}", f"Op{i}", *([f"n{i - 1}"] if i else []))
                          for i in range(COUNT)))
        path = self.write("g.pb", content)
        self.refused(harness.UNSUPPORTED, [program("sluicec"), path, f"--fetch=n{COUNT - 1}",
                                           "-o", "out"], "Op0", "more")


if __name__ == "__main__":
    harness.main()
