# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds graphs in the text form of a GraphDef, with loops as TensorFlow 1 stores them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))
from graph_text import graph_text, node_text  # noqa: E402

FLOAT, INT, VARIANT = "type: DT_FLOAT", "type: DT_INT32", "type: DT_VARIANT"
DTYPE_FIELD = {FLOAT: "float_val", INT: "int_val"}


class Graph:
    def __init__(self):
        self.nodes = []

    def node(self, name, op, inputs=(), device="", **attributes):
        """Adds a node; attributes are given as the text of their values. Returns the name."""
        self.nodes.append(node_text(name, op, inputs, attributes, device))
        return name

    def placeholder(self, name, dtype, shape):
        return self.node(name, "Placeholder", dtype=dtype, shape=f"shape {{ {shape} }}")

    def constant(self, name, dtype, value, shape="", after=()):
        """All elements are `value`."""
        tensor = (f"tensor {{ dtype: {dtype.split()[1]} tensor_shape {{ {shape} }} "
                  f"{DTYPE_FIELD[dtype]}: {value} }}")
        return self.node(name, "Const", [f"^{other}" for other in after], dtype=dtype, value=tensor)

    def text(self):
        return graph_text(self.nodes)


class Loop:
    """A loop of the graph. Variables begin with `variable` and end with `close`."""

    def __init__(self, graph, name, window):
        self.graph, self.name, self.window = graph, name, window

    def enter(self, name, source, dtype, constant=False, device=""):
        return self.graph.node(f"{self.name}/{name}", "Enter", [source], device, T=dtype,
                               frame_name=f's: "{self.name}/{self.name}_context"',
                               is_constant="b: true" if constant else "b: false",
                               parallel_iterations=f"i: {self.window}")

    def variable(self, suffix, source, dtype, device=""):
        """Returns its value in the body."""
        name, add = self.name, self.graph.node
        self.enter(f"Enter{suffix}", source, dtype, device=device)
        add(f"{name}/Merge{suffix}", "Merge",
            [f"{name}/Enter{suffix}", f"{name}/NextIteration{suffix}"], device, N="i: 2", T=dtype)
        add(f"{name}/Switch{suffix}", "Switch",
            [f"{name}/Merge{suffix}", f"{name}/LoopCond"], device, T=dtype)
        return add(f"{name}/Identity{suffix}", "Identity", [f"{name}/Switch{suffix}:1"], device,
                   T=dtype)

    def close(self, suffix, following, dtype, device=""):
        """Returns its value after the loop."""
        name, add = self.name, self.graph.node
        add(f"{name}/NextIteration{suffix}", "NextIteration", [following], device, T=dtype)
        return add(f"{name}/Exit{suffix}", "Exit", [f"{name}/Switch{suffix}"], device, T=dtype)

    def count_to(self, limit, device="", after=(), start_after=()):
        """`while (i < limit) i = i + 1`; the sum waits for `after`. Returns the last i."""
        name, add = self.name, self.graph.node
        start = self.graph.constant(f"{name}/start", INT, 0, after=start_after)
        i = self.variable("", start, INT, device)
        self.enter("Less/Enter", limit, INT, constant=True, device=device)
        add(f"{name}/Less", "Less", [f"{name}/Merge", f"{name}/Less/Enter"], device, T=INT)
        add(f"{name}/LoopCond", "LoopCond", [f"{name}/Less"], device)
        one = self.graph.constant(f"{name}/add/y", INT, 1, after=[i])
        add(f"{name}/add", "Add", [i, one, *(f"^{other}" for other in after)], device, T=INT)
        return self.close("", f"{name}/add", INT, device)
