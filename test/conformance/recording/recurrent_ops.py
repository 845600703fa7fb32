# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of recurrent nets with all their steps, and of their derivatives."""

from scenario import g, of, scalar

import graphs  # isort: skip
from goals import OTHER  # isort: skip

STEPS, BATCH, INPUTS, WIDTH = 3, 2, 3, 2
DIMS = {"x": [STEPS, BATCH, INPUTS], "cs_prev": [BATCH, WIDTH], "h_prev": [BATCH, WIDTH],
        "w": [INPUTS + WIDTH, 4 * WIDTH], "wci": [WIDTH], "wcf": [WIDTH], "wco": [WIDTH],
        "b": [4 * WIDTH]}
# What one gives and the other takes, a step after the other.
OF_STEPS = ("i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad")
# With these, states are clipped and forgotten otherwise than by default.
OTHERS = {"cell_clip": 0.25, "forget_bias": -0.5}


def small(dtype, dims, start):
    """Numbers between -1 and 1, of which no two neighbours are equal."""
    count = 1
    for dim in dims:
        count *= dim
    return of(dtype, dims, [((7 * i + 3 * start) % 13 - 6) / 8 for i in range(count)])


def given(attrs):
    found = {"T": graphs.attr_value(*attrs["T"]),
             "use_peephole": g.boolean(attrs["use_peephole"][1])}
    return found | {name: graphs.attr_value("float", value) for name, value in OTHERS.items()
                    if attrs.get(name, ("", None))[1] == OTHER}


def feeds(s, attrs, more=()):
    names = [*DIMS, *more]
    return [s.feed(name, small(attrs["T"][1], DIMS.get(name, [STEPS, BATCH, WIDTH]), i))
            for i, name in enumerate(names)]


def block(s, attrs):
    """All steps, and less: what has no step is not written by TensorFlow but for states and results."""
    operands = feeds(s, attrs)
    for steps in (STEPS, 2, 0):
        count = s.feed(f"steps{steps}", scalar("int64", steps))
        node = s.node("" if steps == STEPS else f"of{steps}", s.op, count, *operands, **given(attrs))
        s.step([f"{node}:{i}" for i in (range(7) if steps == STEPS else (1, 6))])


def block_grad(s, attrs):
    operands = feeds(s, attrs, OF_STEPS)
    for steps in (STEPS, 2):
        count = s.feed(f"steps{steps}", scalar("int64", steps))
        node = s.node("" if steps == STEPS else f"of{steps}", s.op, count, *operands, **given(attrs))
        s.step([f"{node}:{i}" for i in range(8)])


BUILDERS = {**dict.fromkeys(("BlockLSTM", "BlockLSTMV2"), block),
            **dict.fromkeys(("BlockLSTMGrad", "BlockLSTMGradV2"), block_grad)}
