# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles cases in several forms, calls them all, and finds where answers differ."""

import re
import subprocess
from dataclasses import dataclass

import graphs
import programs
import unsupported

ROUNDS = 2  # of a loop


@dataclass(frozen=True)
class Form:
    """How cases are run."""
    compiler_flags: tuple = ()
    run_flags: tuple = ()

    @property
    def is_linked(self):
        return "--interpret" not in self.compiler_flags


KERNELS = ("--no-codelets",)
BEHIND, BEFORE = ("--guard-pages=behind",), ("--guard-pages=before",)
PLAIN = {"kernels": Form(KERNELS), "code": Form(), "interpreter": Form(("--interpret",)),
         "code, guards behind": Form((), BEHIND), "code, guards before": Form((), BEFORE),
         "kernels, guards behind": Form(KERNELS, BEHIND),
         "kernels, guards before": Form(KERNELS, BEFORE)}
COMPOSED = {**PLAIN, "code of what is not folded": Form(("--no-fold-constants",))}
LOOPS = {"tokens": Form(KERNELS), "loop": Form(), "loop, guards behind": Form((), BEHIND),
         "loop, guards before": Form((), BEFORE)}


def found_in_code(ir):
    """(place, element type or op) of all ops of the nd dialect that have become machine code, with
    the types of what is not constant"""
    codelets = re.findall(r"^( *)(?:%.*= )?flow\.codelet\b.*codegen\.symbol.*\n"
                          r"((?:\1[ ^].*\n)*)", ir, re.MULTILINE)
    found = set()
    for _, body in codelets:
        loops = []  # how far those around a line are indented
        for line in body.splitlines():
            text = line.lstrip()
            indent = len(line) - len(text)
            while loops and indent <= loops[-1] and text[:1] not in ("}", "^"):
                loops.pop()
            place = "loops" if loops else "straight lines"
            if "flow.while" in text:
                loops.append(indent)
            if match := re.search(r"= ((?:nd|nn|sci)\.\w+)\b.* : (.*)", text):
                op, types = match.groups()
                found.add((place, op))
                if op != "nd.constant":
                    found |= {(place, dtype) for dtype in re.findall(r"[<x]([a-z]+\d+)>", types)}
    return found


# Imported as ops of which several may fail, each by itself: which is the first is left open. What
# is composed may become other ops, which have messages of their own.
FAIL_IN_SEVERAL_WAYS = {"SparseSoftmaxCrossEntropyWithLogits", "composed", "BlockLSTMGrad", "BlockLSTMGradV2"}

# What code of loops says where a kernel says which index it is.
OUTSIDE, INDEX = "Tried to read a row outside of the array", " is not in ["


def agree(case, got, want):
    if "error" in got and "error" in want:
        one, other = got["error"], want["error"]
        texts = {one["message"], other["message"]}
        differ = case.op in FAIL_IN_SEVERAL_WAYS or (OUTSIDE in texts and any(INDEX in text for text in texts))
        if differ:
            return one["code"] == other["code"]
    return programs.outcome(got) == programs.outcome(want)


def inputs_of(case):
    return {name: programs.tensor_json(operand)
            for name, operand in graphs.feeds_of(case).items()}


class Comparison:
    """Forms of one set of cases in a folder."""

    def __init__(self, sluicec, folder):
        self.sluicec, self.folder = sluicec, folder
        self.refused = {}  # name of a case → (case, exit code, message)
        self.faults = []  # (case, {form: answer}): that of the first, and those that differ from it
        self.collapsed = 0
        self.ops = set()  # of the nd dialect, in graphs that are accepted
        self.in_code = set()  # as `found_in_code`

    def accepted(self, stem, found, part_of):
        """The cases that compile. The others must be ones of which that is known."""
        while found:
            graphs.write(self.folder, stem, [(case.name, *part_of(case)) for case in found])
            bad, text = programs.refused(self.sluicec, self.folder, stem)
            if not bad:
                self.ops |= set(re.findall(r"\b(?:nd|nn|sci)\.\w+", text))
                break
            left = [case for case in found if case.name not in bad]
            if len(left) == len(found):
                parts = {case.name: case.op for case in found
                         if any(node.startswith(f"{case.name}_") for node in bad)}
                raise SystemExit(f"the compiler refuses more than the ops {parts}: {bad}")
            self.refused.update({case.name: (case, *bad[case.name])
                                 for case in found if case.name in bad})
            found = left
        return found

    def wrongly_refused(self):
        """Cases that should have been accepted, as what is said of them."""
        return [(case, f"refused with {code}: {message}")
                for case, code, message in self.refused.values()
                if code != unsupported.EXIT_CODE or not unsupported.reason(case)]

    def compile(self, stem, flags):
        program = self.folder / f"{stem}{''.join(flags)}"
        command = programs.compile_command(self.sluicec, self.folder, stem, *flags)
        dump = self.folder / f"{stem}-phases"
        explain = [] if "--no-codelets" in flags else ["--explain-loops", f"--dump-phases={dump}"]
        run = subprocess.run([*command, *explain, "-o", program], capture_output=True, text=True,
                             check=False)
        self.collapsed += run.stdout.count(": collapsed")
        if run.returncode:
            raise SystemExit(f"sluicec ended with {run.returncode}: {run.stderr[-2000:]}")
        for ir in dump.glob("*-codegen.mlir") if explain else []:
            self.in_code |= found_in_code(ir.read_text())
        return [str(program)]

    def commands(self, stem, forms):
        """(name of the form, command); forms with the same flags share a program."""
        linked = {}
        for name, form in forms.items():
            flags = form.compiler_flags
            if not form.is_linked:
                command = programs.compile_command(self.sluicec, self.folder, stem, *flags)
            else:
                if flags not in linked:
                    linked[flags] = self.compile(stem, flags)
                command = linked[flags]
            yield name, [*command, *form.run_flags]

    def compare(self, stem, found, requests, forms):
        """Answers of the first form."""
        results = {form: programs.answers(command, requests)
                   for form, command in self.commands(stem, forms)}
        first, *others = forms
        for i, case in enumerate(found):
            want = results[first][i]
            differing = {other: results[other][i] for other in others
                         if not agree(case, results[other][i], want)}
            if differing:
                self.faults.append((case, {first: want, **differing}))
        return results[first]

    def plain(self, found):
        found = self.accepted("plain", found, graphs.plain)
        requests = [{"signature": case.name, "inputs": inputs_of(case)} for case in found]
        return found, self.compare("plain", found, requests, PLAIN)

    def composed(self, found):
        found = self.accepted("composed", found,
                              lambda case: (case.nodes, list(case.feeds), case.fetches))
        requests = [{"signature": case.name,
                     "inputs": {name: programs.tensor_json(operand)
                                for name, operand in case.feeds.items()}} for case in found]
        return found, self.compare("composed", found, requests, COMPOSED)

    def in_loops(self, found, results):
        """Loops around the ops, as code and as tokens; errors need no shape of a result."""
        shapes = {case.name: (case.outputs[0], result["outputs"][0]["shape"])
                  for case, result in zip(found, results) if "outputs" in result}
        for case, result in zip(found, results):
            if "error" in result and case.outputs and not case.unknown:
                shapes[case.name] = (case.outputs[0], [-1])
        found = [case for case in found if case.name in shapes and not case.is_view]
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
        self.compare("loops", found, requests, LOOPS)
        return found


def title(case):
    unknown = f" (unknown sizes: {case.unknown})" if case.unknown else ""
    return f"{case.name}: {case.op} {case.attrs}{unknown}{': ' * bool(case.clause)}{case.clause}"


def describe(case, answers):
    print(title(case))
    for operand in case.inputs:
        kind = "constant" if operand.constant else "fed"
        print(f"  {kind}: {programs.shown({'outputs': [programs.tensor_json(operand)]})}")
    for form, answer in answers.items():
        print(f"  {form}: {programs.shown(answer)}")
