#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that are all within compiled loops without end hear signals, the end of a call's time, and the
death of others.

Usage: endless_loops_test.py FOLDER_OF_TOOLS [unittest arguments]
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import harness
from harness import LOST, OK, RANKS, ROOT, TIMED_OUT

sys.path.insert(0, str(ROOT / "test/bench"))
import cluster_graphs  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

SOON = 1.0  # seconds after which all have ended


def loops():
    """On each rank a loop in a loop, of so many iterations as there are numbers, squared."""
    graph = Graph()
    graph.constant("n", INT, harness.ENDLESS)
    graph.constant("x", FLOAT, 1)
    exits = []
    for rank in range(RANKS):
        device = cluster_graphs.device(rank)
        outer = Loop(graph, f"outer{rank}", 10)
        outer.count_to("n", device)
        x = outer.variable("_1", "x", FLOAT, device)
        n = outer.enter("n", "n", INT, constant=True, device=device)
        inner = Loop(graph, f"outer{rank}/inner", 10)
        inner.count_to(n, device, start_after=[f"outer{rank}/Identity"])
        y = inner.variable("_1", x, FLOAT, device)
        y = inner.close("_1", graph.node(f"outer{rank}/inner/mul", "Mul", [y, y], device, T=FLOAT),
                        FLOAT, device)
        exits.append(outer.close("_1", y, FLOAT, device))
    graph.node("total", "AddN", exits, cluster_graphs.device(0), T=FLOAT, N=f"i: {RANKS}")
    return graph.text()


class EndlessLoops(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sluice-endless")
        graph, cluster = (os.path.join(cls.folder, name) for name in ("loops.pbtxt", "cluster.json"))
        with open(graph, "w", encoding="ascii") as file:
            file.write(loops())
        devices = ", ".join(f'{{"name": "{cluster_graphs.device(rank)}", "host": "127.0.0.1", '
                            f'"port": {1 + rank}}}' for rank in range(RANKS))
        with open(cluster, "w", encoding="ascii") as file:
            file.write(f'{{"devices": [{devices}]}}')
        explained = subprocess.run([harness.TOOLS / "sluicec", graph, f"--cluster={cluster}",
                                    "--fetch=total", "--explain-loops", "-o", cls.folder], check=True,
                                   timeout=60, capture_output=True, text=True)
        collapsed = explained.stdout.count(": collapsed")
        assert collapsed == RANKS, f"expected {RANKS} collapsed loops but got: {explained.stdout}"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start(self, *flags):
        cluster = harness.Cluster(self.folder, "loops")
        self.addCleanup(cluster.close)
        for rank in range(RANKS):
            cluster.start(rank, *flags)
        for rank in cluster.ranks:  # within its loop, not only in the call
            while "computing node" not in cluster.progress(rank):
                self.assertIsNone(rank.poll())
        return cluster

    def test_kill(self):
        for victim in range(RANKS):
            with self.subTest(victim=victim):
                cluster = self.start()
                cluster.signal(victim, signal.SIGKILL)
                others = [rank for rank in range(RANKS) if rank != victim]
                for rank in cluster.ends(*others, within=SOON):
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"lost rank {victim} ", rank.err)

    def test_signals(self):
        for victim, number in ((0, signal.SIGTERM), (1, signal.SIGTERM), (0, signal.SIGINT),
                               (2, signal.SIGINT)):
            with self.subTest(victim=victim, number=number):
                cluster = self.start("--workers=0")  # of a cluster there is one all the same
                cluster.signal(victim, number)
                for rank in cluster.ends(*range(RANKS), within=SOON):
                    self.assertEqual(rank.code, LOST, rank.err)
                    self.assertIn(f"rank {victim} was ended by signal {int(number)}", rank.err)

    def test_time(self):
        cluster = self.start("--timeout=1")
        for number, rank in enumerate(cluster.ends(*range(RANKS), within=1 + SOON)):
            self.assertEqual(rank.code, OK if number else TIMED_OUT, rank.err)
            if number == 0:
                self.assertIn("longer than the 1 s of --timeout", rank.err)
                self.assertIn("computing node 'outer0/LoopCond'", rank.err)


if __name__ == "__main__":
    harness.main()
