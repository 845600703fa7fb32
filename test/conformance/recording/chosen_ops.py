# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops that compute from tensors, where no operands that are drawn show the goal."""

import math

from scenario import g, of, scalar, tensor, vector

import graphs  # isort: skip
from goals import OTHER  # isort: skip


def encoded(attrs):
    return {name: graphs.attr_value(*value) for name, value in attrs.items()}


def identities(s, attrs):
    """Two tensors, of which the second one is of another type."""
    asked = attrs["T"][1][0]
    dtypes = [asked, "float" if asked == "int32" else "int32"]
    operands = [s.feed(f"x{i}", tensor(dtype, [2 + i], i)) for i, dtype in enumerate(dtypes)]
    s.node("", s.op, *operands, T=graphs.attr_value("types", dtypes))
    s.step([f"{s.name}:{i}" for i in range(2)])


def largest(s, attrs):
    """Two of four in each row."""
    s.node("", s.op, s.feed("x", tensor(attrs["T"][1], [3, 4])), k=g.integer(2), **encoded(attrs))
    s.step([f"{s.name}:0", f"{s.name}:1"])


def position(s, attrs):
    x = s.feed("x", tensor(attrs["T"][1], [3, 4]))
    axis = s.feed("axis", scalar(attrs["Tidx"][1], 1))
    s.step([s.node("", s.op, x, axis, **encoded(attrs))])


EIGHT_BITS = {"uint8": [200, 3, 7, 255], "int8": [-100, 5, 127, -128]}


def product(s, attrs):
    """Of bytes with and without sign; what comes out has 32 bits, which it needs."""
    wanted = [attrs[name][1] for name in ("Ta", "Tb")]
    asked = next(dtype for dtype in wanted if dtype in EIGHT_BITS)
    other = next(dtype for dtype in EIGHT_BITS if dtype != asked)
    dtypes = [dtype if dtype == asked else other for dtype in wanted]
    attrs = {**attrs, "Ta": ("type", dtypes[0]), "Tb": ("type", dtypes[1]),
             "Tout": ("type", "int32")}
    x, y = (s.feed(f"x{i}", of(dtype, [2, 2], EIGHT_BITS[dtype]))
            for i, dtype in enumerate(dtypes))
    s.step([s.node("", s.op, x, y, **encoded(attrs))])


# Of a tensor of [2, 3, 4]: begin, end, strides, and the dims of what they cut out.
CUTS = {"ellipsis_mask": (2, [1, 0, 0], [2, 0, 4], [1, 1, 2], [1, 3, 2]),  # [1:2, ..., 0:4:2]
        "new_axis_mask": (1, [0, 1, 0], [0, 2, 2], [1, 1, 1], [1, 1, 2, 4]),  # [new, 1:2, 0:2]
        "shrink_axis_mask": (2, [0, 2, 1], [2, 3, 3], [1, 1, 1], [2, 2])}  # [0:2, 2, 1:3]


def cut(s, attrs):
    """With one mask; without it, what is cut out would have other dims."""
    mask = next(name for name in CUTS if attrs[name][1] == OTHER)
    value, *numbers, dims = CUTS[mask]
    index = attrs["Index"][1]
    bounds = [s.const(f"n{i}", vector(index, values))
              for i, values in enumerate([[2, 3, 4], *numbers])]
    dy = s.feed("dy", tensor(attrs["T"][1], dims))
    s.step([s.node("", s.op, *bounds, dy, **encoded({**attrs, mask: ("int", value)}))])


def selection(s, attrs):
    """By a vector, which is one for each column; `Select` would take it for the rows."""
    dtype = attrs["T"][1]
    condition = s.feed("condition", vector("bool", [True, False]))
    x, y = (s.feed(f"x{i}", tensor(dtype, [2, 2], i)) for i in range(2))
    s.step([s.node("", s.op, condition, x, y, **encoded(attrs))])


def refusal(s, attrs):
    """Of what is no number, and of what is infinite."""
    for i, number in enumerate((math.nan, -math.inf)):
        x = s.feed(f"x{i}", vector(attrs["T"][1], [1.5, number]))
        s.step([s.node(f"y{i}", s.op, x, message=g.text("no number"), **encoded(attrs))],
               feeds=[x])


def disorder(s, attrs):
    """Of points that are in order, and of some that are not."""
    dims = s.const("dims", vector("int32", [4]))
    x, other = s.feed("x", vector("float", [1.5, 2.5])), s.feed("other", scalar("float", 9))
    for i, at in enumerate(([1, 3], [3, 1])):
        rows = s.feed(f"rows{i}", of("int32", [2, 1], at))
        s.step([s.node(f"y{i}", s.op, rows, dims, x, other, **encoded(attrs))],
               feeds=[x, other, rows])


def convolution(s, attrs):
    """In groups, which the filter's dims tell as well, or with another number of leading dims."""
    batch, groups = (2 if attrs.get(name) == ("int", OTHER) else 1
                     for name in ("batch_dims", "groups"))
    x = s.feed("x", tensor(attrs["T"][1], [2] * batch + [3, 2, 2]))
    kernel = s.feed("kernel", tensor(attrs["T"][1], [2, 1, 2 // groups, 4]))
    s.step([s.node("", s.op, x, kernel, T=graphs.attr_value(*attrs["T"]),
                   strides=graphs.attr_value("ints", [1] * 4), padding=g.text("VALID"),
                   batch_dims=g.integer(batch), groups=g.integer(groups))])


def longer(s, attrs):
    """Of as many labels as there are times, and of more."""
    attrs = {**attrs, "ignore_longer_outputs_than_inputs": ("bool", False)}
    logits = s.feed("logits", tensor(attrs["T"][1], [3, 1, 3]))
    indices = s.feed("indices", of("int64", [3, 2], [0, 0, 0, 1, 0, 2]))
    labels = s.feed("labels", vector("int32", [0, 1, 0]))
    for count in (3, 2):
        times = s.feed(f"times{count}", vector("int32", [count]))
        node = s.node(f"y{count}", s.op, logits, indices, labels, times, **encoded(attrs))
        s.step([f"{node}:0", f"{node}:1"], feeds=[logits, indices, labels, times])


BUILDERS = {"IdentityN": identities, "TopK": largest}

# Of single goals, besides what is drawn for others: (op, goal as text).
FOR_GOALS = {
    ("ArgMax", "Tidx=int16"): position,
    **{("BatchMatMulV3", f"{name}={dtype}"): product for name in ("Ta", "Tb")
       for dtype in EIGHT_BITS},
    **{("StridedSliceGrad", f"{mask}={OTHER}"): cut for mask in CUTS},
    ("SparseToDense", "validate_indices=True"): disorder,
    **{("Conv", f"{name}={OTHER}"): convolution for name in ("batch_dims", "groups")},
    ("CTCLoss", "ignore_longer_outputs_than_inputs=False"): longer,
    ("SelectV2", "any"): selection, ("CheckNumerics", "any"): refusal,
}
