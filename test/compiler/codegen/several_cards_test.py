#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host with two simulated cards: nodes are where they ask to be, values travel from card to card by themselves,
and the bits are those of the host, whatever the order of the streams.

Usage: several_cards_test.py SLUICEC
"""

import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from card_programs import DOUBLE, CardCase, elements, write_tensor  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

SIZES = (40, 50)
BYTES = 4 * SIZES[0] * SIZES[1]
FIRST, SECOND, HOST = "/device:GPU:0", "/gpu:1", "/device:CPU:0"
ORDERS = [{"SLUICE_SIM_SEED": str(seed), "SLUICE_SIM_POLICY": policy} for seed in (1, 2, 3)
          for policy in ("lazy", "eager", "random")]

SHAPES = """
module attributes {codegen.card_wishes = {a = %d, b = %d, m = %d}} {
flow.graph @main {
  %%x = flow.feed {name = "x:0"} : () -> tensor<?x50xf32>
  %%y = flow.feed {name = "y:0"} : () -> tensor<?x50xf32>
  %%a = nd.tanh %%x : (tensor<?x50xf32>) -> tensor<?x50xf32> loc("a")
  %%b = nd.exp %%y : (tensor<?x50xf32>) -> tensor<?x50xf32> loc("b")
  %%m = nd.match_shape %%b, %%a : (tensor<?x50xf32>, tensor<?x50xf32>) -> tensor<?x50xf32> loc("m")
  flow.fetch %%m {name = "m:0"} : (tensor<?x50xf32>) -> ()
  flow.fetch %%a {name = "a:0"} : (tensor<?x50xf32>) -> ()
}
}
"""


class SeveralCards(CardCase):
    def compile(self, target, graph, fetches, *flags, check=True):
        (self.scratch / "g.pbtxt").write_text(graph.text())
        feeds = [name for name in ("x", "n") if f'name: "{name}"' in graph.text()]
        process = subprocess.run([self.compiler, self.scratch / "g.pbtxt", f"--target={target}", "-o",
                                  self.scratch / target, *flags,
                                  *(f"--fetch={name}" for name in fetches if "/" not in name),
                                  *(f"--feed={name}" for name in feeds)], capture_output=True, text=True, check=False)
        if check:
            self.assertEqual(process.returncode, 0, process.stderr)
        return process

    def run_program(self, target, fetches, *inputs, **environment):
        results = [self.scratch / f"{target}_{i}.npy" for i in range(len(fetches))]
        process = subprocess.run([self.scratch / target, *(f"--input={one}" for one in inputs), "--stats-json",
                                  *(f"--output={name}=@{result}" for name, result in zip(fetches, results))],
                                 env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, 0, process.stderr)
        return [elements(result, FLOAT).tobytes() for result in results], json.loads(process.stderr.splitlines()[-1])

    def check(self, graph, fetches, *more, flags=(), of_cards=(), orders=ORDERS):
        """What --explain-place says, and the figures of the last run."""
        write_tensor(self.scratch / "x.npy", SIZES, FLOAT, self.drawn)
        inputs = [f"x=@{self.scratch}/x.npy", *more]
        self.compile("cpu", graph, fetches, *flags)
        told = self.compile("2xsim", graph, fetches, "--explain-place", *flags, *of_cards).stdout
        expected = self.run_program("cpu", fetches, *inputs)[0]
        for order in orders:
            given, figures = self.run_program("2xsim", fetches, *inputs, **order)
            self.assertEqual(expected, given, order)
        return told, figures

    def test_nodes_are_where_they_ask_to_be(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], device=FIRST, T=FLOAT)
        g.node("b", "Mul", ["a", "a"], device=SECOND, T=FLOAT)
        g.node("c", "Neg", ["b"], T=FLOAT)  # where its operand is
        g.node("d", "Sub", ["c", "a"], device=FIRST, T=FLOAT)
        g.node("e", "Exp", ["d"], device=HOST, T=FLOAT)
        told, figures = self.check(g, ["e"])
        self.assertIn("with 2 cards", told)
        for line in ("nd.tanh 'a' on card 0", "nd.mul 'b' on card 1", "nd.neg 'c' on card 1", "nd.sub 'd' on card 0",
                     "copy 'a' from card 0 to card 1: tensor<40x50xf32>", "copy 'c' from card 1 to card 0",
                     "copy 'd' to the host"):
            self.assertIn(line, told)
        self.assertNotIn("nd.exp", told)
        self.assertEqual(figures["gpu_0_bytes_from_cards"], BYTES)
        self.assertEqual(figures["gpu_1_bytes_from_cards"], BYTES)

    def test_what_asks_for_nothing_is_with_who_uses_it(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], T=FLOAT)
        g.node("b", "Neg", ["a"], T=FLOAT)
        g.node("c", "Mul", ["b", "b"], device=SECOND, T=FLOAT)
        told, _ = self.check(g, ["c"], orders=ORDERS[:1])
        self.assertIn("nd.tanh 'a' on card 1", told)
        self.assertNotIn("from card", told)

    def test_cards_that_do_not_reach_each_other(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], device=FIRST, T=FLOAT)
        g.node("b", "Mul", ["a", "a"], device=SECOND, T=FLOAT)
        self.check(g, ["b"], orders=[{**order, "SLUICE_SIM_PEERS": "0"} for order in ORDERS])

    def loop(self, *devices):
        """y = tanh(y), z = z * y, of which each is somewhere."""
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.placeholder("n", INT, "")
        loop = Loop(g, "while", 10)
        loop.count_to("n")
        y = loop.variable("_1", "x", FLOAT)
        z = loop.variable("_2", "x", FLOAT)
        y = g.node("while/tanh", "Tanh", [y], device=devices[0], T=FLOAT)
        z = g.node("while/product", "Mul", [z, y], device=devices[1], T=FLOAT)
        y = loop.close("_1", y, FLOAT)
        z = loop.close("_2", z, FLOAT)
        g.node("sum", "Add", [y, z], T=FLOAT)
        return g

    def test_loops_over_two_cards(self):
        told, figures = self.check(self.loop(FIRST, SECOND), ["sum"], "n=i32=6")
        self.assertIn("copy 'while/tanh' from card 0 to card 1", told)
        self.assertGreaterEqual(figures["gpu_1_bytes_from_cards"], 6 * BYTES)

    def test_loops_of_the_second_card(self):
        told, figures = self.check(self.loop(SECOND, SECOND), ["sum"], "n=i32=6", orders=ORDERS[:3])
        self.assertNotIn("card 0", told)
        self.assertEqual(figures["gpu_0_peak_bytes"], 0)

    def test_loops_that_the_second_card_runs(self):
        told, figures = self.check(self.loop(SECOND, SECOND), ["sum"], "n=i32=6",
                                   of_cards=["--card-loops=always", "--explain-loops"], orders=ORDERS[:4])
        self.assertIn("loop 'while/while_context': run by the card", told)
        self.assertNotIn("card 0", told)
        self.assertEqual(figures["gpu_0_peak_bytes"], 0)

    def test_derivatives_of_loops_that_the_second_card_runs(self):
        told, figures = self.check(self.loop(SECOND, SECOND), ["gradients/x"], "n=i32=4", orders=ORDERS[:3],
                                   flags=["--gradients=sum=x"], of_cards=["--card-loops=always", "--explain-loops"])
        self.assertEqual(told.count("lists as arrays"), 2, told)
        self.assertEqual(figures["gpu_0_peak_bytes"], 0)

    def test_a_loop_over_two_cards_is_run_by_the_host(self):
        told = self.compile("2xsim", self.loop(FIRST, SECOND), ["sum"], "--card-loops=always", "--explain-loops").stdout
        self.assertIn("it is to be on the host in part, or on several cards", told)

    def test_derivatives_of_loops_over_two_cards(self):
        self.check(self.loop(FIRST, SECOND), ["gradients/x"], "n=i32=4", flags=["--gradients=sum=x"], orders=ORDERS[:3])

    def test_shapes_of_what_is_on_another_card(self):
        """A codelet has an operand of another card of which it only needs the shape: nothing is copied."""
        write_tensor(self.scratch / "x.npy", SIZES, FLOAT, self.drawn)
        inputs = [f"{name}=@{self.scratch}/x.npy" for name in ("x", "y")]
        for card in (0, 1):
            (self.scratch / "shapes.mlir").write_text(SHAPES % (1 - card, card, card))
            for target in ("cpu", "2xsim"):
                subprocess.run([self.compiler, self.scratch / "shapes.mlir", f"--target={target}", "-o",
                                self.scratch / target], check=True)
            expected = self.run_program("cpu", ["m", "a"], *inputs)[0]
            for order in ORDERS[:3]:
                given, figures = self.run_program("2xsim", ["m", "a"], *inputs, **order)
                self.assertEqual(expected, given)
                self.assertEqual(figures[f"gpu_{card}_bytes_from_cards"], 0)

    def test_what_no_card_has_code_for(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("wide", "Cast", ["x"], SrcT=FLOAT, DstT=DOUBLE)
        g.node("a", "Dawsn", ["wide"], device=SECOND, T=DOUBLE)
        g.node("b", "Cast", ["a"], SrcT=DOUBLE, DstT=FLOAT)
        told, _ = self.check(g, ["b"], orders=ORDERS[:1])
        self.assertRegex(told, "dawsn 'a' on the host, though its node asks for a card: a card has no code for it")

    def refuses(self, target, device, text):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], device=device, T=FLOAT)
        process = self.compile(target, g, ["a"], check=False)
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn(text, process.stderr)

    def test_requests_that_cannot_be_met(self):
        self.refuses("2xsim", "/gpu:2", "node 'a': error: asks for '/gpu:2', but --target says that there are 2 cards")
        self.refuses("1xsim", "/gpu:1", "there are 1 card")
        self.refuses("2xsim", "/device:TPU:0", "no TPU devices")

    def test_requests_do_not_count_where_nobody_says_how_many_cards_there_are(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], device="/gpu:5", T=FLOAT)
        self.compile("sim", g, ["a"])

    def test_too_few_cards(self):
        g = Graph()
        g.placeholder("x", FLOAT, dims(*SIZES))
        g.node("a", "Tanh", ["x"], device=SECOND, T=FLOAT)
        self.compile("2xsim", g, ["a"])
        write_tensor(self.scratch / "x.npy", SIZES, FLOAT, self.drawn)
        process = subprocess.run([self.scratch / "2xsim", f"--input=x=@{self.scratch}/x.npy"],
                                 env={**os.environ, "SLUICE_SIM_DEVICES": "1"}, capture_output=True, text=True,
                                 check=False)
        self.assertEqual(process.returncode, 13, process.stderr)
        self.assertIn("the driver's count of devices", process.stderr)


if __name__ == "__main__":
    SeveralCards.main()
