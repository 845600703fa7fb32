#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the measured graphs: while_*.pbtxt (`while (i < n) {i = i + 1; x = x * b}`, in the form
in which TensorFlow 1 stores a while loop; x and b are scalars or f32[16]) and add.pbtxt (x + y).

The files are checked in; run this only to change them.
"""

import pathlib

from loop_graphs import ROW, counted, dims
from tf1_graph import FLOAT, Graph

FOLDER = pathlib.Path(__file__).resolve().parent


def add():
    g = Graph()
    g.placeholder("x", FLOAT, "")
    g.placeholder("y", FLOAT, "")
    g.node("sum", "Add", ["x", "y"], T=FLOAT)
    return g


for name, text in (("while_scalar", counted("")[0]), ("add", add().text()),
                   ("while_vector", counted(dims(ROW))[0])):
    (FOLDER / f"{name}.pbtxt").write_text(text)
