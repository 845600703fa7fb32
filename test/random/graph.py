# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of a graph, and their text form as a GraphDef."""

import pathlib
import re
import sys
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))
from graph_text import graph_text, node_text  # noqa: E402

DTYPES = {"f": "DT_FLOAT", "d": "DT_DOUBLE", "i": "DT_INT32", "l": "DT_INT64", "b": "DT_BOOL"}
VALUE_FIELDS = {"f": "float_val", "d": "double_val", "i": "int_val", "l": "int64_val",
                "b": "bool_val"}
RESOURCE, LIST = "r", "v"  # the letters of handles and of lists
TYPES = DTYPES | {RESOURCE: "DT_RESOURCE", LIST: "DT_VARIANT"}


@dataclass(frozen=True)
class Value:
    """A tensor of the graph: `ref` is what an input says, the dtype one of the letters above. What is
    known of a list stands in the place of its shape."""
    ref: str
    dtype: str
    shape: object = ()

    @property
    def node(self):
        return node_of(self.ref)


@dataclass
class Node:
    name: str
    op: str
    inputs: list = field(default_factory=list)  # as in a GraphDef: `x`, `x:1`, `^x`
    attributes: dict = field(default_factory=dict)  # name → text of the value


def node_of(ref):
    return ref.lstrip("^").split(":")[0]


def type_of(dtype):
    return f"type: {TYPES[dtype]}"


def types_of(dtypes):
    return f"list {{ {' '.join(map(type_of, dtypes))} }}"


def flag(value):
    return "b: true" if value else "b: false"


def text(value):
    return f's: "{value}"'


def dims(shape):
    return " ".join(f"dim {{ size: {size} }}" for size in shape)


def shape_of(shape):
    return f"shape {{ {dims(shape)} }}"


def literal(dtype, element):
    return str(element).lower() if dtype == "b" else str(element)


def tensor_of(dtype, elements, shape):
    """A single element fills the shape; a tensor without elements has none."""
    values = [] if 0 in shape else elements
    listed = " ".join(f"{VALUE_FIELDS[dtype]}: {literal(dtype, element)}" for element in values)
    return f"tensor {{ dtype: {DTYPES[dtype]} tensor_shape {{ {dims(shape)} }} {listed} }}"


def constant(name, dtype, elements, shape=(), after=()):
    return Node(name, "Const", [f"^{other}" for other in after],
                {"dtype": type_of(dtype), "value": tensor_of(dtype, elements, shape)})


def print_node(node):
    return node_text(node.name, node.op, node.inputs, node.attributes)


def print_graph(nodes):
    return graph_text(map(print_node, nodes))


def parse_graph(content):
    """Reads what `print_graph` has written, line by line; this is no parser of the text form."""
    nodes = []
    for line in content.splitlines():
        if match := re.fullmatch(r'  name: "(.*)"', line):
            nodes.append(Node(match[1], ""))
        elif match := re.fullmatch(r'  op: "(.*)"', line):
            nodes[-1].op = match[1]
        elif match := re.fullmatch(r'  input: "(.*)"', line):
            nodes[-1].inputs.append(match[1])
        elif match := re.fullmatch(r'    key: "(.*)"', line):
            key = match[1]
        elif match := re.fullmatch(r"    value \{ (.*) \}", line):
            nodes[-1].attributes[key] = match[1]
    return nodes


def reachable(nodes, roots):
    """Those nodes that the roots need, in their order."""
    by_name = {node.name: node for node in nodes}
    needed, pending = set(), [node_of(root) for root in roots]
    while pending:
        name = pending.pop()
        if name not in needed and name in by_name:
            needed.add(name)
            pending += [node_of(source) for source in by_name[name].inputs]
    return [node for node in nodes if node.name in needed]
