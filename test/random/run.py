#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs at random, and runs each in several ways: all answers must have the same bits.

A program that fails is written to the folder --keep, made small, with the commands that repeat it.
The last line is `N passed, N failed`. Exit code 0 if nothing failed.
"""

import argparse
import concurrent.futures
import pathlib
import random
import sys
import time
from dataclasses import replace

import program as programs
import reducer
from checking import Checker, command, simpler_ways
from differentiated import draw_differentiated
from generator import draw_program
from slopes import GradientChecker
from ways import LATE_PHASES, draw_ways, oracle_of

HERE = pathlib.Path(__file__).resolve().parent
TWICE = 0.4  # how many of the programs with gradients are differentiated twice
COMPILER = HERE.parent.parent / "build/release/bin/sluicec"


def check_seed(checker, seed):
    drawn = draw_program(seed)
    return drawn, checker.failures(drawn, draw_ways(random.Random(seed)))


def check_gradients(checker, seed):
    """Some programs have nothing to differentiate."""
    drawn, rng = draw_differentiated(seed), random.Random(seed)
    if drawn is None:
        checker.count("skipped, nothing to differentiate")
        return drawn, []
    return checker.check(drawn, draw_ways(rng, LATE_PHASES), rng.random() < TWICE)


def make_small(checker, drawn, failure, seconds):
    """(program, failure) with fewer nodes and flags."""
    small = reducer.reduce(drawn, checker.still_fails(drawn, failure), seconds)
    simpler = True
    while simpler:
        simpler = next((way for way in simpler_ways(failure.way)
                        if checker.still_fails(small, replace(failure, way=way))(small)), None)
        failure = replace(failure, way=simpler or failure.way)
    return small, failure


def keep(checker, small, failure, stem):
    """Writes a program and the commands that show its failure."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    programs.save(small, stem, compiler_flags=failure.way.compiler_flags,
                  run_flags=failure.way.run_flags, linked=failure.way.linked, what=failure.what)
    stem.with_suffix(".jsonl").write_text(small.calls_text())
    stem.with_suffix(".sh").write_text(f"# {failure.what}\n"
                                       f"{command(checker.compiler, small, oracle_of(small), stem)}\n"
                                       f"{command(checker.compiler, small, failure.way, stem)}\n")


def handle_failures(checker, arguments, seed, drawn, failures):
    first = failures[0]
    print(f"---- seed {seed}, {len(drawn.nodes)} nodes:")
    for failure in failures:
        print(failure.text())
    stem = pathlib.Path(arguments.keep).resolve() / str(seed)
    keep(checker, drawn, first, stem.with_name(f"{seed}-whole"))
    if arguments.reduce > 0:
        small, first = make_small(checker, drawn, first, arguments.reduce)
        keep(checker, small, first, stem)
        print(f"reduced to {len(small.nodes)} nodes: {stem}.sh")
    print("----", flush=True)


def run(checker, arguments):
    passed, failed, start = 0, 0, time.monotonic()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    check = check_gradients if arguments.gradients else check_seed
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        pending = {pool.submit(check, checker, seed): seed for seed in seeds}
        for future in concurrent.futures.as_completed(pending):
            try:
                drawn, failures = future.result()
            except Exception:
                pool.shutdown(wait=False, cancel_futures=True)
                print(f"seed {pending[future]}:", file=sys.stderr)
                raise
            if failures:
                failed += 1
                if not arguments.gradients:
                    drawn, _ = checker.settled(drawn)
                handle_failures(checker, arguments, pending[future], drawn, failures)
            else:
                passed += 1
            if (passed + failed) % 100 == 0:
                print(f"{passed + failed} programs, {failed} failed, "
                      f"{time.monotonic() - start:.0f} s", flush=True)
            if arguments.seconds and time.monotonic() - start > arguments.seconds:
                pool.shutdown(cancel_futures=True)
                break
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="number of programs")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time")
    parser.add_argument("--seconds", type=float, help="begin no more programs after this time")
    parser.add_argument("--keep", default="random-failures", help="folder for programs that fail")
    parser.add_argument("--reduce", type=float, default=300,
                        help="seconds to make a failing program small; 0: leave it as it is")
    parser.add_argument("--gradients", action="store_true",
                        help="programs are asked for derivatives, which are compared with "
                             "differences, too")
    parser.add_argument("--compiler", default=COMPILER, help="the sluicec that is tried")
    arguments = parser.parse_args()
    kind = GradientChecker if arguments.gradients else Checker
    checker = kind(arguments.compiler)
    passed, failed = run(checker, arguments)
    if arguments.gradients:
        for what, count in sorted(checker.counts.items()):
            print(f"{what}: {count}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
