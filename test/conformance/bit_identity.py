#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replays recorded runs under other legal schedules, or cut over several devices: everything passes,
with the same bits. On a simulated card, whose sums have another order, the bits are those of that card
under every schedule of its streams.

With parts of the compiler switched off the bits are the same, too, and those of the interpreter:
products that loops sum up stay single ones then, since they are joined in loops with regions only.

Usage: bit_identity.py SLUICE_CONFORMANCE schedules|devices|workers|processes|cards|switches DIR...
A test counts as passed if it passes every time and all its results are equal in every bit; one
that passes in some runs only has failed.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

# How many tests have to send values inside loops, on a placement by lot: somewhat fewer than do, for
# what is not sent any more is no loss.
LEAST_CUT_IN_LOOPS = 70

EACH_PRODUCT = "--compiler-flag=--gradient-products=each"

SWITCHES = ["no-infer-shapes", "no-fold-constants", "no-merge-duplicates", "no-hoist-invariants",
            "no-raise", "no-codelets", "no-collapse"]

VARIANTS = {
    "schedules": {
        "one live iteration": ["--parallel-iterations", "1"],
        "seed 1, guards behind": ["--schedule-seed", "1", "--guard-pages", "behind"],
        "seed 2, guards before": ["--schedule-seed", "2", "--guard-pages", "before"],
    },
    # Ops at random on devices that are threads, or simulated: then messages are late at random, too.
    "devices": {
        "2 devices": ["--devices", "2", "--placement-seed", "1"],
        "4 devices": ["--devices", "4", "--placement-seed", "2"],
        "3 devices, one live iteration": ["--devices", "3", "--placement-seed", "3",
                                          "--parallel-iterations", "1"],
        "3 devices, simulated": ["--devices", "3", "--placement-seed", "4", "--transport", "sim",
                                 "--schedule-seed", "1"],
        "4 devices, simulated": ["--devices", "4", "--placement-seed", "5", "--transport", "sim",
                                 "--schedule-seed", "2"],
    },
    # Everything that can goes to workers, which are late at random.
    "workers": {
        "0 workers": ["--workers", "0"],
        "1 worker": ["--workers", "1", "--schedule-seed", "3"],
        "2 workers": ["--workers", "2"],
        "7 workers": ["--workers", "7", "--schedule-seed", "4"],
        "7 workers on 3 devices": ["--workers", "7", "--devices", "3", "--placement-seed", "7"],
    },
    "processes": {
        "3 processes, guards behind": ["--devices", "3", "--placement-seed", "6",
                                       "--transport", "tcp", "--guard-pages", "behind"],
    },
    # Streams as late as they may be, and then in an order by lot; the machine's as well.
    "cards": {
        "streams by lot": ["SLUICE_SIM_POLICY=random", "SLUICE_SIM_SEED=5", "--target", "sim",
                           "--schedule-seed", "6"],
    },
    "switches": {
        "the interpreter": ["--interpret"],
        "the interpreter, once optimized": [EACH_PRODUCT, "--interpret=optimize"],
        "3 devices": [EACH_PRODUCT, "--devices", "3", "--placement-seed", "8"],
        "3 devices, no raise": ["--no-raise", "--devices", "3", "--placement-seed", "9"],
        **{switch: [EACH_PRODUCT, f"--compiler-flag=--{switch}"] for switch in SWITCHES},
    },
}
# What all others are compared with.
PLAIN = {"cards": ["SLUICE_SIM_POLICY=lazy", "--target", "sim"], "switches": [EACH_PRODUCT]}


def sweep(tool, flags, folders, file):
    """(hash of each passed test, lines on failed tests)"""
    variables = [flag for flag in flags if not flag.startswith("-") and "=" in flag]
    flags = [flag for flag in flags if flag not in variables]
    environment = {**os.environ, **dict(variable.split("=") for variable in variables)}
    run = subprocess.run([tool, "--digest", file, *flags, *folders], stdout=subprocess.PIPE,
                         text=True, env=environment)
    failures = [line for line in run.stdout.splitlines() if line.startswith("failed ")]
    if run.returncode != 0 and not failures:
        failures = [f"failed: exit code {run.returncode}"]
    hashes = {}
    for line in pathlib.Path(file).read_text().splitlines():
        test, value = line.rsplit(" ", 1)
        hashes[test.split("@")[0]] = value  # NAME@DEVICES/SEED
    return hashes, failures


def differences(plain, hashes):
    """{test: what is wrong}; a test that passed once must have passed every time."""
    found = {}
    for test in plain.keys() | hashes.keys():
        if test not in hashes:
            found[test] = "no result"
        elif test not in plain:
            found[test] = "a result that there is only"
        elif plain[test] != hashes[test]:
            found[test] = "other bits"
    return found


def main():
    tool, kind, *folders = sys.argv[1:]
    faulty = set()
    with tempfile.TemporaryDirectory() as scratch:
        file = f"{scratch}/digests"
        plain, failures = sweep(tool, PLAIN.get(kind, []), folders, file)
        for name, flags in VARIANTS[kind].items():
            if kind != "switches" and "--devices" in flags:
                flags = [*flags, "--least-cut-in-loops", str(LEAST_CUT_IN_LOOPS)]
            hashes, more = sweep(tool, flags, folders, file)
            failures += [f"{line} ({name})" for line in more]
            for test, why in sorted(differences(plain, hashes).items()):
                print(f"failed {test}: {why} under {name}")
                faulty.add(test)
    for line in failures:
        print(line)
        faulty.add(line.split()[1].rstrip(":") if line.startswith("failed ") else line)
    print(f"{len(plain.keys() - faulty)} passed, {len(faulty)} failed")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
