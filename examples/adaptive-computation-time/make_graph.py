#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes parity.pbtxt and parity.pb: a recurrent cell that decides how often it runs.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import (BOOL, FLOAT, INT, binary, integers, mean, node, number, product, variable,
                        write)
from while_text import Loop

INPUTS, HIDDEN = 5, 32
MOST_STEPS = 12
ENOUGH = 0.99  # of the chances to stop, all together
PRICE = 0.01  # of a step


def as_float(name, source):
    return node(name, "Cast", [source], SrcT=BOOL, DstT=FLOAT)


def weights():
    """What is read of each variable."""
    shapes = {"first_state": [HIDDEN], "from_input": [1, HIDDEN], "from_state": [HIDDEN, HIDDEN],
              "bias": [HIDDEN], "stop": [HIDDEN, 1], "stop_bias": [1],
              "out": [HIDDEN, 1], "out_bias": [1]}
    return {name: variable(name, shape) for name, shape in shapes.items()}


def below(name, loop, left, limit, dtype=FLOAT):
    return binary(name, "Less", left, loop.constant(f"{name}/limit", limit), dtype)


def goes_on(loop):
    """As long as the chances to stop of one example are not enough, but not for ever."""
    axes = integers("ponder/axes", [0, 1], loop.pivot)
    some = node("ponder/Any", "Any", [below("ponder/some", loop, loop["stopped"], ENOUGH), axes],
                Tidx=INT, keep_dims="b: false")
    few = below("ponder/few", loop, loop["step"], MOST_STEPS, INT)
    loop.goes_on(node("ponder/LogicalAnd", "LogicalAnd", [few, some]))


def seen(loop):
    """The number at the place of this step, 0 behind the last one."""
    place = node("ponder/place", "OneHot",
                 [loop["step"], loop.constant("place/width", INPUTS),
                  loop.constant("place/on", 1.0), loop.constant("place/off", 0.0)],
                 T=FLOAT, TI=INT, axis="i: -1")
    shape = integers("ponder/column/shape", [INPUTS, 1], loop.pivot)
    one_column = node("ponder/column", "Reshape", [place, shape], T=FLOAT, Tshape=INT)
    return product("ponder/seen", loop.capture("x"), one_column)


def cell(loop, read):
    """The next state, from the state and what is seen."""
    kept = product("ponder/kept", loop["state"], loop.capture(read["from_state"]))
    new = product("ponder/new", seen(loop), loop.capture(read["from_input"]))
    total = node("ponder/biased", "BiasAdd",
                 [binary("ponder/total", "Add", kept, new), loop.capture(read["bias"])], T=FLOAT,
                 data_format='s: "NHWC"')
    return node("ponder/Tanh", "Tanh", [total], T=FLOAT)


def head(loop, read, state, name):
    """A number for each example."""
    value = product(f"ponder/{name}_product", state, loop.capture(read[name]))
    return node(f"ponder/{name}", "BiasAdd", [value, loop.capture(read[f"{name}_bias"])], T=FLOAT,
                data_format='s: "NHWC"')


def stops(loop, chance):
    """Which examples stop with this step: their chances are enough, or it is the last step."""
    enough = node("ponder/enough", "GreaterEqual",
                  [binary("ponder/with_chance", "Add", loop["stopped"], chance),
                   loop.constant("enough/limit", ENOUGH)], T=FLOAT)
    is_last = node("ponder/is_last", "GreaterEqual",
                   [loop["step"], loop.constant("is_last/limit", MOST_STEPS - 1)], T=INT)
    return node("ponder/stops", "LogicalOr", [enough, is_last])


def ponder(read):
    """Runs the cell until all examples have stopped."""
    node("x/sums", "Sum", ["x", integers("x/sums/axis", [1])], T=FLOAT, Tidx=INT,
         keep_dims="b: true")
    nothing = binary("nothing", "Mul", "x/sums", number("zero", 0.0))  # a column of zeros
    state = binary("first_states", "Add", nothing, read["first_state"])
    sums = [(name, nothing, FLOAT) for name in ("stopped", "answer", "steps", "rest")]
    loop = Loop("ponder", [("step", number("first_step", 0), INT), ("state", state, FLOAT), *sums])
    goes_on(loop)
    state = cell(loop, read)
    chance = node("ponder/chance", "Sigmoid", [head(loop, read, state, "stop")], T=FLOAT)
    runs = as_float("ponder/runs_as_float", below("ponder/runs", loop, loop["stopped"], ENOUGH))
    stop = stops(loop, chance)
    # The chances of an example are 1 in all: its last step gets what is left.
    left = binary("ponder/left", "Sub", loop.constant("one", 1.0), loop["stopped"])
    share = node("ponder/share", "Select", [stop, left, chance], T=FLOAT)
    weight = binary("ponder/weight", "Mul", runs, share)
    part = binary("ponder/part", "Mul", weight, head(loop, read, state, "out"))
    last = binary("ponder/last", "Mul", runs, as_float("ponder/stops_as_float", stop))
    added = {"stopped": weight, "answer": part, "steps": runs,
             "rest": binary("ponder/left_at_last", "Mul", last, left)}
    loop.ends(step=binary("ponder/add", "Add", loop["step"], loop.constant("add/y", 1), INT),
              state=state,
              **{name: binary(f"ponder/{name}/next", "Add", loop[name], value)
                 for name, value in added.items()})
    return loop


def judge(loop):
    answer = node("answer", "Identity", [loop["answer"]], T=FLOAT)
    node("steps", "Identity", [loop["steps"]], T=FLOAT)
    node("iterations", "Identity", [loop["step"]], T=INT)
    soft = node("soft", "Softplus", [answer], T=FLOAT)
    cross = binary("cross_entropy", "Sub", soft, binary("agreed", "Mul", answer, "odd"))
    cost = binary("ponder_cost", "Add", loop["steps"], loop["rest"])
    price = binary("price", "Mul", mean("mean_cost", cost), number("step_price", PRICE))
    binary("loss", "Add", mean("mean_cross_entropy", cross), price)
    says = node("says_odd", "Greater", [answer, number("even_chance", 0.0)], T=FLOAT)
    is_odd = node("is_odd", "Greater", ["odd", number("half", 0.5)], T=FLOAT)
    right = node("right", "Equal", [says, is_odd], T=BOOL)
    mean("accuracy", as_float("right_as_float", right))


for feed, width in [("x", INPUTS), ("odd", 1)]:
    node(feed, "Placeholder", dtype=FLOAT,
         shape=f"shape {{ dim {{ size: -1 }} dim {{ size: {width} }} }}")
judge(ponder(weights()))
write(pathlib.Path(__file__).resolve().parent, "parity")
