#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that verification denies what no op can give: the example of each op in the table gets, result
by result, a type of another rank.

Usage: result_type_check.py ROOT --tblgen LLVM_TBLGEN --mlir-include DIR --sluice-opt PROGRAM.
Prints a line for each fault. Exit code 0 without faults.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from faults import report
from op_record_check import SPLIT, missing_operands, missing_symbols, split_types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "sluice-docs"))
import op_records  # noqa: E402

# Results whose shapes no operand tells.
SOURCES = {
    "flow.box_get": "the box holds what some other op put there",
    "flow.feed": "the caller gives the value; its shape is checked then",
    "exe.node": "it is a row of a table, which nobody computes from",
    "wire.recv": "another rank gives the value",
    "state.read": "the variable was given the value by some other op",
    "array.read": "an element was written by some other op",
    "array.gather": "elements were written by some other op",
    "array.concat": "elements were written by some other op",
    "array.stack_pop": "the value was pushed by some other op",
    "list.get": "an element was written by some other op",
    "list.pop": "an element was written by some other op",
    "list.concat": "elements were written by some other op",
    "list.peek": "an element was written by some other op",
    "list.only": "an element was written by some other op",
    "state.dequeue": "the components were put into the queue by some other op",
    "state.dequeue_many": "the components were put into the queue by some other op",
    "state.barrier_take": "the tuples were put into the barrier by some other op",
    "state.accumulator_take": "the gradients were added by some other op",
    "state.accumulator_take_rows": "the rows were added by some other op",
    "state.stage_take": "the tuple was staged by some other op",
    "state.stage_peek": "the tuple was staged by some other op",
    "state.stage_take_at": "the tuple was staged by some other op",
    "state.stage_take_least": "the tuple was staged by some other op",
    "state.table_export": "keys and values were put there by some other op",
    "state.table_find": "the shape of values was declared by some other op",
    "state.restore_tensors": "the tensor was saved by some other op",
    "nd.parse_tensor": "the string tells the shape",
    "nd.parse_rows": "the strings tell the shape",
    "list.element_shape": "it was declared by some other op",
    "list.map_keys": "the keys were put there by some other op",
    "list.map_lookup": "the value was put there by some other op",
    "list.map_lookup_or": "the value may have been put there by some other op",
    "list.cell_peek": "an element was written by some other op",
    "list.cell_length": "it has no operand, and no kernel with a shape rule",
    "list.cell_get": "an element was written by some other op",
    "list.cell_pop": "an element was written by some other op",
}
TENSOR = re.compile(r"^tensor<(?:\*x|(?:[\d?]+x)*)(.+)>$")
RESULTS = re.compile(r"-> (\([^()]*\)|[^ (]+)")


def of_another_rank(tensor):
    """The type with the same elements and more dims than any example has; None for other types."""
    match = TENSOR.match(tensor)
    return f"tensor<{'7x' * 7}{match.group(1)}>" if match else None


def contradictions(record):
    """The example once for each tensor result, which has become another one."""
    lines = record.example.split("\n")
    at = next(i for i, line in enumerate(lines) if record.name in line)
    found = list(RESULTS.finditer(lines[at]))
    if not found:
        return []
    start, end = found[-1].span(1)
    text = lines[at][start:end]
    types = split_types(text.strip("()")) if text.startswith("(") else [text]
    variants = []
    for number, type in enumerate(types):
        wrong = of_another_rank(type)
        if wrong is None:
            continue
        changed = types[:number] + [wrong] + types[number + 1:]
        line = lines[at][:start] + "(" + ", ".join(changed) + ")" + lines[at][end:]
        variants.append((number, "\n".join(lines[:at] + [line] + lines[at + 1:])))
    return variants


def in_graph(example):
    """The example in a graph of its own, where verification looks at all types; others as they are."""
    makers = [f'{name} = "test.value"() : () -> {type}' for name, type in missing_operands(example)]
    return "\n".join([*missing_symbols(example), "flow.graph @example {", *makers, example, "}"]) + "\n"


def accepted(texts, sluice_opt):
    """The positions of the texts in which no error was found, all in one run."""
    text, owners = "", []
    for position, one in enumerate(texts):
        part = one + SPLIT + "\n"
        owners += [position] * part.count("\n")
        text += part
    run = subprocess.run([sluice_opt, "--allow-unregistered-dialect", "--split-input-file", "-",
                          "-o", "/dev/null"], input=text, text=True, stderr=subprocess.PIPE)
    refused = {owners[int(line) - 1]
               for line in re.findall(r"<stdin>[^\n]*?:(\d+):\d+: error: ", run.stderr)}
    return [position for position in range(len(texts)) if position not in refused]


def check(records, sluice_opt):
    cases = [(record.name, number, in_graph(text)) for record in records if record.example
             for number, text in contradictions(record)]
    good = {cases[position][:2] for position in accepted([text for *_, text in cases], sluice_opt)}
    faults = [f"{name}: expected a rank of result #{number} that its operands contradict to be refused"
              for name, number in sorted(good) if name not in SOURCES]
    return faults + [f"{name}: expected no rank to contradict its operands, since {reason}; but one did"
                     for name, reason in SOURCES.items() if (name, 0) not in good]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    parser.add_argument("--sluice-opt", required=True)
    options = parser.parse_args()
    records = op_records.load(options.tblgen, options.root, options.mlir_include)
    return report(check(records, options.sluice_opt)) if records else 1


if __name__ == "__main__":
    sys.exit(main())
