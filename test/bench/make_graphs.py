#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the measured graphs: while_*.pbtxt (`while (i < n) {i = i + 1; x = x * b}`, in the form
in which TensorFlow 1 stores a while loop; x and b are scalars or f32[16]) and add.pbtxt (x + y).

The files are checked in; run this only to change them.
"""

import pathlib

from graph_text import FLOAT, INT, Graph, Loop

FOLDER = pathlib.Path(__file__).resolve().parent


def while_loop(shape):
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, shape)
    g.placeholder("b", FLOAT, shape)
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    b = loop.enter("mul/Enter", "b", FLOAT, constant=True)
    loop.close("_1", g.node("while/mul", "Mul", [x, b], T=FLOAT), FLOAT)
    return g


def add():
    g = Graph()
    g.placeholder("x", FLOAT, "")
    g.placeholder("y", FLOAT, "")
    g.node("sum", "Add", ["x", "y"], T=FLOAT)
    return g


for name, graph in (("while_scalar", while_loop("")), ("add", add()),
                    ("while_vector", while_loop("dim { size: 16 }"))):
    (FOLDER / f"{name}.pbtxt").write_text(graph.text())
