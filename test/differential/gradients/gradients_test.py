#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of every op that has one, on drawn operands, against differences of what it computes.

Usage: gradients_test.py SLUICEC [--cases N] [--seed S] [--op NAME] [--keep FOLDER] [-v]

First and second derivatives are checked along random directions, in 64 bits, in the interpreter.
Executables must give the same in every bit, and nearly the same in 32 bits. So must the interpreter in 16 bits,
and complex numbers are compared with differences along real and imaginary directions. An op with a derivative,
or a name that has one of its own, fails the test unless it has a rule that draws cases.
"""

import argparse
import collections
import pathlib
import random
import sys
import tempfile

sys.dont_write_bytecode = True
import completeness  # noqa: E402
import elementwise_rules  # noqa: E402
import index_rules  # noqa: E402
import list_rules  # noqa: E402
import map_rules  # noqa: E402
import matrix_rules  # noqa: E402
import move_rules  # noqa: E402
import named_rules  # noqa: E402
import special_rules  # noqa: E402
import sum_rules  # noqa: E402
import window_rules  # noqa: E402
from drawing import FORMS, Draw  # noqa: E402
from trial import Trial  # noqa: E402

RULES = {**elementwise_rules.RULES, **sum_rules.RULES, **move_rules.RULES, **index_rules.RULES,
         **list_rules.RULES, **map_rules.RULES, **window_rules.RULES, **special_rules.RULES,
         **matrix_rules.RULES}
# Of these there is code for 32 bits, or they are made of what there is code for.
COMPILED = {*elementwise_rules.RULES, *sum_rules.RULES, *named_rules.RULES}
CHUNK = 250  # graphs in one file


def draw_all(options, folder):
    """{name of a rule: cases}"""
    draws, named, kinds = {}, {}, {}
    for op, rule in {**RULES, **named_rules.RULES}.items():
        for i in range(options.cases if options.op in (None, op) else 0):
            rng = random.Random(f"{options.seed}/{op}/{i}")
            name = f"c{len(draws)}"
            draws[name] = Draw(rng, FORMS[i % len(FORMS)])
            rule(draws[name])
            kinds[name] = op
            if op in named_rules.RULES:
                named[name] = draws[name]
    names = list(named)
    for start in range(0, len(names), CHUNK):
        named_rules.import_all(options.sluicec, folder,
                               {name: named[name] for name in names[start:start + CHUNK]})
    return [draw.case(kinds[name], name) for name, draw in draws.items()]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sluicec")
    parser.add_argument("--cases", type=int, default=8, metavar="N", help="of each op (default: 8)")
    parser.add_argument("--seed", default="1", metavar="S")
    parser.add_argument("--op", metavar="NAME", help="only this one, as nd.add or Relu")
    parser.add_argument("--keep", metavar="FOLDER", help="where files of cases go (default: none)")
    parser.add_argument("-v", action="store_true", help="count directions for each op")
    return parser.parse_args()


def report(options, counts):
    """Of each op some directions must have been smooth."""
    failed = 0
    for op, found in sorted(counts.items()):
        if options.v:
            print(f"{op}: {dict(found)}")
        elif found["no rule"]:
            print(f"{op}: the interpreter's tape has no rule")
        if 2 * found["kinks"] > found["directions"] + 4:
            print(f"{op}: expected few kinks but got {dict(found)}")
            failed += 1
    return failed


def run(options, folder):
    failed = 0
    for text in completeness.missing(RULES, named_rules.RULES) if options.op is None else []:
        print(text)
        failed += 1
    cases, faulty, counts = draw_all(options, folder), set(), collections.defaultdict(
        collections.Counter)
    for start in range(0, len(cases), CHUNK):
        trial = Trial(options.sluicec, folder / f"part{start // CHUNK}",
                      cases[start:start + CHUNK], random.Random(options.seed))
        trial.run([case for case in trial.cases if case.op in COMPILED], counts)
        for case, text in trial.faults:
            print(f"{case.name}: {case.op}: {text}")
            faulty.add(case.name)
    failed += report(options, counts) + len(faulty)
    print(f"{sum(each['directions'] for each in counts.values())} directions, "
          f"{sum(each['kinks'] for each in counts.values())} of them across kinks")
    print(f"{len(cases) - len(faulty)} passed, {failed} failed")
    return 1 if failed else 0


def main():
    options = parse_options()
    options.sluicec = str(pathlib.Path(options.sluicec).resolve())
    if options.keep:
        return run(options, pathlib.Path(options.keep))
    with tempfile.TemporaryDirectory() as folder:
        return run(options, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
