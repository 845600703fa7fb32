# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of these tests, as texts."""


def placeholder(name, shape, dtype="DT_FLOAT"):
    dims = " ".join(f"dim {{ size: {size} }}" for size in shape)
    return (f'node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: {dtype} '
            f'}} }} attr {{ key: "shape" value {{ shape {{ {dims} }} }} }} }}\n')


def binary(name, op, left, right, dtype="DT_FLOAT"):
    return (f'node {{ name: "{name}" op: "{op}" input: "{left}" input: "{right}" '
            f'attr {{ key: "T" value {{ type: {dtype} }} }} }}\n')


END = "versions { producer: 1395 }\n"


def matmul():
    """What tfcompile's tutorial compiles."""
    return (placeholder("x_hold", (2, 3)) + placeholder("y_hold", (3, 2)) +
            binary("x_y_prod", "MatMul", "x_hold", "y_hold") + END)


def add(x="x", y="y", total="sum", shape=()):
    return placeholder(x, shape) + placeholder(y, shape) + binary(total, "AddV2", x, y) + END


def accumulator():
    """step adds x to variable total and gives its value; the variable has two elements."""
    variable = ('key: "shape" value { shape { dim { size: 2 } } } } '
                'attr { key: "dtype" value { type: DT_FLOAT } }')
    return (placeholder("x", (2,)) +
            f'node {{ name: "total" op: "VarHandleOp" attr {{ {variable} '
            'attr { key: "shared_name" value { s: "total" } } }\n'
            'node { name: "add" op: "AssignAddVariableOp" input: "total" input: "x" '
            'attr { key: "dtype" value { type: DT_FLOAT } } }\n'
            'node { name: "step" op: "ReadVariableOp" input: "total" input: "^add" '
            'attr { key: "dtype" value { type: DT_FLOAT } } }\n' + END)


def queue():
    """put adds x to a queue, take counts itself in variable count and takes an element."""
    components = 'attr { key: "component_types" value { list { type: DT_FLOAT } } }'
    kind = 'attr { key: "dtype" value { type: DT_FLOAT } }'
    return (placeholder("x", ()) +
            f'node {{ name: "q" op: "FIFOQueueV2" {components} }}\n'
            'node { name: "put" op: "QueueEnqueueV2" input: "q" input: "x" '
            'attr { key: "Tcomponents" value { list { type: DT_FLOAT } } } }\n'
            f'node {{ name: "count" op: "VarHandleOp" {kind} attr {{ key: "shape" value {{ shape {{ }} }} }} '
            'attr { key: "shared_name" value { s: "count" } } }\n'
            f'node {{ name: "one" op: "Const" {kind} attr {{ key: "value" value {{ tensor {{ '
            'dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }\n'
            f'node {{ name: "add" op: "AssignAddVariableOp" input: "count" input: "one" {kind} }}\n'
            'node { name: "take" op: "QueueDequeueV2" input: "q" input: "^add" '
            'attr { key: "component_types" value { list { type: DT_FLOAT } } } }\n' + END)


QUEUE_SIGNATURES = ('{"signatures": [{"name": "put", "feeds": ["x"], "targets": ["put"]}, '
                    '{"name": "take", "fetches": ["take"]}]}')


MATMUL_CONFIG = """
feed { id { node_name: "x_hold" } shape { dim { size: 2 } dim { size: 3 } } name: "x" }
feed { id { node_name: "y_hold" } shape { dim { size: 3 } dim { size: 2 } } name: "y" }
fetch { id { node_name: "x_y_prod" } name: "x_y_prod" }
"""
