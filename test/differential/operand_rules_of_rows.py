# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of ops on rows of ragged tensors, on colors, on vectors in space, and of recurrent nets."""

import math


def splits(d, rows, longest=3):
    """Of so many rows, and how many values they have."""
    found = [0]
    for _ in range(rows):
        found.append(found[-1] + d.rng.randint(0, longest))
    return found


def ranges(d):
    """Whole numbers, so that nothing depends on how often something was added."""
    rows = d.rng.randint(0, 4)
    numbers = lambda low, high: [d.rng.randint(low, high) for _ in range(rows)]  # noqa: E731
    deltas = [d.rng.choice([-3, -2, -1, 1, 2, 3]) for _ in range(rows)]
    if deltas and d.chance(0.03):
        deltas[0] = 0
    found = []
    for values, alone in ((numbers(-5, 5), 2), (numbers(-9, 9), -4), (deltas, 2)):
        scalar = d.chance(0.2)
        found.append(d.ints("T", [alone] if scalar else values, [] if scalar else None))
    return found


def ragged_rows(d):
    levels, rank = d.rng.randint(1, 3), d.rng.randint(0, 2)
    d.set("PARAMS_RAGGED_RANK", "int", levels)
    d.set("OUTPUT_RAGGED_RANK", "int", levels + rank - 1)
    rows = d.rng.randint(1, 4)
    found, count = [], rows
    for _ in range(levels):
        of = splits(d, count)
        found.append(d.ints("Tsplits", of))
        count = of[-1]
    dims = [d.rng.randint(0, 3) for _ in range(rank)]
    chosen = [d.rng.randint(-1 if d.chance(0.02) else 0, rows - 1) for _ in range(math.prod(dims))]
    return [*found, d.tensor("Tvalues", [count, *d.dims(0, 2)]), d.ints("Tindices", chosen, dims)]


def unravel(d):
    dims = [d.rng.randint(1, 5) for _ in range(d.rng.randint(1, 4))]
    count = math.prod(dims)
    alone = d.chance(0.2)  # TensorFlow refuses none at all
    places = [d.rng.randint(0, count if d.chance(0.02) else count - 1)
              for _ in range(1 if alone else d.rng.randint(1, 5))]
    return [d.ints("Tidx", places, [] if alone else None), d.ints("Tidx", dims)]


def empty(d):
    d.set("init", "bool", True)
    return [d.ints("int32", d.dims())]


def in_space(d):
    dims = [*d.dims(0, 3), 3]
    return [d.tensor("T", dims), d.tensor("T", dims)]


def colors(d):
    return [d.tensor("T", [*d.dims(0, 3), 3], wild=False)]


def adjusted(d):
    dims = [*(d.rng.randint(1, 4) for _ in range(d.rng.randint(2, 3))), 3]
    return [d.tensor("T", dims, wild=False), d.tensor("float", [], wild=False)]


OF_STEPS = ("i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad")


def block(d):
    """All steps, since TensorFlow does not write what the others give."""
    # What comes back grows with each step, and with it what is lost.
    steps = 1 if "Grad" in d.signature.name else d.rng.randint(1, 3)
    batch, inputs, width = d.sizes(3)
    inputs, width = max(inputs, 1), max(width, 1)
    kinds = {"x": [steps, batch, inputs], "w": [inputs + width, 4 * width], "b": [4 * width],
             **dict.fromkeys(("wci", "wcf", "wco"), [width]),
             **dict.fromkeys(OF_STEPS, [steps, batch, width])}
    return [d.ints("int64", [steps], []),
            *(d.tensor("T", kinds.get(arg.name, [batch, width]), wild=False)
              for arg in d.signature.inputs[1:])]


RULES = {
    "RaggedRange": ranges, "RaggedGather": ragged_rows, "UnravelIndex": unravel, "Empty": empty,
    "Cross": in_space, "RGBToHSV": colors, "HSVToRGB": colors,
    **dict.fromkeys(["AdjustSaturation", "AdjustHue", "AdjustContrastv2"], adjusted),
    **dict.fromkeys(["BlockLSTM", "BlockLSTMV2", "BlockLSTMGrad", "BlockLSTMGradV2"], block),
}
