#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pagerank.pbtxt and pagerank.pb: the loop of ../while-loop with its work on two devices.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import FLOAT, INT, enter, integers, node, number, write

FRAME = "while/while_context"
DEVICES = ["/job:worker/task:0", "/job:worker/task:1"]


def before_loop():
    """Which share of its rank each page passes on, and to whom, as in ../while-loop."""
    node("links", "Placeholder", dtype=FLOAT,
         shape="shape { dim { size: -1 } dim { size: -1 } }")
    node("out_degree", "Sum", ["links", integers("out_degree/axis", [1])],
         T=FLOAT, Tidx=INT, keep_dims="b: true")
    node("divisor", "Maximum", ["out_degree", number("one", 1.0)], T=FLOAT)
    node("shares", "RealDiv", ["links", "divisor"], T=FLOAT)
    # Row i of the transposed matrix says where the rank of page i comes from.
    node("sources", "Transpose", ["shares", integers("sources/perm", [1, 0])], T=FLOAT, Tperm=INT)

    node("shape", "Shape", ["links"], T=FLOAT, out_type=INT)
    node("pages", "StridedSlice",
         ["shape", integers("pages/begin", [0]), integers("pages/end", [1]),
          integers("pages/strides", [1])],
         T=INT, Index=INT, shrink_axis_mask="i: 1", begin_mask="i: 0", end_mask="i: 0",
         ellipsis_mask="i: 0", new_axis_mask="i: 0")
    node("pages_float", "Cast", ["pages"], SrcT=INT, DstT=FLOAT)
    node("even_rank", "RealDiv", ["one", "pages_float"], T=FLOAT)
    node("base", "Mul", ["even_rank", number("chance_to_jump", 0.15)], T=FLOAT)
    node("half", "FloorDiv", ["pages", number("two", 2)], T=INT)
    node("rest", "Sub", ["pages", "half"], T=INT)


def start_of_half(index):
    """What one device holds of the matrix, and its pages' first ranks."""
    device = DEVICES[index]
    size = ["half", "rest"][index]
    node(f"rows_{index}/count", "Pack", [size, "pages"], N="i: 2", T=INT, axis="i: 0")
    node(f"rows_{index}/begin", "Pack",
         [["zero", "half"][index], number(f"rows_{index}/column", 0)], N="i: 2", T=INT, axis="i: 0")
    node(f"rows_{index}", "Slice", ["sources", f"rows_{index}/begin", f"rows_{index}/count"],
         device=device, T=FLOAT, Index=INT)
    node(f"column_{index}", "Pack", [size, number(f"column_{index}/width", 1)], N="i: 2", T=INT,
         axis="i: 0")
    node(f"start_{index}", "Fill", [f"column_{index}", "even_rank"], device=device, T=FLOAT,
         index_type=INT)


def variable(index, source, dtype, device):
    """Enter and Merge of a loop variable; the rest needs the predicate."""
    enter(f"while/Enter_{index}", source, dtype, FRAME)
    node(f"while/Merge_{index}", "Merge", [f"while/Enter_{index}", f"while/NextIteration_{index}"],
         device=device, N="i: 2", T=dtype)


def turn(index, dtype, device):
    node(f"while/Switch_{index}", "Switch", [f"while/Merge_{index}", "while/LoopCond"],
         device=device, T=dtype, _class=f'list {{ s: "loc:@while/Merge_{index}" }}')
    node(f"while/Identity_{index}", "Identity", [f"while/Switch_{index}:1"], device=device, T=dtype)
    node(f"while/Exit_{index}", "Exit", [f"while/Switch_{index}"], device=device, T=dtype)


def half_of_the_body(index):
    """One device finds the new ranks of its pages from the ranks of all of them."""
    device = DEVICES[index]
    place = f"while/half_{index}"
    mine = f"while/Identity_{2 + index}"
    node(f"{place}/all", "ConcatV2",
         ["while/Identity_2", "while/Identity_3",
          number(f"{place}/all/axis", 0, after=[mine])],
         device=device, N="i: 2", T=FLOAT, Tidx=INT)
    enter(f"{place}/rows", f"rows_{index}", FLOAT, FRAME, constant=True)
    enter(f"{place}/base", "base", FLOAT, FRAME, constant=True)
    node(f"{place}/MatMul", "MatMul", [f"{place}/rows", f"{place}/all"], device=device, T=FLOAT,
         transpose_a="b: false", transpose_b="b: false")
    node(f"{place}/follow", "Mul",
         [f"{place}/MatMul", number(f"{place}/chance", 0.85, after=[mine])], device=device, T=FLOAT)
    node(f"{place}/ranks", "Add", [f"{place}/follow", f"{place}/base"], device=device, T=FLOAT)
    node(f"{place}/Sub", "Sub", [f"{place}/ranks", mine], device=device, T=FLOAT)
    node(f"{place}/Abs", "Abs", [f"{place}/Sub"], device=device, T=FLOAT)
    node(f"{place}/change", "Sum",
         [f"{place}/Abs", integers(f"{place}/axes", [0, 1], after=[mine])],
         device=device, T=FLOAT, Tidx=INT, keep_dims="b: false")
    return f"{place}/ranks", f"{place}/change"


def loop():
    """Repeats ranks = 0.15/n + 0.85 · sources · ranks until they change by at most 1e-5 in all."""
    first, second = DEVICES
    variables = [("first", INT, first), ("first_change", FLOAT, first),
                 ("start_0", FLOAT, first), ("start_1", FLOAT, second)]
    number("first", 0)
    number("first_change", 1.0)
    for index, (source, dtype, device) in enumerate(variables):
        variable(index, source, dtype, device)
    node("while/Less", "Less",
         ["while/Merge_0", number("while/Less/limit", 100, after=["while/Merge_0"])], T=INT)
    node("while/Greater", "Greater",
         ["while/Merge_1", number("while/Greater/tolerance", 1e-5, after=["while/Merge_0"])],
         T=FLOAT)
    node("while/LogicalAnd", "LogicalAnd", ["while/Less", "while/Greater"], device=first)
    node("while/LoopCond", "LoopCond", ["while/LogicalAnd"], device=first)
    for index, (_, dtype, device) in enumerate(variables):
        turn(index, dtype, device)
    node("while/add", "Add",
         ["while/Identity_0", number("while/add/y", 1, after=["while/Identity_0"])], T=INT)
    ranks_0, change_0 = half_of_the_body(0)
    ranks_1, change_1 = half_of_the_body(1)
    node("while/change", "Add", [change_0, change_1], device=first, T=FLOAT)
    for index, source in enumerate(["while/add", "while/change", ranks_0, ranks_1]):
        node(f"while/NextIteration_{index}", "NextIteration", [source], T=variables[index][1])


def after_loop():
    node("all_ranks", "ConcatV2",
         ["while/Exit_2", "while/Exit_3", number("all_ranks/axis", 0)], N="i: 2", T=FLOAT, Tidx=INT)
    node("ranks", "Reshape", ["all_ranks", integers("ranks/shape", [-1])], T=FLOAT, Tshape=INT)
    node("iterations", "Identity", ["while/Exit_0"], T=INT)


number("zero", 0)
before_loop()
for half in range(2):
    start_of_half(half)
loop()
after_loop()
write(pathlib.Path(__file__).resolve().parent, "pagerank")
