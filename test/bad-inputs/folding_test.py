#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small files whose constants are large: compiling them takes little memory and time (item 58),
because what is large is not computed before the program runs."""

import harness
from graphdef import (FLOAT, INT32, boolean, constant, dtype, field, floats, graph, integer, node,
                      tensor)
from harness import Case, add, program

F, I = dtype(FLOAT), dtype(INT32)


def ints(name, *values, scalar=False):
    return node(name, "Const", dtype=I, value=tensor(
        INT32, [] if scalar else [len(values)], values=b"".join(field(7, v) for v in values)))


def filled(name, *sizes, value="c"):
    """A constant that another node fills, so that the file has none of its elements."""
    return [ints(f"{name}/sizes", *sizes),
            node(name, "Fill", f"{name}/sizes", value, T=F, index_type=I)]


def summed(*nodes, source):
    return graph(constant("c", 1.0), ints("axis", 0, scalar=True), *nodes,
                 node("flat", "Reshape", source, "minus", T=F, Tshape=I), ints("minus", -1),
                 node("y", "Sum", "flat", "axis", T=F, Tidx=I, keep_dims=boolean(False)))


def repeated(step, start, times):
    """`step` makes a node of the one before it."""
    nodes, last = list(start), "s"
    for i in range(times):
        nodes += step(f"n{i}", last)
        last = f"n{i}"
    return summed(*nodes, source=last)


def doubled(name, last):
    return [node(name, "ConcatV2", last, last, "axis", N=integer(2), T=F, Tidx=I)]


def tiled(name, last):
    return [node(name, "Tile", last, "two", T=F, Tmultiples=I)]


def turned(name, last):
    return [node(name, "Transpose", last, "turn", T=F, Tperm=I)]


def multiplied(name, last):
    return [node(name, "MatMul", last, last, T=F, transpose_a=boolean(False),
                 transpose_b=boolean(False))]


RANGE = [ints("first", 0, scalar=True), ints("step", 1, scalar=True),
         ints("last", 260_000, scalar=True), node("i", "Range", "first", "last", "step", Tidx=I),
         node("s", "Cast", "i", SrcT=I, DstT=F)]
SQUARE = [ints("first", 0, scalar=True), ints("step", 1, scalar=True),
          ints("last", 512 * 500, scalar=True),
          node("i", "Range", "first", "last", "step", Tidx=I), node("f", "Cast", "i", SrcT=I, DstT=F),
          ints("square", 512, 500), node("s", "Reshape", "f", "square", T=F, Tshape=I)]


def all_of(make, start, times):
    """Many nodes, each of the same one, that all stay."""
    nodes = list(start)
    for i in range(times):
        nodes += make(f"n{i}", "s", i)
    names = [f"n{i}" for i in range(times)]
    return summed(*nodes, node("all", "ConcatV2", *names, "axis", N=integer(times), T=F, Tidx=I),
                  source="all")


def filled_with(name, _, i):
    return [constant(f"{name}/c", float(i)), *filled(name, 260_000, value=f"{name}/c")]


def added_to(name, source, i):
    return [constant(f"{name}/c", float(i)),
            node(name, "AddV2", source, f"{name}/c", T=F)]


GRAPHS = {
    "a splat concatenated with itself": repeated(doubled, filled("s", 1 << 18), 20),
    "a range concatenated with itself": repeated(doubled, RANGE, 20),
    "a range tiled": repeated(tiled, [*RANGE, ints("two", 2)], 20),
    "a chain of transposes": repeated(turned, [*SQUARE, ints("turn", 1, 0)], 3000),
    "a chain of products": repeated(multiplied, filled("s", 400, 400), 200),
    "many fills": all_of(filled_with, [], 1000),
    "many sums with one range": all_of(added_to, RANGE, 1000),
    "a large fill": summed(*filled("s", 1 << 30), source="s"),
    "an outer product": summed(
        *RANGE, ints("column", -1, 1), node("t", "Reshape", "s", "column", T=F, Tshape=I),
        node("o", "Mul", "s", "t", T=F), source="o"),
    "a large padding": summed(
        *RANGE, node("sizes", "Const", dtype=I, value=tensor(
            INT32, [1, 2], values=field(7, 1 << 29) + field(7, 1 << 29))),
        node("p", "Pad", "s", "sizes", T=F, Tpaddings=I), source="p"),
    "a large one-hot": summed(
        *RANGE, ints("depth", 100_000, scalar=True), constant("zero", 0.0),
        node("o", "OneHot", "i", "depth", "c", "zero", T=F, TI=I, axis=integer(-1)), source="o"),
    "a large range": summed(
        ints("first", 0, scalar=True), ints("step", 1, scalar=True),
        ints("last", 2**31 - 2, scalar=True),
        node("i", "Range", "first", "last", "step", Tidx=I),
        node("s", "Cast", "i", SrcT=I, DstT=F), source="s"),
}


class Folding(Case):
    pass


def compiles(content):
    def body(self):
        path = self.write("g.pb", content)
        outcome = self.accepted([program("sluicec"), path, "--fetch=y", "-o", "program"])
        self.assertLess(outcome.memory, harness.MEMORY * harness.slowness)
        self.assertLess(outcome.seconds, 10 * harness.slowness)
    return body


for title, content in GRAPHS.items():
    add(Folding, 58, title, compiles(content))


def stays_one_element(self):
    """item 58: a constant of one value takes as little in the program as in the file"""
    def size_of(count):
        path = self.write("g.pb", graph(
            node("c", "Const", dtype=F, value=tensor(FLOAT, [count], values=floats(1.5))),
            node("axis", "Const", dtype=I, value=tensor(INT32, [1], values=field(7, 0))),
            node("y", "Sum", "c", "axis", T=F, Tidx=I, keep_dims=boolean(False))))
        outcome = self.accepted([program("sluicec"), path, "--fetch=y", "--no-fold-constants",
                                 "-o", "program"])
        self.assertLess(outcome.memory, harness.MEMORY * harness.slowness)
        outcome = self.accepted([str(self.folder / "program")])
        self.assertIn(f"{1.5 * count:.7g}".encode(), outcome.out)
        return (self.folder / "program").stat().st_size

    self.assertLess(size_of(1 << 27), size_of(1 << 10) + 1024)


Folding.test_item_058_stays_one_element = stays_one_element


def runs(self):
    """item 58: what is not folded is computed when the program runs"""
    for flags in ([], ["--no-fold-constants"]):
        path = self.write("g.pb", repeated(doubled, filled("s", 1 << 18), 6))
        self.accepted([program("sluicec"), path, "--fetch=y", *flags, "-o", "program"])
        outcome = self.accepted([str(self.folder / "program")])
        self.assertIn(b"1.6777216e+07", outcome.out.replace(b"16777216", b"1.6777216e+07"))


Folding.test_item_058_runs = runs

if __name__ == "__main__":
    harness.main()
