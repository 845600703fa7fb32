#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for a simulated card from which one thing is left out at a time, a barrier of a kernel, a copy, an
edge of a graph, a question whether something is over, a stream's wait: a check of the simulator or the
result tells, under one of several schedules. What is not found is needless, and is known here with its
reason, or goes.

Usage: omissions_test.py SLUICEC [PROGRAM…]
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "compiler" / "codegen"), str(ROOT / "gpu")]
from omission_programs import PROGRAMS  # noqa: E402

# When streams run, and whether kernels have to go on in strides. Barriers do not depend on the first.
SCHEDULES = [{"SLUICE_SIM_POLICY": policy, "SLUICE_SIM_SEED": str(seed), **grid}
             for seed, (policy, grid) in enumerate((("lazy", {"SLUICE_SIM_GRID": "1"}), ("eager", {}),
                                                    ("lazy", {}), ("random", {"SLUICE_SIM_GRID": "1"}),
                                                    ("random", {})))]
KINDS = ("barrier", "copy", "edge", "question", "wait")
# (program, thing), regular expressions for what is left out without anybody noticing: why.
NEEDLESS = [
    ("loop of a block", r"barrier 2: .*", "scalars behind elements: here they write no word that the elements' step "
     "reads; which words steps share is not looked at"),
    ("loop of a block", r"barrier 4: .*", "a reduction behind elements: each thread reads what it has written itself, "
     "as there are fewer than threads"),
    ("loop of a block", r"barrier 6: .*", "scalars behind a reduction: it is the first thread that has the result, and "
     "the others have met in the reduction since they read words"),
    ("loop of a block with branches", r"barrier (2|10): .*", "scalars in a branch: here they do not write the word "
     "that says whether it is taken; which words steps share is not looked at"),
    ("loop of a block with branches", r"barrier (4|6|8): .*", "as barriers 2, 4 and 6 of the loop without branches"),
    ("nest of a block", r"barrier (1|3|5|7|9|11|12): .*", "as barriers 2, 4 and 6 of the loop: scalars behind elements or "
     "a reduction, and elements behind what the same threads have written"),
    ("training", r"copy [46]: a copy to the host, 4 bytes", "losses of steps before the last one, whose loss alone is "
     "told"),
]
# A loop that does not end any more is found, too.
DEADLINE = 60


class Subject:
    """A program and what it gives."""

    def __init__(self, sluicec, name, folder):
        self.name, self.scratch = name, pathlib.Path(folder)
        self.scratch.mkdir()
        self.program = PROGRAMS[name](sluicec, self.scratch)

    def run(self, schedule, omission=None):
        """Its results, none if it has failed, and the lines of the simulator."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as place:
            environment = {**os.environ, **schedule}
            if omission:
                environment["SLUICE_SIM_OMIT"] = omission
            try:
                process = subprocess.run(self.program.command, cwd=place, env=environment, timeout=DEADLINE,
                                         text=True, capture_output=True, check=False)
            except subprocess.TimeoutExpired:
                return None, [f"left out: {omission.replace(':', ' ')}: (it does not end)"]
            lines = [line.removeprefix("sluice-sim: ") for line in process.stderr.splitlines()
                     if line.startswith("sluice-sim: ")]
            results = None
            if process.returncode == 0:
                results = [process.stdout,
                           *((pathlib.Path(place) / file).read_bytes() for file in self.program.results)]
            elif not omission:
                lines.append(process.stderr)
            return results, lines

    def prepare(self):
        """Findings without anything left out, and what can be left out: by its kind and number."""
        self.expected, lines = self.run(SCHEDULES[0])
        findings, self.things = list(lines), {}
        for schedule in SCHEDULES:
            results, lines = self.run(schedule, "count")
            if results != self.expected:
                findings.append(f"other results with {schedule}")
            for line in lines:
                match = re.fullmatch(rf"({'|'.join(KINDS)}) (\d+): (.*)", line)
                if match:
                    self.things.setdefault((match[1], int(match[2])), match[3])
                else:
                    findings.append(line)
        return findings

    def unnoticed(self, kind, number):
        """What it is, if nobody notices that it is not there."""
        what = None
        for schedule in SCHEDULES:
            results, lines = self.run(schedule, f"{kind}:{number}")
            told = [line for line in lines if line.startswith("left out: ")]
            if told and (results != self.expected or len(lines) > len(told)):
                return None
            if told:
                what = told[0].removeprefix("left out: ")
        # How many questions there are depends on how quick the host is.
        return what or (None if kind == "question" else f"{kind} {number}: never comes up")


class Omissions(unittest.TestCase):
    sluicec, names = None, list(PROGRAMS)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def known(self, name, what):
        for key in NEEDLESS:
            if re.fullmatch(key[0], name) and re.fullmatch(key[1], what):
                self.used.add(key)
                return True
        return False

    def test_what_is_left_out_is_found(self):
        self.used = set()
        counts = dict.fromkeys(KINDS, 0)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            subjects = list(pool.map(lambda name: Subject(self.sluicec, name, self.folder / name), self.names))
            for subject, findings in zip(subjects, pool.map(Subject.prepare, subjects)):
                with self.subTest(program=subject.name):
                    self.assertEqual(findings, [])
            tried = [(subject, *thing) for subject in subjects for thing in subject.things]
            for kind in [kind for _, kind, _ in tried]:
                counts[kind] += 1
            for (subject, kind, number), what in zip(
                    tried, pool.map(lambda one: one[0].unnoticed(one[1], one[2]), tried)):
                # A host that is slow asks more often, and what comes after makes up for one question.
                for _ in range(3 if kind == "question" else 0):
                    what = what and subject.unnoticed(kind, number)
                if what and not self.known(subject.name, what):
                    with self.subTest(program=subject.name):
                        self.fail(f"nobody notices that it is left out: {what}")
        print(", ".join(f"{count} of {kind}" for kind, count in counts.items()))
        if self.names == list(PROGRAMS):
            self.assertEqual([key for key in NEEDLESS if key not in self.used], [])
            self.assertTrue(all(counts.values()), counts)


if __name__ == "__main__":
    Omissions.sluicec = pathlib.Path(sys.argv[1]).resolve()
    Omissions.names = sys.argv[2:] or Omissions.names
    unittest.main(argv=[sys.argv[0]])
