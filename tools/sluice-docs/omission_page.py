# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/tensorflow-omissions.md: what of TensorFlow is refused, skipped or not compared, and why."""

import fnmatch
import pathlib
import re

TABLES = pathlib.Path("compiler/import/tensorflow")
FIXTURES = pathlib.Path("test/conformance/fixtures")
# The files of tests that are skipped, by the run that skips them (tools/sluice-conformance/skips.h).
RUNS = {"skipped.tsv": "as they are", "skipped-gradients.tsv": "with `--gradients`",
        "skipped-gradients-by-tape.tsv": "with `--gradients --interpret=raise`",
        "skipped-training.tsv": "with `--train`"}

HEAD = """# What is left out of TensorFlow

Generated from `compiler/import/tensorflow/omissions.tsv` and from lists beside the [recorded
runs](../../test/conformance/README.md), which their suites hold to be true: an op, a test or a type that is
left out stands here with the reason, or a suite fails.
[TensorFlow ops](tensorflow-ops.md) has the ops that graphs may use. When a graph needs one of those below,
`sluicec` names it, and ends with [exit code 4](exit-codes.md).
"""


def rows(file):
    """Lines of a table, in columns."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def refused_ops(root, supported):
    """Names in TensorFlow's table that the page of ops does not have."""
    listed = set(re.findall(r"^`(\w+)`", supported, re.MULTILINE))
    return sorted({row[0] for row in rows(root / TABLES / "opdefs.tsv")} - listed)


def grouped(ops, groups):
    """([(group, reason, ops)], faults)"""
    found = [(name, reason, []) for name, reason, _ in groups]
    unused = {pattern for _, _, patterns in groups for pattern in patterns.split()}
    faults = []
    for op in ops:
        for entry, (_, _, patterns) in zip(found, groups):
            fitting = [p for p in patterns.split() if fnmatch.fnmatchcase(op, p)]
            unused -= set(fitting)
            if fitting:
                entry[2].append(op)
                break
        else:
            faults.append(f"{TABLES}/omissions.tsv: op {op} is refused: expected a reason")
    faults += [f"{TABLES}/omissions.tsv: '{pattern}' names no op that is refused"
               for pattern in sorted(unused)]
    return found, faults


def op_section(groups):
    count = sum(len(ops) for _, _, ops in groups)
    text = f"\n## Ops\n\nThese {count} ops of TensorFlow's table are refused.\n"
    for name, reason, ops in groups:
        text += f"\n### {name}\n\n{reason}\n\n" + ",\n".join(f"`{op}`" for op in ops) + "\n"
    return text


def cell(text):
    return text.replace("|", "\\|")


def test_section(root):
    text = ("\n## Recorded tests\n\nAll tests in `test/conformance/fixtures/` run in each of these ways, "
            "but for those below.\n\n| run | test | why it is skipped |\n|---|---|---|\n")
    for name, run in RUNS.items():
        for file in sorted((root / FIXTURES).glob(f"*/{name}")):
            for test, reason in rows(file):
                text += f"| {run} | `{file.parent.name}/{test}` | {cell(reason)} |\n"
    return text


def type_section(root):
    text = ("\n## Types and attributes of ops\n\nWhat Sluice computes and TensorFlow does not is compared with "
            "nothing: this many types\nor attributes of an op, of which TensorFlow says that it has no kernel, "
            "or fails. Its words are in\n`test/conformance/fixtures/ops/no_kernel.tsv`.\n\n")
    counts = {}
    for op, _, _ in rows(root / FIXTURES / "ops" / "no_kernel.tsv"):
        counts[op] = counts.get(op, 0) + 1
    text += ",\n".join(f"`{op}` {count}" for op, count in sorted(counts.items())) + "\n"
    text += "\nThe rest of what is not recorded:\n\n| op | what of it | why |\n|---|---|---|\n"
    for op, goal, reason in rows(root / FIXTURES / "ops" / "unrecorded.tsv"):
        text += f"| `{op}` | `{goal}` | {cell(reason)} |\n"
    return text


def page(root, supported):
    """(text, faults), of the text of the page of ops."""
    groups, faults = grouped(refused_ops(root, supported),
                             rows(root / TABLES / "omissions.tsv"))
    return HEAD + op_section(groups) + test_section(root) + type_section(root), faults
