#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that wait for each other by way of queues, accumulators and mutexes, in real programs.

Usage: queue_calls_test.py SLUICEC
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

SLUICEC = sys.argv.pop()
FLOATS = f"list {{ {FLOAT} }}"
SIGNATURES = {"put": (["x:0"], [], ["put"]), "take": ([], ["take:0"], []),
              "batch": ([], ["batch:0"], []), "size": ([], ["size:0"], []),
              "close": ([], [], ["close"]), "count": (["x:0"], ["count:0"], ["release"])}


def graph():
    """`take` and `batch`, of three, wait for `put`, which waits for room for two. `count` adds in a
    critical section, so that none is lost, and gives what there was before."""
    made = Graph()
    add = made.node
    made.placeholder("x", FLOAT, "")
    add("q", "FIFOQueueV2", component_types=FLOATS, shapes="list { shape { } }", capacity="i: 2")
    add("put", "QueueEnqueueV2", ["q", "x"], Tcomponents=FLOATS)
    add("take", "QueueDequeueV2", ["q"], component_types=FLOATS)
    made.constant("three", INT, 3)
    add("batch", "QueueDequeueManyV2", ["q", "three"], component_types=FLOATS)
    add("size", "QueueSizeV2", ["q"])
    add("close", "QueueCloseV2", ["q"])
    add("sum", "VarHandleOp", dtype=FLOAT, shape="shape { }", shared_name='s: "sum"')
    add("m", "MutexV2", shared_name='s: "m"')
    add("lock", "MutexLock", ["m", "^x"])
    add("count", "ReadVariableOp", ["sum", "^lock"], dtype=FLOAT)
    add("more", "AddV2", ["count", "x"], T=FLOAT)
    add("write", "AssignVariableOp", ["sum", "more"], dtype=FLOAT)
    add("release", "ConsumeMutexLock", ["lock", "^write"])
    return made.text()


def of(name, *values):
    inputs = {"x:0": value for value in values}
    return {"signature": name, "inputs": inputs, "plain": True}


class QueueCalls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        (folder / "g.pbtxt").write_text(graph())
        signatures = [{"name": name, "feeds": feeds, "fetches": fetches, "targets": targets}
                      for name, (feeds, fetches, targets) in SIGNATURES.items()]
        (folder / "signatures.json").write_text(json.dumps({"signatures": signatures}))
        cls.program = folder / "program"
        subprocess.run([SLUICEC, folder / "g.pbtxt", "--signatures", folder / "signatures.json", "-o",
                        cls.program], check=True, stderr=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def answers(self, requests, *flags):
        """What each request gives: elements, or the code and message of its error."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = subprocess.run([self.program, "--calls=-", *flags], input=lines, capture_output=True,
                              text=True, timeout=120)
        found = []
        for line in done.stdout.splitlines():
            answer = json.loads(line)
            error = answer.get("error")
            found.append((error["code"], error["message"]) if error else
                         [output["data"] for output in answer["outputs"]])
        self.assertEqual(len(found), len(requests), done.stderr)
        return found

    def test_calls_wait_for_later_ones(self):
        requests = [of("take"), of("batch"), *(of("put", value) for value in (1, 2, 3, 4))]
        found = self.answers(requests, "--concurrent-calls=8")
        taken = sorted(found[0][0] + found[1][0])
        self.assertEqual(taken, [1, 2, 3, 4], found)
        self.assertEqual(found[2:], [[]] * 4)

    def test_one_at_a_time_nobody_brings_anything(self):
        found = self.answers([of("take"), of("put", 1), of("put", 2), of("put", 3), of("size"),
                              of("batch"), of("take"), of("take"), of("take")])
        code, message = found[0]
        self.assertEqual(code, "FAILED_PRECONDITION")
        self.assertIn("node 'take' is parked on queue 'q', dequeue", message)
        self.assertEqual(found[1:3], [[], []])
        self.assertIn("node 'put' is parked on queue 'q', enqueue", found[3][1])
        self.assertEqual(found[4], [[2]])
        self.assertIn("node 'batch' is parked on queue 'q', dequeue", found[5][1])
        self.assertEqual(found[6:8], [[[1]], [[2]]])  # what the batch had taken is there again
        self.assertEqual(found[8][0], "FAILED_PRECONDITION")

    def test_closing_ends_those_that_wait(self):
        found = self.answers([of("put", 5), of("batch"), of("take"), of("close"), of("put", 6)],
                             "--concurrent-calls=1")
        self.assertEqual(found[1][0], "FAILED_PRECONDITION")
        self.assertEqual(found[2], [[5]])
        self.assertEqual(found[3], [])
        self.assertEqual(found[4][0], "CANCELLED")
        found = self.answers([of("batch"), of("take"), of("close")], "--concurrent-calls=4")
        self.assertEqual([found[0][0], found[1][0]], ["OUT_OF_RANGE"] * 2)

    def test_a_deadline_ends_what_waits(self):
        found = self.answers([of("take")], "--concurrent-calls=2", "--timeout=0.2")
        self.assertIn(found[0][0], ("DEADLINE_EXCEEDED", "FAILED_PRECONDITION"))
        self.assertIn("parked on queue 'q', dequeue", found[0][1])

    def test_critical_sections_lose_nothing(self):
        first = {"signature": "size", "inputs": {}, "plain": True, "state": {"sum": 0}}
        found = self.answers([first] + [of("count", 1)] * 200, "--concurrent-calls=8")
        self.assertEqual(sorted(answer[0][0] for answer in found[1:]), list(range(200)))


if __name__ == "__main__":
    unittest.main()
