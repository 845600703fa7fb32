# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of layers without loops."""

from loop_graphs import dims
from tf1_graph import FLOAT, Graph

SIZES = (784, 128, 10)


def perceptron(batch):
    """Layers of 128 and 10, of weights that are feeds. -1: a batch that the graph does not know."""
    g = Graph()
    x = g.placeholder("x", FLOAT, dims(batch, SIZES[0]))
    for i, (rows, columns) in enumerate(zip(SIZES, SIZES[1:])):
        w = g.placeholder(f"w{i}", FLOAT, dims(rows, columns))
        bias = g.placeholder(f"bias{i}", FLOAT, dims(columns))
        product = g.node(f"product{i}", "MatMul", [x, w], T=FLOAT, transpose_a="b: false",
                         transpose_b="b: false")
        total = g.node(f"total{i}", "BiasAdd", [product, bias], T=FLOAT, data_format='s: "NHWC"')
        x = g.node(f"y{i}", "Softmax" if columns == SIZES[-1] else "Relu", [total], T=FLOAT)
    return g.text(), list(perceptron_sizes(batch)), [x]


def perceptron_sizes(batch):
    return {"x": (batch, SIZES[0]), **{name: size for i, (rows, columns) in enumerate(zip(SIZES, SIZES[1:]))
                                       for name, size in ((f"w{i}", (rows, columns)), (f"bias{i}", (columns,)))}}
