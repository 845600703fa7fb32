#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op on drawn operands: compiled code, loops, plain kernels and the interpreter agree.

Usage: kernels_test.py SLUICEC [--cases N] [--every-clause] [--seed S] [--op NAME] [-v]

Ops and their types come from the importer's tables, so a new op is covered when it is there; one
whose operands nobody can draw fails the test. Agreement is in every bit, and of errors in every
word. Code and kernels also run with guard pages behind and before all operands and results.

Some cases are drawn at random, and each clause that a shape rule may have has one of its own
(clauses.py). An op that says that it has code must be seen in code, also in loops unless it denies
that (coverage.py). A case that the compiler refuses counts as skipped if that is known
(unsupported.py), and else as failed.
"""

import argparse
import concurrent.futures
import pathlib
import random
import sys
import tempfile

sys.dont_write_bytecode = True
import cases  # noqa: E402
import clauses  # noqa: E402
import composed  # noqa: E402
import coverage  # noqa: E402
import op_signatures  # noqa: E402
from comparison import Comparison, describe, title  # noqa: E402

CHUNK = 400  # cases in one graph


def draw_all(options):
    """(cases, names of ops for which none can be drawn)"""
    drawn, unknown, signatures = [], [], []
    for op, signature in op_signatures.supported().items():
        if options.op not in (None, op) or cases.reason_for_none(signature):
            continue
        if not cases.has_rule(signature):
            unknown.append(op)
            continue
        signatures.append(signature)
        for i in range(options.cases):
            rng = random.Random(f"{options.seed}/{op}/{i}")
            drawn.append(cases.draw(signature, f"c{len(drawn)}", rng))
    for signature, clause in clauses.share_out(signatures, options.seed, options.every_clause):
        case = clause.case(signature, f"c{len(drawn)}", options.seed)
        if case.outputs:  # a tensor can be cut into no pieces at all
            drawn.append(case)
    return drawn, unknown


class Totals:
    """What all chunks have given."""

    def __init__(self):
        self.failed = self.refused = self.loops = self.collapsed = 0
        self.coverage = coverage.Coverage()

    def fail(self, text):
        print(text)
        self.failed += 1

    def add(self, comparison, found, results, loops, verbose):
        self.loops += len(loops)
        self.collapsed += comparison.collapsed
        self.coverage.add(found, results, comparison.ops, comparison.in_code)
        for fault in comparison.faults:
            describe(*fault)
        self.failed += len({fault[0].name for fault in comparison.faults})
        wrong = comparison.wrongly_refused()
        for case, text in wrong:
            self.fail(f"{title(case)}: {text}")
        self.refused += len(comparison.refused) - len(wrong)
        for case, code, message in comparison.refused.values() if verbose else []:
            print(f"{title(case)}: refused with {code}: {message}")


def compare(sluicec, chunk):
    with tempfile.TemporaryDirectory() as scratch:
        comparison = Comparison(sluicec, pathlib.Path(scratch))
        found, results = comparison.plain(chunk)
        return comparison, found, results, comparison.in_loops(found, results)


def compare_composed(sluicec, seed):
    with tempfile.TemporaryDirectory() as scratch:
        comparison = Comparison(sluicec, pathlib.Path(scratch))
        found, _ = comparison.composed(composed.all_cases(seed))
        return found, (comparison, [], [], [])


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sluicec")
    parser.add_argument("--cases", type=int, default=6, metavar="N",
                        help="at random, of each op (default: 6)")
    parser.add_argument("--every-clause", action="store_true",
                        help="of each op, not only of one of those that are drawn alike")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at a time (default: 2)")
    parser.add_argument("--seed", default="1", metavar="S")
    parser.add_argument("--op", metavar="NAME", help="only this one")
    parser.add_argument("-v", action="store_true", help="name what the compiler refuses")
    return parser.parse_args()


def main():
    options = parse_options()
    drawn, unknown = draw_all(options)
    totals = Totals()
    for op in sorted(unknown):
        totals.fail(f"{op}: expected a rule for its operands in operand_rules.py")
    chunks = [drawn[start:start + CHUNK] for start in range(0, len(drawn), CHUNK)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(lambda chunk: compare(options.sluicec, chunk), chunks):
            totals.add(*done, options.v)
    if options.op is None:
        others, done = compare_composed(options.sluicec, options.seed)
        drawn += others
        totals.add(*done, options.v)
    for text in totals.coverage.missing() if options.op is None else []:
        totals.fail(text)
    print(f"{len(drawn)} cases, {totals.refused} of them not supported by the compiler, "
          f"{totals.loops} in loops, {totals.collapsed} of these compiled")
    passed = max(len(drawn) - totals.failed - totals.refused, 0)
    print(f"{passed} passed, {totals.failed} failed, {totals.refused} skipped")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
