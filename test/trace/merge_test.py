#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sluice-run --merge-traces`: clocks, arrows, and files that cannot be used.

Usage: merge_test.py SLUICE-RUN
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from trace_file import Trace, check

sluice_run = None  # set at the end


def number(message):
    return "0x" + message.encode().hex()


class RankFile:
    """What an executable writes; times in nanoseconds of the rank's clock."""

    def __init__(self, rank, machine, origin=0):
        self.rank = rank
        self.head = {"displayTimeUnit": "ns", "otherData": {
            "format": "sluice-trace-1", "machine": machine, "origin_ns": str(origin),
            "lost_events": "3"}}
        self.origin = origin
        self.lines = [{"ph": "M", "pid": rank, "name": "process_name", "args": {"name": f"r{rank}"}}]

    def span(self, time, name, phase=None, message=None):
        ts = (time - self.origin) / 1000
        self.lines.append({"ph": "X", "ts": ts, "pid": self.rank, "tid": 0, "cat": "kernel",
                           "dur": 0.001, "name": name, "args": {}})
        if phase:
            self.lines.append({"ph": phase, "ts": ts, "pid": self.rank, "tid": 0, "cat": "message",
                               "id": number(message), "name": "m", "args": {}})
        return self

    def sends(self, time, message):
        return self.span(time, f"send {message}", "s", message)

    def receives(self, time, message):
        return self.span(time, f"receive {message}", "f", message)

    def text(self):
        head = json.dumps(self.head, separators=(",", ":"))[:-1] + ',"traceEvents":[\n'
        return head + ",\n".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False)
                                 for line in self.lines) + "\n]}\n"


class Merging(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-merge-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.out = self.folder / "out.json"

    def merge(self, *ranks, code=0):
        paths = []
        for number, rank in enumerate(ranks):
            paths.append(self.folder / f"{number}.json")
            if rank is not None:
                paths[-1].write_text(rank if isinstance(rank, str) else rank.text())
        done = subprocess.run([sluice_run, "--merge-traces", self.out, *paths], timeout=60,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def merged(self, *ranks):
        self.assertEqual(self.merge(*ranks), "")
        trace = Trace(self.out)
        check(self, trace)
        return trace

    def times(self, trace):
        return {event["name"]: event["ts"] for event in trace.of("X")}

    def test_one_machine_has_one_clock(self):
        trace = self.merged(RankFile(0, "m", 5000).sends(6000, "a").receives(9000, "b"),
                            RankFile(1, "m", 4000).receives(7000, "a").sends(8000, "b"))
        self.assertEqual(self.times(trace),
                         {"send a": 2000, "receive a": 3000, "send b": 4000, "receive b": 5000})
        self.assertEqual(trace.head["lost_events"], "6")

    def test_two_machines_are_placed_by_their_messages(self):
        # The clock of rank 1 is 1,000,000 ahead; both ways take 100.
        trace = self.merged(RankFile(0, "m").sends(100, "a").receives(400, "b"),
                            RankFile(1, "n", 1000000).receives(1000200, "a").sends(1000300, "b"))
        self.assertEqual(self.times(trace),
                         {"send a": 100, "receive a": 200, "send b": 300, "receive b": 400})

    def test_unknown_machines_have_clocks_of_their_own(self):
        trace = self.merged(RankFile(0, "").sends(100, "a").receives(400, "b"),
                            RankFile(1, "", 50).receives(70, "a").sends(170, "b"))
        self.assertEqual(self.times(trace)["receive a"], 200)

    def test_messages_one_way_need_no_time(self):
        trace = self.merged(RankFile(0, "m").sends(100, "a").sends(200, "b"),
                            RankFile(1, "n").receives(5, "a").receives(90, "b"))
        self.assertEqual(self.times(trace),
                         {"send a": 100, "receive a": 115, "send b": 200, "receive b": 200})

    def test_no_arrow_of_three_points_back(self):
        # Middles of pairs put rank 2 before what comes to it over rank 1.
        trace = self.merged(
            RankFile(0, "k").sends(1000, "a").receives(2000, "b").sends(1100, "c").receives(1900, "d"),
            RankFile(1, "l").receives(10, "a").sends(20, "b").sends(30, "e"),
            RankFile(2, "m").receives(10, "c").sends(20, "d").receives(11, "e"))
        self.assertEqual(len(trace.of("f", "message")), 5)

    def test_arrows_without_both_ends_are_left_out(self):
        trace = self.merged(RankFile(0, "m").sends(1, "a").sends(2, "lost"),
                            RankFile(1, "m").receives(3, "a").receives(4, "unsent"))
        self.assertEqual([event["id"] for event in trace.of("s")], [number("a")])
        self.assertEqual(len(trace.of("X")), 4)

    def test_clocks_that_nothing_ties_are_told(self):
        error = self.merge(RankFile(0, "m").span(1, "x"), RankFile(1, "n").span(1, "y"))
        self.assertEqual(error.count("\n"), 1)
        self.assertRegex(error, "warning: no message ties the clock of '.*1.json' to that of '.*0.json'")
        self.assertEqual(len(Trace(self.out).of("X")), 2)

    def test_names_stay_as_they_are(self):
        names = ['"ts":7', "a\\b\n\t\u00e9", "]}"]
        rank = RankFile(0, "m")
        for name in names:
            rank.span(1, name)
        self.assertEqual([event["name"] for event in self.merged(rank).of("X")], names)

    def test_files_that_are_no_traces_are_left_out(self):
        good = RankFile(0, "m").span(1, "x")
        whole = RankFile(1, "m").span(2, "y").text()
        for bad, words in (("", "not complete"), (whole[:-4], "not complete"), ("{}", "line 1: "),
                           (whole.replace("sluice-trace-1", "other"), "line 1: expected the head"),
                           (whole.replace('"pid":1', '"pid":"1"'), "line 2: expected an event"),
                           (whole.replace('"ts":', '"st":0,"ts":'), "line 3: expected 'ts'"),
                           (None, "1.json'")):
            with self.subTest(words=words):
                (self.folder / "1.json").unlink(missing_ok=True)
                error = self.merge(good, bad)
                self.assertEqual(error.count("\n"), 1, error)
                self.assertIn("sluice-run: warning: ", error)
                self.assertIn(words, error)
                self.assertEqual(len(Trace(self.out).of("X")), 1)

    def test_nothing_is_written_without_traces(self):
        self.assertIn("no rank has left a trace", self.merge("", code=3))
        self.assertFalse(self.out.exists())

    def test_two_files_of_a_rank_are_refused(self):
        error = self.merge(RankFile(1, "m"), RankFile(1, "m"), code=3)
        self.assertIn("are both of rank 1", error)

    def test_misuse(self):
        for flags in (["--merge-traces"], ["--merge-traces="], ["--merge-traces", "out"]):
            done = subprocess.run([sluice_run, *flags], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, flags)
            self.assertIn("--merge-traces needs", done.stderr)
        done = subprocess.run([sluice_run, f"--merge-traces-to={self.out}", "a"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("before '--merge-traces-to=", done.stderr)


if __name__ == "__main__":
    sluice_run = sys.argv.pop(1)
    unittest.main()
