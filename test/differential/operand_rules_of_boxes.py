# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What boxes of images and labels of sequences ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import operands


def floats(dtype, dims, values):
    return operands.Operand(dtype, dims, operands.pack(dtype, values))


def scalar(dtype, value):
    return floats(dtype, [], [value])


# ---- Boxes


def boxes(d, dtype, dims):
    """Corners in eighths, so that some overlap in half."""
    count = 1
    for each in dims:
        count *= each
    return floats(dtype, [*dims, 4], [d.rng.randint(-1, 9) / 8 for _ in range(4 * count)])


def scores(d, dtype, dims):
    """No two are equal, though the order among those would be known."""
    count = 1
    for each in dims:
        count *= each
    return floats(dtype, dims, d.rng.sample([i / 64 for i in range(-10, max(count, 60))], count))


def suppress(d):
    kind, count = d.signature.name, d.rng.randint(0, 6)
    dtype = d.dtype("T") if "T" in d.signature.attrs else "float"
    rows = count + 1 if d.chance(0.03) else count
    if kind == "NonMaxSuppressionWithOverlaps":
        first = floats(dtype, [rows, rows], [d.rng.randint(0, 8) / 8 for _ in range(rows * rows)])
    else:
        first = boxes(d, dtype, [rows])
    found = [first, scores(d, dtype, [count]), d.ints("int32", [d.rng.randint(0, 5)], [])]
    if kind == "NonMaxSuppression":
        d.set("iou_threshold", "float", d.rng.choice([0, 0.25, 0.5, 1]))
        return found
    threshold = d.dtype("T_threshold") if "T_threshold" in d.signature.attrs else dtype
    found.append(scalar(threshold, d.rng.choice([0, 0.25, 0.5, 1])))
    if kind != "NonMaxSuppressionV2":
        found.append(scalar(threshold, d.rng.choice([-1, 0, 0.25])))
    if kind == "NonMaxSuppressionV5":
        found.append(scalar(dtype, d.rng.choice([0, 0.5])))
    return found


def suppress_classes(d):
    images, count, classes = d.rng.randint(1, 2), d.rng.randint(1, 5), d.rng.randint(1, 3)
    return [boxes(d, "float", [images, count, d.rng.choice([1, classes])]),
            scores(d, "float", [images, count, classes]),
            d.ints("int32", [d.rng.randint(1, 3)], []), d.ints("int32", [d.rng.randint(1, 9)], []),
            scalar("float", d.rng.choice([0, 0.25, 0.5, 1])),
            scalar("float", d.rng.choice([-1, 0, 0.25]))]


def drawn(d):
    channels = d.rng.choice([1, 3, 4])
    images = [d.rng.randint(1, 2), d.rng.randint(1, 6), d.rng.randint(1, 6), channels]
    found = [d.tensor("T", images), boxes(d, "float", [images[0], d.rng.randint(1, 3)])]
    if d.signature.name == "DrawBoundingBoxesV2":
        found.append(d.tensor("float", [d.rng.randint(0, 3), 4]))
    return found


# ---- Sequences


def logits(d):
    """[times, sequences, classes], and lengths. None are far from the others, as sums may be."""
    dims = [d.rng.randint(1, 5), d.rng.randint(1, 2), d.rng.randint(2, 4)]
    count = dims[0] * dims[1] * dims[2]
    x = floats(d.dtype("T") if "T" in d.signature.attrs else "float", dims,
               [d.rng.uniform(-2, 2) for _ in range(count)])
    return x, dims


def ctc_loss(d):
    x, (times, batch, classes) = logits(d)
    d.set("ignore_longer_outputs_than_inputs", "bool", d.chance(0.9))
    d.set("ctc_merge_repeated", "bool", d.chance(0.5))
    indices, labels = [], []
    for sequence in range(batch):
        for at in range(d.rng.randint(1, 3)):
            indices += [sequence, at]
            labels.append(d.rng.randrange(classes - 1))
        if at and d.chance(0.1):
            labels[-1] = classes - 1  # does not count
    lengths = [d.rng.randint(0, times) for _ in range(batch)]
    return [x, d.ints("int64", indices, [len(labels), 2]), d.ints("int32", labels),
            d.ints("int32", lengths)]


def decoder(d):
    x, (times, batch, classes) = logits(d)
    lengths = [d.rng.randint(1, times) for _ in range(batch)]
    if d.signature.name == "CTCGreedyDecoder":
        d.set("blank_index", "int", d.rng.randint(-classes, classes - 1))
    else:
        paths = d.rng.randint(1, 2)
        d.set("beam_width", "int", d.rng.randint(paths, 4))
        d.set("top_paths", "int", paths)
    return [x, d.ints("int32", lengths)]


def distance(d):
    """Sequences of few labels, in order, of a matrix or of more dims."""
    before = [d.rng.randint(1, 3) for _ in range(d.rng.randint(0, 2))]
    found = []
    for _ in range(2):
        dims = [*before, 5]
        count = 1
        for each in dims:
            count *= each
        rows = []
        for place in sorted(d.rng.sample(range(count), d.rng.randint(0, min(count, 8)))):
            row = []
            for size in reversed(dims):
                row.insert(0, place % size)
                place //= size
            rows += row
        total = len(rows) // len(dims)
        dtype = d.dtype("T")
        values = [b"ab"[at:at + 1] if dtype == "string" else at
                  for at in (d.rng.randint(0, 1) for _ in range(total))]
        labels = operands.Operand(dtype, [total], values if dtype == "string"
                                  else operands.pack(dtype, values))
        found += [d.ints("int64", rows, [total, len(dims)]), labels, d.ints("int64", dims)]
    return found


RULES = {
    **dict.fromkeys(["NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3",
                     "NonMaxSuppressionV4", "NonMaxSuppressionV5",
                     "NonMaxSuppressionWithOverlaps"], suppress),
    "CombinedNonMaxSuppression": suppress_classes,
    "DrawBoundingBoxes": drawn, "DrawBoundingBoxesV2": drawn,
    "CTCLoss": ctc_loss, "CTCGreedyDecoder": decoder, "CTCBeamSearchDecoder": decoder,
    "EditDistance": distance,
}
