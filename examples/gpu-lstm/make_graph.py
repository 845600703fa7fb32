#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes lstm.pbtxt and lstm.pb: an LSTM that reads numbers, and says whether their sum is positive.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import (FLOAT, INT, binary, integers, mean, node, number, product, variable, write)
from while_text import Loop, all_indices, filled_array, row_of

UNITS, BATCH, LENGTH = 64, 32, 8


def zeros(name):
    sizes = integers(f"{name}/shape", [BATCH, UNITS])
    return node(name, "Fill", [sizes, number(f"{name}/value", 0.0)], T=FLOAT, index_type=INT)


def gates(loop, row, h):
    """i, j, f, o before they are squashed."""
    both = node("lstm/both", "ConcatV2", [row, h, loop.constant("axis", 1)], N="i: 2", T=FLOAT,
                Tidx=INT)
    summed = node("lstm/summed", "BiasAdd",
                  [product("lstm/product", both, loop.capture("w/read")),
                   loop.capture("bias/read")], T=FLOAT, data_format='s: "NHWC"')
    node("lstm/gates", "Split", [loop.constant("split_axis", 1), summed], num_split="i: 4", T=FLOAT)
    return ["lstm/gates", "lstm/gates:1", "lstm/gates:2", "lstm/gates:3"]


def squashed(name, op, source):
    return node(name, op, [source], T=FLOAT)


def main():
    node("x", "Placeholder", dtype=FLOAT, shape=f"shape {{ dim {{ size: {LENGTH} }} "
         f"dim {{ size: {BATCH} }} dim {{ size: 1 }} }}")
    node("y", "Placeholder", dtype=FLOAT,
         shape=f"shape {{ dim {{ size: {BATCH} }} dim {{ size: 1 }} }}")
    variable("w", [1 + UNITS, 4 * UNITS])
    variable("bias", [4 * UNITS])
    variable("out", [UNITS, 1])
    length = number("length", LENGTH)
    handle, flow = filled_array("rows", "x", length, all_indices("indices", length))
    loop = Loop("lstm", [("step", number("zero", 0), INT), ("c", zeros("c0"), FLOAT),
                         ("h", zeros("h0"), FLOAT)])
    loop.goes_on(binary("lstm/more", "Less", loop["step"], loop.capture(length, INT), INT))
    row = row_of("lstm/row", loop.capture(handle, "type: DT_RESOURCE"), loop["step"],
                 loop.capture(flow))
    i, j, f, o = gates(loop, row, loop["h"])
    kept = binary("lstm/kept", "Mul", loop["c"], squashed("lstm/f", "Sigmoid", f))
    added = binary("lstm/added", "Mul", squashed("lstm/i", "Sigmoid", i),
                   squashed("lstm/j", "Tanh", j))
    c = binary("lstm/c_next", "Add", kept, added)
    h = binary("lstm/h_next", "Mul", squashed("lstm/squashed", "Tanh", c),
               squashed("lstm/o", "Sigmoid", o))
    loop.ends(step=binary("lstm/next", "Add", loop["step"], loop.constant("one", 1), INT), c=c, h=h)
    answer = squashed("answer", "Sigmoid", product("logits", loop["h"], "out/read"))
    missed = binary("missed", "Sub", answer, "y")
    mean("loss", binary("squared", "Mul", missed, missed))
    write(pathlib.Path(__file__).resolve().parent, "lstm")


main()
