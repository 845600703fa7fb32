#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of codelets that do not depend on each other, on several streams of a simulated card: the bits of the
host whatever the order of the streams, kernels that may overlap, and waits only where streams share something.

Usage: card_streams_test.py SLUICEC
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from card_loops_test import Carried, number  # noqa: E402
from card_programs import CardCase, compile_for, elements  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

SEEDS = range(1, 17)
SIZES = (30, 40)
COPIES = (1, 2)  # streams of the simulator for copies; those for kernels follow


def loop(g, name, start, operand, rounds=3, product=False):
    """for i in range(rounds): x = x * operand + operand, with a product by the operand instead."""
    zero = g.constant(f"{name}/zero", INT, 0)
    carried = Carried(g, name, [("i", zero, INT), ("x", start, FLOAT)])
    carried.enter("operand/Enter", operand, FLOAT, constant=True)
    most = number(g, f"{name}/most", rounds, carried.pivot)
    carried.while_(g.node(f"{name}/test", "Less", [carried.merged["i"], most], T=INT))
    one = number(g, f"{name}/one", 1, carried.value["i"])
    i = g.node(f"{name}/next", "Add", [carried.value["i"], one], T=INT)
    x, operand = carried.value["x"], f"{name}/operand/Enter"
    if product:
        x = g.node(f"{name}/product", "MatMul", [x, operand], T=FLOAT, transpose_a="b: false",
                   transpose_b="b: false")
    else:
        x = g.node(f"{name}/product", "Mul", [x, operand], T=FLOAT)
    x = g.node(f"{name}/sum", "Add", [x, operand], T=FLOAT)
    carried.next("i", i)
    return g.node(f"{name}/result", "Identity", [carried.next("x", x)], T=FLOAT)


class Operation:
    """A line of the simulator's trace."""

    def __init__(self, line):
        stream, time, known, self.name = line.split(" ", 3)
        self.stream, self.time = int(stream), int(time)
        self.known = {} if known == "-" else {int(one.split(":")[0]): int(one.split(":")[1])
                                              for one in known.split(",")}

    def isKernel(self):
        return self.name.startswith("kernel") or self.name == "a graph"

    def knows(self, other):
        return self.known.get(other.stream, 0) >= other.time

    def overlaps(self, other):
        return self.stream != other.stream and not self.knows(other) and not other.knows(self)


class CardStreams(CardCase):
    def programs(self, graph, feeds, fetches, *flags):
        self.feeds, self.fetches = feeds, fetches
        for target in ("cpu", "sim"):
            compile_for(self.compiler, self.scratch, target, graph.text(), feeds, fetches,
                        *(flags if target == "sim" else ()))

    def run_once(self, target, *flags, **environment):
        """Results, what is told, and the trace."""
        results = [self.scratch / f"{target}_{i}.npy" for i in range(len(self.fetches))]
        trace = self.scratch / "trace"
        process = subprocess.run(
            [self.scratch / f"program_{target}", *flags,
             *(f"--output={name}=@{result}" for name, result in zip(self.fetches, results)),
             *(f"--input={name}=@{self.scratch / name}.npy" for name in self.feeds)],
            env={**os.environ, "SLUICE_SIM_TRACE": str(trace), **environment}, timeout=120,
            capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = trace.read_text().splitlines() if target == "sim" else []
        return ([elements(file, FLOAT).tobytes() for file in results], process.stderr,
                [Operation(line) for line in lines])

    def check(self):
        """The bits of the host with all seeds; the operations of each run."""
        expected, _, _ = self.run_once("cpu")
        traces = []
        for seed in SEEDS:
            results, told, trace = self.run_once("sim", SLUICE_SIM_SEED=str(seed))
            self.assertEqual(told, "", f"seed {seed}")
            self.assertEqual(results, expected, f"seed {seed}")
            traces.append(trace)
        return traces

    def streams(self, trace):
        return {one.stream for one in trace if one.isKernel()}

    def overlap(self, trace):
        kernels = [one for one in trace if one.isKernel()]
        return any(a.overlaps(b) for a in kernels for b in kernels)

    def assert_overlap(self, traces):
        """Memory may go from stream to stream, which depends on what is over, and so on the host's luck."""
        self.assertTrue(any(map(self.overlap, traces)))

    def waits(self):
        """Which streams for kernels wait for which."""
        _, told, _ = self.run_once("sim", SLUICE_SIM_OMIT="count")
        found = re.findall(r"wait \d+: of stream (\d+) for stream (\d+)", told)
        return {(int(a), int(b)) for a, b in found if int(a) not in COPIES and int(b) not in COPIES}

    def two_loops(self, product=False, joined=True):
        g = Graph()
        shape = (20, 20) if product else SIZES
        for name in "xyab":
            self.feed(g, name, shape, FLOAT)
        first = loop(g, "first", "x", "a", product=product)
        second = loop(g, "second", "y", "b", product=product)
        if joined:
            first = g.node("joined", "Sub", [first, second], T=FLOAT)
        return g, ["x", "y", "a", "b"], [first, second]

    def test_independent_loops_overlap(self):
        for how in ("never", "always"):  # by the host, and by the card itself
            for product in (False, True):
                with self.subTest(how=how, product=product):
                    self.programs(*self.two_loops(product), f"--card-loops={how}")
                    traces = self.check()
                    self.assertEqual({len(self.streams(trace)) for trace in traces}, {2})
                    self.assert_overlap(traces)
                    if not product:  # all is in place
                        self.assertEqual(len(self.waits()), 1)  # of who joins them

    def test_loops_that_share_nothing_do_not_wait(self):
        self.programs(*self.two_loops(joined=False), "--card-loops=never")
        self.assert_overlap(self.check())
        self.assertEqual(self.waits(), set())

    def test_five_loops_share_four_streams(self):
        g, results = Graph(), []
        self.feed(g, "a", SIZES, FLOAT)
        for i in range(5):
            self.feed(g, f"x{i}", SIZES, FLOAT)
            results.append(loop(g, f"loop{i}", f"x{i}", "a"))
        self.programs(g, ["a", *(f"x{i}" for i in range(5))], results, "--card-loops=never")
        traces = self.check()
        self.assertEqual({len(self.streams(trace)) for trace in traces}, {4})
        self.assert_overlap(traces)

    def test_a_single_chain_stays_on_one_stream(self):
        g = Graph()
        for name in "xa":
            self.feed(g, name, SIZES, FLOAT)
        first = loop(g, "first", "x", "a")
        second = loop(g, "second", first, "a")  # behind it
        self.programs(g, ["x", "a"], [second], "--card-loops=never")
        for trace in self.check():
            self.assertEqual(len(self.streams(trace)), 1)
        self.assertEqual(self.waits(), set())

    def test_short_chains_stay_with_others(self):
        """Two reductions of one value, and what is made of both."""
        g = Graph()
        self.feed(g, "x", SIZES, FLOAT)
        for axis in (0, 1):
            g.constant(f"axis{axis}", INT, axis)
            g.node(f"sum{axis}", "Sum", ["x", f"axis{axis}"], T=FLOAT, Tidx=INT, keep_dims="b: true")
        g.node("y", "Mul", ["sum0", "sum1"], T=FLOAT)
        self.feeds, self.fetches = ["x"], ["y"]
        self.programs(g, ["x"], ["y"])
        _, _, trace = self.run_once("sim")
        self.assertEqual(len(self.streams(trace)), 1)
        self.assertEqual(self.waits(), set())

    def test_what_others_still_read_is_not_overwritten(self):
        """Both loops begin with the same value, and the one that comes last has it alone. It is on the stream that
        has made the value, so that nothing else makes it wait."""
        for how in ("never", "always"):
            with self.subTest(how=how):
                g = Graph()
                for name in "xab":
                    self.feed(g, name, SIZES, FLOAT)
                start = g.node("start", "Mul", ["x", "a"], T=FLOAT)
                first, second = loop(g, "first", start, "a"), loop(g, "second", start, "b")
                g.node("more", "Neg", [second], T=FLOAT)  # so it is the heavier one
                self.programs(g, ["x", "a", "b"], [first, "more"], f"--card-loops={how}")
                self.assertEqual({len(self.streams(trace)) for trace in self.check()}, {2})

    # ---- Calls at a time, and what lives on -----------------------------------------------------

    def request(self, k):
        values = [(k + i % 7) / 8 for i in range(SIZES[0] * SIZES[1])]
        tensor = {"dtype": "float32", "shape": list(SIZES), "data": values}
        return json.dumps({"inputs": {"x": tensor, "a": tensor}}) + "\n"

    def answers(self, target, *flags, **environment):
        trace = self.scratch / "trace"
        process = subprocess.run(
            [self.scratch / f"program_{target}", "--calls", "-", *flags],
            input="".join(self.request(k) for k in range(8)), text=True, capture_output=True, timeout=300,
            env={**os.environ, "SLUICE_SIM_TRACE": str(trace), **environment}, check=False)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout, [Operation(line) for line in trace.read_text().splitlines()] \
            if target == "sim" else []

    def test_calls_at_a_time_begin_at_different_streams(self):
        g = Graph()
        for name in "xa":
            g.placeholder(name, FLOAT, dims(*SIZES))
        loop(g, "loop", "x", "a")
        self.programs(g, ["x", "a"], ["loop/result"], "--card-loops=never")
        expected, _ = self.answers("cpu")
        alone, trace = self.answers("sim")
        self.assertEqual(alone, expected)
        self.assertEqual(len(self.streams(trace)), 1)
        # A call may be over before the next one begins; not always.
        for seed in range(1, 21):
            got, trace = self.answers("sim", "--concurrent-calls=4", SLUICE_SIM_SEED=str(seed))
            self.assertEqual(got, expected)
            if self.overlap(trace):
                return
        self.fail("no two of 8 calls ever overlap")


if __name__ == "__main__":
    CardStreams.main()
