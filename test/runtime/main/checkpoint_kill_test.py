#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A training program that is killed again and again at random moments, and resumed, ends with the bits of
one that nobody has disturbed, and leaves only its checkpoints.

Usage: checkpoint_kill_test.py SLUICEC [KILLS]; 20 by default.
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from training_program import compile_training

SLUICEC = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
ELEMENTS, STEPS, KEEP = 500_000, 30, 2
RESULTS = ("weights.npy", "words.npy", "last")
ARGUMENTS = ["--load", "../first", "--steps", str(STEPS), "--output=weights/next=@weights.npy",
             "--output=words=@words.npy", "--save", "last"]
CHECKPOINTS = ["--checkpoint", "c", "--save-every", "1", "--keep", str(KEEP), "--resume"]


def start(folder, arguments):
    return subprocess.Popen(["../train", *arguments], cwd=folder, stderr=subprocess.PIPE, text=True)


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")
                  if not path.is_dir())


def expected_files():
    checkpoints = [f"c/step-{step}/{name}" for step in range(STEPS - KEEP + 1, STEPS + 1)
                   for name in ("MANIFEST", "rank-0")]
    return sorted(["c/lock", *checkpoints, *RESULTS])


def disturbed_run(folder, seconds, kills, draw):
    """Returns how often it was killed."""
    killed = 0
    while True:
        process = start(folder, ARGUMENTS + CHECKPOINTS)
        if killed < kills:
            time.sleep(draw.uniform(0, seconds))
            process.send_signal(draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        errors = process.communicate(timeout=300)[1]
        if process.returncode == 0:
            return killed
        if process.returncode not in (-signal.SIGKILL, -signal.SIGTERM):
            raise AssertionError(f"ended with {process.returncode}: {errors}")
        if "warning" in errors:
            raise AssertionError(f"a checkpoint was damaged: {errors}")
        killed += 1


def main():
    draw = random.Random(KILLS)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        compile_training(SLUICEC, root, ELEMENTS)
        quiet = root / "undisturbed"
        quiet.mkdir()
        begin = time.monotonic()
        process = start(quiet, ARGUMENTS + CHECKPOINTS)
        errors = process.communicate(timeout=300)[1]
        assert process.returncode == 0, errors
        seconds = (time.monotonic() - begin) / 3
        without = root / "without"
        without.mkdir()
        assert start(without, ARGUMENTS).wait(timeout=300) == 0
        killed, runs = 0, 0
        while killed < KILLS:
            runs += 1
            folder = root / f"run-{runs}"
            folder.mkdir()
            killed += disturbed_run(folder, seconds, KILLS - killed, draw)
            for other in (quiet, without):
                for result in RESULTS:
                    assert (folder / result).read_bytes() == (other / result).read_bytes(), result
            assert files(folder) == expected_files(), files(folder)
        print(f"{killed} kills of {runs} runs")


if __name__ == "__main__":
    main()
