#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of clusters of real processes: each rank has its part, and all go on from one step.

Usage: checkpoints_test.py FOLDER_OF_TOOLS [unittest arguments]
"""

import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import harness
from harness import IO, LOST, MODEL, OK, RANKS, TOOLS, Cluster

sys.path.insert(0, str(harness.ROOT / "test/runtime/main"))
from training_program import compile_training  # noqa: E402

ELEMENTS, STEPS, KILLS = 300_000, 12, 6
RESULTS = ("weights.npy", "words.npy", "last")


class Checkpoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.temporary.name)
        compile_training(TOOLS / "sluicec", cls.root, ELEMENTS, f"--devices={RANKS}",
                         "--placement-seed=3")
        alone = cls.root / "alone"
        alone.mkdir()
        compile_training(TOOLS / "sluicec", alone, ELEMENTS)
        subprocess.run(["./train", *cls.first_flags(alone, STEPS)], cwd=alone, check=True)
        cls.expected = {name: (alone / name).read_bytes() for name in RESULTS}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def first_flags(cls, folder, steps):
        return [f"--load={cls.root}/first", f"--steps={steps}", f"--save={folder}/last",
                f"--output=weights/next=@{folder}/weights.npy", f"--output=words=@{folder}/words.npy"]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))

    def start(self, steps, *flags, shared=False, without=()):
        """Starts all ranks, each with a folder of its own unless they share one."""
        cluster = Cluster(self.root / "train", "training")
        self.addCleanup(cluster.close)
        for rank in range(RANKS):
            own = [] if rank in without else [f"--checkpoint={self.checkpoints(rank, shared)}"]
            first = [*self.first_flags(self.folder, steps), *flags] if rank == 0 else []
            cluster.start(rank, *own, *first)
        return cluster

    def checkpoints(self, rank, shared=False):
        return self.folder / ("c" if shared else f"c{rank}")

    def run_all(self, code, steps, *flags, **how):
        """What rank 0 says."""
        cluster = self.start(steps, *flags, **how)
        ended = cluster.ends(*range(RANKS), within=60)
        self.assertEqual(ended[0].code, code, ended[0].err)
        return ended[0].err

    def assert_results(self):
        for name, content in self.expected.items():
            self.assertEqual((self.folder / name).read_bytes(), content, name)

    def test_a_folder_for_each_rank(self):
        self.run_all(OK, 5, "--save-every=2")
        self.assertEqual(sorted(path.name for path in self.checkpoints(1).iterdir()),
                         ["lock-1", "step-2", "step-4", "step-5"])
        self.assertEqual([path.name for path in (self.checkpoints(1) / "step-5").iterdir()],
                         ["rank-1"])
        self.assertIn("note: resumed after 5 calls",
                      self.run_all(OK, STEPS, "--save-every=1", "--resume", "--keep=2"))
        self.assert_results()
        for rank in range(RANKS):
            self.assertEqual(sorted(path.name for path in self.checkpoints(rank).glob("step-*")),
                             [f"step-{STEPS - 1}", f"step-{STEPS}"])

    def test_a_shared_folder(self):
        self.run_all(OK, 5, "--save-every=2", shared=True)
        self.assertEqual(sorted(path.name for path in (self.checkpoints(0, True) / "step-5").iterdir()),
                         ["MANIFEST", *(f"rank-{rank}" for rank in range(RANKS))])
        self.run_all(OK, STEPS, "--resume", shared=True)
        self.assert_results()

    def test_kills_at_random_moments(self):
        draw, killed = random.Random(7), 0
        while True:
            cluster = self.start(STEPS, "--save-every=1", "--resume", "--keep=2", shared=True)
            if killed < KILLS:
                cluster.wait_until_connected()
                time.sleep(draw.uniform(0, 0.15))
                cluster.signal(draw.randrange(RANKS), draw.choice([signal.SIGKILL, signal.SIGTERM]))
                killed += 1
            ended = cluster.ends(*range(RANKS), within=60)
            self.assertNotIn("warning", ended[0].err)
            if ended[0].code == OK:
                break
            self.assertIn(ended[0].code, (LOST, -signal.SIGKILL, -signal.SIGTERM), ended[0].err)
        self.assert_results()
        self.assertEqual(sorted(path.name for path in self.checkpoints(0, True).iterdir()),
                         ["lock", *(f"lock-{rank}" for rank in range(1, RANKS)),
                          *sorted(f"step-{step}" for step in (STEPS - 1, STEPS))])

    def test_a_damaged_part_of_any_rank(self):
        self.run_all(OK, 5, "--save-every=1")
        for rank, step in ((1, 5), (2, 4)):
            shard = self.checkpoints(rank) / f"step-{step}/rank-{rank}"
            content = bytearray(shard.read_bytes())
            content[len(content) // 2] ^= 1
            shard.write_bytes(content)
        errors = self.run_all(OK, STEPS, "--resume")
        for step in (5, 4):
            self.assertIn(f"step-{step}' cannot be used: rank ", errors)
        self.assertIn("note: resumed after 3 calls", errors)
        self.assert_results()

    def test_a_rank_that_runs_elsewhere(self):
        self.run_all(OK, 3)
        shutil.rmtree(self.checkpoints(2))
        errors = self.run_all(MODEL, STEPS, "--resume")
        self.assertIn("rank 2 ", errors)
        self.assertIn("error: DATA_LOSS: none of the checkpoints", errors)

    def test_a_rank_without_a_folder(self):
        errors = self.run_all(IO, 3, without=(1,))
        self.assertIn("rank 1 ", errors)
        self.assertIn("was not given --checkpoint", errors)

    def test_two_clusters_in_one_folder(self):
        first = self.start(1_000_000, "--save-every=1000000", shared=True)
        first.wait_until_connected()
        while not (self.checkpoints(0, True) / "lock-2").exists():
            time.sleep(0.02)
        errors = self.run_all(IO, 3, "--resume", shared=True)
        self.assertIn("another process holds the lock", errors)
        first.signal(0, signal.SIGTERM)
        first.ends(*range(RANKS))


if __name__ == "__main__":
    unittest.main()
