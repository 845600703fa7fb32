# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs in which something small or early could be held up by long products."""

from cluster_graphs import device
from tf1_graph import FLOAT, INT, Graph, Loop

SIZE = 1024           # of the matrices
TOKEN = (4096, 1024)  # 16 MB of f32
NO_TRANSPOSE = {"transpose_a": "b: false", "transpose_b": "b: false"}


def dims(*sizes):
    return " ".join(f"dim {{ size: {size} }}" for size in sizes)


def products(graph, name, first, count, place=""):
    """`count` products, each of the one before and the matrix m; the last one's name."""
    for i in range(count):
        first = graph.node(f"{name}{i}", "MatMul", [first, "m"], place, T=FLOAT, **NO_TRANSPOSE)
    return first


def token(count):
    """16 MB are made on device 0, beside products, and go to device 1."""
    graph = Graph()
    graph.placeholder("big", FLOAT, dims(*TOKEN))
    graph.placeholder("m", FLOAT, dims(SIZE, SIZE))
    graph.constant("one", FLOAT, 1)
    graph.constant("rows", INT, 0, dims(1))
    graph.node("ready", "Add", ["big", "one"], device(0), T=FLOAT)
    graph.node("there", "Sum", ["ready", "rows"], device(1), T=FLOAT, Tidx=INT,
               keep_dims="b: false")
    fetches = ["there", products(graph, "p", "m", count, device(0))]
    return graph.text(), ["big", "m"], fetches


def misjudged():
    """16 MB are made on device 0 and go to device 1; then device 0 counts to n."""
    graph = Graph()
    graph.placeholder("n", INT, "")
    graph.placeholder("v", FLOAT, "")
    graph.node("dims", "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
               f"int_val: {TOKEN[0]} int_val: {TOKEN[1]} }}")
    graph.constant("rows", INT, 0, dims(1))
    graph.node("ready", "Fill", ["dims", "v"], device(0), T=FLOAT, index_type=INT)
    graph.node("there", "Sum", ["ready", "rows"], device(1), T=FLOAT, Tidx=INT,
               keep_dims="b: false")
    graph.constant("one", FLOAT, 1)
    loop = Loop(graph, "while", 1)
    x = loop.variable("_x", "one", FLOAT, device(0))
    v = loop.enter("v", "v", FLOAT, constant=True, device=device(0))
    last = loop.close("_x", graph.node("while/mul", "Mul", [x, v], device(0), T=FLOAT), FLOAT, device(0))
    loop.count_to("n", device(0), start_after=["ready"])
    return graph.text(), ["n", "v"], ["there", last]


def scalar(count):
    """A scalar goes from device 0 to device 1 and back in each iteration, beside products on device 0."""
    graph = Graph()
    graph.placeholder("n", INT, "")
    graph.placeholder("m", FLOAT, dims(SIZE, SIZE))
    graph.constant("zero", FLOAT, 0)
    graph.constant("one", FLOAT, 1)
    loop = Loop(graph, "while", 1)
    x = loop.variable("_x", "zero", FLOAT, device(0))
    ones = [loop.enter(f"one{rank}", "one", FLOAT, constant=True, device=device(rank))
            for rank in range(2)]
    there = graph.node("while/there", "Add", [x, ones[1]], device(1), T=FLOAT)
    back = graph.node("while/back", "Sub", [there, ones[0]], device(0), T=FLOAT)
    last = loop.close("_x", back, FLOAT, device(0))
    loop.count_to("n", device(0), [back])
    fetches = [last]
    if count:
        fetches.append(products(graph, "p", "m", count, device(0)))
    return graph.text(), ["n", "m"], fetches


def chains(count, starts):
    """Chains of products that have nothing to do with each other, one from each of the feeds."""
    graph = Graph()
    for name in starts:
        graph.placeholder(name, FLOAT, dims(SIZE, SIZE))
    fetches = [products(graph, f"of_{name}_", name, count) for name in starts]
    return graph.text(), list(starts), fetches
