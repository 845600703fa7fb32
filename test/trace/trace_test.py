#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces that compiled programs write: of one process, of threads, and of processes that are merged.

Usage: trace_test.py FOLDER_OF_TOOLS
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from progress import ask, end
from trace_file import Trace, check

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GRAPH = ROOT / "test/bench/while_scalar.pbtxt"
PORTS = ["--feed=n", "--feed=x", "--feed=b", "--fetch=while/Exit_1"]
FRAME = "while/while_context"
DEADLINE = 120  # seconds

tools = None  # set at the end


def inputs(iterations):
    return ["--input", f"n=i32={iterations}", "--input", "x=f32=1", "--input", "b=f32=1"]


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-trace-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.compile("tokens", "--no-codelets")
        cls.compile("loop")
        cls.compile("ranks", "--devices=2", "--placement-seed=1", "--no-codelets")

    @classmethod
    def compile(cls, name, *flags):
        subprocess.run([tools / "sluicec", GRAPH, *PORTS, *flags, "-o", cls.folder / name],
                       check=True, timeout=DEADLINE, stderr=subprocess.DEVNULL)

    def setUp(self):
        self.file = self.folder / (self.id() + ".json")

    def run_program(self, command, *flags, code=0):
        done = subprocess.run([*command, "--trace", self.file, *flags], capture_output=True,
                              text=True, timeout=DEADLINE)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def trace(self, command, *flags):
        error = self.run_program(command, *flags)
        lines = [line for line in error.splitlines() if not line.startswith("trace digest: ")]
        self.assertEqual(lines, [])
        trace = Trace(self.file)
        check(self, trace)
        return trace

    def test_no_other_file_is_overwritten(self):
        self.file = self.folder / "same.npy"
        for flag in (f"--save={self.file}", f"--output=while/Exit_1=@{self.file}"):
            with self.subTest(flag):
                error = self.run_program([self.folder / "tokens"], *inputs(3), flag, code=2)
                self.assertIn("same.npy' is to be written twice", error)
                self.assertFalse(self.file.exists())

    def manifest(self):
        return [tools / "sluice-run", self.folder / "ranks/manifest.json"]

    def test_kernels_have_the_names_of_the_graph(self):
        trace = self.trace([self.folder / "tokens"], *inputs(20))
        self.assertEqual(len(trace.named("call 1 of main")), 1)
        for node, op, times in (("while/Less", "nd.less", 21), ("while/add", "nd.add", 20)):
            firings = [event for event in trace.of("X", "kernel") if event["name"] == node]
            self.assertEqual([event["args"]["iteration"] for event in firings], list(range(times)))
            self.assertEqual({event["args"]["frame"] for event in firings}, {FRAME})
            self.assertEqual({event["args"]["op"] for event in firings}, {op})
            self.assertEqual(firings[-1]["args"]["tag"], f"{FRAME}[{times - 1}]")

    def test_everything_happens_within_the_calls(self):
        trace = self.trace([self.folder / "tokens"], *inputs(3), "--steps=4")
        calls = trace.of("X", "call")
        self.assertEqual([event["args"]["call"] for event in calls], [1, 2, 3, 4])
        for event in trace.of("X", "kernel"):
            self.assertEqual(sum(call["ts"] <= event["ts"] and event["ts"] + event["dur"] <=
                                 call["ts"] + call["dur"] for call in calls), 1)

    def test_a_window_lets_iterations_overlap(self):
        for window, overlap in ((1, False), (10, True)):
            with self.subTest(window=window):
                iterations = self.trace([self.folder / "tokens"], *inputs(20),
                                        f"--parallel-iterations={window}").iterations()
                self.assertEqual([number for _, number, _, _ in iterations], list(range(21)))
                for (_, _, _, end), (_, number, begin, _) in zip(iterations, iterations[1:]):
                    self.assertEqual(begin < end, overlap, number)

    def test_dead_firings_are_counted(self):
        trace = self.trace([self.folder / "tokens"], *inputs(3))
        dead = [event["args"]["dead_firings"] for event in trace.of("b")]
        self.assertEqual(len(dead), 4)
        self.assertGreater(dead[3], 0, "the body of the last iteration is dead")

    def test_codelets_name_their_members(self):
        subprocess.run([tools / "sluicec", ROOT / "examples/two-processes/pagerank.pb", "--feed=links",
                        "--fetch=ranks", "--no-collapse", "-o", self.folder / "codelets"],
                       check=True, timeout=DEADLINE, stderr=subprocess.DEVNULL)
        trace = self.trace([self.folder / "codelets"], "--input=links=6x6xf32=1")
        codelets = trace.of("X", "codelet")
        self.assertTrue(codelets)
        for event in codelets:
            self.assertIn(event["name"], event["args"]["members"])

    def test_workers_have_tracks_of_their_own(self):
        graph = self.folder / "products.pbtxt"
        graph.write_text(
            'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\n' +
            "".join(f'node {{ name: "{name}" op: "{op}" input: "{left}" input: "{right}" '
                    'attr { key: "T" value { type: DT_FLOAT } } }\n'
                    for name, op, left, right in (("a", "MatMul", "x", "x"), ("b", "MatMul", "x", "x"),
                                                  ("c", "MatMul", "x", "x"), ("ab", "MatMul", "a", "b"),
                                                  ("y", "MatMul", "ab", "c"))))
        subprocess.run([tools / "sluicec", graph, "--feed=x", "--fetch=y", "--no-codelets", "--O0", "-o",
                        self.folder / "products"], check=True, timeout=DEADLINE,
                       stderr=subprocess.DEVNULL)
        trace = self.trace([self.folder / "products"], "--input=x=200x200xf32=1", "--workers=2",
                           "--output=y=@" + str(self.folder / "y.npy"))
        worked = [event for event in trace.of("X", "kernel") if event["tid"] > 0]
        self.assertIn("a", [event["name"] for event in worked])
        names = {(event["tid"], event["args"]["name"]) for event in trace.named("thread_name")}
        for event in worked:
            self.assertIn((event["tid"], f"worker {event['tid']}"), names)
        # Whether the scheduler has to wait for a worker is a matter of luck, but not for which.
        ends = {event["name"]: event["ts"] + event["dur"] for event in worked}
        for wait in trace.of("X", "wait"):
            self.assertEqual(wait["args"]["for"], "a worker")
            self.assertGreaterEqual(wait["ts"] + wait["dur"], ends[wait["args"]["node"]])

    def test_a_collapsed_loop_is_one_event(self):
        loops = self.trace([self.folder / "loop"], *inputs(1000)).of("X", "loop")
        self.assertEqual([event["name"] for event in loops], ["while/LoopCond"])
        self.assertIn("while/Less", loops[0]["args"]["members"])

    def test_the_limit_is_kept_and_told(self):
        error = self.run_program([self.folder / "tokens"], *inputs(100), "--trace-limit=50")
        self.assertRegex(error, r"^warning: the trace has the first 50 events of a rank; \d+ later "
                                r"ones were left out, see --trace-limit\n$")
        trace = Trace(self.file)
        check(self, trace)
        self.assertEqual(len(trace.of("X") + trace.of("b")), 50)
        self.assertEqual(trace.head["lost_events"], "353")

    def test_ranks_in_processes(self):
        trace = self.trace(self.manifest(), *inputs(30))
        self.check_ranks(trace)
        self.assertEqual(list(self.folder.glob("*.rank?")), [])

    def test_ranks_in_threads_and_in_a_simulation(self):
        for how in ("local", "sim"):
            with self.subTest(how=how):
                self.check_ranks(self.trace(
                    [tools / "sluicec", GRAPH, *PORTS, "--devices=2", "--placement-seed=1",
                     "--no-codelets", f"--execute={how}"], *inputs(30)))

    def check_ranks(self, trace):
        names = {event["pid"]: event["args"]["name"] for event in trace.named("process_name")}
        self.assertEqual(sorted(names), [0, 1])
        self.assertTrue(names[1].startswith("rank 1 /job:"), names)
        arrows = trace.of("s", "message")
        self.assertGreaterEqual(len(arrows), 30)
        ends = {event["id"]: event["pid"] for event in trace.of("f", "message")}
        for arrow in arrows:
            self.assertNotEqual(arrow["pid"], ends[arrow["id"]])
        waits = trace.of("X", "wait")
        self.assertTrue(any(event["args"].get("from_rank") == 1 - event["pid"] for event in waits))
        for event in trace.of("X", "message"):
            self.assertIn("bytes", event["args"])

    def test_calls_at_the_same_time_have_a_lane_each(self):
        requests = self.folder / "requests"
        requests.write_text('{"inputs":{"n":300,"x":1,"b":1}}\n' * 24)
        in_threads = [tools / "sluicec", GRAPH, *PORTS, "--devices=2", "--placement-seed=1",
                      "--no-codelets", "--execute=local"]
        for ranks, command in ((1, [self.folder / "tokens"]), (2, in_threads), (2, self.manifest())):
            with self.subTest(command=command[0]):
                trace = self.trace_of_overlapping_requests(command, requests)
                for rank in range(ranks):
                    calls = trace.of("X", "call", rank)
                    self.assertEqual(sorted(call["args"]["call"] for call in calls),
                                     list(range(1, 25)))
                    lanes = {call["tid"] for call in calls}
                    self.assertIn(0, lanes)
                    self.assertLessEqual(lanes, {0, 200_001, 200_002})
                    self.check_lanes(trace, rank, calls)

    def trace_of_overlapping_requests(self, command, requests):
        """On a busy machine each may have ended before the next one begins, but not always."""
        for _ in range(50):
            trace = self.trace_of_requests(command, requests)
            if len({call["tid"] for call in trace.of("X", "call", 0)}) > 1:
                return trace
        self.fail("expected two calls at the same time")

    def trace_of_requests(self, command, requests):
        done = subprocess.run([*command, f"--calls={requests}", "--concurrent-calls=3", "--trace",
                               self.file, "--trace-limit=1000000"], capture_output=True, text=True,
                              timeout=DEADLINE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        trace = Trace(self.file)
        check(self, trace)
        return trace

    def check_lanes(self, trace, rank, calls):
        """What a call does is within it and on its lane, and has its number."""
        by_number = {call["args"]["call"]: call for call in calls}
        kernels = trace.of("X", "kernel", rank)
        self.assertGreaterEqual(len(kernels), 24)
        for event in kernels:
            call = by_number[event["args"]["call"]]
            self.assertEqual(event["tid"], call["tid"])
            self.assertGreaterEqual(event["ts"], call["ts"])
            self.assertLessEqual(event["ts"] + event["dur"], call["ts"] + call["dur"])
        names = {event["tid"]: event["args"]["name"]
                 for event in trace.named("thread_name") if event["pid"] == rank}
        for lane in {call["tid"] for call in calls} - {0}:
            self.assertEqual(names[lane], f"scheduler, lane {lane - 200_000 + 1}")

    def test_without_calls_there_is_an_empty_trace(self):
        self.assertEqual(self.trace([self.folder / "tokens"], "--calls=/dev/null").of("X"), [])

    def test_ended_by_a_signal(self):
        process, _ = self.start_ranks()
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 10, error)
        trace = Trace(self.file)
        check(self, trace)
        self.assertTrue(any("error" in event["args"] for event in trace.of("X", "call")))

    def test_a_killed_rank_is_named(self):
        process, ranks = self.start_ranks()
        os.kill(ranks[1], signal.SIGKILL)
        _, error = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 10, error)
        self.assertIn("warning: rank 1 (/job:localhost/replica:0/task:1/device:CPU:0) has left no "
                      "trace", error)
        check(self, Trace(self.file))

    def start_ranks(self):
        """The launcher, and the processes of two ranks within an endless call."""
        process = subprocess.Popen([*self.manifest(), *inputs(2147483647), "--trace", self.file,
                                    "--trace-limit=1000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(end, process)
        watch = threading.Timer(DEADLINE, process.kill) # then `readline` returns
        watch.start()
        self.addCleanup(watch.cancel)
        ranks = [self.rank_of(process, rank) for rank in range(2)]
        for rank in ranks:
            while "call 1: " not in ask(rank, process.stderr):
                self.assertIsNone(process.poll())
        return process, ranks

    def rank_of(self, launcher, rank):
        while launcher.poll() is None:
            children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(launcher.pid)],
                                      capture_output=True, text=True).stdout.splitlines()
            found = [line.split()[0] for line in children if f".rank{rank} " in line]
            if found:
                return int(found[0])
            time.sleep(0.05)
        self.fail("the rank was not started")

    def test_commands_of_the_how_to(self):
        page = (ROOT / "docs/how-to/read-a-trace.md").read_text()
        commands = re.search(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1)
        folder = self.folder / "how-to"
        folder.mkdir()
        for name in ("pagerank.pb", "cluster.json"):
            (folder / name).symlink_to(ROOT / "examples/two-processes" / name)
        subprocess.run(["bash", "-euc", commands], cwd=folder, check=True, timeout=DEADLINE,
                       capture_output=True,
                       env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        trace = Trace(folder / "trace.json")
        check(self, trace)
        self.assertTrue(trace.of("s", "message"))

    def test_misuse(self):
        for flags, words in ((["--trace-limit=0"], "--trace-limit"),
                             (["--trace", "x", "--trace", "y"], "given twice")):
            done = subprocess.run([self.folder / "tokens", *flags], capture_output=True, text=True,
                                  timeout=DEADLINE)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        done = subprocess.run([self.folder / "tokens", *inputs(1), "--trace=/no/such/folder/t"],
                              capture_output=True, text=True, timeout=DEADLINE)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        done = subprocess.run([tools / "sluicec", GRAPH, *PORTS, "--interpret", *inputs(1),
                               f"--trace={self.file}"], capture_output=True, text=True,
                              timeout=DEADLINE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--trace: the interpreter records nothing", done.stderr)


if __name__ == "__main__":
    tools = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
