#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were found to fail, each in the way in which it failed and in all that are usual.

usage: found_test.py COMPILER [NAME]...
"""

import pathlib
import random
import sys

import program as programs
from checking import Checker
from ways import Way, draw_ways

FOUND = pathlib.Path(__file__).resolve().parent / "found"
SEED = 5


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    checker, names = Checker(sys.argv[1]), sys.argv[2:]
    passed = failed = 0
    for path in sorted(FOUND.glob("*.json")):
        if names and path.stem not in names:
            continue
        program, record = programs.load(path.with_suffix(""))
        way = Way(record["compiler_flags"], record["run_flags"], record["linked"])
        failures = checker.failures(program, [way, *draw_ways(random.Random(SEED))])
        for failure in failures:
            print(f"{path.stem}: {failure.text()}")
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
