#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages IR as people and other tools do, by lines and operands, and watches what becomes of it.

The IR is that of a few graphs after each phase. A mutant has lines deleted, doubled, exchanged or cut
off, or within a line operands, types and ops exchanged, deleted or doubled. sluicec compiles it and
runs the program within its process; sluice-opt reads that of phases from which sluicec does not go on.
Whatever comes, a program ends with a code that says what is wrong, and says it: no signal, no bug, no
linker that fails, no time without end.

Prints a line for each finding, which is kept as a file. Exit code 1 if there is one.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIXTURES = ROOT / "test" / "conformance" / "fixtures" / "tf1"
# The file, the flags to compile it with, and those to run it with.
GRAPHS = [
    (ROOT / "examples/collatz/collatz.pbtxt", ["--feed=n", "--fetch=steps"], ["--input=n=i32=7"]),
    (ROOT / "examples/while-loop/pagerank.pb", ["--feed=links", "--fetch=ranks"],
     ["--input=links=6x6xf32=rand"]),
    (FIXTURES / "control_flow.ControlFlow.testCondGrad_1/graph1.pb",
     ["--fetch=gradients/AddN:0"], []),
    (FIXTURES / "control_flow.ControlFlow.testNestedWhileGrad_Simple/graph1.pb",
     ["--fetch=gradients/while/Enter_grad/Exit:0"], []),
    (FIXTURES / "control_flow.ControlFlow.testWhileUpdateVariable_3/graph1.pb", ["--run=init"], []),
    (FIXTURES / "tensor_array.TensorArray.testTensorArrayGradientDynamicUnpackRead/graph1.pb",
     ["--fetch=gradients/TensorArrayUnstack/TensorArrayScatter/TensorArrayScatterV3_grad/"
      "TensorArrayGatherV3:0"], []),
]
DEVICES = [[], ["--devices=2", "--placement-seed=3"]]
RESUMED = {"import", "optimize", "raise", "lower", "place"}
# Success, failure, usage (another feed), an op that is not supported, a call that takes too long, a
# tensor that is too large.
GOOD_CODES = {0, 1, 2, 4, 12, 14}
RUN_FLAGS = ["--timeout=2", "--memory-limit=256M", "--steps=1"]
DEADLINE = 120  # seconds: programs end after milliseconds, on a busy machine too
ADDRESS_SPACE = 8 << 30  # bytes

VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
TYPE = re.compile(r"tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>|!\w+\.\w+(?:<tensor<[^<>]*>>)?")
PLACE = re.compile(r":\d+:\d+: error: |error: loc\(\"|node '[^\n]*: error: |error: [A-Z_]+: ")
OP = re.compile(r"\b(?:nd|flow|state|array|wire|exe)\.\w+")


def dumps(binaries, folder):
    """[(phase, text, flags to run with)] of all graphs after all phases."""
    found = []
    for number, (graph, flags, inputs) in enumerate(GRAPHS):
        for devices in DEVICES:
            into = folder / f"{number}{''.join(devices)}"
            subprocess.run([binaries / "sluicec", graph, *flags, *devices, f"--dump-phases={into}",
                            "--emit=mlir"], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            for path in sorted(into.iterdir()):
                phase = path.stem.split("-")[1]
                found.append((phase, path.read_text(), inputs))
    return found


def replace_one(draw, line, pattern, others):
    """One match becomes another of the text; None without any."""
    matches = list(pattern.finditer(line))
    if not matches or not others:
        return None
    match = draw.choice(matches)
    return line[:match.start()] + draw.choice(others) + line[match.end():]


def exchange_two(draw, line):
    matches = list(VALUE.finditer(line))
    if len(matches) < 2:
        return None
    first, second = sorted(draw.sample(range(len(matches)), 2))
    a, b = matches[first], matches[second]
    return line[:a.start()] + b.group() + line[a.end():b.start()] + a.group() + line[b.end():]


def delete_or_double(draw, line):
    """An operand, or a type, with the comma behind it."""
    matches = list(re.finditer(rf"(?:{VALUE.pattern}|{TYPE.pattern})(?:, )?", line))
    if not matches:
        return None
    match = draw.choice(matches)
    text = match.group()
    again = (text if text.endswith(", ") else text + ", ") + text
    return line[:match.start()] + draw.choice(["", again]) + line[match.end():]


def mutate_line(draw, lines, at):
    """The line with something else in it; None if nothing of the drawn kind is there."""
    text = "\n".join(lines)
    line = lines[at]
    kind = draw.randrange(5)
    if kind == 0:
        return exchange_two(draw, line)
    if kind == 1:
        return delete_or_double(draw, line)
    pattern = (VALUE, TYPE, OP)[kind - 2]
    return replace_one(draw, line, pattern, pattern.findall(text))


def mutate(draw, text):
    lines = text.split("\n")
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.randrange(10)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(other, lines[at])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            del lines[at + 1:]
        else:
            lines[at] = mutate_line(draw, lines, at) or lines[at]
    return "\n".join(lines)


def command_of(binaries, phase, path, inputs):
    if phase in RESUMED:
        return [str(binaries / "sluicec"), str(path), "--execute=local", *RUN_FLAGS, *inputs]
    return [str(binaries / "sluice-opt"), str(path), "-o", os.devnull]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def fault_of(command, name, limited):
    """What is wrong with how the command ends; empty if nothing is."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=DEADLINE, check=False,
                              preexec_fn=limit_memory if limited else None)
    except subprocess.TimeoutExpired:
        return f"no end after {DEADLINE} s"
    said = done.stderr.decode(errors="replace")
    if done.returncode not in GOOD_CODES:
        return f"exit code {done.returncode}: {said.strip()[-300:]}"
    if done.returncode and "error: " not in said:
        return f"exit code {done.returncode} without an error"
    if done.returncode == 1 and not (name in said or PLACE.search(said)):
        return f"an error without a place: {said.strip()[:300]}"
    return ""


class Mutants:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.texts = dumps(options.bin, folder / "dumps")
        self.end = time.monotonic() + options.seconds if options.seconds else None

    def try_one(self, number):
        """What it found, or nothing."""
        if self.end and time.monotonic() > self.end:
            return None
        draw = random.Random(f"{self.options.seed} {number}")
        phase, text, inputs = draw.choice(self.texts)
        path = self.folder / f"{number}.mlir"
        path.write_text(mutate(draw, text))
        command = command_of(self.options.bin, phase, path, inputs)
        fault = fault_of(command, path.name, not self.options.no_limit)
        if not fault:
            path.unlink()
            return ""
        kept = self.options.findings / f"{phase}-{self.options.seed}-{number}.mlir"
        path.rename(kept)
        return f"{' '.join(command).replace(str(path), str(kept))}\n    {fault}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin",
                        help="folder of the programs (default: build/release/bin)")
    parser.add_argument("--mutants", type=int, default=1000, metavar="N", help="default: 1000")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="programs at the same time (default: one for each processor)")
    parser.add_argument("--no-limit", action="store_true",
                        help="do not limit the address space, of which sanitizers take much")
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("fuzz-findings"),
                        metavar="FOLDER", help="where findings go (default: fuzz-findings)")
    options = parser.parse_args()
    options.bin, options.findings = options.bin.resolve(), options.findings.resolve()
    options.findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sluice-ir-") as folder:
        mutants = Mutants(options, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            outcomes = list(pool.map(mutants.try_one, range(options.mutants)))
    found = [outcome for outcome in outcomes if outcome]
    for finding in found:
        print(finding)
    tried = sum(outcome is not None for outcome in outcomes)
    print(f"{tried - len(found)} passed, {len(found)} failed")
    return 1 if found or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
