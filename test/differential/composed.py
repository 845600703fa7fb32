# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of ops that come about only among others: rows of tensors, read and written, which are
slices or elements of arrays at first, and sizes and ranks in code, which are mostly folded.

They are in straight lines, and in loops that go round as often as the caller says, also further than
there are rows.
"""

import random
from dataclasses import dataclass

import graphs
import operands
from graphs import g

DTYPES = ["float", "int64", "int8"]  # of 4, 8 and 1 bytes
ROWS, COLUMNS = 4, 3
UNKNOWN = g.shape(-1)


@dataclass
class Composed:
    """A case as `Comparison` takes it."""
    name: str
    clause: str
    nodes: list
    feeds: dict  # name → Operand
    fetches: list
    op = "composed"
    attrs, unknown = {}, {}

    @property
    def inputs(self):
        return list(self.feeds.values())


class Maker:
    def __init__(self, name, dtype, rng):
        self.name, self.dtype = name, dtype
        self.element = graphs.DTYPES[dtype][0]
        self.nodes, self.feeds, self.rng = [], {}, rng
        self.feed("x", operands.draw_tensor(rng, dtype, [ROWS, COLUMNS]))

    def full(self, part):
        return f"{self.name}_{part}"

    def add(self, part, op, *sources, **attrs):
        names = [f"^{self.full(s[1:])}" if s[0] == "^" else self.full(s) for s in sources]
        self.nodes.append(g.node(self.full(part), op, *names, **attrs))
        return part

    def feed(self, part, operand):
        self.feeds[self.full(part)] = operand
        self.nodes.append(graphs.placeholder_node(self.full(part), operand))

    def index(self, part, value):
        self.feed(part, operands.integers("int32", [value], [], constant=False))

    def constant(self, part, values, dims=None):
        self.nodes.append(graphs.constant_node(self.full(part),
                                               operands.integers("int32", values, dims)))
        return part

    def make_array(self, part, size, shape, *after):
        return self.add(part, "TensorArrayV3", size, *after, dtype=g.dtype(self.element),
                        element_shape=shape, dynamic_size=g.boolean(False),
                        clear_after_read=g.boolean(False),
                        identical_element_shapes=g.boolean(True), tensor_array_name=g.text(""))

    def array(self, part):
        """One of as many rows; its handle is `part`, the order of its accesses `part:1`."""
        self.constant(f"{part}_size", [ROWS], [])
        self.constant(f"{part}_all", range(ROWS))
        return self.make_array(part, f"{part}_size", g.shape(COLUMNS))

    def unstacked(self, part):
        """An array that holds the rows of x."""
        self.array(part)
        return self.add(f"{part}_flow", "TensorArrayScatterV3", part, f"{part}_all", "x",
                        f"{part}:1", T=g.dtype(self.element))

    def read(self, part, array, index, flow):
        return self.add(part, "TensorArrayReadV3", array, index, flow, dtype=g.dtype(self.element))

    def write(self, part, array, index, value, flow):
        return self.add(part, "TensorArrayWriteV3", array, index, value, flow,
                        T=g.dtype(self.element))

    def gather(self, part, array, indices, flow, shape):
        return self.add(part, "TensorArrayGatherV3", array, indices, flow,
                        dtype=g.dtype(self.element), element_shape=shape)

    def stacked(self, array, flow, shape=g.shape(COLUMNS)):
        return self.gather("whole", array, f"{array}_all", flow, shape)

    def negated(self, source, part):
        return self.add(part, "Neg", source, T=g.dtype(self.element))

    def scaled(self, source, part):
        """`part` = source * size * rank"""
        number = g.dtype(self.element)
        for op in ("Size", "Rank"):
            question = self.add(f"{part}_{op}", op, source, T=number)
            cast = self.add(f"{part}_{op}_cast", "Cast", question, SrcT=g.dtype(g.INT32),
                            DstT=number)
            source = self.add(part if op == "Rank" else f"{part}_{op}_mul", "Mul", source, cast,
                              T=number)
        return part

    def case(self, make, number):
        made = make(self, number)
        fetches = [f"{self.full(part)}:0" for part in (made if isinstance(made, list) else [made])]
        clause = f"{make.__name__.replace('_', ' ')}, {number}"
        return Composed(self.name, clause, self.nodes, self.feeds, fetches)


def slice_of_a_row(maker, index):
    maker.index("i", index)
    maker.constant("zero", [0], [])
    maker.constant("size", [1, -1])
    maker.add("begin", "Pack", "i", "zero", N=g.integer(2), T=g.dtype(g.INT32),
              axis=g.integer(0))
    return maker.add("row", "Slice", "x", "begin", "size", T=g.dtype(maker.element),
                     Index=g.dtype(g.INT32))


def element_of_an_array(maker, index):
    maker.index("i", index)
    maker.unstacked("from")
    return maker.read("element", "from", "i", "from_flow")


def elements_of_an_array(maker, _):
    """All of them are written, each at an index that is a constant."""
    maker.array("to")
    flow = "to:1"
    for row in range(ROWS):
        maker.feed(f"row{row}", operands.draw_tensor(maker.rng, maker.dtype, [COLUMNS]))
        maker.constant(f"at{row}", [row], [])
        flow = maker.write(f"write{row}", "to", f"at{row}", f"row{row}", flow)
    maker.constant("zero", [0], [])
    maker.constant("one", [1], [])
    maker.add("count", "TensorArraySizeV3", "to", flow)
    maker.add("indices", "Range", "zero", "count", "one", Tidx=g.dtype(g.INT32))
    whole = maker.gather("whole", "to", "indices", flow, UNKNOWN)
    return [whole, maker.negated(whole, "negated")]


def loop_over_elements(maker, rounds):
    """`for (i = 0; i < rounds; i++) to[i] = from[i]`"""
    maker.index("n", rounds)
    maker.unstacked("from")
    maker.array("to")
    loop = graphs.Loop(maker.name, maker.nodes)
    loop.counter()
    for part, source, element in (("from_in", "from", g.RESOURCE), ("to_in", "to", g.RESOURCE),
                                  ("from_order", "from_flow", g.FLOAT)):
        loop.enter(part, source, element, True)
    loop.variable("order", "to:1", g.FLOAT)
    maker.read("value", "from_in", "i_switch:1", "from_order")
    maker.write("written", "to_in", "i_switch:1", "value", "order_switch:1")
    loop.add("order_next", "NextIteration", "written", element=g.FLOAT)
    loop.add("order_exit", "Exit", "order_switch", element=g.FLOAT)
    return maker.stacked("to", "order_exit")


def elements_in_a_loop(maker, rounds):
    """`for (i = 0; i < rounds; i++) rows = stack of the columns of rows`, by an array that does not
    say what it holds"""
    maker.index("n", rounds)
    loop = graphs.Loop(maker.name, maker.nodes)
    loop.counter()
    loop.variable("rows", "x", maker.element)
    loop.variable("last", "x", maker.element)
    maker.constant("rows_size", [ROWS], [])
    maker.constant("rows_all", range(ROWS))
    loop.enter("size_in", "rows_size", g.INT32, True)
    loop.enter("all_in", "rows_all", g.INT32, True)
    maker.make_array("array", "size_in", UNKNOWN, "^sum")  # in the rounds only
    maker.add("scattered", "TensorArrayScatterV3", "array", "all_in", "rows_switch:1", "array:1",
              T=g.dtype(maker.element))
    loop.enter("zero_in", "zero", g.INT32, True)
    maker.add("count", "TensorArraySizeV3", "array", "scattered")
    maker.add("indices", "Range", "zero_in", "count", "step", Tidx=g.dtype(g.INT32))
    maker.gather("gathered", "array", "indices", "scattered", UNKNOWN)
    maker.negated("gathered", "negated")
    loop.add("rows_next", "NextIteration", "negated", element=maker.element)
    loop.add("last_next", "NextIteration", "gathered", element=maker.element)
    for part in ("rows", "last"):
        loop.add(f"{part}_exit", "Exit", f"{part}_switch", element=maker.element)
    return ["rows_exit", "last_exit"]


def a_size_and_a_rank(maker, _):
    """Numbers that are known: they become code only if nothing is folded."""
    return maker.scaled("x", "scaled")


def sizes_and_ranks_in_a_loop(maker, rounds):
    maker.index("n", rounds)
    loop = graphs.Loop(maker.name, maker.nodes)
    loop.counter()
    loop.variable("v", "x", maker.element)
    maker.scaled("v_switch:1", "scaled")
    loop.add("v_next", "NextIteration", "scaled", element=maker.element)
    loop.add("v_exit", "Exit", "v_switch", element=maker.element)
    return "v_exit"


def all_cases(seed):
    """Also with indices and rounds that are beyond the rows."""
    wanted = [(slice_of_a_row, 1), (slice_of_a_row, ROWS), (element_of_an_array, 2),
              (element_of_an_array, ROWS), (elements_of_an_array, 0),
              (elements_in_a_loop, 2), (a_size_and_a_rank, 0), (sizes_and_ranks_in_a_loop, 2),
              (loop_over_elements, ROWS), (loop_over_elements, 2), (loop_over_elements, ROWS + 1)]
    return [Maker(f"r{k}_{dtype}", dtype, random.Random(f"{seed}/{k}/{dtype}")).case(make, number)
            for dtype in DTYPES for k, (make, number) in enumerate(wanted)]
