# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small graph about one op, the runs that show what the op does, and the values that are fed."""

import pathlib
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve()
for folder in ("differential", "bad-inputs"):
    sys.path.insert(0, str(HERE.parents[2] / folder))
import graphdef as g  # noqa: E402
import operands  # noqa: E402

UNKNOWN = "unknown"  # dims of which not even the number is known


def type_attr(dtype):
    return g.dtype(operands.DTYPES[dtype][0])


def shape_attr(dims):
    return g.field(7, g.field(3, 1)) if dims == UNKNOWN else g.shape(*dims)


def element(dtype, number, i):
    """An element of any type that tells numbers apart, and is exact in all types."""
    if dtype == "string":
        return b"text %d" % number
    if dtype == "bool":
        return number % 3 == 0
    if dtype in operands.COMPLEX:
        return complex(number / 2, number - 3 - i)
    return number / 2 if dtype in operands.FLOATS else number


def tensor(dtype, dims, start=1):
    """No two neighbours are equal, and other starts give other numbers."""
    count = 1
    for dim in dims:
        count *= dim
    return of(dtype, dims, [element(dtype, 1 + (5 * i + 3 * start) % 13, i) for i in range(count)])


def of(dtype, dims, elements):
    data = list(elements) if dtype == "string" else operands.pack(dtype, elements)
    return operands.Operand(dtype, list(dims), data)


def scalar(dtype, value):
    return of(dtype, [], [value])


def vector(dtype, values):
    return of(dtype, [len(values)], values)


@dataclass
class Step:
    """One run: what is fed are names of the scenario's feeds."""
    fetches: list
    targets: list
    feeds: list


@dataclass
class Scenario:
    """Names of nodes begin with `name`, so that several scenarios can stand in one graph."""
    op: str
    name: str
    nodes: list = field(default_factory=list)
    values: dict = field(default_factory=dict)  # of the feeds
    steps: list = field(default_factory=list)
    variables: dict = field(default_factory=dict)  # node: (whether it is a reference, dtype)
    ops: set = field(default_factory=set)
    fails: list = field(default_factory=list)  # of each step, once it is known
    is_random: bool = False

    def node(self, part, op, *inputs, **attrs):
        self.ops.add(op)
        name = f"{self.name}_{part}" if part else self.name
        self.nodes.append(g.node(name, op, *inputs, **attrs))
        return name

    def feed(self, part, operand, dims=None):
        """A placeholder; `dims` are what the graph says of its shape, or that it is unknown."""
        name = self.node(part, "Placeholder", dtype=type_attr(operand.dtype),
                         shape=shape_attr(operand.dims if dims is None else dims))
        self.values[name] = operand
        return name

    def const(self, part, operand):
        dtype = operands.DTYPES[operand.dtype][0]
        if operand.dtype == "string":
            value = g.tensor(dtype, operand.dims,
                             values=b"".join(g.field(8, text) for text in operand.data))
        else:
            value = g.tensor(dtype, operand.dims, content=operand.data)
        return self.node(part, "Const", dtype=g.dtype(dtype), value=value)

    def integer(self, part, value):
        return self.const(part, scalar("int32", value))

    def reference(self, part, dtype, dims, op="VariableV2"):
        name = self.node(part, op, dtype=type_attr(dtype), shape=shape_attr(dims))
        self.variables[name] = (True, dtype)
        return name

    def handle(self, part, dtype, dims):
        name = f"{self.name}_{part}"  # also the shared name: TensorFlow takes no other for it
        self.node(part, "VarHandleOp", dtype=type_attr(dtype), shape=shape_attr(dims),
                  shared_name=g.text(name))
        self.variables[name] = (False, dtype)
        return name

    def step(self, fetches=(), targets=(), feeds=None):
        """Without `feeds`, everything is fed."""
        fetches = [name if ":" in name else f"{name}:0" for name in fetches]
        self.steps.append(Step(fetches, list(targets),
                               list(self.values) if feeds is None else list(feeds)))

    def signature(self, index):
        step = self.steps[index]
        return {"name": f"{self.name}_step{index}", "feeds": step.feeds,
                "fetches": step.fetches, "targets": step.targets}


def merged(op, scenarios):
    """One scenario of all. Steps that succeed run together; of those that fail there is one."""
    whole = Scenario(op, op, is_random=any(each.is_random for each in scenarios))
    for each in scenarios:
        whole.nodes += each.nodes
        whole.values |= each.values
        whole.variables |= each.variables
        whole.ops |= each.ops
    for i in range(max(len(each.steps) for each in scenarios)):
        good, bad = Step([], [], []), []
        for each in scenarios:
            if i < len(each.fails) and each.fails[i]:
                bad.append(each.steps[i])
            elif i < len(each.steps):
                for part in ("fetches", "targets", "feeds"):
                    getattr(good, part).extend(getattr(each.steps[i], part))
        whole.steps += ([good] if good.fetches or good.targets else []) + bad[:1]
    return whole
