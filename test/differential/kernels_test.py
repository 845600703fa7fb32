#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op on drawn operands: compiled code, loops, plain kernels and the interpreter agree.

Usage: kernels_test.py SLUICEC [--cases N] [--seed S] [--op NAME] [-v]

Ops and their types come from the importer's tables, so a new op is covered when it is there; one
whose operands nobody can draw fails the test. Agreement is in every bit, and of errors in every
word.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import cases  # noqa: E402
import graphs  # noqa: E402
import op_signatures  # noqa: E402
import programs  # noqa: E402

CHUNK = 400  # cases in one graph
ROUNDS = 2  # of a loop


def draw_all(options):
    """(cases, names of ops for which none can be drawn)"""
    drawn, unknown = [], []
    for op, signature in op_signatures.supported().items():
        if options.op not in (None, op) or cases.reason_for_none(signature):
            continue
        if not cases.has_rule(signature):
            unknown.append(op)
            continue
        for i in range(options.cases):
            rng = random.Random(f"{options.seed}/{op}/{i}")
            drawn.append(cases.draw(signature, f"c{len(drawn)}", rng))
    return drawn, unknown


class Comparison:
    """Forms of one set of cases in a folder."""

    def __init__(self, sluicec, folder):
        self.sluicec, self.folder = sluicec, folder
        self.refused, self.faults, self.collapsed = {}, [], 0

    def accepted(self, stem, found, part_of):
        """The cases that compile; those that do not are errors that need no operands."""
        while found:
            graphs.write(self.folder, stem, [(case.name, *part_of(case)) for case in found])
            bad = programs.refused(self.sluicec, self.folder, stem)
            if not bad:
                break
            left = [case for case in found if case.name not in bad]
            if len(left) == len(found):
                raise SystemExit(f"the compiler refuses more than the op: {bad}")
            self.refused.update({case.name: (case, *bad[case.name])
                                 for case in found if case.name in bad})
            found = left
        return found

    def commands(self, stem, forms):
        for form, flags in forms.items():
            command = programs.compile_command(self.sluicec, self.folder, stem, *flags)
            if "--interpret" not in flags:
                program = self.folder / f"{stem}-{form}"
                explain = [] if "--no-codelets" in flags else ["--explain-loops"]
                run = subprocess.run([*command, *explain, "-o", program],
                                     capture_output=True, text=True, check=False)
                self.collapsed += run.stdout.count(": collapsed")
                if run.returncode:
                    raise SystemExit(f"sluicec ended with {run.returncode}: {run.stderr[-2000:]}")
                command = [str(program)]
            yield form, command

    def compare(self, stem, found, requests, forms):
        """Answers of the first form."""
        results = {form: programs.answers(command, requests)
                   for form, command in self.commands(stem, forms)}
        first, *others = forms
        for i, case in enumerate(found):
            for other in others:
                got, want = results[other][i], results[first][i]
                if programs.outcome(got) != programs.outcome(want):
                    self.faults.append((case, first, want, other, got))
        return results[first]

    def plain(self, found):
        found = self.accepted("plain", found, graphs.plain)
        requests = [{"signature": case.name, "inputs": inputs_of(case)} for case in found]
        forms = {"kernels": ["--no-codelets"], "code": [], "interpreter": ["--interpret"]}
        return found, self.compare("plain", found, requests, forms)

    def in_loops(self, found, results):
        """Loops around the ops, as code and as tokens; errors need no shape of a result."""
        shapes = {case.name: (case.outputs[0], result["outputs"][0]["shape"])
                  for case, result in zip(found, results) if "outputs" in result}
        for case, result in zip(found, results):
            if "error" in result and case.outputs and not case.dynamic:
                shapes[case.name] = (case.outputs[0], [-1])
        found = [case for case in found if case.name in shapes]
        found = self.accepted("loops", found,
                              lambda case: graphs.in_loop(case, *shapes[case.name]))
        requests = []
        for case in found:
            dtype, dims = shapes[case.name]
            dims = [1 if dim < 0 else dim for dim in dims]
            y = programs.zeros(dtype, dims)
            n = programs.scalar(ROUNDS)
            requests.append({"signature": case.name, "inputs": {
                **inputs_of(case), f"{case.name}_n": n, f"{case.name}_y": y}})
        forms = {"tokens": ["--no-codelets"], "loop": []}
        self.compare("loops", found, requests, forms)
        return found


def inputs_of(case):
    return {f"{case.name}_x{i}": programs.tensor_json(case.inputs[i]) for i in graphs.fed(case)}


def describe(case, first, want, other, got):
    print(f"{case.name}: {case.op} {case.attrs}{' (dims unknown)' if case.dynamic else ''}")
    for operand in case.inputs:
        kind = "constant" if operand.constant else "fed"
        print(f"  {kind}: {programs.shown({'outputs': [programs.tensor_json(operand)]})}")
    print(f"  {first}: {programs.shown(want)}\n  {other}: {programs.shown(got)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sluicec")
    parser.add_argument("--cases", type=int, default=6, metavar="N", help="of each op (default: 6)")
    parser.add_argument("--seed", default="1", metavar="S")
    parser.add_argument("--op", metavar="NAME", help="only this one")
    parser.add_argument("-v", action="store_true", help="name what the compiler refuses")
    options = parser.parse_args()
    drawn, unknown = draw_all(options)
    for op in unknown:
        print(f"{op}: expected a rule for its operands in operand_rules.py")
    failed, loops, collapsed, refused = len(unknown), 0, 0, {}
    for start in range(0, len(drawn), CHUNK):
        with tempfile.TemporaryDirectory() as scratch:
            comparison = Comparison(options.sluicec, pathlib.Path(scratch))
            found, results = comparison.plain(drawn[start:start + CHUNK])
            loops += len(comparison.in_loops(found, results))
            collapsed += comparison.collapsed
            refused.update(comparison.refused)
            for fault in comparison.faults:
                describe(*fault)
            failed += len({id(fault[0]) for fault in comparison.faults})
    for case, code, message in refused.values() if options.v else []:
        print(f"{case.name}: {case.op} {case.attrs}: refused with {code}: {message}")
    print(f"{len(drawn)} cases, {len(refused)} of them refused by the compiler, {loops} in "
          f"loops, {collapsed} of these compiled")
    print(f"{len(drawn) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
