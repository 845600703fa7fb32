# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes GraphDef files with many cases, each with a signature of its own.

In the second form a case stands in a loop that goes round as often as the caller says. A loop
variable takes the result, so the op is part of what a loop compiles to.
"""

import json
import math
import pathlib
import struct
import sys

import views
from cases import UNKNOWN_RANK
from operands import DTYPES, integers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bad-inputs"))
import graphdef as g  # noqa: E402


def attr_value(kind, value):
    return {"type": lambda: g.dtype(DTYPES[value][0]), "bool": lambda: g.boolean(value),
            "int": lambda: g.integer(value), "float": lambda: g.number(value),
            "string": lambda: g.text(value), "shape": lambda: g.field(7, g.field(3, 1)) if value is None else g.shape(*value),
            "floats": lambda: g.field(1, g.field(4, struct.pack(f"<{len(value)}f", *value))),
            "ints": lambda: g.field(1, b"".join(g.field(3, number) for number in value)),
            "types": lambda: g.field(1, b"".join(g.field(6, DTYPES[name][0]) for name in value)),
            "texts": lambda: g.field(1, b"".join(g.field(2, text.encode()) for text in value)),
            }[kind]()


def constant_node(name, operand):
    dtype = DTYPES[operand.dtype][0]
    value = g.tensor(dtype, operand.dims, content=operand.data)
    return g.node(name, "Const", dtype=g.dtype(dtype), value=value)


def placeholder_node(name, operand, unknown=()):
    dtype = g.dtype(DTYPES[operand.dtype][0])
    if unknown == UNKNOWN_RANK:
        return g.node(name, "Placeholder", dtype=dtype, shape=attr_value("shape", None))
    dims = [-1 if axis in unknown else dim for axis, dim in enumerate(operand.dims)]
    return g.node(name, "Placeholder", dtype=dtype, shape=g.shape(*dims))


def made_nodes(name, source, dtype, op, *numbers):
    """A node that makes an operand of another tensor; the lists of numbers say how."""
    nodes = []
    for i, values in enumerate(numbers):
        nodes.append(constant_node(f"{name}_n{i}", integers("int32", values)))
    attrs = {"Slice": "Index", "Transpose": "Tperm", "Reshape": "Tshape"}
    nodes.append(g.node(name, op, source, *(f"{name}_n{i}" for i in range(len(numbers))),
                        T=g.dtype(DTYPES[dtype][0]), **{attrs[op]: g.dtype(3)}))
    return nodes


class Sources:
    """How the operands of a case come about: `names` of the nodes that give them, all `nodes`, and
    what is fed (`feeds`: name → Operand)."""

    def __init__(self, case):
        self.case, self.names, self.nodes, self.feeds = case, [], [], {}
        if case.sharing:
            self.feed(f"{case.name}_s", views.flat(*(case.inputs[i] for i in case.sharing)))
        for i, operand in enumerate(case.inputs):
            self.names.append(self.add(i, operand, f"{case.name}_x{i}"))

    def feed(self, name, operand, unknown=()):
        self.nodes.append(placeholder_node(name, operand, unknown))
        self.feeds[name] = operand

    def add(self, i, operand, name):
        case = self.case
        if i in case.same_as:
            return self.names[case.same_as[i]]
        if operand.constant:
            self.nodes.append(constant_node(name, operand))
        elif i in case.sharing:
            before = case.sharing[:case.sharing.index(i)]
            begin = sum(math.prod(case.inputs[other].dims) for other in before)
            self.nodes += made_nodes(f"{name}_part", f"{case.name}_s", operand.dtype, "Slice",
                                     [begin], [math.prod(operand.dims)])
            self.nodes += made_nodes(name, f"{name}_part", operand.dtype, "Reshape", operand.dims)
        elif i in case.made_of:
            kind, whole = case.made_of[i]
            unknown = range(len(whole.dims)) if case.unknown.get(i) else ()
            self.feed(f"{name}_whole", whole, unknown)
            self.nodes += made_nodes(name, f"{name}_whole", operand.dtype,
                                     *views.KINDS[kind][2](operand))
        else:
            self.feed(name, operand, case.unknown.get(i, ()))
        return name


def feeds_of(case):
    """{name: Operand}"""
    return Sources(case).feeds


def case_nodes(case, sources):
    attrs = [(name, attr_value(*value)) for name, value in case.attrs.items()]
    return [g.node(case.name, case.op, *sources, attrs=attrs)]


def plain(case):
    """The op and its operands: (nodes, feeds, fetches)."""
    sources = Sources(case)
    return (sources.nodes + case_nodes(case, sources.names), list(sources.feeds),
            [f"{case.name}:{i}" for i in range(len(case.outputs))])


class Loop:
    """The primitives of one loop; `n` rounds."""

    def __init__(self, name, nodes):
        self.name, self.nodes = name, nodes

    def add(self, part, op, *sources, element=3, **attrs):
        self.nodes.append(g.node(f"{self.name}_{part}", op, *(f"{self.name}_{s}" for s in sources),
                                 T=g.dtype(element), **attrs))
        return f"{self.name}_{part}"

    def enter(self, part, source, element, constant):
        return self.add(part, "Enter", source, element=element, frame_name=g.text(self.name),
                        is_constant=g.boolean(constant))

    def variable(self, part, first, element):
        """Its value in a round; the next one comes from `{part}_next`."""
        self.enter(f"{part}_enter", first, element, False)
        self.add(f"{part}_merge", "Merge", f"{part}_enter", f"{part}_next", element=element,
                 N=g.integer(2))
        return self.add(f"{part}_switch", "Switch", f"{part}_merge", "go", element=element) + ":1"

    def integer(self, part, value):
        content = value.to_bytes(4, "little")
        self.nodes.append(g.node(f"{self.name}_{part}", "Const", dtype=g.dtype(3),
                                 value=g.tensor(3, [], content=content)))

    def counter(self):
        self.integer("zero", 0)
        self.integer("one", 1)
        self.enter("limit", "n", 3, True)
        self.enter("step", "one", 3, True)
        self.variable("i", "zero", 3)
        self.add("less", "Less", "i_merge", "limit")
        self.nodes.append(g.node(f"{self.name}_go", "LoopCond", f"{self.name}_less"))
        self.add("sum", "AddV2", "i_switch:1", "step")
        self.add("i_next", "NextIteration", "sum")


def in_loop(case, dtype, dims):
    """`for (i = 0; i < n; i++) y = op(…)[0]`, of which `dtype` and `dims` are those of y."""
    name, number = case.name, DTYPES[dtype][0]
    nodes, feeds, _ = plain(case)
    nodes.pop()
    for part, element, sizes in (("n", 3, []), ("y", number, dims)):
        nodes.append(g.node(f"{name}_{part}", "Placeholder", dtype=g.dtype(element),
                            shape=g.shape(*sizes)))
    loop = Loop(name, nodes)
    loop.counter()
    loop.variable("v", "y", number)
    sources = []
    for i, operand in enumerate(case.inputs):
        element = DTYPES[operand.dtype][0]
        if i in case.same_as:
            sources.append(sources[case.same_as[i]])
        elif operand.constant:
            sources.append(loop.enter(f"e{i}", f"x{i}", element, True))
        else:
            sources.append(loop.variable(f"u{i}", f"x{i}", element))
            loop.add(f"u{i}_next", "NextIteration", f"u{i}_switch:1", element=element)
    # The op runs in the rounds only, also if all operands are constants.
    nodes.extend(case_nodes(case, [*sources, f"^{name}_sum"]))
    nodes.append(g.node(f"{name}_v_next", "NextIteration", name, T=g.dtype(number)))
    loop.add("out", "Exit", "v_switch", element=number)
    return nodes, [*feeds, f"{name}_n", f"{name}_y"], [f"{name}_out:0"]


def write(folder, stem, parts):
    """`parts`: (name, nodes, feeds, fetches). Writes the graph and its file of signatures."""
    nodes = [node for _, found, _, _ in parts for node in found]
    signatures = [{"name": name, "feeds": feeds, "fetches": fetches, "targets": []}
                  for name, _, feeds, fetches in parts]
    (folder / f"{stem}.pb").write_bytes(g.graph(*nodes, producer=1994))
    (folder / f"{stem}.json").write_text(json.dumps({"signatures": signatures}))
