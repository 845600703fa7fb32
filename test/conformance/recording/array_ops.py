# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of TensorArrays, of all three versions, and of stacks."""

from scenario import g, scalar, tensor, type_attr, vector

import graphs  # isort: skip

VERSIONS = ("V3", "V2", "")
ROW = [2]


def version_of(op):
    """Of gradients with another shape there is the third version only."""
    return next(version for version in VERSIONS if op.endswith((version, "WithShape")))


class Array:
    """A TensorArray of a scenario, and the flow after its last op."""

    def __init__(self, s, part, version, dtype, size, **attrs):
        self.s, self.part, self.version, self.dtype, self.count = s, part, version, dtype, 0
        self.handle = s.node(part, f"TensorArray{version}", s.integer(f"{part}_size", size),
                             dtype=type_attr(dtype), **attrs)
        self.flow = f"{self.handle}:1"
        if version != "V3":
            self.flow = s.const(f"{part}_flow", scalar("float", 0.0))

    def op(self, kind, *inputs, **attrs):
        """A node of the op; its inputs end with the flow."""
        self.count += 1
        return self.s.node(f"{self.part}_{kind}{self.count}", f"TensorArray{kind}{self.version}",
                           self.handle, *inputs, self.flow, **attrs)

    def write(self, index, operand):
        at = self.s.integer(f"{self.part}_at{self.count}", index)
        x = self.s.feed(f"{self.part}_x{self.count}", operand)
        self.flow = self.op("Write", at, x, T=type_attr(self.dtype))

    def fill(self):
        """In another order than that of positions."""
        for index in (1, 2, 0):
            self.write(index, tensor(self.dtype, ROW, index))

    def read(self, index):
        at = self.s.integer(f"{self.part}_at{self.count}", index)
        return self.op("Read", at, dtype=type_attr(self.dtype))

    def gather(self, *indices):
        rows = self.s.const(f"{self.part}_rows{self.count}", vector("int32", indices))
        return self.op("Gather", rows, dtype=type_attr(self.dtype))


def made(s, attrs, size=3):
    """An array of the version and element type that is asked for."""
    dtype = next((value for kind, value in attrs.values() if kind == "type"), "float")
    flags = {name: graphs.attr_value(*value) for name, value in attrs.items()
             if value[0] == "bool"}
    return Array(s, "a", version_of(s.op), dtype, size, **flags)


def creation(s, attrs):
    """What the flags allow or forbid: one write too far, rows of two sizes, a second read."""
    array = made(s, attrs)
    array.fill()
    first = array.read(2)
    s.step([first], feeds=list(s.values))
    again = s.node("again_at", "Const", f"^{first}", dtype=g.dtype(3),
                   value=g.tensor(3, [], content=bytes([2, 0, 0, 0])))
    s.step([first, array.op("Read", again, dtype=type_attr(array.dtype))])
    array.write(3, tensor(array.dtype, ROW, 7))
    s.step([array.read(3)])
    uneven = Array(s, "b", array.version, array.dtype, 2, **{
        name: graphs.attr_value(*value) for name, value in attrs.items() if value[0] == "bool"})
    uneven.write(0, tensor(array.dtype, [2], 8))
    uneven.write(1, tensor(array.dtype, [3], 9))
    s.step([uneven.read(1)], feeds=[name for name in s.values if f"{s.name}_b_" in name])


def written(s, attrs):
    array = made(s, attrs)
    array.fill()
    s.step([array.read(1), array.read(2)])


def gathered(s, attrs):
    array = made(s, attrs)
    array.fill()
    s.step([array.gather(2, 0)])


def concatenated(s, attrs):
    """Rows of different sizes."""
    array = made(s, attrs)
    for index in (1, 2, 0):
        array.write(index, tensor(array.dtype, [index + 1, 2], index))
    joined = array.op("Concat", dtype=type_attr(array.dtype))
    s.step([joined, f"{joined}:1"])


def scattered(s, attrs):
    array = made(s, attrs)
    rows = s.const("rows", vector("int32", [2, 0, 1]))
    array.flow = array.op("Scatter", rows, s.feed("x", tensor(array.dtype, [3, 2])),
                          T=type_attr(array.dtype))
    s.step([array.read(0), array.read(2)])


def cut(s, attrs):
    array = made(s, attrs)
    lengths = s.const("lengths", vector("int64", [1, 3, 2]))
    array.flow = array.op("Split", s.feed("x", tensor(array.dtype, [6, 2])), lengths,
                          T=type_attr(array.dtype))
    s.step([array.read(0), array.read(1)])


def measured(s, attrs):
    array = made(s, attrs, 5)
    s.step([array.op("Size")])


def closed(s, attrs):
    """After a write; the handle is all that it takes."""
    array = made(s, attrs)
    array.fill()
    s.step(targets=[s.node("", s.op, array.handle, f"^{array.flow}")])


def gradient(s, attrs):
    """What is written twice is added up; a longer shape comes in front of the elements'."""
    array = made(s, attrs)
    array.fill()
    inputs, attrs = [array.handle, array.flow], {"source": g.text("gradients")}
    dims = ROW
    if s.op == "TensorArrayGradWithShape":
        inputs.append(s.const("prepended", vector("int32", [4])))
        dims = [4, *ROW]
    other = Array.__new__(Array)
    other.__dict__.update(array.__dict__, part="g")
    other.handle = s.node("", s.op, *inputs, **attrs)
    if array.version == "V3":
        other.flow = f"{other.handle}:1"
    for index, start in ((1, 4), (1, 5), (0, 6)):
        other.write(index, tensor(array.dtype, dims, start))
    s.step([other.read(0), other.read(1), other.op("Size")])


# ---- Stacks


def pushed(s, version, dtype, bound, **attrs):
    """The stack, and the last of two pushes; the values go in one after the other."""
    name = s.op if s.op == f"Stack{version}" else f"Stack{version}"
    size = [s.integer(f"size{bound}", bound)] if version else []
    stack = s.node(f"stack{bound}", name, *size, elem_type=type_attr(dtype))
    last = None
    for i in range(2):
        after = [f"^{last}"] if last else []
        x = s.feed(f"x{bound}_{i}", tensor(dtype, [2 + i], i))
        last = s.node(f"push{bound}_{i}", f"StackPush{version}", stack, x, *after,
                      T=type_attr(dtype), **attrs)
    return stack, last


def stacked(s, attrs):
    """The last value comes out first; a stack with a bound takes no more."""
    dtype = next((value for kind, value in attrs.values() if kind == "type"), "float")
    version = "V2" if s.op.endswith("V2") else ""
    stack, last = pushed(s, version, dtype, 5)
    pops = []
    for i in range(2):
        last = s.node(f"pop{i}", f"StackPop{version}", stack, f"^{last}",
                      elem_type=type_attr(dtype))
        pops.append(last)
    close = s.node("close", f"StackClose{version}", stack, f"^{last}")
    s.step(pops, [close])
    if version:
        before = set(s.values)
        _, last = pushed(s, version, dtype, 1)
        s.step([last], feeds=[name for name in s.values if name not in before])


KINDS = {"": creation, "Write": written, "Read": written, "Gather": gathered,
         "Concat": concatenated, "Scatter": scattered, "Split": cut, "Size": measured,
         "Close": closed, "Grad": gradient}

BUILDERS = {
    **{f"TensorArray{kind}{version}": build for kind, build in KINDS.items()
       for version in VERSIONS},
    "TensorArrayGradWithShape": gradient,
    **{f"Stack{kind}{version}": stacked for kind in ("", "Push", "Pop", "Close")
       for version in ("", "V2")},
}
