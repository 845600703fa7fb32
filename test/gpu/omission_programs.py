# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs with all kinds of kernels, copies and graphs that a card has."""

import json
import pathlib
import random
import subprocess
import sys
from dataclasses import dataclass

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "compiler" / "codegen"), str(ROOT / "bench")]
from card_loops_test import halving, integers  # noqa: E402
from card_nests_test import Nest  # noqa: E402
from card_programs import HALF, compile_for, write_npy, write_tensor  # noqa: E402
from card_streams_test import loop as counted_loop  # noqa: E402
from card_variables_test import loss_graph  # noqa: E402
from loop_graphs import dims  # noqa: E402
from tf1_graph import FLOAT, INT, Graph  # noqa: E402


@dataclass
class Program:
    command: list  # run in a folder of its own
    results: list  # files there


def compiled(sluicec, scratch, text, feeds, fetches, flags=()):
    """`feeds` are shapes, types and values, drawn ones if there are none."""
    drawn = random.Random(3)
    for name, (shape, kind, *values) in feeds.items():
        if values:
            write_npy(scratch / f"{name}.npy", shape, kind, values[0])
        else:
            write_tensor(scratch / f"{name}.npy", shape, kind, drawn)
    program = compile_for(sluicec, scratch, "sim", text, feeds, fetches, *flags)
    results = [f"{i}.npy" for i in range(len(fetches))]
    return Program([program, *(f"--output={name}=@{file}" for name, file in zip(fetches, results)),
                    *(f"--input={name}=@{scratch / name}.npy" for name in feeds)], results)


def of_graph(build, feeds, fetches=("y",)):
    """A program of what `build` adds to the placeholders."""
    def program(sluicec, scratch):
        g = Graph()
        for name, (shape, kind, *_) in feeds.items():
            g.placeholder(name, kind, dims(*shape))
        build(g)
        return compiled(sluicec, scratch, g.text(), feeds, fetches)
    return program


# ---- Elements, reductions, products -------------------------------------------------------------

def elementwise(g):
    g.node("product", "Mul", ["a", "b"], T=FLOAT)
    g.node("y", "Add", ["product", "a"], T=FLOAT)


def transpose(g):
    permutation = integers(g, "permutation", (1, 0))
    g.node("y", "Transpose", ["a", permutation], T=FLOAT, Tperm=INT)


def total(*axes):
    def build(g):
        axis = integers(g, "axes", axes)
        g.node("y", "Sum", ["a", axis], T=FLOAT, Tidx=INT, keep_dims="b: false")
    return build


def softmax(g):
    g.node("y", "Softmax", ["a"], T=FLOAT)


def product(g):
    g.node("y", "MatMul", ["a", "b"], T=FLOAT, transpose_a="b: false", transpose_b="b: true")


def small_product(g):
    for name in "ab":
        g.node(f"{name}/half", "Cast", [name], SrcT=FLOAT, DstT=HALF)
    g.node("half", "MatMul", ["a/half", "b/half"], T=HALF, transpose_a="b: false", transpose_b="b: false")
    g.node("y", "Cast", ["half"], SrcT=HALF, DstT=FLOAT)


# ---- Rows, segments, lines, order ---------------------------------------------------------------

def rows(g):
    """Rows by index, whose sums by segment are summed up along an axis; and the largest ones."""
    g.constant("zero", INT, 0)
    g.constant("count", INT, 5)
    g.constant("k", INT, 7)
    g.node("gathered", "GatherV2", ["a", "at", "zero"], Tparams=FLOAT, Tindices=INT, Taxis=INT,
           batch_dims="i: 0")
    g.node("segments", "UnsortedSegmentSum", ["gathered", "ids", "count"], T=FLOAT, Tindices=INT,
           Tnumsegments=INT)
    g.node("y", "Cumsum", ["segments", "zero"], T=FLOAT, Tidx=INT, exclusive="b: false",
           reverse="b: false")
    g.node("largest", "TopKV2", ["gathered", "k"], T=FLOAT, sorted="b: true")


AT = [random.Random(1).randrange(20) for _ in range(40)]
IDS = [random.Random(2).randrange(5) for _ in range(40)]


# ---- Loops on the card --------------------------------------------------------------------------

def loop(n, **how):
    def program(sluicec, scratch):
        feeds = {"x": ((n, n), FLOAT), "b": ((n, n), FLOAT), "limit": ((), FLOAT, [0.01])}
        if how.get("product"):
            feeds["w"] = ((n, n), FLOAT)
        return compiled(sluicec, scratch, halving(dims(n, n), most=3, **how), feeds, ["steps", "result"],
                        ["--card-loops=always"])
    return program


def nest(sizes, **kind):
    def program(sluicec, scratch):
        feeds = {"x": (sizes, FLOAT), "b": (sizes, FLOAT), "limit": ((), FLOAT, [0.01]), "n0": ((), INT, [2]),
                 "n1": ((), INT, [2])}
        return compiled(sluicec, scratch, Nest(dims(*sizes), **kind).text(), feeds, ["steps", "result"],
                        ["--card-loops=always"])
    return program


# ---- Several streams ----------------------------------------------------------------------------

def streams(sluicec, scratch):
    """Two loops, each on a stream of its own, and what joins them."""
    g = Graph()
    feeds = {name: ((5, 9), FLOAT) for name in "xyab"}
    for name, (shape, kind) in feeds.items():
        g.placeholder(name, kind, dims(*shape))
    loops = [counted_loop(g, "first", "x", "a"), counted_loop(g, "second", "y", "b")]
    g.node("joined", "Sub", loops, T=FLOAT)
    return compiled(sluicec, scratch, g.text(), feeds, ["joined"], ["--card-loops=never"])


# ---- Training -----------------------------------------------------------------------------------

def training(sluicec, scratch):
    """Of a variable on the card, whose momentum is there as well."""
    source, program = scratch / "graph.pbtxt", scratch / "program"
    source.write_text(loss_graph())
    subprocess.run([sluicec, source, "--target=sim", "-o", program, "--feed=x", "--fetch=loss", "--train=loss",
                    "--optimizer=momentum(lr=0.1,momentum=0.9)"], check=True, stdout=subprocess.DEVNULL)
    values = {"dtype": "float32", "shape": [5, 7], "data": [i / 7 - 2 for i in range(35)]}
    request = {"signature": "main", "inputs": {"x": values}, "state": {"w": values}}
    subprocess.run([program, "--calls", "-", f"--save={scratch / 'first.safetensors'}"], check=True, text=True,
                   input=json.dumps(request) + "\n", stdout=subprocess.DEVNULL)
    return Program([program, "--signature=train", "--input=x=5x7xf32=0.25", "--steps=3",
                    f"--load={scratch / 'first.safetensors'}", "--save=last.safetensors"], ["last.safetensors"])


PROGRAMS = {
    "elementwise": of_graph(elementwise, {"a": ((700,), FLOAT), "b": ((700,), FLOAT)}),
    "transpose": of_graph(transpose, {"a": ((40, 30), FLOAT)}),
    "rows of a sum": of_graph(total(1), {"a": ((5, 300), FLOAT)}),
    "columns of a sum": of_graph(total(0), {"a": ((40, 70), FLOAT)}),
    "large sum": of_graph(total(0, 1), {"a": ((2, 33000), FLOAT)}),
    "softmax": of_graph(softmax, {"a": ((6, 300), FLOAT)}),
    "product": of_graph(product, {"a": ((20, 70), FLOAT), "b": ((36, 70), FLOAT)}),
    "product of tensor cores": of_graph(small_product, {"a": ((40, 72), FLOAT), "b": ((72, 48), FLOAT)}),
    "rows": of_graph(rows, {"a": ((20, 9), FLOAT), "at": ((40,), INT, AT), "ids": ((40,), INT, IDS)},
                     ("y", "largest:0", "largest:1")),
    "loop of a block": loop(6),
    "loop of a block with branches": loop(6, branch=True),
    "loop of a graph": loop(70, branch=True),
    "loop with products": loop(20, product=True),
    "nest of a block": nest((5, 7)),
    "nest of a graph": nest((36, 40), branch=True),
    "streams": streams,
    "training": training,
}
