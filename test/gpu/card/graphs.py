#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""graphs.py FOLDER: writes the graphs that are timed on a card, each as NAME.pbtxt and, in
NAME.flags, a flag of the compiler's in each line."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import loop_graphs  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph, Loop  # noqa: E402

HALF = "type: DT_HALF"
WIDE = 1 << 26      # elements of what streams through memory
SIDE = 4096         # of the square products
IMAGES = (32, 56, 56, 64)
BATCHES = (32, 128, 512)
UNITS = 512
WEIGHTS = {"w": (2 * UNITS, 4 * UNITS), "bias": (4 * UNITS,)}


def repeated(shape, operands, body):
    """while (i < n) x = body(x, operands...)"""
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, dims(*shape))
    for name, sizes in operands:
        g.placeholder(name, FLOAT, dims(*sizes))
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    held = [loop.enter(f"{name}/Enter", name, FLOAT, constant=True) for name, _ in operands]
    x = loop.close("_1", body(g, x, *held), FLOAT)
    # A single number of it: what is timed is not how it comes back.
    count = len(shape)
    values = " ".join(f"int_val: {i}" for i in range(count))
    axes = g.node("axes", "Const", dtype=INT, value=f"tensor {{ dtype: DT_INT32 tensor_shape {{ "
                  f"{dims(count)} }} {values} }}")
    largest = g.node("largest", "Max", [x, axes], T=FLOAT, Tidx=INT, keep_dims="b: false")
    return g.text(), ["n", "x", *(name for name, _ in operands)], [largest]


def chain(g, x, b):
    """Five ops that one kernel computes: 8 bytes of memory for each element and step, and b."""
    y = g.node("while/scaled", "Mul", [x, b], T=FLOAT)
    y = g.node("while/shifted", "Add", [y, b], T=FLOAT)
    y = g.node("while/negated", "Neg", [y], T=FLOAT)
    y = g.node("while/bounded", "Maximum", [y, b], T=FLOAT)
    return g.node("while/less", "Sub", [y, x], T=FLOAT)


def product(g, x, w):
    y = g.node("while/matmul", "MatMul", [x, w], T=FLOAT, transpose_a="b: false",
               transpose_b="b: false")
    return y


def product_of_halves(g, x, w):
    x, w = (g.node(f"while/half_{i}", "Cast", [wide], SrcT=FLOAT, DstT=HALF)
            for i, wide in enumerate((x, w)))
    y = g.node("while/matmul", "MatMul", [x, w], T=HALF, transpose_a="b: false",
               transpose_b="b: false")
    return g.node("while/wide", "Cast", [y], SrcT=HALF, DstT=FLOAT)


def convolution(g, x, f):
    ones = "list { i: 1 i: 1 i: 1 i: 1 }"
    return g.node("while/convolution", "Conv2D", [x, f], T=FLOAT, strides=ones, dilations=ones,
                  padding='s: "SAME"')


def softmax(g, x):
    return g.node("while/softmax", "Softmax", [x], T=FLOAT)


def placeholder_text(name, shape):
    g = Graph()
    g.placeholder(name, FLOAT, dims(*shape))
    return g.nodes[0]


def variable(g, name):
    """The variable NAME of the layer, as the node NAME/variable."""
    return g.node(f"{name}/variable", "VarHandleOp", dtype=FLOAT, container='s: ""',
                  shared_name=f's: "{name}"', shape=f"shape {{ {dims(*WEIGHTS[name])} }}")


def lstm(batch):
    """An LSTM layer whose rows are made on the card, and of whose results a number comes back."""
    text, feeds, _ = loop_graphs.lstm(batch, UNITS)
    g = Graph()
    g.placeholder("row", FLOAT, dims(1, batch, UNITS))
    g.placeholder("scale", FLOAT, dims(loop_graphs.RNN_STEPS, 1, 1))
    g.node("rows", "Mul", ["row", "scale"], T=FLOAT)
    axes = " ".join(f"int_val: {i}" for i in range(3))
    g.node("axes", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { "
           f"{dims(3)} }} {axes} }}")
    g.node("loss", "Sum", ["target/gather", "axes"], T=FLOAT, Tidx=INT, keep_dims="b: false")
    replaced = {"rows": (loop_graphs.RNN_STEPS, batch, UNITS), **WEIGHTS}
    for name in WEIGHTS:
        g.node(name, "ReadVariableOp", [variable(g, name)], dtype=FLOAT)
    for name, shape in replaced.items():
        placeholder = placeholder_text(name, shape)
        assert placeholder in text
        text = text.replace(placeholder, "\n".join(g.nodes))
        g = Graph()
    return text, ["row", "scale", *(name for name in feeds if name not in replaced)], ["loss"]


def weights():
    """Gives the layer's variables values that are fed."""
    g = Graph()
    for name, shape in WEIGHTS.items():
        g.placeholder(name, FLOAT, dims(*shape))
        g.node(f"{name}/set", "AssignVariableOp", [variable(g, name), name], dtype=FLOAT)
    return g.text(), list(WEIGHTS), []


def graphs():
    yield "tiny-loop", loop_graphs.counted(dims(16)), []
    yield "tiny-loop-on-card", loop_graphs.counted(dims(16)), ["--least-card-work=0"]
    yield "scalar-loop", loop_graphs.counted(""), []
    yield "chain", repeated((WIDE,), [("b", (WIDE,))], chain), []
    yield "small-chain", repeated((1 << 16,), [("b", (1 << 16,))], chain), []
    yield "matmul", repeated((SIDE, SIDE), [("w", (SIDE, SIDE))], product), []
    yield "matmul-f16", repeated((SIDE, SIDE), [("w", (SIDE, SIDE))], product_of_halves), []
    yield "convolution", repeated(IMAGES, [("f", (3, 3, 64, 64))], convolution), []
    yield "softmax", repeated((1 << 13, 1 << 13), [], softmax), []
    for batch in BATCHES:
        graph = lstm(batch)
        yield f"lstm-{batch}", graph, []
        yield f"lstm-{batch}-training", graph, ["--train", "loss", "--optimizer", "sgd(lr=1e-6)"]
    yield "lstm-weights", weights(), ["--run", ",".join(f"{name}/set" for name in WEIGHTS)]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (text, feeds, fetches), flags in graphs():
        (folder / f"{name}.pbtxt").write_text(text)
        for kind, names in (("--feed", feeds), ("--fetch", fetches)):
            flags += [word for one in names for word in (kind, one)]
        (folder / f"{name}.flags").write_text("".join(flag + "\n" for flag in flags))


main()
