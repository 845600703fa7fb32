# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For suites of several programs that are built when the suite runs."""

import contextlib
import fcntl
import re
import subprocess
import sys

LONGEST_OUTPUT = 20_000  # bytes of a part that failed


@contextlib.contextmanager
def only_builder(folder):
    """Two suites may not build in one folder at the same time."""
    with open(folder / "suite-build.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(folder, target):
    """Builds a target, or ends the suite as failed."""
    with only_builder(folder):
        done = subprocess.run(["cmake", "--build", str(folder), "--target", target],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        show(done.stdout)
        sys.exit(finish([(0, 1)]))


def show(output):
    """Indented, so that nobody takes a part's summary for that of the suite."""
    for line in output[-LONGEST_OUTPUT:].decode(errors="replace").splitlines():
        print("  " + line)


def count(output):
    """(passed, failed) of a GoogleTest program or of one that ends with `N passed, N failed`."""
    if summary := re.search(r"^(\d+) passed, (\d+) failed.*\s*\Z", output, re.MULTILINE):
        return int(summary.group(1)), int(summary.group(2))
    passed, failed = (re.search(rf"^\[  {word}  \] (\d+) tests?", output, re.MULTILINE)
                      for word in ("PASSED", "FAILED"))
    return int(passed.group(1)) if passed else 0, int(failed.group(1)) if failed else 0


def run(command):
    """Runs one part and returns (passed, failed)."""
    print("$", " ".join(map(str, command)), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    passed, failed = count(done.stdout.decode(errors="replace"))
    # It may die before it counts, or find nothing to do.
    if (done.returncode and not failed) or passed + failed == 0:
        failed += 1
    if failed:
        show(done.stdout)
    print(f"  {passed} passed, {failed} failed", flush=True)
    return passed, failed


def finish(results):
    """Prints the sum and returns the exit code."""
    passed, failed = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
