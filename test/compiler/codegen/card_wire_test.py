#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comes from another rank for a card, and what leaves a card for another rank, lies in pinned memory: the
card copies it by itself, and nothing large goes through staging.

Usage: card_wire_test.py SLUICEC
"""

import json
import math
import pathlib
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from card_programs import CardCase, elements, write_tensor  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, Graph  # noqa: E402

ROUNDS = 3
HOST, CARD = 0, 1  # ranks


def cluster(*targets):
    return {"devices": [{"name": f"/job:w/task:{i}/device:CPU:0", "host": "127.0.0.1", "port": 7001 + i,
                         "target": target}
                        for i, target in enumerate(targets)]}


def listen():
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(4)
    return server


class CardWire(CardCase):
    def compile(self, shape, targets):
        """Round trips: sums on the first rank, hyperbolic tangents on the second one."""
        g = Graph()
        g.placeholder("x", FLOAT, dims(*shape))
        value = "x"
        for i in range(ROUNDS):
            value = g.node(f"sum{i}", "Add", [value, value], T=FLOAT)
            value = g.node(f"tanh{i}", "Tanh", [value], T=FLOAT)
        text = g.text()
        for i in range(ROUNDS):
            for name, task in (f"sum{i}", HOST), (f"tanh{i}", CARD):
                text = text.replace(f'name: "{name}"', f'name: "{name}" device: "/task:{task}"')
        self.fetch = value
        self.compile_ranks(text, targets)

    def compile_ranks(self, text, targets, *flags):
        (self.scratch / "g.pbtxt").write_text(text)
        (self.scratch / "cluster.json").write_text(json.dumps(cluster(*targets)))
        subprocess.run([self.compiler, self.scratch / "g.pbtxt", "--feed=x", f"--fetch={self.fetch}", "--cluster",
                        self.scratch / "cluster.json", "--least-card-work=0", "-o", self.scratch / targets[CARD], *flags],
                       check=True)

    def run_ranks(self, target):
        """What is fetched, and the figures of the second rank."""
        servers = [listen(), listen()]
        peers = ",".join("127.0.0.1:%d" % server.getsockname()[1] for server in servers)
        result = self.scratch / f"{target}.npy"
        flags = {HOST: [f"--input=x=@{self.scratch}/x.npy", f"--output={self.fetch}=@{result}"], CARD: ["--stats-json"]}
        ranks = [subprocess.Popen([self.scratch / target / f"g.rank{rank}", "--peers", peers,
                                   "--listen-fd", str(servers[rank].fileno()), *flags[rank]],
                                  pass_fds=[servers[rank].fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True) for rank in (HOST, CARD)]
        for server in servers:
            server.close()
        errors = [rank.communicate(timeout=120)[1] for rank in ranks]
        self.assertEqual([rank.returncode for rank in ranks], [0, 0], errors)
        return elements(result, FLOAT).tobytes(), json.loads(errors[CARD].splitlines()[-1])

    def check(self, shape):
        write_tensor(self.scratch / "x.npy", shape, FLOAT, self.drawn)
        given = {}
        for target in ("cpu", "sim"):
            self.compile(shape, ("cpu", target))
            given[target], figures = self.run_ranks(target)
        self.assertEqual(given["cpu"], given["sim"])
        return figures

    def test_nothing_large_is_staged(self):
        shape = (128, 256)
        figures = self.check(shape)
        self.assertEqual(figures["gpu_0_bytes_copied_pinned"], 2 * ROUNDS * 4 * math.prod(shape))
        self.assertEqual(figures["gpu_0_bytes_copied_staged"], 0)

    def test_buffers_are_used_again(self):
        figures = self.check((128, 256))
        self.assertLessEqual(figures["gpu_0_pinned_bytes"], 4 * 4 * 128 * 256)

    def test_small_ones_are_staged(self):
        figures = self.check((8, 16))
        self.assertEqual(figures["gpu_0_bytes_copied_pinned"], 0)
        self.assertEqual(figures["gpu_0_bytes_copied_staged"], 2 * ROUNDS * 4 * 8 * 16)

    def test_nodes_ask_for_a_card_of_another_rank(self):
        """Of the second rank's cards each does its own; a node that asks for its host stays there."""
        g = Graph()
        shape = (128, 256)
        g.placeholder("x", FLOAT, dims(*shape))
        value = g.node("sum", "Add", ["x", "x"], device="/task:0", T=FLOAT)
        value = g.node("tanh", "Tanh", [value], device="/task:1/device:GPU:1", T=FLOAT)
        value = g.node("square", "Mul", [value, value], device="/task:1/device:GPU:0", T=FLOAT)
        self.fetch = g.node("neg", "Neg", [value], device="/task:1/device:CPU:0", T=FLOAT)
        write_tensor(self.scratch / "x.npy", shape, FLOAT, self.drawn)
        self.compile_ranks(g.text().replace("/device:GPU:1", "").replace("/device:GPU:0", ""), ("cpu", "cpu"))
        expected, _ = self.run_ranks("cpu")
        self.compile_ranks(g.text(), ("cpu", "2xsim"))
        given, figures = self.run_ranks("2xsim")
        self.assertEqual(expected, given)
        self.assertEqual(figures["gpu_0_bytes_from_cards"], 4 * math.prod(shape))
        self.assertEqual(figures["gpu_1_bytes_from_cards"], 0)
        self.assertEqual(figures["gpu_1_bytes_copied_pinned"], 4 * math.prod(shape))


if __name__ == "__main__":
    CardWire.main()
