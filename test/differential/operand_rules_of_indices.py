# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops that choose, place and count elements by indices ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import math


def indices(d, dtype, count, size, dims=None):
    high = max(size - 1, 0)
    least = 0
    if d.chance(0.05):
        least, high = d.rng.choice([(-1, high), (0, size)])
    least = max(least, 0) if d.dtype(dtype)[0] == "u" else least
    return d.ints(dtype, [d.rng.randint(least, high) for _ in range(count)], dims)


def gather(d):
    x = d.dims(1)
    dims = d.dims(0, 2)
    if d.signature.name == "Gather":
        return [d.tensor("Tparams", x), indices(d, "Tindices", math.prod(dims), x[0], dims)]
    axis, batch = d.valid_axis(len(x)), 0
    if d.chance(0.3) and x[0]:
        batch = d.rng.randint(0, axis % len(x))
        dims = x[:batch] + d.dims(0, 1)
    d.set("batch_dims", "int", batch)
    return [d.tensor("Tparams", x), indices(d, "Tindices", math.prod(dims), x[axis], dims),
            d.ints("Taxis", [axis], [])]


def index_rows(d, x, dims):
    """Rows of indices into the first dims of `x`; now and then one is outside."""
    depth = d.rng.randint(0 if d.chance(0.05) else 1, len(x))
    numbers = []
    for _ in range(math.prod(dims)):
        row = [d.rng.randint(0, max(size - 1, 0)) for size in x[:depth]]
        if row and d.chance(0.01):
            row[0] = d.rng.choice([-1, x[0]])
        numbers += row
    return d.ints("Tindices", numbers, [*dims, depth]), x[depth:]


def gather_nd(d):
    x = d.dims(1)
    rows, _ = index_rows(d, x, d.dims(0, 2))
    return [d.tensor("Tparams", x), rows]


def scatter_nd(d):
    x, dims = d.dims(1, 3), d.dims(0, 1)
    rows, rest = index_rows(d, x, dims)
    return [rows, d.tensor("T", [*dims, *rest]), d.ints("Tindices", x)]


def update_points(d):
    x, dims = d.dims(1, 3), d.dims(0, 1)
    rows, rest = index_rows(d, x, dims)
    return [d.tensor("T", x), rows, d.tensor("T", [*dims, *rest])]


def unique(d):
    """Few different numbers, so that some are equal."""
    x = d.dims(1, 1) if not d.signature.name.endswith("V2") else d.dims(1, 3)
    found = [d.tensor("T", x)]
    if d.signature.name.endswith("V2"):
        axis = [] if len(x) == 1 and d.chance(0.3) else [d.axis(len(x))]
        found.append(d.ints("Taxis", axis))
    return found


def list_diff(d):
    return [d.tensor("T", d.dims(1, 1)), d.tensor("T", d.dims(1, 1))]


def one_hot(d):
    dims, depth = d.dims(0, 3), d.rng.randint(0, 5)
    d.set("axis", "int", d.rng.randint(-1, len(dims)))
    return [d.tensor("TI", dims, wild=False), d.ints("int32", [depth], []), d.tensor("T", []),
            d.tensor("T", [])]


def segments(d):
    x = d.dims(1)
    dims, count = x[:d.rng.randint(1, len(x))], d.rng.randint(0 if d.chance(0.1) else 1, 5)
    return [d.tensor("T", x), indices(d, "Tindices", math.prod(dims), count, dims),
            d.ints("Tnumsegments", [count], [])]


# ---- Groups


def partition(d):
    x, count = d.dims(0), d.rng.randint(1, 4)
    d.set("num_partitions", "int", count)
    dims = x[:d.rng.randint(0, len(x))]
    return [d.tensor("T", x), indices(d, "int32", math.prod(dims), count, dims)]


def stitch(d):
    """Every place is named, since what the others hold is left open."""
    inner, count = d.dims(0, 2), d.rng.randint(1, 3)
    d.set("N", "int", count)
    sizes = [d.rng.randint(0, 4) for _ in range(count)]
    places = list(range(sum(sizes)))
    d.rng.shuffle(places)
    if places and d.chance(0.03):
        places[0] = -1
    lists = [[places.pop() for _ in range(size)] for size in sizes]
    return [*(d.ints("int32", numbers) for numbers in lists),
            *(d.tensor("T", [size, *inner]) for size in sizes)]


def bincount(d):
    flat = d.signature.name == "Bincount"
    dims = d.dims(1, 2)
    numbers = [d.rng.randint(-1 if d.chance(0.01) else 0, 6) for _ in range(math.prod(dims))]
    dtype = "int32" if flat else "Tidx"
    weighted = d.chance(0.5)
    return [d.ints(dtype, numbers, dims), d.ints(dtype, [d.rng.randint(0, 6)], []),
            d.tensor("T", dims if weighted else [0])]


def sorted_segments(d):
    x = d.dims(1)
    ids = sorted(d.rng.randint(0, 5) for _ in range(x[0]))
    if len(ids) > 1 and d.chance(0.03):
        ids[0] = ids[-1] + 1
    return [d.tensor("T", x), d.ints("Tindices", ids)]


def sparse_to_dense(d):
    dims = [d.rng.randint(1, 4) for _ in range(d.rng.randint(1, 3))]
    places = sorted(d.rng.sample(range(math.prod(dims)), d.rng.randint(0, math.prod(dims))))
    if len(places) > 1 and d.chance(0.1):
        places[0], places[1] = places[1], places[0]
    rows = []
    for place in places:
        row = []
        for size in reversed(dims):
            place, at = divmod(place, size)
            row.insert(0, at)
        rows += row
    alike = d.chance(0.3)
    return [d.ints("Tindices", rows, [len(places), len(dims)]), d.ints("Tindices", dims),
            d.tensor("T", [] if alike else [len(places)]), d.tensor("T", [])]


def nd_blocks(d):
    """Of images: the batch, one or two dims with blocks, and others."""
    count = d.rng.randint(1, 2)
    block = [d.rng.randint(1, 3) for _ in range(count)]
    rest = d.dims(0, 1)
    if d.signature.name == "SpaceToBatchND":
        borders = [d.rng.randint(0, 2) for _ in range(2 * count)]
        dims = [size * d.rng.randint(1, 3) for size in block]
        dims = [size - (borders[2 * i] + borders[2 * i + 1]) % block[i]
                for i, size in enumerate(dims)]
        names = "Tblock_shape", "Tpaddings"
        x = [d.rng.randint(1, 3), *dims, *rest]
    else:
        dims = [d.rng.randint(1, 3) for _ in range(count)]
        borders = [0 if size * block[i] < 2 else d.rng.randint(0, 1)
                   for i, size in enumerate(dims) for _ in range(2)]
        names = "Tblock_shape", "Tcrops"
        x = [math.prod(block) * d.rng.randint(1, 2), *dims, *rest]
    return [d.tensor("T", x), d.ints(names[0], block), d.ints(names[1], borders, [count, 2])]


def square_blocks(d):
    size, name = d.rng.randint(2, 3), d.signature.name
    d.set("block_size", "int", size)
    batch, height, width, channels = (d.rng.randint(1, 2) for _ in range(4))
    if name.startswith("Batch"):
        batch *= size * size
    elif name.startswith("Space"):
        height, width = height * size, width * size
    else:
        channels *= size * size
    x = d.tensor("T", [batch, height, width, channels])
    if "Depth" in name:
        return [x]
    return [x, d.ints("Tpaddings" if name == "SpaceToBatch" else "Tidx", [0] * 4, [2, 2])]


RULES = {
    "Gather": gather, "GatherV2": gather, "GatherNd": gather_nd, "ScatterNd": scatter_nd,
    "OneHot": one_hot,
    **dict.fromkeys([*(f"TensorScatter{how}" for how in ("Update", "Add", "Sub", "Max", "Min")),
                     "ScatterNdNonAliasingAdd"], update_points),
    **dict.fromkeys(["Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2"], unique),
    "ListDiff": list_diff,
    **dict.fromkeys(["UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMax",
                     "UnsortedSegmentMin"], segments),
    "DynamicPartition": partition,
    "DynamicStitch": stitch, "ParallelDynamicStitch": stitch,
    "Bincount": bincount, "DenseBincount": bincount,
    **dict.fromkeys([f"Segment{name}" for name in ("Sum", "Prod", "Max", "Min", "Mean")],
                    sorted_segments),
    "SparseToDense": sparse_to_dense,
    "SpaceToBatchND": nd_blocks, "BatchToSpaceND": nd_blocks,
    **dict.fromkeys(["SpaceToBatch", "BatchToSpace", "SpaceToDepth", "DepthToSpace"],
                    square_blocks),
}
