# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops that `loops` measures, in the form in which TensorFlow 1 stores them."""

from tf1_graph import FLOAT, INT, VARIANT, Graph, Loop

ROW = 16           # elements of the vectors
RNN_STEPS = 100


def dims(*sizes):
    return " ".join(f"dim {{ size: {size} }}" for size in sizes)


def fed(shape):
    """A graph with a count, a value and an operand as feeds."""
    g = Graph()
    g.placeholder("n", INT, "")
    g.placeholder("x", FLOAT, shape)
    g.placeholder("b", FLOAT, shape)
    return g


def counted(shape):
    """while (i < n) {i = i + 1; x = x * b}"""
    g = fed(shape)
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    b = loop.enter("mul/Enter", "b", FLOAT, constant=True)
    loop.close("_1", g.node("while/mul", "Mul", [x, b], T=FLOAT), FLOAT)
    return g.text(), ["n", "x", "b"], ["while/Exit_1"]


def nested():
    """while (i < n) {i = i + 1; j = 0; while (j < n) {j = j + 1; x = x * b}}"""
    g = fed(dims(ROW))
    outer = Loop(g, "outer", 10)
    outer.count_to("n")
    x = outer.variable("_1", "x", FLOAT)
    b = outer.enter("b", "b", FLOAT, constant=True)
    n = outer.enter("n", "n", INT, constant=True)
    inner = Loop(g, "outer/inner", 10)
    inner.count_to(n, start_after=["outer/Identity"])
    y = inner.variable("_1", x, FLOAT)
    c = inner.enter("b", b, FLOAT, constant=True)
    y = inner.close("_1", g.node("outer/inner/mul", "Mul", [y, c], T=FLOAT), FLOAT)
    outer.close("_1", y, FLOAT)
    return g.text(), ["n", "x", "b"], ["outer/Exit_1"]


def gathering(rest):
    """while (i < n) {x = x + b[i % rest]; i = i + 1}"""
    g = fed(dims(ROW))
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    b = loop.enter("b", "b", FLOAT, constant=True)
    rest = g.constant("while/rest", INT, rest, after=["while/Identity"])
    axis = g.constant("while/axis", INT, 0, after=["while/Identity"])
    index = g.node("while/index", "FloorMod", ["while/Identity", rest], T=INT)
    row = g.node("while/row", "GatherV2", [b, index, axis], Tparams=FLOAT, Tindices=INT, Taxis=INT)
    loop.close("_1", g.node("while/sum", "AddV2", [x, row], T=FLOAT), FLOAT)
    return g.text(), ["n", "x", "b"], ["while/Exit_1"]


def branching():
    """while (i < n) {i = i + 1; x = i % 2 == 0 ? x * b : x + b}"""
    g = fed(dims(ROW))
    loop = Loop(g, "while", 10)
    loop.count_to("n")
    x = loop.variable("_1", "x", FLOAT)
    b = loop.enter("b", "b", FLOAT, constant=True)
    two = g.constant("while/two", INT, 2, after=["while/Identity"])
    zero = g.constant("while/zero", INT, 0, after=["while/Identity"])
    rest = g.node("while/rest", "FloorMod", ["while/Identity", two], T=INT)
    even = g.node("while/even", "Equal", [rest, zero], T=INT)
    for name, source in (("x", x), ("b", b)):
        g.node(f"while/cond/{name}", "Switch", [source, even], T=FLOAT)
    g.node("while/cond/mul", "Mul", ["while/cond/x:1", "while/cond/b:1"], T=FLOAT)
    g.node("while/cond/add", "Add", ["while/cond/x", "while/cond/b"], T=FLOAT)
    merged = g.node("while/cond/Merge", "Merge", ["while/cond/add", "while/cond/mul"], N="i: 2",
                    T=FLOAT)
    loop.close("_1", merged, FLOAT)
    return g.text(), ["n", "x", "b"], ["while/Exit_1"]


class Arrays:
    """Rows in TensorArrays: of the tensor `rows`, and those that a loop writes."""

    def __init__(self, graph, row_in, row_out):
        self.graph, self.row_out = graph, dims(*row_out)
        for name, value in (("first", 0), ("step", 1)):
            graph.constant(name, INT, value)
        graph.node("indices", "Range", ["first", "n", "step"], Tidx=INT)
        self.add("source", dims(*row_in))
        graph.node("source/scatter", "TensorArrayScatterV3",
                   ["source", "indices", "rows", "source:1"], T=FLOAT)
        self.add("target", self.row_out)

    def add(self, name, element):
        self.graph.node(name, "TensorArrayV3", ["n"], dtype=FLOAT,
                        element_shape=f"shape {{ {element} }}",
                        dynamic_size="b: false", clear_after_read="b: true",
                        identical_element_shapes="b: true", tensor_array_name=f's: "{name}"')

    def enter(self, loop):
        self.loop, self.flow = loop, loop.variable("_flow", "target:1", FLOAT)
        self.handles = [loop.enter(f"{name}_handle", name, "type: DT_RESOURCE", constant=True)
                        for name in ("source", "target")]

    def read(self, i):
        flow = self.loop.enter("read_flow", "source/scatter", FLOAT, constant=True)
        return self.graph.node("while/read", "TensorArrayReadV3", [self.handles[0], i, flow],
                               dtype=FLOAT)

    def write(self, i, row):
        written = self.graph.node("while/write", "TensorArrayWriteV3",
                                  [self.handles[1], i, row, self.flow], T=FLOAT)
        flow = self.loop.close("_flow", written, FLOAT)
        return self.graph.node("target/gather", "TensorArrayGatherV3", ["target", "indices", flow],
                               dtype=FLOAT, element_shape=f"shape {{ {self.row_out} }}")


class Lists:
    """The same in TensorLists."""

    LIST = {"element_dtype": FLOAT, "shape_type": INT}

    def __init__(self, graph, row_in, row_out):
        self.graph = graph
        for name, sizes in (("in_shape", row_in), ("out_shape", row_out)):
            values = " ".join(f"int_val: {size}" for size in sizes)
            graph.node(name, "Const", dtype=INT,
                       value=f"tensor {{ dtype: DT_INT32 tensor_shape {{ {dims(len(sizes))} }} "
                             f"{values} }}")
        graph.node("source", "TensorListFromTensor", ["rows", "in_shape"], **self.LIST)
        graph.node("target", "TensorListReserve", ["out_shape", "n"], **self.LIST)

    def enter(self, loop):
        self.loop, self.target = loop, loop.variable("_target", "target", VARIANT)
        self.source = loop.enter("source", "source", VARIANT, constant=True)

    def read(self, i):
        shape = self.graph.constant("while/shape", INT, -1, after=[i])
        return self.graph.node("while/read", "TensorListGetItem", [self.source, i, shape],
                               element_dtype=FLOAT)

    def write(self, i, row):
        written = self.graph.node("while/write", "TensorListSetItem", [self.target, i, row],
                                  element_dtype=FLOAT)
        rows = self.loop.close("_target", written, VARIANT)
        return self.graph.node("gathered", "TensorListStack", [rows, "out_shape"],
                               element_dtype=FLOAT, num_elements="i: -1")


def over_rows(body, steps, row_in, row_out, states, feeds, storage=Arrays, known_steps=None):
    """A loop over the first dim of `rows`: body(graph, row, states) gives (result row, states)."""
    g = Graph()
    g.placeholder("rows", FLOAT, dims(steps if known_steps is None else known_steps, *row_in))
    for name, shape in feeds:
        g.placeholder(name, FLOAT, dims(*shape))
    if known_steps == -1:
        g.node("shape", "Shape", ["rows"], T=FLOAT, out_type=INT)
        for name, value in (("begin", 0), ("end", 1)):
            g.constant(name, INT, value, "dim { size: 1 }")
        g.node("n", "StridedSlice", ["shape", "begin", "end", "end"], T=INT, Index=INT,
               shrink_axis_mask="i: 1", begin_mask="i: 0", end_mask="i: 0", ellipsis_mask="i: 0",
               new_axis_mask="i: 0")
    else:
        g.constant("n", INT, steps)
    rows = storage(g, row_in, row_out)
    loop = Loop(g, "while", 32)
    loop.count_to("n")
    values = [loop.variable(f"_{i + 1}", name, FLOAT) for i, name in enumerate(states)]
    rows.enter(loop)
    result, following = body(g, loop, rows.read("while/Identity"), values)
    gathered = rows.write("while/Identity", result)
    exits = [loop.close(f"_{i + 1}", value, FLOAT) for i, value in enumerate(following)]
    return g.text(), ["rows", *(name for name, _ in feeds)], [gathered, exits[-1]]


def gradient():
    """y = x * b^n by a loop, with dy/db and dy/dx as TensorFlow makes them: what the loop multiplies is
    pushed on a stack, and popped by a loop that counts down."""
    g = fed("")
    minus_one = g.constant("stack/size", INT, -1)
    stack = g.node("stack", "StackV2", [minus_one], elem_type=FLOAT, stack_name='s: ""')
    loop = Loop(g, "while", 10)
    # The counter waits for the push, so that pushes are in order.
    last = loop.count_to("n", after=["while/push"])
    handle = loop.enter("stack/Enter", stack, "type: DT_RESOURCE", constant=True)
    x = loop.variable("_1", "x", FLOAT)
    g.node("while/push", "StackPushV2", [handle, x, "^while/add/y"], T=FLOAT,
           swap_memory="b: false")
    b = loop.enter("mul/Enter", "b", FLOAT, constant=True)
    loop.close("_1", g.node("while/mul", "Mul", [x, b], T=FLOAT), FLOAT)

    back = Loop(g, "back", 10)
    one, zero = g.constant("back/dy", FLOAT, 1), g.constant("back/db", FLOAT, 0)
    i = back.variable("", last, INT)
    g.node("back/Greater", "GreaterEqual",
           ["back/Merge", g.constant("back/one", INT, 1, after=["back/Merge"])], T=INT)
    g.node("back/LoopCond", "LoopCond", ["back/Greater"])
    less = g.node("back/Sub", "Sub", [i, g.constant("back/Sub/y", INT, 1, after=[i]), "^back/sync"],
                  T=INT)
    back.close("", less, INT)
    dy = back.variable("_1", one, FLOAT)
    db = back.variable("_2", zero, FLOAT)
    handle = back.enter("stack/Enter", stack, "type: DT_RESOURCE", constant=True)
    c = back.enter("b", "b", FLOAT, constant=True)
    saved = g.node("back/pop", "StackPopV2", [handle, f"^{i}"], elem_type=FLOAT)
    g.node("back/sync", "ControlTrigger", [f"^{saved}"])
    back.close("_1", g.node("back/dx", "Mul", [dy, c], T=FLOAT), FLOAT)
    back.close("_2", g.node("back/add", "Add", [db, g.node("back/mul", "Mul", [dy, saved], T=FLOAT)],
                            T=FLOAT), FLOAT)
    return g.text(), ["n", "x", "b"], ["while/Exit_1", "back/Exit_1", "back/Exit_2"]


def scan(steps, storage=Arrays, known_steps=None):
    """h = h * b + row, over rows of 16; all h and the last one. `known_steps`: -1 if the graph is not to
    know how many there are."""
    def body(g, loop, row, states):
        b = loop.enter("b", "b", FLOAT, constant=True)
        product = g.node("while/product", "Mul", [states[0], b], T=FLOAT)
        h = g.node("while/h", "Add", [product, row], T=FLOAT)
        return h, [h]

    return over_rows(body, steps, [ROW], [ROW], ["h"], [("h", [ROW]), ("b", [ROW])],
                     storage, known_steps)


def lstm(batch, units, known_batch=None, storage=Arrays):
    """An LSTM layer over 100 steps of `units` inputs: all h and the last one. The graph says
    `known_batch` for the batch, if that is given: -1 if nothing shall be known."""
    def body(g, loop, row, states):
        c, h = states
        w = loop.enter("w", "w", FLOAT, constant=True)
        bias = loop.enter("bias", "bias", FLOAT, constant=True)
        one = g.constant("while/one", INT, 1, after=["while/Identity"])
        axis = g.constant("while/axis", INT, 1, after=["while/Identity"])
        both = g.node("while/concat", "ConcatV2", [row, h, one], N="i: 2", T=FLOAT, Tidx=INT)
        product = g.node("while/matmul", "MatMul", [both, w], T=FLOAT, transpose_a="b: false",
                         transpose_b="b: false")
        g.node("while/gates", "BiasAdd", [product, bias], T=FLOAT, data_format='s: "NHWC"')
        g.node("while/split", "Split", [axis, "while/gates"], num_split="i: 4", T=FLOAT)
        gate = {name: f"while/split:{i}" if i else "while/split" for i, name in enumerate("ijfo")}
        for name in "ifo":
            gate[name] = g.node(f"while/{name}", "Sigmoid", [gate[name]], T=FLOAT)
        gate["j"] = g.node("while/j", "Tanh", [gate["j"]], T=FLOAT)
        kept = g.node("while/kept", "Mul", [c, gate["f"]], T=FLOAT)
        added = g.node("while/added", "Mul", [gate["i"], gate["j"]], T=FLOAT)
        c = g.node("while/c", "Add", [kept, added], T=FLOAT)
        squashed = g.node("while/squashed", "Tanh", [c], T=FLOAT)
        h = g.node("while/h", "Mul", [squashed, gate["o"]], T=FLOAT)
        return h, [c, h]

    state = [batch if known_batch is None else known_batch, units]
    return over_rows(body, RNN_STEPS, state, state, ["c", "h"],
                     [("c", state), ("h", state), ("w", [2 * units, 4 * units]),
                      ("bias", [4 * units])], storage)
