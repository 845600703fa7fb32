# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of names that have derivatives of their own: nodes of a graph file, as import sees them.

A rule draws operands and calls `node`; the IR of all nodes then comes from the compiler.
"""

import json
import math
import pathlib
import re
import subprocess
import sys

from drawing import Value
from gradient_requests import without_locations
from move_rules import squared

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples"))
from graph_text import graph_text, node_text  # noqa: E402

TYPES = {"f64": "DT_DOUBLE", "i32": "DT_INT32", "i64": "DT_INT64"}


def node(d, op, operands, count=1, **attributes):
    """Instead of an op; its results are what is differentiated."""
    d.node = op, operands, attributes, count


def unary(op, low=-3, high=3, **attributes):
    return lambda d: node(d, op, [d.x(d.dims(), low, high)], T="f64", **attributes)


def binary(op, first=(-3, 3), second=(-3, 3)):
    def rule(d):
        dims = d.broadcasting()
        node(d, op, [d.x(dims[0], *first), d.x(dims[1], *second)], T="f64")
    return rule


def alike(op, first=(-2, 2), second=(-2, 2), **attributes):
    """Two operands of one shape."""
    def rule(d):
        dims = d.dims()
        node(d, op, [d.x(dims, *first), d.x(dims, *second)], T="f64", **attributes)
    return rule


def softmax(op):
    return lambda d: node(d, op, [d.x(d.dims(1, size=[1, 2, 3]))], T="f64")


def cross_entropy(d):
    """As in TensorFlow, labels must sum to one, and the second result's derivative by them is left
    out. So either they stay as they are, or the first result is differentiated by them alone."""
    rows, classes = d.rng.randint(1, 3), d.rng.randint(1, 3)
    dims = [rows, classes]
    if d.chance(0.3):
        values = [d.rng.uniform(-2, 2) for _ in range(rows * classes)]
        logits, labels, d.unused = d.feed("f64", dims, values), d.x(dims, 0.1, 1), [1]
    else:
        parts = [d.rng.choice([0.0, 0.25, 0.5]) * (classes > 1) for _ in range(rows)]
        values = [[1 - part] + [part] * (classes > 1) + [0.0] * (classes - 2) for part in parts]
        logits = d.x(dims)
        labels = d.feed("f64", dims, [each for row in values for each in row[:classes]])
    node(d, "SoftmaxCrossEntropyWithLogits", [logits, labels], 2, T="f64")


def sparse_cross_entropy(d):
    rows, classes = d.rng.randint(0, 3), d.rng.randint(1, 3)
    kind = d.rng.choice(["i32", "i64"])
    labels = d.feed(kind, [rows], [d.rng.randrange(classes) for _ in range(rows)])
    node(d, "SparseSoftmaxCrossEntropyWithLogits", [d.x([rows, classes]), labels], 2, T="f64",
         Tlabels=kind)


def clip(d):
    dims = d.dims()
    limits = dims if d.chance(0.3) else []
    node(d, "ClipByValue", [d.x(dims), d.x(limits, -1, -0.2), d.x(limits, 0.2, 1)], T="f64")


def euclidean_norm(d):
    dims = d.dims(1, size=[1, 2, 3])
    axes = d.axes(len(dims))
    node(d, "EuclideanNorm", [d.signed(dims, 0.2, 2), d.feed("i32", [len(axes)], axes)], T="f64",
         Tidx="i32", keep_dims=d.chance(0.5))


def nth_element(d):
    dims = d.dims(1, size=[1, 2, 3])
    n = d.feed("i32", [], [d.rng.randrange(dims[-1])])
    node(d, "NthElement", [d.x(dims), n], T="f64", reverse=d.chance(0.5))


OUTSIDE_ZERO = (0.3, 2)
RULES = {
    **{op: unary(op) for op in ("Relu", "Elu", "Selu", "Softplus", "Softsign", "Square")},
    "Relu6": unary("Relu6", -2, 8), "LeakyRelu": unary("LeakyRelu", alpha=0.3),
    **{op: unary(op, -0.8, 0.8) for op in ("Asin", "Acos", "Atanh")},
    **{op: unary(op) for op in ("Atan", "Asinh", "Sinh", "Cosh")}, "Acosh": unary("Acosh", 1.2, 3),
    "Tan": unary("Tan", -1, 1), "Reciprocal": unary("Reciprocal", *OUTSIDE_ZERO),
    "Inv": unary("Inv", *OUTSIDE_ZERO),
    "SquaredDifference": binary("SquaredDifference"), "MulNoNan": binary("MulNoNan"),
    "Xdivy": binary("Xdivy", second=(0.5, 3)), "Xlogy": binary("Xlogy", second=(0.5, 3)),
    "Xlog1py": binary("Xlog1py", second=(-0.5, 3)),
    **{op: alike(op) for op in ("ReluGrad", "EluGrad", "SeluGrad", "SoftplusGrad",
                                "SoftsignGrad")},
    "Relu6Grad": alike("Relu6Grad", second=(-2, 8)),
    "LeakyReluGrad": alike("LeakyReluGrad", alpha=0.3),
    **{op: alike(op, (0.2, 0.8)) for op in ("SigmoidGrad", "TanhGrad")},
    **{op: alike(op, OUTSIDE_ZERO) for op in ("SqrtGrad", "RsqrtGrad", "ReciprocalGrad",
                                              "InvGrad")},
    "Softmax": softmax("Softmax"), "LogSoftmax": softmax("LogSoftmax"),
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": sparse_cross_entropy,
    "ClipByValue": clip, "EuclideanNorm": euclidean_norm, "NthElement": nth_element,
}


# ---- From nodes to IR

def attribute_text(value):
    if isinstance(value, bool):
        return f"b: {str(value).lower()}"
    return f"f: {value}" if isinstance(value, float) else f"type: {TYPES[value]}"


def placeholder(name, kind):
    sizes, dtype = re.fullmatch(r"tensor<((?:\d+x|\?x|\*x)*)(\w+)>", kind).groups()
    dims = " ".join(f"dim {{ size: {-1 if size == '?' else size} }}"
                    for size in sizes.split("x")[:-1])
    shape = "unknown_rank: true" if sizes == "*x" else dims
    return node_text(name, "Placeholder", [], {"dtype": f"type: {TYPES[dtype]}",
                                               "shape": f"shape {{ {shape} }}"})


def nodes_of(name, draw):
    """(texts, feeds, fetches)"""
    kinds = dict(re.findall(r'name = "(\w+)"\} : \(\) -> (.*)', "\n".join(draw.lines)))
    op, operands, attributes, count = draw.node
    texts = [placeholder(f"{name}_{feed}", kind) for feed, kind in kinds.items()]
    texts.append(node_text(name, op, [f"{name}_{one.name[1:]}" for one in operands],
                           {key: attribute_text(value) for key, value in attributes.items()}))
    return (texts, [f"{name}_{feed}" for feed in kinds],
            [f"{name}:{i}" for i in range(count)])


def import_all(sluicec, folder, draws):
    """`draws`: {name: Draw}. Gives each the lines of its graph, and what it is differentiated by the
    names that import gives."""
    texts, signatures = [], []
    for name, draw in draws.items():
        nodes, feeds, fetches = nodes_of(name, draw)
        texts += nodes
        signatures.append({"name": name, "feeds": feeds, "fetches": fetches, "targets": []})
    graph = folder / "named.pbtxt"
    graph.write_text(graph_text(texts))
    described = folder / "named.json"
    described.write_text(json.dumps({"signatures": signatures}))
    done = subprocess.run([sluicec, graph, f"--signatures={described}", "--stop-after=import"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"sluicec ended with {done.returncode}: {done.stderr[-2000:]}")
    graphs = re.findall(r"^  flow\.graph @(\w+) \{\n(.*?)^  \}", done.stdout, re.M | re.S)
    for name, body in graphs:
        take(draws[name], name, without_locations(body).splitlines())


def take(draw, name, lines):
    fetched = [re.match(r" *flow\.fetch (\S+) .*: \((.*)\) -> \(\)", line) for line in lines]
    draw.lines = [line for line, found in zip(lines, fetched) if not found]
    draw.feeds = {f"{name}_{feed}:0": tensor for feed, tensor in draw.feeds.items()}
    draw.xs = [f"{name}_{feed}:0" for feed in draw.xs]
    ys = [Value(*found.groups()) for found in fetched if found]
    squared(draw, *(y for i, y in enumerate(ys) if i not in draw.unused))
