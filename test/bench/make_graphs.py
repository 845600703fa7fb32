#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the measured graphs: while_*.pbtxt (`while (i < n) {i = i + 1; x = x * b}`, in the form
in which TensorFlow 1 stores a while loop; x and b are scalars or f32[16]) and add.pbtxt (x + y).

The files are checked in; run this only to change them.
"""

import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
FLOAT, INT = "type: DT_FLOAT", "type: DT_INT32"


class Graph:
    def __init__(self):
        self.nodes = []

    def node(self, name, op, inputs=(), **attributes):
        """Adds a node; attributes are given as the text of their values. Returns the name."""
        lines = ["node {", f'  name: "{name}"', f'  op: "{op}"']
        lines += [f'  input: "{source}"' for source in inputs]
        for key, value in sorted(attributes.items()):
            lines += ["  attr {", f'    key: "{key}"', f"    value {{ {value} }}", "  }"]
        self.nodes.append("\n".join(lines + ["}"]))
        return name

    def placeholder(self, name, dtype, shape):
        self.node(name, "Placeholder", dtype=dtype, shape=f"shape {{ {shape} }}")

    def integer(self, name, value, after=()):
        tensor = f"tensor {{ dtype: DT_INT32 tensor_shape {{ }} int_val: {value} }}"
        return self.node(name, "Const", [f"^{other}" for other in after], dtype=INT, value=tensor)

    def enter(self, name, source, dtype, constant=False):
        return self.node(name, "Enter", [source], T=dtype, frame_name='s: "while/while_context"',
                         is_constant="b: true" if constant else "b: false",
                         parallel_iterations="i: 10")

    def write(self, name):
        text = "\n".join(self.nodes + ["versions {", "  producer: 24", "}"])
        (FOLDER / name).write_text(text + "\n")


def while_loop(name, shape):
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, shape)
    g.placeholder("b", FLOAT, shape)
    variables = [("", g.integer("start", 0), INT, "while/add"), ("_1", "x", FLOAT, "while/mul")]
    for suffix, source, dtype, following in variables:
        g.enter(f"while/Enter{suffix}", source, dtype)
        g.node(f"while/Merge{suffix}", "Merge",
               [f"while/Enter{suffix}", f"while/NextIteration{suffix}"], N="i: 2", T=dtype)
        g.node(f"while/Switch{suffix}", "Switch", [f"while/Merge{suffix}", "while/LoopCond"],
               T=dtype)
        g.node(f"while/Identity{suffix}", "Identity", [f"while/Switch{suffix}:1"], T=dtype)
        g.node(f"while/NextIteration{suffix}", "NextIteration", [following], T=dtype)
        g.node(f"while/Exit{suffix}", "Exit", [f"while/Switch{suffix}"], T=dtype)
    g.enter("while/Less/Enter", "n", INT, constant=True)
    g.node("while/Less", "Less", ["while/Merge", "while/Less/Enter"], T=INT)
    g.node("while/LoopCond", "LoopCond", ["while/Less"])
    one = g.integer("while/add/y", 1, after=["while/Identity"])
    g.node("while/add", "Add", ["while/Identity", one], T=INT)
    g.enter("while/mul/Enter", "b", FLOAT, constant=True)
    g.node("while/mul", "Mul", ["while/Identity_1", "while/mul/Enter"], T=FLOAT)
    g.write(name)


def add():
    g = Graph()
    g.placeholder("x", FLOAT, "")
    g.placeholder("y", FLOAT, "")
    g.node("sum", "Add", ["x", "y"], T=FLOAT)
    g.write("add.pbtxt")


while_loop("while_scalar.pbtxt", "")
while_loop("while_vector.pbtxt", "dim { size: 16 }")
add()
