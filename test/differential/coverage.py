# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cases of a run have reached: each op of the dialects of tensors, those with code as
code, each type of elements in code, and each kind of clause."""

import collections
import pathlib
import re

import clauses
import op_signatures

RUNTIME = op_signatures.TABLES.parents[2] / "runtime"
OPS = op_signatures.TABLES.parents[2] / "docs" / "reference" / "ops.md"
# Lists of kernels, and how an op of a dialect of tensors stands in each.
LISTS = {"kernels/kernels.def": r"^SLUICE_LIST_KERNEL\((nd|nn|sci)_(\w+),",
         "elements/elements.def": r"^SLUICE_\w+\(()(\w+), \w+, [A-Z]",
         "elements/special.def": r"^SLUICE_SPECIAL\w*\(()(\w+), \w+\)",
         "elements/reductions.def": r"^SLUICE_REDUCTION\(()(\w+),"}
DIALECTS = {"elements/special.def": "sci"} # where it is not nd
# Ops that no op of TensorFlow is imported as.
NOT_IMPORTED = {"nd.set_row": "made of writes to an array",
                "nd.matmul_onto": "made of sums of products in derivatives of loops",
                "nd.assume_shape": "made where an array becomes a tensor"}
# Those that only derivatives have, which are compared in all kinds of code by
# conformance/gradient_choices_test.py.
OF_DERIVATIVES = {"nd.matmul_onto"}
# Those that only graphs with variables have.
OF_STATE = {"nd.match_shape": "made where an optimizer asks that operands are alike"}
# Those that no name draws by seeds that are given, so that calls differ.
OF_CHANCE = {"sci.random_candidates": "drawn by the generators of samplers"}
# Those of strings, which are not drawn.
OF_TEXTS = {"nd.join_texts": "made of names of files", "nd.decimal": "made of names of files",
            **dict.fromkeys(("nd.substring", "nd.as_text", "nd.parse_number", "nd.hash_bucket",
                             "nd.split_texts", "nd.ngrams", "nd.edit_texts", "nd.text_length",
                             "nd.format_text", "nd.reduce_join"), "made of strings"),
            "sci.sparse_cross": "made of features that are mostly strings",
            **dict.fromkeys(("nd.match_pattern", "nd.replace_pattern"), "looks for patterns"),
            **dict.fromkeys(("nd.decode_raw", "nd.decode_padded_raw", "nd.decompress",
                             "nd.decode_csv", "nd.parse_example", "nd.parse_tensor",
                             "nd.serialize_tensor", "nd.parse_rows",
                             "nd.serialize_rows"), "made of records of files")}
NEVER = NOT_IMPORTED.keys() | OF_STATE.keys() | OF_CHANCE.keys() | OF_TEXTS.keys()

# Where compiled code has which element types.
TYPES = {(place, dtype) for place in ("straight lines", "loops")
        for dtype in ("f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64",
                      "ui8", "ui16", "ui32", "ui64")}

# Families of ops whose shape rule takes every operand that broadcasts: each of their operands may
# repeat along each axis, and may lack dims. Of products these are the axes before the matrices.
BROADCASTING = {"2 alike": 0, "batch_matmul": 2}
# Ops of these families that want equal shapes, and those that take batches as they are.
NOT_BROADCASTING = {"BatchMatMul"}


def broadcasts(case):
    """Whether the case is about an operand that repeats, in a way that broadcasting allows."""
    kept = BROADCASTING.get(case.family)
    match = re.match(r"operand \d+ repeats along axis (-\d+)", case.clause)
    return kept is not None and match and int(match[1]) < -kept and case.op not in NOT_BROADCASTING


class Coverage:
    def __init__(self):
        self.ops, self.in_code = set(), set()
        self.tried, self.succeeded = collections.Counter(), collections.Counter()
        self.refused_broadcasts = []

    def add(self, found, results, ops, in_code=()):
        self.ops |= ops
        self.in_code |= set(in_code)
        for case, result in zip(found, results):
            kind = clauses.kind_of(case.clause)
            self.tried[kind] += 1
            self.succeeded[kind] += "outputs" in result
            if broadcasts(case) and "error" in result:
                self.refused_broadcasts.append(f"{case.op}: {case.clause}: expected a result but "
                                               f"got {result['error']['message']}")

    def missing(self):
        """What should have occurred and has not, as lines of text."""
        for op in sorted(all_ops() - self.ops - NEVER):
            yield f"{op}: expected a case whose graph has the op"
        for op in sorted(NEVER & self.ops):
            yield f"{op}: expected no case whose graph has the op"
        for place, dtype in sorted(TYPES - self.in_code):
            yield f"{dtype}: expected code in {place} with elements of the type"
        for place, op in sorted(ops_with_code() - self.in_code):
            yield f"{op}: expected code in {place}"
        for kind in sorted(self.tried.keys() - (+self.succeeded).keys()):
            yield f"'{kind}': expected a case that succeeds"
        for kind in sorted(clauses.KINDS - self.tried.keys()):
            yield f"'{kind}': expected a case"
        yield from self.refused_broadcasts


def all_ops():
    """Those that have a kernel."""
    return {f"{dialect or DIALECTS.get(path, 'nd')}.{op}" for path, entry in LISTS.items()
            for dialect, op in re.findall(entry, (RUNTIME / path).read_text(), re.MULTILINE)}


def ops_with_code():
    """{(place, op)} as the table of ops, which is generated, says it of the ops' definitions"""
    rows = re.findall(r"^\| \[(\S+)\]\(.* \| ([^|]+) \| [^|]*\|$", OPS.read_text(), re.MULTILINE)
    without = ("none: ", "on cards only: ")
    return {(place, op) for op, code in rows if code.strip() and not code.startswith(without)
            for place in ("straight lines", "loops")
            if op not in OF_STATE and op not in OF_DERIVATIVES
            if place == "straight lines" or "not in loops" not in code}
