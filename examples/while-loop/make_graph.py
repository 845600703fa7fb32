#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pagerank.pbtxt and pagerank.pb, in the form in which TensorFlow 1 stores a while loop.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import FLOAT, INT, enter, integers, node, number, write

FRAME = "while/while_context"


def before_loop():
    """What does not change while the loop runs: who passes which share of its rank to whom."""
    node("links", "Placeholder", dtype=FLOAT,
         shape="shape { dim { size: -1 } dim { size: -1 } }")
    node("out_degree", "Sum", ["links", integers("out_degree/axis", [1])],
         T=FLOAT, Tidx=INT, keep_dims="b: true")
    node("divisor", "Maximum", ["out_degree", number("one", 1.0)], T=FLOAT)
    node("shares", "RealDiv", ["links", "divisor"], T=FLOAT)

    node("shape", "Shape", ["links"], T=FLOAT, out_type=INT)
    node("pages", "StridedSlice",
         ["shape", integers("pages/begin", [0]), integers("pages/end", [1]),
          integers("pages/strides", [1])],
         T=INT, Index=INT, shrink_axis_mask="i: 1", begin_mask="i: 0", end_mask="i: 0",
         ellipsis_mask="i: 0", new_axis_mask="i: 0")
    node("pages_float", "Cast", ["pages"], SrcT=INT, DstT=FLOAT)
    node("even_rank", "RealDiv", ["one", "pages_float"], T=FLOAT)
    node("column", "Pack", ["pages", number("column/width", 1)], N="i: 2", T=INT, axis="i: 0")
    node("start", "Fill", ["column", "even_rank"], T=FLOAT, index_type=INT)
    node("base", "Mul", ["even_rank", number("chance_to_jump", 0.15)], T=FLOAT)


# Of the loop: the number of iterations, the ranks, and by how much these have changed.
DTYPES = [INT, FLOAT, FLOAT]
SUFFIXES = ["", "_1", "_2"]


def start_of_loop():
    sources = [number("first", 0), "start", number("first_change", 1.0)]
    for suffix, source, dtype in zip(SUFFIXES, sources, DTYPES):
        enter(f"while/Enter{suffix}", source, dtype, FRAME)
    for suffix, dtype in zip(SUFFIXES, DTYPES):
        node(f"while/Merge{suffix}", "Merge",
             [f"while/Enter{suffix}", f"while/NextIteration{suffix}"], N="i: 2", T=dtype)


def goes_on():
    """The loop's condition, and where each variable goes by it."""
    node("while/Less", "Less",
         ["while/Merge", number("while/Less/limit", 100, after=["while/Merge"])], T=INT)
    node("while/Greater", "Greater",
         ["while/Merge_2", number("while/Greater/tolerance", 1e-5, after=["while/Merge"])],
         T=FLOAT)
    node("while/LogicalAnd", "LogicalAnd", ["while/Less", "while/Greater"])
    node("while/LoopCond", "LoopCond", ["while/LogicalAnd"])
    for suffix, dtype in zip(SUFFIXES, DTYPES):
        node(f"while/Switch{suffix}", "Switch", [f"while/Merge{suffix}", "while/LoopCond"],
             T=dtype, _class=f'list {{ s: "loc:@while/Merge{suffix}" }}')
        node(f"while/Identity{suffix}", "Identity", [f"while/Switch{suffix}:1"], T=dtype)


def body():
    """Returns what the variables are in the next iteration."""
    node("while/add", "Add",
         ["while/Identity", number("while/add/y", 1, after=["while/Identity"])], T=INT)
    enter("while/MatMul/Enter", "shares", FLOAT, FRAME, constant=True)
    node("while/MatMul", "MatMul", ["while/MatMul/Enter", "while/Identity_1"],
         T=FLOAT, transpose_a="b: true", transpose_b="b: false")
    node("while/follow", "Mul",
         ["while/MatMul", number("while/chance_to_follow", 0.85, after=["while/Identity"])],
         T=FLOAT)
    enter("while/ranks/Enter", "base", FLOAT, FRAME, constant=True)
    node("while/ranks", "Add", ["while/follow", "while/ranks/Enter"], T=FLOAT)
    node("while/Sub", "Sub", ["while/ranks", "while/Identity_1"], T=FLOAT)
    node("while/Abs", "Abs", ["while/Sub"], T=FLOAT)
    axes = integers("while/change/axes", [0, 1], after=["while/Identity"])
    node("while/change", "Sum", ["while/Abs", axes], T=FLOAT, Tidx=INT, keep_dims="b: false")
    return ["while/add", "while/ranks", "while/change"]


def loop():
    """Repeats ranks = 0.15/n + 0.85 · sharesᵀ · ranks until they change by at most 1e-5 in all."""
    start_of_loop()
    goes_on()
    for suffix, following, dtype in zip(SUFFIXES, body(), DTYPES):
        node(f"while/NextIteration{suffix}", "NextIteration", [following], T=dtype)
        node(f"while/Exit{suffix}", "Exit", [f"while/Switch{suffix}"], T=dtype)


def after_loop():
    node("ranks", "Reshape", ["while/Exit_1", integers("ranks/shape", [-1])],
         T=FLOAT, Tshape=INT)
    node("iterations", "Identity", ["while/Exit"], T=INT)
    node("change", "Identity", ["while/Exit_2"], T=FLOAT)


before_loop()
loop()
after_loop()
write(pathlib.Path(__file__).resolve().parent, "pagerank")
