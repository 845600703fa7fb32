#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes rod.pbtxt and rod.pb: how warm a rod becomes, in the form of a TensorFlow 1 graph.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import FLOAT, INT, binary, integers, mean, node, number, variable, write
from while_text import Loop, all_indices, array, filled_array, length_of, row_of, rows_of

CELLS = 16


def part(name, source, begin, end, after=()):
    """source[begin:end] of a vector."""
    return node(name, "StridedSlice",
                [source, integers(f"{name}/begin", [begin], after),
                 integers(f"{name}/end", [end], after),
                 integers(f"{name}/strides", [1], after)],
                T=FLOAT, Index=INT, shrink_axis_mask="i: 0", begin_mask="i: 0", end_mask="i: 0",
                ellipsis_mask="i: 0", new_axis_mask="i: 0")


def padded(name, source, before, behind, after):
    """A vector with zeros at its ends."""
    sizes = f"tensor {{ dtype: DT_INT32 tensor_shape {{ dim {{ size: 1 }} dim {{ size: 2 }} }} " \
            f"int_val: {before} int_val: {behind} }}"
    node(f"{name}/sizes", "Const", [f"^{other}" for other in after], dtype=INT, value=sizes)
    return node(name, "Pad", [source, f"{name}/sizes"], T=FLOAT, Tpaddings=INT)


def what_is_given():
    """The record of an experiment: for each stretch of time its length, how much the heater gave,
    and what a camera saw of the cells at its end."""
    node("hours", "Placeholder", dtype=FLOAT, shape="shape { dim { size: -1 } }")
    node("power", "Placeholder", dtype=FLOAT, shape="shape { dim { size: -1 } }")
    node("measured", "Placeholder", dtype=FLOAT,
         shape="shape { dim { size: -1 } dim { size: 16 } }")


def rod():
    """What the rod is made of, and the longest step with which the scheme stays stable."""
    node("conductivity", "Exp", [variable("log_conductivity", [CELLS - 1])], T=FLOAT)
    node("cooling", "Exp", [variable("log_cooling", [])], T=FLOAT)
    node("best", "Max", ["conductivity", integers("best/axis", [0])], T=FLOAT, Tidx=INT,
         keep_dims="b: false")
    binary("longest_step", "RealDiv", number("stable", 0.25), "best")


def small_steps(outer, temperatures, duration, power):
    """The inner loop: heat flows for a stretch of time, in as many steps as that takes."""
    loop = Loop("measure/small", [("time", outer.constant("small/start", 0.0), FLOAT),
                                 ("cells", temperatures, FLOAT)])
    loop.goes_on(binary("measure/small/Less", "Less", loop["time"], loop.capture(duration)))

    def inside(source):
        return loop.capture(outer.capture(source))

    place, cells, after = "measure/small/", loop["cells"], loop.pivot
    left = binary(place + "left", "Sub", loop.capture(duration), loop["time"])
    step = binary(place + "step", "Minimum", left, inside("longest_step"))
    right = part(place + "right", cells, 1, CELLS, after)
    difference = binary(place + "difference", "Sub", right,
                        part(place + "but_last", cells, 0, CELLS - 1, after))
    flow = binary(place + "heat", "Mul", inside("conductivity"), difference)
    gained = binary(place + "gained", "Sub", padded(place + "from_right", flow, 0, 1, after),
                    padded(place + "to_left", flow, 1, 0, after))
    lost = binary(place + "lost", "Mul", inside("cooling"), cells)
    change = binary(place + "change", "Sub", gained, lost)
    change = binary(place + "heated", "Add", change, loop.capture(power))
    moved = binary(place + "moved", "Mul", step, change)
    loop.ends(time=binary(place + "later", "Add", loop["time"], step),
              cells=binary(place + "next", "Add", cells, moved))
    return loop["cells"]


def experiment():
    """The outer loop: stretch after stretch, and what the camera sees at the end of each."""
    count = length_of("count", "hours")
    indices = all_indices("indices", count)
    hours, hours_flow = filled_array("hours_array", "hours", count, indices)
    powers, powers_flow = filled_array("power_array", "power", count, indices)
    shown, shown_flow = array("shown", count)
    node("cold", "Fill", [integers("cold/shape", [CELLS]), number("cold/degrees", 0.0)], T=FLOAT,
         index_type=INT)

    loop = Loop("measure", [("index", number("first", 0), INT), ("cells", "cold", FLOAT),
                            ("flow", shown_flow, FLOAT)])
    loop.goes_on(binary("measure/Less", "Less", loop["index"], loop.capture(count, INT), INT))
    duration = row_of("measure/duration", loop.capture(hours, "type: DT_RESOURCE"), loop["index"],
                      loop.capture(hours_flow))
    watts = row_of("measure/power", loop.capture(powers, "type: DT_RESOURCE"), loop["index"],
                   loop.capture(powers_flow))
    at_first_cell = node("measure/heater", "Mul", [watts, loop.capture("first_cell")], T=FLOAT)
    cells = small_steps(loop, loop["cells"], duration, at_first_cell)
    written = node("measure/write", "TensorArrayWriteV3",
                   [loop.capture(shown, "type: DT_RESOURCE"), loop["index"], cells, loop["flow"]],
                   T=FLOAT)
    loop.ends(index=binary("measure/add", "Add", loop["index"], loop.constant("add/y", 1), INT),
              cells=cells, flow=written)
    rows_of("readings", shown, indices, loop["flow"])


def loss():
    binary("error", "SquaredDifference", "readings", "measured")
    mean("loss", "error")


what_is_given()
rod()
node("first_cell", "OneHot",
     [number("first_cell/index", 0), number("first_cell/cells", CELLS),
      number("first_cell/on", 1.0), number("first_cell/off", 0.0)], T=FLOAT, TI=INT, axis="i: -1")
experiment()
loss()
write(pathlib.Path(__file__).resolve().parent, "rod")
