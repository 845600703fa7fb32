# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops on sparse and ragged tensors, and on sets, ask of their operands.

The rules are those of `operand_rules.py`, which has the others.
"""

import math


def sizes(d, rank=None):
    return [d.rng.randint(1, 4) for _ in range(rank or d.rng.randint(1, 3))]


def points(d, dims, ordered=True):
    """Indices of some of the places, each at most once; now and then one is outside."""
    every = math.prod(dims)
    chosen = d.rng.sample(range(every), d.rng.randint(0, min(every, 6)))
    rows = []
    for place in sorted(chosen) if ordered else chosen:
        row = []
        for size in reversed(dims):
            row.insert(0, place % size)
            place //= size
        rows.append(row)
    if rows and d.chance(0.03):
        rows[-1][0] = d.rng.choice([-1, dims[0]])
    return rows


def indices(d, rows, rank, dtype="int64"):
    return d.ints(dtype, sum(rows, []), [len(rows), rank])


def sparse(d, dims, dtype="T", index="int64", ordered=True):
    rows = points(d, dims, ordered)
    return [indices(d, rows, len(dims), index), d.tensor(dtype, [len(rows)]), d.ints(index, dims)]


# ---- Places

def reshape(d):
    dims = sizes(d)
    wanted = d.rng.choice([dims[::-1], [math.prod(dims)], [-1, dims[-1]], [1, *dims], [-1]])
    if d.chance(0.05):
        wanted = d.rng.choice([[-1, -1], [7, -1], [2, 11]])
    return [indices(d, points(d, dims), len(dims)), d.ints("int64", dims),
            d.ints("int64", wanted)]


def reorder(d):
    return sparse(d, sizes(d), ordered=False)


def split(d):
    dims = sizes(d)
    axis = d.rng.randrange(len(dims))
    d.set("num_split", "int", d.rng.randint(1, dims[axis] + d.chance(0.05)))
    return [d.ints("int64", [axis + 9 * d.chance(0.03)], []), *sparse(d, dims)]


def concat(d):
    dims, count = sizes(d), d.rng.randint(2, 3)
    axis = d.rng.randrange(len(dims))
    d.set("N", "int", count)
    d.set("concat_dim", "int", axis - len(dims) * d.chance(0.4))
    parts = []
    for _ in range(count):
        other = list(dims)
        other[axis] = d.rng.randint(1, 4)
        parts.append(sparse(d, other))
    return [part[i] for i in range(3) for part in parts]


def bounds(d, dims):
    start = [d.rng.randint(0, size) for size in dims]
    return start, [d.rng.randint(0, size + 1) for size in dims]


def cut(d):
    dims = sizes(d)
    return [*sparse(d, dims), *(d.ints("int64", numbers) for numbers in bounds(d, dims))]


def cut_grad(d):
    dims = sizes(d)
    start, size = bounds(d, dims)
    rows = points(d, dims)
    kept = [[at - first for at, first in zip(row, start)] for row in rows
            if all(first <= at < first + many for at, first, many in zip(row, start, size))]
    return [d.tensor("T", [len(kept)]), indices(d, rows, len(dims)), d.ints("int64", start),
            indices(d, kept, len(dims))]


def fill_rows(d):
    return [*sparse(d, sizes(d), ordered=d.chance(0.7)), d.tensor("T", [])]


def fill_rows_grad(d):
    count = d.rng.randint(0, 6)
    back = d.rng.sample(range(count), d.rng.randint(0, count))
    return [d.ints("int64", back), d.tensor("T", [count])]


# ---- Arithmetic

def two(d):
    dims = sizes(d)
    other = dims if d.chance(0.95) else [size + 1 for size in dims]
    return [*sparse(d, dims), *sparse(d, other)]


def add(d):
    return [*two(d), d.tensor("Treal", [])]


def add_dense(d):
    dims = sizes(d)
    return [*sparse(d, dims, index="Tindices"), d.tensor("T", dims)]


def with_dense(d):
    dims = sizes(d)
    dense = [1 if d.chance(0.3) else size for size in dims[d.rng.randint(0, len(dims)):]]
    return [*sparse(d, dims), d.tensor("T", dense)]


def matmul(d):
    rows, inner, columns = sizes(d, 3)
    a = [inner, rows] if d.attrs["adjoint_a"][1] else [rows, inner]
    b = [columns, inner] if d.attrs["adjoint_b"][1] else [inner, columns]
    found = points(d, a)
    return [indices(d, found, 2, "Tindices"), d.tensor("T", [len(found)]), d.ints("int64", a),
            d.tensor("T", b)]


def softmax(d):
    return sparse(d, sizes(d, d.rng.randint(2, 3)))


def reduction(d):
    dims = sizes(d)
    return [*sparse(d, dims), d.ints("int32", d.axes(len(dims)))]


def hits(d):
    rows, columns = sizes(d, 2)
    d.set("num_true", "int", columns)
    classes = [d.rng.randint(0, 5) for _ in range(rows * columns)]
    return [d.ints("int64", classes, [rows, columns]),
            d.ints("int64", d.rng.sample(range(6), d.rng.randint(0, 6)))]


def all_classes(d):
    rows, columns = sizes(d, 2)
    columns = max(1, columns)
    for name, value in (("num_true", columns), ("num_sampled", 6)):
        d.set(name, "int", value)
    d.set("unique", "bool", d.chance(0.5))
    high = 5 + d.chance(0.05)
    return [d.ints("int64", [d.rng.randint(0, high) for _ in range(rows * columns)],
                   [rows, columns])]


# ---- Segments

def numbers_below(d, dtype, count, size):
    high = max(size - 1, 0) + d.chance(0.03)
    return d.ints(dtype, [d.rng.randint(0, high) for _ in range(count)])


def segments(d):
    rows, count = d.rng.randint(1, 5), d.rng.randint(0, 6)
    ids = sorted(d.rng.randint(0, 4) for _ in range(count))
    found = [d.tensor("T", [rows, *d.dims(0, 2)]), numbers_below(d, "Tidx", count, rows),
             d.ints("Tsegmentids", ids)]
    if d.signature.name.endswith("WithNumSegments"):
        found.append(d.ints("Tnumsegments", [5 if d.chance(0.9) else 2], []))
    return found


def segments_grad(d):
    rows, count, size = d.rng.randint(1, 5), d.rng.randint(0, 6), d.rng.randint(1, 5)
    return [d.tensor("T", [rows, *d.dims(0, 2)]), numbers_below(d, "Tidx", count, size),
            numbers_below(d, "Tsegmentids", count, rows), d.ints("int32", [size], [])]


def counted(d, count):
    """Values, their number of groups, and their weights or none."""
    values = d.ints("Tidx", [d.rng.randint(-1 if d.chance(0.03) else 0, 5) for _ in range(count)])
    weighs = not d.attrs["binary_output"][1] and d.chance(0.5)
    return [values, d.ints("Tidx", [d.rng.randint(0, 4)], []),
            d.tensor("T", [count if weighs else 0])]


def sparse_bincount(d):
    dims = sizes(d, d.rng.randint(1, 2))
    rows = points(d, dims)
    values, size, weights = counted(d, len(rows))
    return [indices(d, rows, len(dims)), values, d.ints("int64", dims), size, weights]


def splits(d, rows):
    ends = [0]
    for _ in range(rows):
        ends.append(ends[-1] + d.rng.randint(0, 3))
    return ends


def ragged_bincount(d):
    ends = splits(d, d.rng.randint(0, 4))
    return [d.ints("int64", ends), *counted(d, ends[-1])]


def ragged_to_sparse(d):
    rank, rows, found = d.rng.randint(1, 2), d.rng.randint(0, 3), []
    d.set("RAGGED_RANK", "int", rank)
    for _ in range(rank):
        ends = splits(d, rows)
        found.append(d.ints("Tsplits", ends))
        rows = ends[-1] + d.chance(0.02)
    return [*found, d.tensor("T", [rows, *d.dims(0, 2)])]


def ragged_to_tensor(d):
    """One level or two, by splits or by the row of each entry; the shape cuts and fills."""
    rows, levels = d.rng.randint(0, 3), d.rng.randint(1, 2)
    found, by_splits, longest, first = [], d.chance(0.5), [], rows
    for _ in range(levels):
        ends = splits(d, rows)
        lengths = [end - begin for begin, end in zip(ends, ends[1:])]
        found.append(ends if by_splits else [row for row, n in enumerate(lengths) for _ in range(n)])
        longest.append(max(lengths, default=0))
        rows = ends[-1]
    kinds = ["ROW_SPLITS"] * levels
    partitions = [d.ints("Tindex", each) for each in found]
    if not by_splits:
        kinds = ["FIRST_DIM_SIZE"] + ["VALUE_ROWIDS"] * levels
        partitions.insert(0, d.ints("Tindex", [first], []))
    d.set("row_partition_types", "texts", kinds)
    d.set("num_row_partition_tensors", "int", len(kinds))
    inner = d.dims(0, 2)
    sizes_of_all = [d.rng.choice([-1, max(0, size + d.rng.randint(-1, 2))])
                    for size in [first, *longest]] + [d.rng.choice([-1, size]) for size in inner]
    shape = d.ints("Tshape", sizes_of_all)  # TensorFlow wants a scalar to be a constant
    values = d.tensor("T", [rows + d.chance(0.02), *inner])
    return [shape, values, d.tensor("T", d.rng.choice([[], inner])), *partitions]


# ---- Sets

def sparse_set(d, dims):
    rows = points(d, [*dims, 3])
    return [indices(d, rows, len(dims) + 1),
            d.ints("T", [d.rng.randint(0, 5) for _ in rows]), d.ints("int64", [*dims, 3])]


def dense_set(d, dims):
    width = d.rng.randint(0, 4)
    values = [d.rng.randint(0, 5) for _ in range(math.prod(dims) * width)]
    return [d.ints("T", values, [*dims, width])]


def sets(d):
    d.set("set_operation", "string", d.rng.choice(["a-b", "b-a", "intersection", "union"]))
    dims = sizes(d, d.rng.randint(1, 2))
    first, second = d.signature.name.removesuffix("SetOperation").split("To")
    kinds = {"Dense": dense_set, "Sparse": sparse_set}
    return [*kinds[first](d, dims), *kinds[second](d, dims)]


def set_size(d):
    return sparse_set(d, sizes(d, d.rng.randint(1, 2)))


RULES = {
    "SparseReshape": reshape, "SparseReorder": reorder, "SparseSplit": split,
    "SparseConcat": concat, "SparseSlice": cut, "SparseSliceGrad": cut_grad,
    "SparseFillEmptyRows": fill_rows, "SparseFillEmptyRowsGrad": fill_rows_grad,
    "SparseAdd": add, "SparseSparseMaximum": two, "SparseSparseMinimum": two,
    "SparseTensorDenseAdd": add_dense, "SparseTensorDenseMatMul": matmul,
    "SparseSoftmax": softmax, "ComputeAccidentalHits": hits,
    "AllCandidateSampler": all_classes,
    "SparseBincount": sparse_bincount, "RaggedBincount": ragged_bincount,
    "RaggedTensorToSparse": ragged_to_sparse,
    "RaggedTensorToTensor": ragged_to_tensor, "SetSize": set_size,
    **{f"SparseDenseCwise{what}": with_dense for what in ("Add", "Mul", "Div")},
    **{f"SparseReduce{what}": reduction for what in ("Sum", "Max")},
    **{f"{what}SetOperation": sets for what in ("DenseToDense", "DenseToSparse",
                                                "SparseToSparse")},
    **{f"SparseSegment{how}{more}": segments for how in ("Sum", "Mean", "SqrtN")
       for more in ("", "WithNumSegments")},
    **{f"SparseSegment{how}Grad{more}": segments_grad for how in ("Sum", "Mean", "SqrtN")
       for more in ("", "V2")}}
