#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replays recorded runs by executables for cards of CUDA, on the simulated driver, which interprets the PTX in
them; and the same by twins of the kernels. Everything passes, and both give the same bits.

Usage: interpreted_ptx.py SLUICE_CONFORMANCE SLUICEC DRIVER_FOLDER CUBIN FIXTURES
No assembler is needed: in place of what ptxas would make of the kernels, programs carry CUBIN, some cubin, which
the driver refuses. All that can be on the card is there. A test counts as passed if its results are those on
record, and in every bit those of the twins. That PTX was what ran is seen in what the driver counts.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

# Programs with loops, with one that the card runs by itself among them; and many ops, once each.
TESTS = [["rnn"], ["apps"], ["ops", "--filter", "ops/[CM]*"]]
# Whose records have sums that are not numbers: PTX writes those as 0x7fffffff, a CPU as what it was given. Bits
# are not compared.
NOT_NUMBERS = {"ops/Conv2DBackpropInput"}
# Somewhat less than there is, for what the compiler saves is no loss. Conditions are those of graphs
# of the driver.
LEAST = {"launches": 5000, "instructions": 50_000_000, "conditions": 10}

ASSEMBLER = """#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" != -o ] || cp '{cubin}' "$2"
  shift
done
"""
COMPILER = """#!/bin/sh
exec '{sluicec}' "$@" --least-card-work=0 --card-only
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def replay(tool, arguments, folder, environment):
    """({test: hash of its bits}, lines on failed tests)"""
    digest = folder / "digest"
    run = subprocess.run([tool, "--digest", str(digest), *arguments], stdout=subprocess.PIPE, text=True,
                         env={**os.environ, **environment})
    failures = [line for line in run.stdout.splitlines() if line.startswith("failed ")]
    if run.returncode != 0 and not failures:
        failures = [f"failed: exit code {run.returncode}"]
    return dict(line.rsplit(" ", 1) for line in digest.read_text().splitlines()), failures


def counted(file):
    """What all processes have counted, by name."""
    sums = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        words = line.split()
        for name, value in zip(words[::2], words[1::2]):
            sums[name] = sums.get(name, 0) + int(value)
    return sums


def main():
    tool, sluicec, driver, cubin, fixtures = sys.argv[1:]
    passed, faults = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        compiler = script(scratch / "sluicec", COMPILER.format(sluicec=sluicec))
        statistics = scratch / "statistics"
        environment = {"PTXAS": script(scratch / "ptxas", ASSEMBLER.format(cubin=cubin)),
                       "LD_LIBRARY_PATH": driver, "SLUICE_SIM_PTX": "1",
                       "SLUICE_SIM_STATISTICS": str(statistics)}
        for folder, *flags in TESTS:
            arguments = [f"{fixtures}/{folder}", *flags, f"--compiler={compiler}"]
            hashes, failures = replay(tool, ["--target=cuda", *arguments], scratch, environment)
            twins, more = replay(tool, ["--target=sim", *arguments], scratch, {})
            faults += [f"{line} (PTX)" for line in failures] + [f"{line} (twins)" for line in more]
            for test in sorted(hashes.keys() & twins.keys()):
                if hashes[test] == twins[test] or test in NOT_NUMBERS:
                    passed += 1
                else:
                    faults.append(f"failed {test}: other bits than the twins'")
        sums = counted(statistics)
    for name, least in LEAST.items():
        if sums.get(name, 0) < least:
            faults.append(f"failed: expected at least {least} {name} but got {sums.get(name, 0)}")
    print("\n".join(faults + ["interpreted: " + ", ".join(f"{sums[name]} {name}" for name in sums)]))
    print(f"{passed} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
