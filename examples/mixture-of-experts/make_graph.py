#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes experts.pbtxt and experts.pb: a loop that asks two of four experts in each iteration.

Needs protoc, and no TensorFlow. The two files are checked in; run this only to change the graph.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from graph_text import BOOL, FLOAT, INT, binary, integers, node, number, product, variable, write
from while_text import Loop, all_indices, array, filled_array, length_of, row_of, rows_of

DEVICES = [f"/task:{rank}" for rank in range(4)]
HOME = DEVICES[0]  # the gate, the points and all that steers the loop
SIGNALS = 6
HANDLE = "type: DT_RESOURCE"


def what_is_given():
    """The points at first; for each step a signal, and where the points are behind it."""
    node("points", "Placeholder", dtype=FLOAT, shape="shape { dim { size: 16 } dim { size: 2 } }")
    node("signals", "Placeholder", dtype=FLOAT,
         shape=f"shape {{ dim {{ size: -1 }} dim {{ size: 1 }} dim {{ size: {SIGNALS} }} }}")
    node("path", "Placeholder", dtype=FLOAT,
         shape="shape { dim { size: -1 } dim { size: 16 } dim { size: 2 } }")


def weights():
    """What is read of each variable: those of an expert are on its device."""
    read = {"gate": variable("gate", [SIGNALS, 4], HOME)}
    for rank, device in enumerate(DEVICES):
        read[f"turn_{rank}"] = variable(f"turn_{rank}", [2, 2], device)
        read[f"shift_{rank}"] = variable(f"shift_{rank}", [2], device)
    return read


def gate(loop, read, signal):
    """Which experts are asked, a bool for each, and how much each of them counts."""
    place = "walk/gate"
    logits = product(f"{place}/logits", signal, loop.capture(read["gate"], device=HOME), HOME)
    chances = node(f"{place}/Softmax", "Softmax", [logits], HOME, T=FLOAT)
    node(f"{place}/best", "TopKV2", [logits, loop.constant("gate/two", 2)], HOME, T=FLOAT,
         sorted="b: true")
    ways = node(f"{place}/ways", "OneHot",
                [f"{place}/best:1", loop.constant("gate/four", 4), loop.constant("gate/on", 1.0),
                 loop.constant("gate/off", 0.0)], HOME, T=FLOAT, TI=INT, axis="i: -1")
    asked = node(f"{place}/asked", "Sum", [ways, integers(f"{place}/axis", [1], loop.pivot)], HOME,
                 T=FLOAT, Tidx=INT, keep_dims="b: false")
    kept = binary(f"{place}/kept", "Mul", chances, asked, device=HOME)
    total = node(f"{place}/total", "Sum", [kept, integers(f"{place}/axes", [1], loop.pivot)], HOME,
                 T=FLOAT, Tidx=INT, keep_dims="b: true")
    shares = binary(f"{place}/shares", "RealDiv", kept, total, device=HOME)
    node(f"{place}/share", "Split", [loop.constant("gate/share/axis", 1), shares], HOME, T=FLOAT,
         num_split="i: 4")
    are_asked = []
    for rank in range(4):
        same = binary(f"{place}/is_{rank}", "Equal", f"{place}/best:1",
                      loop.constant(f"gate/number_{rank}", rank), INT, HOME)
        are_asked.append(node(f"{place}/ask_{rank}", "Any",
                              [same, integers(f"{place}/ask_{rank}/axes", [0, 1], loop.pivot)],
                              HOME, Tidx=INT, keep_dims="b: false"))
    shares = [f"{place}/share", *(f"{place}/share:{rank}" for rank in range(1, 4))]
    return are_asked, shares, asked


def switch(name, source, predicate, device):
    return node(name, "Switch", [source, predicate], device, T=FLOAT)


def ask(rank, loop, read, points, is_asked, share):
    """What an expert says of the points, on its own device; zeros if it is not asked."""
    device, place = DEVICES[rank], f"walk/expert_{rank}"
    turn, shift = (switch(f"{place}/{name}", loop.capture(read[f"{name}_{rank}"], device=device),
                          is_asked, device) for name in ("turn", "shift"))
    here = switch(f"{place}/points", points, is_asked, HOME)
    turned = product(f"{place}/turned", f"{here}:1", f"{turn}:1", device)
    said = node(f"{place}/says", "BiasAdd", [turned, f"{shift}:1"], device, T=FLOAT,
                data_format='s: "NHWC"')
    nothing = node(f"{place}/nothing", "ZerosLike", [here], HOME, T=FLOAT)
    either = node(f"{place}/Merge", "Merge", [nothing, said], HOME, N="i: 2", T=FLOAT)
    return binary(f"{place}/counts", "Mul", either, share, device=HOME)


def walk(read):
    """The loop: step after step, two experts say where the points go."""
    count = length_of("count", "signals")
    indices = all_indices("indices", count)
    signals, signals_flow = filled_array("signals_array", "signals", count, indices)
    walked, walked_flow = array("walked", count)
    asked, asked_flow = array("asked_array", count)
    loop = Loop("walk", [("step", number("first_step", 0), INT, HOME),
                         ("points", "points", FLOAT, HOME), ("flow", walked_flow, FLOAT, HOME),
                         ("asked_flow", asked_flow, FLOAT, HOME)])
    loop.goes_on(binary("walk/Less", "Less", loop["step"], loop.capture(count, INT), INT))
    signal = row_of("walk/signal", loop.capture(signals, HANDLE), loop["step"],
                    loop.capture(signals_flow))
    are_asked, shares, mask = gate(loop, read, signal)
    answers = [ask(rank, loop, read, loop["points"], are_asked[rank], shares[rank])
               for rank in range(4)]
    points = node("walk/next", "AddN", answers, HOME, N="i: 4", T=FLOAT)

    def written(name, handle, rows, flow):
        return node(name, "TensorArrayWriteV3",
                    [loop.capture(handle, HANDLE), loop["step"], rows, flow], T=FLOAT)

    loop.ends(step=binary("walk/add", "Add", loop["step"], loop.constant("add/y", 1), INT),
              points=points, flow=written("walk/write", walked, points, loop["flow"]),
              asked_flow=written("walk/write_asked", asked, mask, loop["asked_flow"]))
    rows_of("walked/rows", walked, indices, loop["flow"])
    rows_of("asked", asked, indices, loop["asked_flow"])


def loss():
    binary("error", "SquaredDifference", "walked/rows", "path")
    node("loss", "Mean", ["error", integers("loss/axes", [0, 1, 2])], T=FLOAT, Tidx=INT,
         keep_dims="b: false")


what_is_given()
walk(weights())
loss()
write(pathlib.Path(__file__).resolve().parent, "experts")
