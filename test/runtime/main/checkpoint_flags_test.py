#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What flags of checkpoints do, and with which exit codes, with real programs.

Usage: checkpoint_flags_test.py SLUICEC
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

from training_program import LONG, Graph, compile_training, shape

SLUICEC = sys.argv.pop()
OK, MODEL, USAGE, IO = 0, 1, 2, 3
ELEMENTS = 500_000


def compile_counter(folder):
    """A program that counts its calls, without ever losing one."""
    graph = Graph()
    graph.node("count", "VarHandleOp", dtype=LONG, shape=shape(), shared_name='s: "count"')
    graph.node("one", "Const", dtype=LONG,
               value="tensor { dtype: DT_INT64 tensor_shape { } int64_val: 1 }")
    graph.node("add", "AssignAddVariableOp", ["count", "one"], dtype=LONG)
    graph.node("read", "ReadVariableOp", ["count", "^add"], dtype=LONG)
    (folder / "counter.pbtxt").write_text(graph.text())
    subprocess.run([SLUICEC, "counter.pbtxt", "--fetch=read", "-o", "counter"], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    return folder / "counter"


class Flags(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.programs = pathlib.Path(cls.temporary.name)
        compile_training(SLUICEC, cls.programs, ELEMENTS)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.programs))

    def run_program(self, code, *flags, program="train", limit=None, lines=None):
        """Standard error of a run from the first values."""
        limits = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
        done = subprocess.run([self.programs / program, "--load", self.programs / "first", *flags],
                              cwd=self.folder, capture_output=True, text=True, timeout=120,
                              preexec_fn=limits, input=lines)
        self.assertEqual(done.returncode, code, done.stderr)
        self.output = done.stdout
        return done.stderr

    def steps(self):
        return sorted(int(path.name[5:]) for path in (self.folder / "c").glob("step-*"))

    def test_as_often_as_asked_and_at_the_end(self):
        self.run_program(OK, "--checkpoint=c", "--save-every=2", "--steps=7", "--keep=10")
        self.assertEqual(self.steps(), [2, 4, 6, 7])
        self.run_program(OK, "--checkpoint=c", "--save-every=3", "--steps=9", "--resume")
        self.assertEqual(self.steps(), [6, 7, 9])
        manifest = json.loads((self.folder / "c/step-9/MANIFEST").read_text().splitlines()[0])
        self.assertEqual(manifest["step"], 9)

    def test_a_run_that_is_over(self):
        self.run_program(OK, "--checkpoint=c", "--steps=3", "--save=whole")
        errors = self.run_program(OK, "--checkpoint=c", "--steps=3", "--resume", "--save=again",
                                  "--output=words=@words.npy")
        self.assertIn("note: nothing is left to do: 3 calls of 3 had been made", errors)
        self.assertFalse((self.folder / "words.npy").exists())
        self.assertEqual((self.folder / "whole").read_bytes(), (self.folder / "again").read_bytes())
        self.run_program(OK, "--checkpoint=c", "--steps=4", "--resume", "--save=again")
        self.assertNotEqual((self.folder / "whole").read_bytes(), (self.folder / "again").read_bytes())

    def test_a_run_that_goes_on_keeps_as_many_as_it_says(self):
        """Its writer may have been killed before it removed what was too old."""
        self.run_program(OK, "--checkpoint=c", "--save-every=1", "--steps=4", "--keep=10")
        self.run_program(OK, "--checkpoint=c", "--steps=4", "--keep=2", "--resume")
        self.assertEqual(self.steps(), [3, 4])

    def test_requests_go_on(self):
        request = '{"signature": "main", "inputs": {}}\n'
        self.run_program(OK, "--calls=-", lines=request * 5)
        whole = self.output.splitlines()
        self.run_program(OK, "--calls=-", "--checkpoint=c", "--save-every=2", lines=request * 3)
        self.assertEqual(self.steps(), [2, 3])
        errors = self.run_program(OK, "--calls=-", "--checkpoint=c", "--resume", lines=request * 2)
        self.assertIn("note: resumed after 3 calls", errors)
        self.assertEqual(self.output.splitlines(), whole[3:])
        self.assertEqual(self.steps(), [2, 3, 5])

    def test_requests_at_a_time(self):
        """A checkpoint has the number of calls that it holds, and nothing of others."""
        program = compile_counter(self.programs)
        requests = '{"state":{"count":0}}\n' + "{}\n" * 79
        answers = subprocess.run([program, "--calls=-", "--concurrent-calls=8", "--checkpoint=c",
                                  "--save-every=9", "--keep=100"], cwd=self.folder, input=requests,
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual((answers.returncode, answers.stderr), (OK, ""))
        self.assertEqual(len(answers.stdout.splitlines()), 80)
        steps = self.steps()
        self.assertEqual(steps[-1], 80)
        self.assertGreaterEqual(len(steps), 4)
        for step in reversed(steps):
            again = subprocess.run([program, "--calls=-", "--concurrent-calls=2", "--checkpoint=c",
                                    "--resume", "--keep=100"], cwd=self.folder,
                                   input='{"want_state":true,"plain":true}\n', capture_output=True,
                                   text=True, timeout=120)
            self.assertIn(f"note: resumed after {step} calls", again.stderr)
            state = json.loads(again.stdout)["state"]
            self.assertEqual(state["count"]["data"], [step + 1])
            shutil.rmtree(self.folder / f"c/step-{step + 1}")
            shutil.rmtree(self.folder / f"c/step-{step}")

    def test_a_full_disk_ends_requests_at_a_time(self):
        request = '{"signature": "main", "inputs": {}}\n'
        errors = self.run_program(IO, "--calls=-", "--concurrent-calls=2", "--checkpoint=c",
                                  "--save-every=2", lines=request * 20, limit=1_000_000)
        self.assertIn("cannot write 'c/step-", errors)
        self.assertLess(len(self.output.splitlines()), 20)

    def test_flags_that_need_others(self):
        for flag in ("--save-every=2", "--keep=2", "--resume"):
            self.assertIn("needs --checkpoint", self.run_program(USAGE, flag))
        for flag in ("--save-every=0", "--keep=0", "--save-every=-1"):
            self.run_program(USAGE, "--checkpoint=c", flag)

    def test_an_earlier_run_is_not_overwritten(self):
        self.run_program(OK, "--checkpoint=c", "--steps=3")
        errors = self.run_program(IO, "--checkpoint=c", "--steps=3")
        self.assertIn("has checkpoints of an earlier run, the newest after 3 calls", errors)
        self.assertEqual(self.steps(), [3])

    def test_the_newest_is_damaged(self):
        self.run_program(OK, "--checkpoint=c", "--save-every=1", "--steps=4", "--save=whole")
        with open(self.folder / "c/step-4/rank-0", "r+b") as shard:
            shard.seek(1_234_567)
            byte = shard.read(1)
            shard.seek(1_234_567)
            shard.write(bytes([byte[0] ^ 64]))
        errors = self.run_program(OK, "--checkpoint=c", "--resume", "--steps=4", "--save=again")
        self.assertIn("warning: the checkpoint 'c/step-4' cannot be used: 'c/step-4/rank-0' is damaged",
                      errors)
        self.assertIn("note: resumed after 3 calls", errors)
        self.assertEqual((self.folder / "whole").read_bytes(), (self.folder / "again").read_bytes())
        self.assertNotIn("warning", self.run_program(OK, "--checkpoint=c", "--resume", "--steps=4"))

    def test_all_are_damaged(self):
        self.run_program(OK, "--checkpoint=c", "--steps=2")
        (self.folder / "c/step-2/rank-0").unlink()
        errors = self.run_program(MODEL, "--checkpoint=c", "--resume", "--steps=4")
        self.assertIn("error: DATA_LOSS: none of the checkpoints in 'c' can be used", errors)

    def test_another_program(self):
        self.run_program(OK, "--checkpoint=c", "--steps=2")
        other = self.programs / "other"
        other.mkdir(exist_ok=True)
        compile_training(SLUICEC, other, ELEMENTS // 2)
        errors = self.run_program(MODEL, "--checkpoint=c", "--resume", program="other/train")
        self.assertIn("error: FAILED_PRECONDITION: the checkpoint 'c/step-2' is of another program",
                      errors)

    def test_a_full_disk(self):
        self.run_program(OK, "--checkpoint=c", "--steps=2")
        errors = self.run_program(IO, "--checkpoint=c", "--steps=4", "--resume", limit=1_000_000)
        self.assertIn("cannot write 'c/step-4/rank-0': File too large", errors)
        self.assertEqual(self.steps(), [2])
        self.run_program(OK, "--checkpoint=c", "--steps=4", "--resume", "--save=again")
        self.run_program(OK, "--steps=4", "--save=whole")
        self.assertEqual((self.folder / "whole").read_bytes(), (self.folder / "again").read_bytes())

    def test_two_writers(self):
        request = '{"signature": "main", "inputs": {}}\n'
        first = subprocess.Popen([self.programs / "train", "--load", self.programs / "first", "--calls=-",
                                  "--checkpoint=c"], cwd=self.folder, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        try:
            first.stdin.write(request)
            first.stdin.flush()
            first.stdout.readline()
            errors = self.run_program(IO, "--checkpoint=c", "--resume")
            self.assertIn("another process holds the lock 'c/lock'", errors)
        finally:
            first.communicate(timeout=60)
        self.assertEqual(first.returncode, OK)
        self.run_program(OK, "--checkpoint=c", "--resume")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_may_not_be_written(self):
        (self.folder / "c").mkdir(mode=0o500)
        self.run_program(IO, "--checkpoint=c")

    def test_only_what_is_ours_goes(self):
        self.run_program(OK, "--checkpoint=c", "--save-every=1", "--steps=2")
        shutil.copytree(self.folder / "c/step-2", self.folder / "c/step-9")
        (self.folder / "c/step-9/MANIFEST").rename(self.folder / "c/step-9/MANIFEST.new")
        (self.folder / "c/step-9/mine").write_text("text")
        self.run_program(OK, "--checkpoint=c", "--resume", "--steps=3")
        self.assertEqual([path.name for path in (self.folder / "c/step-9").iterdir()], ["mine"])


if __name__ == "__main__":
    unittest.main()
