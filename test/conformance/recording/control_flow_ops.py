# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of the primitives of loops and branches, of placeholders, and of ops that only order."""

from scenario import g, scalar, tensor, type_attr

DIMS = [2, 3]


def constant(s, attrs):
    s.step([s.const("", tensor(attrs["dtype"][1], DIMS))])


def placeholder(s, attrs):
    operand = tensor(attrs["dtype"][1], DIMS)
    fed = s.node("", s.op, dtype=type_attr(operand.dtype), shape=g.shape(-1, 3))
    s.values[fed] = operand
    s.step([s.node("y", "Identity", fed, T=type_attr(operand.dtype))])


def placeholder_with_default(s, attrs):
    """The default counts unless something is fed."""
    dtype = attrs["dtype"][1]
    default = s.feed("default", tensor(dtype, DIMS))
    fed = s.node("", s.op, default, dtype=type_attr(dtype), shape=g.shape(-1, 3))
    y = s.node("y", "Identity", fed, T=type_attr(dtype))
    s.step([y])
    s.values[fed] = tensor(dtype, [1, 3], 2)
    s.step([y], feeds=[fed])


def branch(s, dtype, value):
    """A predicate to feed, and both outputs of a switch."""
    p = s.feed("p", scalar("bool", value))
    x = s.feed("x", tensor(dtype, DIMS))
    switch = s.node("switch", "Switch", x, p, T=type_attr(dtype))
    return [s.node(part, "Identity", source, T=type_attr(dtype))
            for part, source in (("f", switch), ("t", f"{switch}:1"))]


def merge(s, attrs):
    """The live one of three inputs, and its number."""
    dtype = attrs["T"][1]
    on_false, on_true = branch(s, dtype, True)
    merged = s.node("", "Merge", on_false, on_true, on_false, T=type_attr(dtype), N=g.integer(3))
    s.step([merged, f"{merged}:1"])


def switch(s, attrs):
    """Each output, when the predicate is so and the other way round."""
    dtype = attrs["T"][1]
    p = s.feed("p", scalar("bool", True))
    x, other = s.feed("x", tensor(dtype, DIMS)), s.feed("other", tensor(dtype, DIMS, 2))
    s.node("", "Switch", x, p, T=type_attr(dtype))
    s.step([f"{s.name}:1"], feeds=[p, x])
    s.step([f"{s.name}:0"], feeds=[p, x])  # dead: an error
    on_true = s.node("t", "Identity", f"{s.name}:1", T=type_attr(dtype))
    gated = s.node("gated", "Identity", other, f"^{on_true}", T=type_attr(dtype))
    s.step([s.node("y", "Merge", s.name, gated, T=type_attr(dtype), N=g.integer(2))])


def control_trigger(s, _):
    """Fires although what it waits for is dead."""
    on_false, on_true = branch(s, "float", True)
    trigger = s.node("", "ControlTrigger", f"^{on_false}", f"^{on_true}")
    late = s.feed("late", tensor("float", DIMS, 2))
    s.step([s.node("y", "Identity", late, f"^{trigger}", T=type_attr("float"))])


def no_op(s, _):
    """Both of its inputs happen; where one of them is dead, what waits for it is dead, too."""
    targets = []
    for i, dtype in enumerate(("float", "int32")):
        v = s.reference(f"v{i}", dtype, DIMS)
        x = s.feed(f"x{i}", tensor(dtype, DIMS, i))
        targets.append(s.node(f"assign{i}", "Assign", v, x, T=type_attr(dtype)))
    s.step(targets=[s.node("", "NoOp", *(f"^{target}" for target in targets))])
    known = set(s.values)
    on_false, on_true = branch(s, "float", True)
    gate = s.node("gate", "NoOp", f"^{on_false}", f"^{on_true}")
    late = s.node("late", "Identity", on_true, f"^{gate}", T=type_attr("float"))
    merged = s.node("y", "Merge", late, on_true, T=type_attr("float"), N=g.integer(2))
    s.step([merged, f"{merged}:1"], feeds=[name for name in s.values if name not in known])


class Loop:
    """`while (i < n) { i = i + 1; … }` in the frame of its scenario's name."""

    def __init__(self, s):
        self.s = s
        n = s.feed("n", scalar("int32", 3))
        zero, one = s.integer("zero", 0), s.integer("one", 1)
        limit, step = (self.invariant(part, source, "int32")
                       for part, source in (("limit", n), ("step", one)))
        self.merge("i", self.enter("i", zero, "int32"), "int32")
        less = s.node("less", "Less", s.name + "_i_merge", limit, T=type_attr("int32"))
        self.go = s.node("go", "LoopCond", less)
        i = self.body("i", "int32")
        self.next("i", s.node("sum", "AddV2", i, step, T=type_attr("int32")), "int32")

    def enter(self, part, source, dtype, kind="", constant=False):
        return self.s.node(f"{part}_enter", f"{kind}Enter", source, T=type_attr(dtype),
                           frame_name=g.text(self.s.name), is_constant=g.boolean(constant),
                           parallel_iterations=g.integer(4))

    def invariant(self, part, source, dtype):
        return self.enter(part, source, dtype, constant=True)

    def merge(self, part, entered, dtype, kind=""):
        s = self.s
        s.node(f"{part}_merge", f"{kind}Merge", entered, f"{s.name}_{part}_next",
               T=type_attr(dtype), N=g.integer(2))

    def body(self, part, dtype, kind=""):
        """The value in a round."""
        switch = self.s.node(f"{part}_switch", f"{kind}Switch", f"{self.s.name}_{part}_merge",
                             self.go, T=type_attr(dtype))
        return f"{switch}:1"

    def next(self, part, source, dtype, kind=""):
        self.s.node(f"{part}_next", f"{kind}NextIteration", source, T=type_attr(dtype))

    def exit(self, part, dtype, kind=""):
        return self.s.node(f"{part}_exit", f"{kind}Exit", f"{self.s.name}_{part}_switch",
                           T=type_attr(dtype))

    def variable(self, part, source, dtype):
        self.merge(part, self.enter(part, source, dtype), dtype)
        return self.body(part, dtype)


def loop(s, attrs):
    """Two values change places in each of three rounds; with an invariant, that one comes in."""
    dtype = attrs.get("T", ("type", "float"))[1]
    around = Loop(s)
    a, b = (around.variable(part, s.feed(part, tensor(dtype, DIMS, i)), dtype)
            for i, part in enumerate("ab"))
    if attrs.get("is_constant", ("bool", False))[1]:
        always = around.invariant("c", s.feed("c", tensor(dtype, DIMS, 2)), dtype)
        a = s.node("a_inside", "Identity", always, f"^{s.name}_sum", T=type_attr(dtype))
    around.next("a", b, dtype)
    around.next("b", a, dtype)
    s.step([around.exit("a", dtype), around.exit("b", dtype), around.exit("i", "int32")])


def assigned(s, part, variable, value, dtype, *controls):
    return s.node(part, "Assign", variable, value, *controls, T=type_attr(dtype))


def reference_loop(s, attrs):
    """The loop assigns what it has in its last round, by the reference that goes around."""
    dtype = attrs["T"][1]
    v = s.reference("v", dtype, DIMS)
    first = s.feed("first", tensor(dtype, DIMS, 5))
    s.step(targets=[assigned(s, "init", v, first, dtype)], feeds=[first])
    around = Loop(s)
    a, b = (around.variable(part, s.feed(part, tensor(dtype, DIMS, i)), dtype)
            for i, part in enumerate("ab"))
    around.next("a", b, dtype)
    around.next("b", a, dtype)
    if attrs.get("is_constant", ("bool", False))[1]:
        inside = around.enter("v", v, dtype, "Ref", constant=True)
        written = assigned(s, "write", inside, a, dtype)
        around.variable("r", s.feed("r", tensor(dtype, DIMS, 3)), dtype)
        around.next("r", s.node("read", "Identity", written, T=type_attr(dtype)), dtype)
        results = [around.exit("r", dtype)]
    else:
        around.merge("v", around.enter("v", v, dtype, "Ref"), dtype, "Ref")
        written = assigned(s, "write", around.body("v", dtype, "Ref"), a, dtype)
        around.next("v", written, dtype, "Ref")
        results = [around.exit("v", dtype, "Ref")]
    s.step([*results, around.exit("a", dtype)],
           feeds=[name for name in s.values if name != first])


def reference_identity(s, attrs):
    dtype = attrs["T"][1]
    v = s.reference("v", dtype, DIMS)
    same = s.node("", s.op, v, T=type_attr(dtype))
    s.step([assigned(s, "write", same, s.feed("x", tensor(dtype, DIMS)), dtype)])


def reference_branch(s, attrs):
    """Another value is assigned in each branch."""
    dtype = attrs["T"][1]
    v = s.reference("v", dtype, DIMS)
    first, p = s.feed("first", tensor(dtype, DIMS, 5)), s.feed("p", scalar("bool", True))
    s.step(targets=[assigned(s, "init", v, first, dtype)], feeds=[first])
    switch = s.node("switch", "RefSwitch", v, p, T=type_attr(dtype))
    written = [assigned(s, f"write{i}", source, s.feed(f"x{i}", tensor(dtype, DIMS, i)), dtype)
               for i, source in enumerate((switch, f"{switch}:1"))]
    merged = s.node("merge", "RefMerge", *written, T=type_attr(dtype), N=g.integer(2))
    s.step([merged, f"{merged}:1"], feeds=[name for name in s.values if name != first])


BUILDERS = {
    "Const": constant, "Placeholder": placeholder, "PlaceholderV2": placeholder,
    "PlaceholderWithDefault": placeholder_with_default, "Merge": merge, "Switch": switch,
    "ControlTrigger": control_trigger, "NoOp": no_op,
    **dict.fromkeys(["Enter", "Exit", "NextIteration", "LoopCond"], loop),
    **dict.fromkeys(["RefEnter", "RefExit", "RefNextIteration"], reference_loop),
    **dict.fromkeys(["RefSwitch", "RefMerge"], reference_branch),
    "RefIdentity": reference_identity,
}
