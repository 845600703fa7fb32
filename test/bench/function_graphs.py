# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of `loop_graphs`, as functions: what TensorFlow 2 stores of the same programs."""

from loop_graphs import ROW, RNN_STEPS, Lists, dims
from tf1_graph import DTYPE_FIELD, FLOAT, INT, VARIANT, Graph

import graph_text

BOOL = "type: DT_BOOL"
# What the ops' outputs are called, where that is not `z`.
OUTPUTS = {"Const": "output", "MatMul": "product", "ConcatV2": "output", "BiasAdd": "output",
           "Split": "output", "Sigmoid": "y", "Tanh": "y", "TensorListGetItem": "item",
           "TensorListSetItem": "output_handle", "If": "output", "While": "output"}


def types(dtypes):
    return "list { " + " ".join(dtypes) + " }"


def function(name):
    return f'func {{ name: "{name}" }}'


class Body:
    """A function. Values are names as its nodes know them."""

    def __init__(self, name, arguments):
        self.name, self.arguments, self.nodes = name, arguments, []

    def node(self, name, op, inputs=(), **attributes):
        self.nodes.append(graph_text.node_text(name, op, inputs, attributes))
        return f"{name}:{OUTPUTS.get(op, 'z')}:0"

    def number(self, name, value, dtype=INT):
        tensor = (f"tensor {{ dtype: {dtype.split()[1]} tensor_shape {{ }} "
                  f"{DTYPE_FIELD[dtype]}: {value} }}")
        return self.node(name, "Const", dtype=dtype, value=tensor)

    def text(self, results):
        """`results`: value and type of each."""
        lines = [f'function {{ signature {{ name: "{self.name}"']
        lines += [f'input_arg {{ name: "{name}" {dtype} }}' for name, dtype in self.arguments]
        lines += [f'output_arg {{ name: "r{i}" {dtype} }}' for i, (_, dtype) in enumerate(results)]
        lines += ["}", *(node.replace("node {", "node_def {", 1) for node in self.nodes)]
        lines += [f'ret {{ key: "r{i}" value: "{value}" }}' for i, (value, _) in enumerate(results)]
        return "\n".join([*lines, "}"])


class Program(Graph):
    def __init__(self):
        super().__init__()
        self.functions = []

    def text(self):
        library = "\n".join(["library {", *self.functions, "}"])
        return graph_text.graph_text([*self.nodes, library]).replace("producer: 24",
                                                                     "producer: 1994")


def loop(program, name, variables, body, add=None, inputs=()):
    """While over `i`, `n` and more variables: body(body, values) gives the values that follow these.
    The node is added to `program`, or by `add` to a function."""
    variables = [("i", INT), ("n", INT), *variables]
    condition, step = Body(f"{name}_cond", variables), Body(f"{name}_body", variables)
    less = condition.node("less", "Less", ["i", "n"], T=INT)
    program.functions.append(condition.text([(less, BOOL)]))
    following = body(step, [variable for variable, _ in variables])
    one = step.number("one", 1)
    values = [step.node("next", "AddV2", ["i", one], T=INT), "n", *following]
    dtypes = [dtype for _, dtype in variables]
    program.functions.append(step.text(list(zip(values, dtypes, strict=True))))
    return (add or program.node)(name, "While", inputs, T=types(dtypes),
                                 cond=function(condition.name), body=function(step.name))


def fed(shape):
    program = Program()
    program.placeholder("n", INT, "")
    program.placeholder("x", FLOAT, shape)
    program.placeholder("b", FLOAT, shape)
    program.constant("zero", INT, 0)
    return program


def counted(shape):
    program = fed(shape)
    loop(program, "while", [("x", FLOAT), ("b", FLOAT)],
         lambda body, values: [body.node("mul", "Mul", ["x", "b"], T=FLOAT), "b"],
         inputs=["zero", "n", "x", "b"])
    return program.text(), ["n", "x", "b"], ["while:2"]


def nested():
    program = fed(dims(ROW))

    def outer(body, values):
        loop(program, "inner", [("x", FLOAT), ("b", FLOAT)],
             lambda inner, _: [inner.node("mul", "Mul", ["x", "b"], T=FLOAT), "b"],
             add=body.node, inputs=[body.number("zero", 0), "n", "x", "b"])
        return ["inner:output:2", "b"]

    loop(program, "while", [("x", FLOAT), ("b", FLOAT)], outer, inputs=["zero", "n", "x", "b"])
    return program.text(), ["n", "x", "b"], ["while:2"]


def branching():
    program = fed(dims(ROW))
    arguments = [("x", FLOAT), ("b", FLOAT)]
    for name, op in (("even", "Mul"), ("odd", "Add")):
        branch = Body(name, arguments)
        program.functions.append(branch.text([(branch.node("f", op, ["x", "b"], T=FLOAT), FLOAT)]))

    def body(step, values):
        rest = step.node("rest", "FloorMod", ["i", step.number("two", 2)], T=INT)
        even = step.node("is_even", "Equal", [rest, step.number("none", 0)], T=INT)
        return [step.node("if", "If", [even, "x", "b"], Tcond=BOOL, Tin=types([FLOAT, FLOAT]),
                          Tout=types([FLOAT]), then_branch=function("even"),
                          else_branch=function("odd")), "b"]

    loop(program, "while", arguments, body, inputs=["zero", "n", "x", "b"])
    return program.text(), ["n", "x", "b"], ["while:2"]


def over_rows(body, steps, row_in, row_out, states, feeds):
    """As that of `loop_graphs`, with TensorLists: body(function, row) gives (result row, states)."""
    program = Program()
    program.placeholder("rows", FLOAT, dims(steps, *row_in))
    for name, shape in feeds:
        program.placeholder(name, FLOAT, dims(*shape))
    program.constant("n", INT, steps)
    program.constant("zero", INT, 0)
    Lists(program, row_in, row_out)

    def step(function_body, values):
        item = function_body.node("read", "TensorListGetItem",
                                  ["source", "i", function_body.node(
                                      "shape", "Const", dtype=INT,
                                      value="tensor { dtype: DT_INT32 tensor_shape { } int_val: -1 }")],
                                  element_dtype=FLOAT)
        result, following = body(function_body, item)
        written = function_body.node("write", "TensorListSetItem", ["target", "i", result],
                                     element_dtype=FLOAT)
        constants = [name for name, _ in feeds if name not in states]
        return ["source", written, *following, *constants]

    names = [*states, *(name for name, _ in feeds if name not in states)]
    loop(program, "while", [("source", VARIANT), ("target", VARIANT),
                            *((name, FLOAT) for name in names)], step,
         inputs=["zero", "n", "source", "target", *names])
    program.node("gathered", "TensorListStack", ["while:3", "out_shape"], element_dtype=FLOAT,
                 num_elements="i: -1")
    return (program.text(), ["rows", *(name for name, _ in feeds)],
            ["gathered", f"while:{3 + len(states)}"])


def scan(steps):
    def body(step, row):
        h = step.node("h_next", "Add", [step.node("product", "Mul", ["h", "b"], T=FLOAT), row],
                      T=FLOAT)
        return h, [h]

    return over_rows(body, steps, [ROW], [ROW], ["h"], [("h", [ROW]), ("b", [ROW])])


def lstm(batch, units):
    def body(step, row):
        one = step.number("one_axis", 1)
        both = step.node("concat", "ConcatV2", [row, "h", one], N="i: 2", T=FLOAT, Tidx=INT)
        product = step.node("matmul", "MatMul", [both, "w"], T=FLOAT, transpose_a="b: false",
                            transpose_b="b: false")
        gates = step.node("gates", "BiasAdd", [product, "bias"], T=FLOAT, data_format='s: "NHWC"')
        step.node("split", "Split", [one, gates], num_split="i: 4", T=FLOAT)
        gate = {name: step.node(name, op, [f"split:output:{i}"], T=FLOAT)
                for i, (name, op) in enumerate([("gate_i", "Sigmoid"), ("gate_j", "Tanh"),
                                                ("gate_f", "Sigmoid"), ("gate_o", "Sigmoid")])}
        kept = step.node("kept", "Mul", ["c", gate["gate_f"]], T=FLOAT)
        added = step.node("added", "Mul", [gate["gate_i"], gate["gate_j"]], T=FLOAT)
        c = step.node("c_next", "Add", [kept, added], T=FLOAT)
        squashed = step.node("squashed", "Tanh", [c], T=FLOAT)
        h = step.node("h_next", "Mul", [squashed, gate["gate_o"]], T=FLOAT)
        return h, [c, h]

    state = [batch, units]
    return over_rows(body, RNN_STEPS, state, state, ["c", "h"],
                     [("c", state), ("h", state), ("w", [2 * units, 4 * units]),
                      ("bias", [4 * units])])


def many(count, is_chain):
    """`count` functions of two ops, each called once: by the graph, or by the one before."""
    program = Program()
    program.placeholder("x", FLOAT, dims(4))
    call = {"Tin": types([FLOAT]), "Tout": types([FLOAT])}
    value = "x"
    for k in range(count):
        body = Body(f"f{k}", [("x", FLOAT)])
        result = body.node("add", "AddV2", [body.node("double", "AddV2", ["x", "x"], T=FLOAT), "x"],
                           T=FLOAT)
        if is_chain and k + 1 < count:
            body.node("call", "PartitionedCall", [result], f=function(f"f{k + 1}"), **call)
            result = "call:output:0"
        program.functions.append(body.text([(result, FLOAT)]))
        if not is_chain or k == 0:
            value = program.node(f"c{k}", "PartitionedCall", [value], f=function(f"f{k}"), **call)
    return program.text(), ["x"], [value]
