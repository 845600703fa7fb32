#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs in the text form of a GraphDef, and the two files of an example's graph.

Writing the files needs protoc, and nothing needs TensorFlow.
"""

import pathlib
import subprocess

PROTO = pathlib.Path(__file__).resolve().parent.parent / "compiler" / "import"
FLOAT, INT, BOOL = "type: DT_FLOAT", "type: DT_INT32", "type: DT_BOOL"

nodes = []  # of the example's graph, as text


def node_text(name, op, inputs, attributes, device=None):
    """One node; attributes are given as the text of their values."""
    lines = ["node {", f'  name: "{name}"', f'  op: "{op}"']
    lines += [f'  input: "{source}"' for source in inputs]
    lines += [f'  device: "{device}"'] if device else []
    for key, value in sorted(attributes.items()):
        lines += ["  attr {", f'    key: "{key}"', f"    value {{ {value} }}", "  }"]
    return "\n".join(lines + ["}"])


def graph_text(node_texts):
    return "\n".join([*node_texts, "versions {", "  producer: 24", "}"]) + "\n"


def node(name, op, inputs=(), device=None, **attributes):
    """Adds a node to the example's graph; returns the name."""
    nodes.append(node_text(name, op, inputs, attributes, device))
    return name


def number(name, value, after=()):
    """A scalar constant; `after` names nodes that it must wait for."""
    is_int = isinstance(value, int)
    field = f"int_val: {value}" if is_int else f"float_val: {value!r}"
    dtype = INT if is_int else FLOAT
    tensor = f"tensor {{ dtype: {dtype[6:]} tensor_shape {{ }} {field} }}"
    return node(name, "Const", [f"^{other}" for other in after], dtype=dtype, value=tensor)


def integers(name, values, after=()):
    """A vector of int32."""
    elements = " ".join(f"int_val: {value}" for value in values)
    shape = f"tensor_shape {{ dim {{ size: {len(values)} }} }}"
    return node(name, "Const", [f"^{other}" for other in after], dtype=INT,
                value=f"tensor {{ dtype: DT_INT32 {shape} {elements} }}")


def variable(name, shape, device=None):
    """A variable of floats by reference; gives what is read of it."""
    sizes = " ".join(f"dim {{ size: {size} }}" for size in shape)
    node(name, "VariableV2", device=device, dtype=FLOAT, shape=f"shape {{ {sizes} }}",
         container='s: ""', shared_name='s: ""')
    return node(f"{name}/read", "Identity", [name], device, T=FLOAT,
                _class=f'list {{ s: "loc:@{name}" }}')


def binary(name, op, left, right, dtype=FLOAT, device=None):
    return node(name, op, [left, right], device, T=dtype)


def product(name, left, right, device=None):
    """Of matrices."""
    return node(name, "MatMul", [left, right], device, T=FLOAT, transpose_a="b: false",
                transpose_b="b: false")


def mean(name, matrix):
    """Of all elements of a matrix."""
    return node(name, "Mean", [matrix, integers(f"{name}/axes", [0, 1])], T=FLOAT, Tidx=INT,
                keep_dims="b: false")


def enter(name, source, dtype, frame, constant=False, device=None):
    return node(name, "Enter", [source], device, T=dtype, frame_name=f's: "{frame}"',
                is_constant="b: true" if constant else "b: false", parallel_iterations="i: 10")


def write(folder, stem):
    """Writes the nodes so far as STEM.pbtxt and STEM.pb."""
    text = graph_text(nodes)
    (folder / f"{stem}.pbtxt").write_text(text)
    binary = subprocess.run(
        ["protoc", "--encode=sluice.graphdef.GraphDef", f"-I{PROTO}", "graphdef.proto"],
        input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    (folder / f"{stem}.pb").write_bytes(binary)
    print(f"{stem}: {len(nodes)} nodes")
