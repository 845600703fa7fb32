#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the record of every op: that no part is missing, that the example parses, and that each
numbered constraint has a negative test that names it (`// nd.add C1` in test/dialects).

Usage: op_record_check.py ROOT --tblgen LLVM_TBLGEN --mlir-include DIR --sluice-opt PROGRAM.
Prints a line for each fault. Exit code 0 without faults.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from faults import report

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "sluice-docs"))
import op_records  # noqa: E402

PARTS = ["summary", "semantics", "fires", "dead", "failures", "constraints", "example"]
NEGATIVE = re.compile(r"^// ([a-z]+\.\w+) C(\d+)$", re.MULTILINE)
SPLIT = "// -----"


def check_parts(record):
    faults = [f"{record.name}: expected a record with {part} but got none"
              for part in PARTS if not getattr(record, part)]
    numbers = [number for number, _ in record.numbered_constraints()]
    if not numbers and record.constraints not in ("", "none."):
        faults.append(f"{record.name}: expected constraints C1, C2, … or 'none.'")
    if numbers != list(range(1, len(numbers) + 1)):
        faults.append(f"{record.name}: expected constraints C1, C2, … but got the numbers {numbers}")
    return faults


def negative_tests(folder):
    """The (op, number) pairs that negative tests name."""
    found = set()
    for file in sorted(folder.rglob("*.mlir")):
        for op, number in NEGATIVE.findall(file.read_text()):
            found.add((op, int(number)))
    return found


def check_constraints(records, tested):
    wanted = {(r.name, number) for r in records for number, _ in r.numbered_constraints()}
    faults = [f"{op} C{number}: expected a negative test with the line '// {op} C{number}'"
              for op, number in sorted(wanted - tested)]
    return faults + [f"{op} C{number}: a negative test names it, but the op has no such constraint"
                     for op, number in sorted(tested - wanted)]


def split_types(text):
    """"tensor<2xf32>, !flow.token" -> both types; commas inside < > separate nothing."""
    types, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c == "<"
        depth -= c == ">"
        if c == "," and depth == 0:
            types.append(text[start:i].strip())
            start = i + 1
    return types + [text[start:].strip()] if text.strip() else types


def missing_operands(example):
    """[(name, type)] of the operands that the example does not define itself."""
    defined = set(re.findall(r"^\s*(%\w+(?:, %\w+)*) =", example, re.MULTILINE))
    defined = {name for group in defined for name in group.split(", ")}
    for arguments in re.findall(r"^\s*\^\w+\((.*)\):$", example, re.MULTILINE):
        defined |= set(re.findall(r"%\w+", arguments))
    used = re.sub(r"^\s*%\w+(?:, %\w+)* =", "", example, flags=re.MULTILINE)
    names = [name for name in re.findall(r"%\w+", used) if name not in defined]
    if not names:
        return []
    types = split_types(re.search(r" : \((.*?)\) -> ", example, re.DOTALL).group(1))
    return list(dict(zip(names, types)).items())


def missing_symbols(example):
    """Declarations of the variables, generators and objects that the example refers to."""
    lines = []
    if match := re.search(r"\bvariable = (@\w+)", example):
        value = re.search(r"<(tensor<[^>]*>)>", example).group(1)
        lines.append(f'state.variable {match.group(1)} {{key = "v", type = {value}}}')
    if match := re.search(r"\bgenerator = (@\w+)", example):
        lines.append(f'state.generator {match.group(1)} {{key = "g"}}')
    if match := re.search(r"\bobject = (@\w+)", example):
        kind = re.search(r'!state\.object<("\w+")>', example).group(1)
        lines.append(f'state.object {match.group(1)} {{key = "o", kind = {kind}}}')
    return lines


def wrap(example):
    """The example as a module of its own."""
    lines = missing_symbols(example)
    lines += [f'{name} = "test.value"() : () -> {type}' for name, type in missing_operands(example)]
    return "\n".join(lines + [example]) + "\n"


def check_examples(records, sluice_opt):
    """All examples in one run; a message's line tells to which op it belongs."""
    text, owners = "", []
    for record in records:
        part = wrap(record.example) + SPLIT + "\n"
        owners += [record.name] * part.count("\n")
        text += part
    run = subprocess.run([sluice_opt, "--allow-unregistered-dialect", "--split-input-file", "-",
                          "-o", "/dev/null"], input=text, text=True, stderr=subprocess.PIPE)
    faults = []
    for line, message in re.findall(r"<stdin>.*?:(\d+):\d+: error: (.*)", run.stderr):
        faults.append(f"{owners[int(line) - 1]}: the example does not parse: {message}")
    if run.returncode != 0 and not faults:
        faults.append(f"{sluice_opt} failed: {run.stderr.strip()}")
    return faults


def check(records, tests, sluice_opt):
    faults = [fault for record in records for fault in check_parts(record)]
    faults += check_constraints(records, negative_tests(tests))
    return faults + check_examples([r for r in records if r.example], sluice_opt)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    parser.add_argument("--sluice-opt", required=True)
    options = parser.parse_args()
    records = op_records.load(options.tblgen, options.root, options.mlir_include)
    faults = check(records, options.root / "test" / "dialects", options.sluice_opt)
    return report(faults) if records else 1


if __name__ == "__main__":
    sys.exit(main())
