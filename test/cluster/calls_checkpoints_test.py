#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of clusters of real processes that answer several calls at a time: whoever has an answer
finds its call in the checkpoint, once.

Usage: calls_checkpoints_test.py FOLDER_OF_TOOLS [unittest arguments]
"""

import json
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import harness
from harness import LOST, OK, RANKS, TOOLS, Cluster, wait_until

sys.path.insert(0, str(harness.ROOT / "test/bench"))
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

LONG = "type: DT_INT64"
VARIABLES = {"sum": 0, "count": 1, "random": 1, "drawn": 2}  # and the rank of each
RESUMED = re.compile(r"note: resumed after (\d+) calls?\n")
CALLS, AT_A_TIME, KILLS = 61, 4, 6


def graph():
    """`add` adds x, which is another power of two in each call, so that sums tell which calls they hold.
    It counts, adds a random number, and puts x into a queue twice and adds what it takes from there.
    What all that leaves does not depend on the order of calls. `drain` adds up what is in the queue."""
    made = Graph()
    add = made.node

    def add_to(name, value):
        rank = VARIABLES[name]
        add(name, "VarHandleOp", device=f"/task:{rank}", dtype=LONG, shape="shape { }",
            shared_name=f's: "{name}"')
        return add(f"{name}/add", "AssignAddVariableOp", [name, value], dtype=LONG)

    add("one", "Const", dtype=LONG, value="tensor { dtype: DT_INT64 tensor_shape { } int64_val: 1 }")
    made.placeholder("x", LONG, "")
    made.constant("zero", INT, 0)
    add("scalar", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } }")
    add("uniform", "RandomUniform", ["scalar"], T=INT, dtype=FLOAT, seed="i: 3", seed2="i: 5")
    made.constant("large", FLOAT, 1 << 23)
    add("whole", "Mul", ["uniform", "large"], T=FLOAT)
    add("noise", "Cast", ["whole"], SrcT=FLOAT, DstT=LONG)
    longs = f"list {{ {LONG} }}"
    add("queue", "FIFOQueueV2", device="/task:2", component_types=longs, shapes="list { shape { } }")
    add("twice", "Pack", ["x", "x"], T=LONG, N="i: 2")
    add("put", "QueueEnqueueManyV2", ["queue", "twice"], Tcomponents=longs)
    add("take", "QueueDequeueV2", ["queue", "^put"], component_types=longs)
    targets = [add_to("sum", "x"), add_to("count", "one"), add_to("random", "noise"),
               add_to("drawn", "take")]
    add("echo", "Identity", ["x"], T=LONG)
    add("size", "QueueSizeV2", ["queue"])
    add("all", "QueueDequeueManyV2", ["queue", "size"], component_types=longs)
    add("rest", "Sum", ["all", "zero"], T=LONG, Tidx=INT)
    signatures = [{"name": "add", "feeds": ["x:0"], "fetches": ["echo:0"], "targets": targets},
                  {"name": "drain", "feeds": [], "fetches": ["rest:0"], "targets": []}]
    return made.text(), json.dumps({"signatures": signatures})


def first_values():
    """A safetensors file for --load."""
    header = json.dumps({name: {"dtype": "I64", "shape": [], "data_offsets": [8 * i, 8 * i + 8]}
                         for i, name in enumerate(VARIABLES)}).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + bytes(8 * len(VARIABLES))


ADDITIONS = [{"signature": "add", "inputs": {"x:0": 1 << i}, "plain": True} for i in range(CALLS)]
DRAIN = {"signature": "drain", "inputs": {}, "plain": True, "want_state": True}


class Checkpoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.temporary.name)
        text, signatures = graph()
        (cls.root / "g.pbtxt").write_text(text)
        (cls.root / "signatures.json").write_text(signatures)
        (cls.root / "first").write_bytes(first_values())
        for name, *flags in (("alone",), ("program", f"--devices={RANKS}")):
            subprocess.run([TOOLS / "sluicec", "g.pbtxt", "--signatures=signatures.json", "-o", name, *flags],
                           cwd=cls.root, check=True, stderr=subprocess.DEVNULL)
        lines = "".join(json.dumps(request) + "\n" for request in [*ADDITIONS, DRAIN])
        alone = subprocess.run([cls.root / "alone", "--calls=-", "--load=first"], input=lines, cwd=cls.root,
                               check=True, text=True, stdout=subprocess.PIPE).stdout
        cls.expected = json.loads(alone.splitlines()[-1])["state"]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))

    def start(self, *flags):
        """Starts all ranks. Returns them and how many requests their checkpoint has."""
        cluster = Cluster(self.root / "program", "g")
        self.addCleanup(cluster.close)
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            cluster.start(0, f"--checkpoint={self.folder}/c", f"--load={self.root}/first", "--calls=-",
                          f"--concurrent-calls={AT_A_TIME}", "--resume", "--keep=2", *flags,
                          stdin=subprocess.PIPE, stdout=out, stderr=err)
        for rank in range(1, RANKS):
            cluster.start(rank, f"--checkpoint={self.folder}/c")
        return cluster, self.resumed(cluster)

    def said(self):
        """By rank 0."""
        return (self.folder / "err").read_text()

    def wait_for(self, cluster, holds):
        def holds_or_never():
            return holds() or cluster.ranks[0].poll() is not None
        wait_until(holds_or_never, otherwise="rank 0 does not answer", pause=0.001)
        self.assertTrue(holds(), self.said())

    def resumed(self, cluster):
        afresh = "the run starts afresh"
        self.wait_for(cluster, lambda: afresh in self.said() or RESUMED.search(self.said()))
        return 0 if afresh in self.said() else int(RESUMED.search(self.said())[1])

    @staticmethod
    def ask(cluster, requests):
        cluster.ranks[0].stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        cluster.ranks[0].stdin.flush()

    def answers(self):
        """Those that are whole."""
        *lines, _ = (self.folder / "out").read_text().split("\n")
        return [json.loads(line) for line in lines]

    def kill(self, cluster, answered, draw):
        """After so many answers, a moment later."""
        self.wait_for(cluster, lambda: len(self.answers()) >= answered)
        time.sleep(draw.uniform(0, 0.004))
        cluster.signal(draw.randrange(RANKS), draw.choice([signal.SIGKILL, signal.SIGTERM]))

    def end(self, cluster):
        """The exit code of rank 0."""
        ended = cluster.ends(*range(RANKS), within=60)
        self.assertNotIn("warning", self.said())
        return ended[0].code

    def count_answered(self, first):
        """Those that were answered, up to one that the loss of the cluster has ended, of the requests that
        began with the first one."""
        answers = self.answers()
        failed = [i for i, answer in enumerate(answers) if "error" in answer]
        for request, answer in zip(ADDITIONS[first:], answers):
            if "error" not in answer:
                self.assertEqual(answer["outputs"][0]["data"], [request["inputs"]["x:0"]])
        return failed[0] if failed else len(answers)

    def check_kills(self, every, seed):
        """An answer comes after the checkpoint that is due; what came since the last one may be lost."""
        draw, kept = random.Random(seed), 0
        for _ in range(KILLS):
            cluster, first = self.start(f"--save-every={every}")
            self.assertGreaterEqual(first, kept)
            enough = draw.randrange(6)
            asked = ADDITIONS[first:first + enough + AT_A_TIME + 1]
            self.ask(cluster, asked)
            self.kill(cluster, enough, draw)
            code, answered = self.end(cluster), self.count_answered(first)
            self.assertIn(code, (OK, LOST, -signal.SIGKILL, -signal.SIGTERM))
            if code == OK:  # it had not noticed yet
                self.assertEqual(answered, len(asked))
            kept = max(kept, (first + answered) // every * every)
        self.assertGreater(kept, KILLS)  # else not much was shown
        cluster, first = self.start(f"--save-every={every}")
        self.assertGreaterEqual(first, kept)
        self.ask(cluster, ADDITIONS[first:])
        self.assertEqual(self.end(cluster), OK)
        self.assertEqual(first + self.count_answered(first), CALLS)
        self.check_what_is_left()

    def check_what_is_left(self):
        cluster, first = self.start()
        self.assertEqual(first, CALLS)
        self.ask(cluster, [DRAIN])
        self.assertEqual(self.end(cluster), OK)
        answer = self.answers()[0]
        state = {name: value["data"][0] for name, value in answer["state"].items()}
        total = 2 ** CALLS - 1
        self.assertEqual((state["sum"], state["count"]), (total, CALLS))
        self.assertEqual(state["random"], self.expected["random"]["data"][0])
        self.assertEqual(state["drawn"] + answer["outputs"][0]["data"][0], 2 * total)
        left = sorted(path.name for path in (self.folder / "c").iterdir())
        self.assertEqual(left[:RANKS], ["lock", *(f"lock-{rank}" for rank in range(1, RANKS))])
        self.assertEqual(left[RANKS:], [f"step-{CALLS}", f"step-{CALLS + 1}"])
        for step in left[RANKS:]:
            self.assertEqual(sorted(path.name for path in (self.folder / "c" / step).iterdir()),
                             ["MANIFEST", *(f"rank-{rank}" for rank in range(RANKS))])

    def test_kills_with_a_checkpoint_for_each_call(self):
        self.check_kills(every=1, seed=1)

    def test_kills_with_a_checkpoint_for_some_calls(self):
        self.check_kills(every=3, seed=2)


if __name__ == "__main__":
    unittest.main()
