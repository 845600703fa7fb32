# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of variables and optimizers, of random numbers, assertions and printing."""

from scenario import UNKNOWN, of, scalar, tensor, type_attr, vector

import graphs  # isort: skip
from goals import OTHER  # isort: skip

DIMS = [3, 2]


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def dtype_of(attrs):
    return attrs["dtype" if "dtype" in attrs else "T"][1]


def is_reference(op):
    return not (op.startswith("Resource") or op.endswith("VariableOp"))


def initialised(s, part, dtype, operand, by_reference, dims=None):
    """A variable that the first steps set; `dims`: what is declared, if not those of its value."""
    x = s.feed(f"{part}_first", operand)
    if by_reference:
        v = s.reference(part, dtype, operand.dims)
        init = s.node(f"{part}_init", "Assign", v, x, T=type_attr(dtype))
    else:
        v = s.handle(part, dtype, dims or operand.dims)
        init = s.node(f"{part}_init", "AssignVariableOp", v, x, dtype=type_attr(dtype))
    return v, init, x


def start(s, *variables):
    """The step that sets them; returns what is fed by now."""
    s.step(targets=[init for _, init, _ in variables], feeds=[x for _, _, x in variables])
    return set(s.values)


def finish(s, known, node):
    """A step with the op; a reference variable comes out changed."""
    feeds = [name for name in s.values if name not in known]
    if is_reference(s.op):
        s.step([node], feeds=feeds)
    else:
        s.step(targets=[node], feeds=feeds)


# ---- Assignments


def assignment(s, attrs):
    dtype = dtype_of(attrs)
    dims = UNKNOWN if s.op == "AssignVariableOp" else DIMS
    known = start(s, v := initialised(s, "v", dtype, tensor(dtype, DIMS), is_reference(s.op),
                                      dims))
    x = s.feed("x", tensor(dtype, DIMS, 2))
    finish(s, known, s.node("", s.op, v[0], x, **encoded(attrs)))
    if s.op in ("Assign", "AssignVariableOp"):  # a value of other dims, where they are checked
        known = set(s.values)
        y = s.feed("y", tensor(dtype, [4], 3), UNKNOWN)
        finish(s, known, s.node("other", s.op, v[0], y, **encoded(attrs)))


def scatter(s, attrs):
    """Rows in another order; those that add up may come twice."""
    dtype = dtype_of(attrs)
    known = start(s, v := initialised(s, "v", dtype, tensor(dtype, [4, 2]), is_reference(s.op)))
    rows = [2, 0] if "Update" in s.op else [2, 0, 2]
    at = s.feed("rows", vector(attrs["Tindices"][1], rows))
    x = s.feed("x", tensor(dtype, [len(rows), 2], 4))
    finish(s, known, s.node("", s.op, v[0], at, x, **encoded(attrs)))


def points(s, attrs):
    """Of a matrix, single elements; where order does not matter, one of them twice."""
    dtype = attrs["T"][1]
    known = start(s, v := initialised(s, "v", dtype, tensor(dtype, [4, 2]), is_reference(s.op)))
    rows = [2, 1, 0, 0] if "Update" in s.op else [2, 1, 0, 0, 2, 1]
    at = s.feed("rows", of(attrs["Tindices"][1], [len(rows) // 2, 2], rows))
    x = s.feed("x", tensor(dtype, [len(rows) // 2], 4))
    finish(s, known, s.node("", s.op, v[0], at, x, **encoded(attrs)))


def counting(s, attrs):
    """Twice, and then the limit is reached."""
    dtype = attrs["T"][1]
    start(s, v := initialised(s, "v", dtype, scalar(dtype, 5), is_reference(s.op)))
    node = s.node("", s.op, v[0], limit=graphs.attr_value("int", 7), **encoded(attrs))
    for _ in range(3):
        s.step([node], feeds=[])


# ---- Reading


VARIABLE_OF = {"VarIsInitializedOp": "VarHandleOp", "IsVariableInitialized": "VariableV2"}


def declared(s, attrs):
    """A variable is empty, takes a value, and keeps it."""
    dtype = attrs.get("dtype", ("type", "float"))[1]
    op = VARIABLE_OF.get(s.op, s.op)
    types = {"dtype": type_attr(dtype)}
    if op == "VarHandleOp":
        v = s.handle("v", dtype, DIMS)
        known = s.node("known", "VarIsInitializedOp", v)
        write = s.node("write", "AssignVariableOp", v, s.feed("x", tensor(dtype, DIMS)), **types)
        read = s.node("y", "ReadVariableOp", v, **types)
    else:
        v = s.reference("v", dtype, DIMS, op)
        known = s.node("known", "IsVariableInitialized", v, **types)
        write = s.node("write", "Assign", v, s.feed("x", tensor(dtype, DIMS)),
                       T=type_attr(dtype))
        read = s.node("y", "Identity", v, T=type_attr(dtype))
    s.step([known], feeds=[])
    s.step(targets=[write])
    s.step([read, known], feeds=[])


def read(s, attrs):
    dtype = attrs["dtype"][1]
    start(s, v := initialised(s, "v", dtype, tensor(dtype, DIMS), False))
    s.step([s.node("", s.op, v[0], **encoded(attrs))], feeds=[])


def shape(s, attrs):
    start(s, v := initialised(s, "v", "float", tensor("float", DIMS), False))
    s.step([s.node("", s.op, v[0], **encoded(attrs))], feeds=[])


def gather(s, attrs):
    """Rows; with batch dims, elements of each row."""
    dtype, batched = dtype_of(attrs), attrs["batch_dims"][1] == OTHER
    attrs = {**attrs, "batch_dims": ("int", int(batched))}
    known = start(s, v := initialised(s, "v", dtype, tensor(dtype, DIMS), False))
    at = of(attrs["Tindices"][1], [3, 2], [1, 0, 0, 0, 0, 1])
    at = s.feed("rows", at if batched else vector(attrs["Tindices"][1], [2, 0, 2]))
    s.step([s.node("", s.op, v[0], at, **encoded(attrs))],
           feeds=[name for name in s.values if name not in known])


def gather_nd(s, attrs):
    dtype = dtype_of(attrs)
    known = start(s, v := initialised(s, "v", dtype, tensor(dtype, DIMS), False))
    at = s.feed("rows", of(attrs["Tindices"][1], [3, 2], [1, 0, 2, 1, 0, 1]))
    s.step([s.node("", s.op, v[0], at, **encoded(attrs))],
           feeds=[name for name in s.values if name not in known])


# ---- Optimizers


ROWS = "rows"  # of the gradient, behind which come their indices
STEP = "step"  # its number


def optimizer(slots, *inputs):
    """`inputs`: numbers, and None for the gradient."""
    def build(s, attrs):
        dtype = dtype_of(attrs)
        variables = [initialised(s, f"v{i}", dtype, tensor(dtype, DIMS, 3 * i),
                                 is_reference(s.op)) for i in range(slots)]
        known = start(s, *variables)
        operands = []
        for i, given in enumerate(inputs):
            if given == ROWS:  # one of them twice
                operands.append(s.feed("g", tensor(dtype, [3, 2], 5)))
                operands.append(s.feed("rows", vector(attrs["Tindices"][1], [2, 0, 2])))
            elif given == STEP:
                operands.append(s.feed("step", scalar("int64", 3)))
            else:
                operands.append(s.feed(f"x{i}", tensor(dtype, DIMS, 5) if given is None
                                       else scalar(dtype, plain(dtype, given))))
        finish(s, known, s.node("", s.op, *(v for v, _, _ in variables), *operands,
                                **encoded(attrs)))
    return build


def plain(dtype, number):
    if dtype.startswith("complex"):
        return complex(number, number / 2)
    return number if dtype in ("float", "double", "half", "bfloat16") else max(1, int(4 * number))


DESCENT = optimizer(1, 0.25, None)
MOMENTUM = optimizer(2, 0.25, None, 0.75)
# Powers of both decays, the rate, both decays, epsilon, the gradient.
ADAM = optimizer(3, 0.5, 0.25, 0.125, 0.75, 0.5, 0.0625, None)
# By the rule: how many variables, and the inputs for all of them. Those for rows are the same with
# rows for the gradient.
RULES = {
    "Adagrad": (2, 0.25, None), "AdagradV2": (2, 0.25, 0.125, None),
    "AdagradDA": (3, None, 0.25, 0.5, 0.75, STEP), "Adadelta": (3, 0.25, 0.75, 0.125, None),
    "ProximalGradientDescent": (1, 0.25, 0.5, 0.75, None),
    "ProximalAdagrad": (2, 0.25, 0.5, 0.75, None),
    "Ftrl": (3, None, 0.25, 0.5, 0.75, -0.5), "FtrlV2": (3, None, 0.25, 0.5, 0.75, 0.125, -0.25),
    "Momentum": (2, 0.25, None, 0.75), "KerasMomentum": (2, 0.25, None, 0.75),
    "RMSProp": (3, 0.25, 0.75, 0.5, 0.125, None),
    "CenteredRMSProp": (4, 0.25, 0.75, 0.5, 31, None),
    "AdaMax": (3, 0.5, 0.25, 0.75, 0.5, 0.125, None),
    "AdamWithAmsgrad": (4, 0.5, 0.25, 0.125, 0.75, 0.5, 0.0625, None),
    "AddSign": (2, 0.25, 1.5, 0.75, 0.5, None), "PowerSign": (2, 0.25, 1.5, 0.75, 0.5, None),
}


def steps_of_rules():
    """For every op that there may be; no harm is done by those that there are not."""
    found = {}
    for name, (slots, *inputs) in RULES.items():
        rows = [ROWS if given is None else given for given in inputs]
        for kind in ("", "Resource"):
            found[f"{kind}Apply{name}"] = optimizer(slots, *inputs)
            found[f"{kind}SparseApply{name}"] = optimizer(slots, *rows)
    return found


# ---- Random numbers, assertions and printing


def random_uniform(s, attrs):
    s.is_random = True
    dims = s.feed("dims", vector(attrs["T"][1], [2, 3]))
    s.step([s.node("", s.op, dims, **encoded(attrs))])


def no_copy(s, attrs):
    """The variable is what it was, and is read as before."""
    start(s, v := initialised(s, "v", "float", tensor("float", DIMS), False))
    s.step(targets=[s.node("", s.op, v[0])], feeds=[])
    s.step([s.node("y", "ReadVariableOp", v[0], dtype=type_attr("float"))], feeds=[])


def assertion(s, attrs):
    """Holds, and does not."""
    p = s.feed("p", scalar("bool", True))
    data = [s.feed(f"x{i}", tensor(dtype, DIMS, i)) for i, dtype in enumerate(attrs["T"][1])]
    check = s.node("", s.op, p, *data, **encoded(attrs))
    s.step(targets=[check])
    q = s.const("no", scalar("bool", False))
    s.step(targets=[s.node("fails", s.op, q, *data, **encoded(attrs))], feeds=data)


def printing(s, attrs):
    """What it prints goes to another place; its value goes on."""
    x = s.feed("x", tensor(attrs["T"][1], DIMS))
    data = [s.feed(f"x{i}", tensor(dtype, DIMS, i + 1)) for i, dtype in enumerate(attrs["U"][1])]
    s.step([s.node("", s.op, x, *data, **encoded(attrs))])


BUILDERS = {
    **dict.fromkeys(["Variable", "VariableV2", "VarHandleOp", "IsVariableInitialized",
                     "VarIsInitializedOp"], declared),
    "ReadVariableOp": read, "VariableShape": shape, "DisableCopyOnRead": no_copy,
    "ResourceGather": gather, "ResourceGatherNd": gather_nd,
    **dict.fromkeys(["Assign", "AssignAdd", "AssignSub", "AssignVariableOp",
                     "AssignAddVariableOp", "AssignSubVariableOp"], assignment),
    **{f"{kind}Scatter{name}": scatter for kind in ("", "Resource")
       for name in ("Add", "Sub", "Update", "Mul", "Div", "Max", "Min")},
    **{f"{kind}ScatterNd{name}": points for kind in ("", "Resource")
       for name in ("Add", "Sub", "Update", "Max", "Min")},
    "CountUpTo": counting, "ResourceCountUpTo": counting,
    **steps_of_rules(),
    **{f"{kind}Apply{name}": build for kind in ("", "Resource")
       for name, build in (("GradientDescent", DESCENT), ("Momentum", MOMENTUM), ("Adam", ADAM))},
    "RandomUniform": random_uniform, "Assert": assertion, "Print": printing,
}
