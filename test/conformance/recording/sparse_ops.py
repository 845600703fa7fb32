# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios of ops on sparse and ragged tensors, and on sets."""

from scenario import g, of, scalar, tensor, vector

import graphs  # isort: skip

INDICES, DIMS = [[0, 1], [0, 3], [2, 0], [2, 3]], [3, 4]


def matrix(values, dtype="int64"):
    return of(dtype, [len(values), len(values[0]) if values else 2], sum(values, []))


def sparse(s, part, dtype, indices=None, dims=None, index="int64", values=None):
    """Names of the indices, the values and the dims."""
    indices, dims = indices or INDICES, dims or DIMS
    given = tensor(dtype, [len(indices)], len(part)) if values is None else vector(dtype, values)
    return [s.feed(f"{part}_indices", matrix(indices, index)), s.feed(f"{part}_values", given),
            s.feed(f"{part}_dims", vector(index, dims))]


def node(s, attrs, part, *inputs, **more):
    given = {name: graphs.attr_value(*value) for name, value in attrs.items()}
    return s.node(part, s.op, *inputs, **{**given, **more})


def fetch(s, node, count):
    s.step([f"{node}:{i}" for i in range(count)])


# ---- Places

def reshape(s, attrs):
    x = s.feed("x", matrix(INDICES))
    dims = s.feed("dims", vector("int64", DIMS))
    for i, wanted in enumerate([[2, 3, -1], [12], [3, 4], [-1, 5], [-1, -1], [5, 2]]):
        to = s.feed(f"to{i}", vector("int64", wanted))
        fetch(s, node(s, attrs, f"r{i}" if i else "", x, dims, to), 2)


def reorder(s, attrs):
    x = sparse(s, "x", attrs["T"][1], [[2, 3], [0, 1], [2, 0], [0, 3]])
    fetch(s, node(s, attrs, "", *x), 2)


def split(s, attrs):
    x = sparse(s, "x", attrs["T"][1], dims=[3, 5])
    for axis in (1, 0, 2):
        at = s.feed(f"axis{axis}", scalar("int64", axis))
        fetch(s, node(s, attrs, "" if axis == 1 else f"a{axis}", at, *x, num_split=g.integer(2)), 6)


def concat(s, attrs):
    dtype = attrs["T"][1]
    first, second = sparse(s, "x", dtype), sparse(s, "other", dtype, [[1, 0], [2, 1]], [3, 2])
    both = [name for pair in zip(first, second) for name in pair]
    for axis in (1, -1, 0):
        fetch(s, node(s, attrs, "" if axis == 1 else f"a{axis + 2}", *both,
                        concat_dim=g.integer(axis), N=g.integer(2)), 3)


def cut(s, attrs):
    x = sparse(s, "x", attrs["T"][1])
    for i, (start, size) in enumerate([([0, 1], [3, 2]), ([1, 3], [9, 9]), ([3, 0], [1, 1])]):
        bounds = [s.feed(f"{name}{i}", vector("int64", numbers))
                  for name, numbers in (("start", start), ("size", size))]
        fetch(s, node(s, attrs, f"r{i}" if i else "", *x, *bounds), 3)


def cut_grad(s, attrs):
    operands = [s.feed("dy", tensor(attrs["T"][1], [2])), s.feed("x", matrix(INDICES)),
                s.feed("start", vector("int64", [0, 1])), s.feed("y", matrix([[0, 0], [2, 2]]))]
    s.step([node(s, attrs, "", *operands)])


def fill_rows(s, attrs):
    dtype = attrs["T"][1]
    default = s.feed("default", tensor(dtype, [], 5))
    fetch(s, node(s, attrs, "", *sparse(s, "x", dtype), default), 4)
    turned = sparse(s, "turned", dtype, [[2, 3], [0, 1], [2, 0]])
    fetch(s, node(s, attrs, "other", *turned, default), 4)


def fill_rows_grad(s, attrs):
    back = s.feed("map", vector("int64", [3, 0, 2]))
    fetch(s, node(s, attrs, "", back, s.feed("dy", tensor(attrs["T"][1], [5]))), 2)


# ---- Arithmetic

def add(s, attrs):
    narrow = {"complex64": "float", "complex128": "double"}
    dtype = attrs["T"][1]
    if attrs["Treal"][1] != "float":
        dtype = attrs["Treal"][1]
    # Whatever the limit's type is said to be, TensorFlow reads one of the elements' type.
    attrs = {**attrs, "T": ("type", dtype), "Treal": ("type", narrow.get(dtype, dtype))}
    less = -2 if not dtype.startswith("u") else 2
    x = sparse(s, "x", dtype, values=[1, 2, 3, 4])
    y = sparse(s, "y", dtype, [[0, 1], [1, 1], [2, 3]], values=[less, 1, 5])
    limit = s.feed("limit", scalar(attrs["Treal"][1], 2))
    fetch(s, node(s, attrs, "", *x, *y, limit), 3)


def extreme(s, attrs):
    dtype = attrs["T"][1]
    x = sparse(s, "x", dtype, values=[1, 2, 3, 4])
    y = sparse(s, "y", dtype, [[0, 1], [1, 1], [2, 3]], values=[2, 1, 3])
    fetch(s, node(s, attrs, "", *x, *y), 2)
    wide = sparse(s, "wide", dtype, [[0, 1]], [3, 5], values=[2])
    fetch(s, node(s, attrs, "mixed", *x, *wide), 2)


def add_dense(s, attrs):
    dtype = attrs["T"][1]
    x = sparse(s, "x", dtype, index=attrs["Tindices"][1])
    s.step([node(s, attrs, "", *x, s.feed("b", tensor(dtype, DIMS)))])
    s.step([node(s, attrs, "mixed", *x, s.feed("c", tensor(dtype, [3, 5])))])


def with_dense(s, attrs):
    """Of the same shape, and of less."""
    dtype = attrs["T"][1]
    x = sparse(s, "x", dtype)
    for i, dims in enumerate([DIMS, [4], [3, 1], [], [3]]):
        dense = s.feed(f"b{i}", of(dtype, dims, [1 + k for k in range(max(1, len(dims)))]
                                   if not dims else [1 + k % 5 for k in range(product(dims))]))
        s.step([node(s, attrs, f"r{i}" if i else "", *x, dense)])


def product(dims):
    count = 1
    for dim in dims:
        count *= dim
    return count


def matmul(s, attrs):
    dtype, index = attrs["T"][1], attrs["Tindices"][1]
    turns = {name: attrs[name][1] for name in ("adjoint_a", "adjoint_b")}
    x = [s.feed("x_indices", matrix(INDICES, index)), s.feed("x_values", tensor(dtype, [4])),
         s.feed("x_dims", vector("int64", DIMS))]
    inner = DIMS[0] if turns["adjoint_a"] else DIMS[1]
    b = s.feed("b", tensor(dtype, [2, inner] if turns["adjoint_b"] else [inner, 2]))
    s.step([node(s, attrs, "", *x, b)])


def softmax(s, attrs):
    s.step([node(s, attrs, "", *sparse(s, "x", attrs["T"][1]))])


def reduction(s, attrs):
    x = sparse(s, "x", attrs["T"][1], values=[1, 2, 3, 4])
    for i, axes in enumerate([[0], [-1], [0, 1], []]):
        at = s.feed(f"axes{i}", vector("int32", axes))
        s.step([node(s, attrs, f"r{i}" if i else "", *x, at)])


def hits(s, attrs):
    classes = s.feed("classes", of("int64", [3, 2], [1, 5, 0, 9, 5, 7]))
    sampled = s.feed("sampled", vector("int64", [5, 3, 9, 1]))
    fetch(s, node(s, attrs, "", classes, sampled, num_true=g.integer(2)), 3)


def all_classes(s, attrs):
    classes = s.feed("classes", of("int64", [3, 2], [1, 5, 0, 4, 5, 2]))
    sizes = {name: g.integer(size) for name, size in (("num_true", 2), ("num_sampled", 6))}
    fetch(s, node(s, attrs, "", classes, **sizes), 3)


# ---- Segments

def segments(s, attrs):
    types = {name: attrs[name][1] for name in ("T", "Tidx", "Tsegmentids")}
    x = s.feed("x", tensor(types["T"], [4, 2]))
    rows = s.feed("rows", vector(types["Tidx"], [3, 0, 1, 1]))
    ids = s.feed("ids", vector(types["Tsegmentids"], [0, 0, 2, 2]))
    more = []
    if s.op.endswith("WithNumSegments"):
        more = [s.feed("count", scalar(attrs["Tnumsegments"][1], 4))]
    s.step([node(s, attrs, "", x, rows, ids, *more)])
    far = s.feed("far", vector(types["Tidx"], [3, 0, 1, 4]))
    s.step([node(s, attrs, "outside", x, far, ids, *more)])


def segments_grad(s, attrs):
    types = {name: attrs[name][1] for name in ("T", "Tidx", "Tsegmentids")}
    dy = s.feed("dy", tensor(types["T"], [3, 2]))
    rows = s.feed("rows", vector(types["Tidx"], [3, 0, 1, 1]))
    ids = s.feed("ids", vector(types["Tsegmentids"], [0, 0, 2, 2]))
    size = s.feed("size", scalar("int32", 5))
    fetch(s, node(s, attrs, "", dy, rows, ids, size), 2 if s.op.endswith("V2") else 1)


def bincount(s, attrs):
    index, dtype = attrs["Tidx"][1], attrs["T"][1]
    values = s.feed("values", vector(index, [2, 0, 2, 7]))
    if s.op == "SparseBincount":
        given = [s.feed("indices", matrix([[0, 1], [2, 0], [2, 3], [2, 4]])), values,
                 s.feed("dims", vector("int64", [3, 5]))]
    else:
        given = [s.feed("splits", vector("int64", [0, 1, 1, 4])), values]
    size = s.feed("size", scalar(index, 4))
    weights = [s.feed("none", vector(dtype, []))]
    if not attrs["binary_output"][1]:
        weights.append(s.feed("weights", vector(dtype, [3, 1, 4, 1])))
    for i, weight in enumerate(weights):
        s.step([node(s, attrs, f"r{i}" if i else "", *given, size, weight)])


def ragged(s, attrs):
    """Two levels of splits, and values that are rows."""
    dtype, index = attrs["T"][1], attrs["Tsplits"][1]
    outer = s.feed("outer", vector(index, [0, 2, 2, 3]))
    inner = s.feed("inner", vector(index, [0, 2, 2, 4]))
    fetch(s, node(s, attrs, "", outer, inner, s.feed("x", tensor(dtype, [4])),
                    RAGGED_RANK=g.integer(2)), 3)
    fetch(s, node(s, attrs, "rows", inner, s.feed("y", tensor(dtype, [4, 2])),
                    RAGGED_RANK=g.integer(1)), 3)
    fetch(s, node(s, attrs, "bad", inner, s.feed("z", tensor(dtype, [3])),
                    RAGGED_RANK=g.integer(1)), 3)


def ragged_dense(s, attrs):
    """By splits and by row ids; sizes that are open, that cut, and that fill."""
    dtype, index, size = (attrs[name][1] for name in ("T", "Tindex", "Tshape"))
    outer = s.feed("outer", vector(index, [0, 2, 2, 3]))
    inner = s.feed("inner", vector(index, [0, 2, 2, 4]))
    x, fill = s.feed("x", tensor(dtype, [4])), s.feed("fill", tensor(dtype, []))

    def dense(part, shape, values, kinds, *partitions):
        s.step([node(s, attrs, part, s.feed(f"shape{part}", shape), values, fill, *partitions,
                     num_row_partition_tensors=g.integer(len(kinds)),
                     row_partition_types=graphs.attr_value("texts", kinds))])

    dense("", vector(size, [-1, -1, -1]), x, ["ROW_SPLITS"] * 2, outer, inner)
    dense("cut", vector(size, [2, -1, 1]), x, ["ROW_SPLITS"] * 2, outer, inner)
    dense("more", vector(size, [4, 3, -1]), x, ["ROW_SPLITS"] * 2, outer, inner)
    rows = s.feed("rows", scalar(index, 3))
    ids = s.feed("row_ids", vector(index, [0, 0, 2, 2]))
    dense("ids", vector(size, [-1, 3, 2]), s.feed("y", tensor(dtype, [4, 2])),
          ["FIRST_DIM_SIZE", "VALUE_ROWIDS"], rows, ids)


# ---- Sets

def elements(dtype, values):
    return [b"t%d" % value for value in values] if dtype == "string" else values


def dense_set(s, part, dtype, values):
    return [s.feed(part, of(dtype, [2, len(values) // 2], elements(dtype, values)))]


def sparse_set(s, part, dtype, values):
    indices = [[0, 0], [0, 2], [1, 1]]
    return [s.feed(f"{part}_indices", matrix(indices)),
            s.feed(f"{part}_values", vector(dtype, elements(dtype, values))),
            s.feed(f"{part}_dims", vector("int64", [2, 4]))]


def sets(s, attrs):
    dtype = attrs["T"][1]
    first = (sparse_set(s, "a", dtype, [3, 1, 2]) if s.op.startswith("Sparse") else
             dense_set(s, "a", dtype, [3, 1, 3, 2, 2, 7]))
    second = (dense_set(s, "b", dtype, [1, 5, 2, 9]) if s.op.endswith("ToDenseSetOperation") else
              sparse_set(s, "b", dtype, [5, 1, 2]))
    for i, how in enumerate(["a-b", "b-a", "intersection", "union"]):
        fetch(s, node(s, attrs, f"r{i}" if i else "", *first, *second, set_operation=g.text(how)), 3)


def set_size(s, attrs):
    x = sparse_set(s, "x", attrs["T"][1], [3, 3, 2])
    s.step([node(s, attrs, "", *x)])


# ---- Crossed features

FEATURES = {"string": [b"a", b"b", b"", b"long feature"], "int64": [5, -7, 0, 1 << 40]}
SPARSE_ROWS = [[[0, 0], [1, 0], [1, 2], [2, 1]], [[0, 0], [0, 1], [1, 0], [1, 1]]]


def crossed_columns(s, types):
    """Two sparse columns and two dense ones, in TensorFlow's order; some rows have no feature."""
    rows = [s.feed(f"rows{i}", matrix(places)) for i, places in enumerate(SPARSE_ROWS)]
    values = [s.feed(f"values{i}", vector(dtype, FEATURES[dtype])) for i, dtype in enumerate(types[:2])]
    dims = [s.feed(f"dims{i}", vector("int64", [3, 3])) for i in range(2)]
    dense = [s.feed(f"dense{i}", of(dtype, [3, 1 + i], (2 * FEATURES[dtype])[:3 * (1 + i)]))
             for i, dtype in enumerate(types[2:])]
    return rows + values + dims, dense


def cross(s, attrs):
    """Both types of elements in sparse and in dense columns, unless all have to be strings."""
    only_strings = attrs.get("internal_type", ("", ""))[1] == "string"
    asked = {name: attrs[name][1][0] for name in ("sparse_types", "dense_types")}
    other = {"string": "int64", "int64": "string"}
    types = [dtype for first in asked.values() for dtype in (first, other[first])]
    if s.op == "SparseCrossHashed":  # of sparse columns of numbers it has a hash that nobody explains
        types[:2] = ["string"] * 2
    if only_strings:
        types = ["string"] * 4
    sparse_columns, dense = crossed_columns(s, types)
    given = {"N": g.integer(2)}
    if s.op == "SparseCross":
        text = attrs["out_type"][1] == "string"
        given |= {"hashed_output": g.boolean(attrs["hashed_output"][1]), "hash_key": g.integer(956888297470),
                  "num_buckets": g.integer(0 if text else 1000),
                  "out_type": graphs.attr_value("type", "string" if text else "int64"),
                  "internal_type": graphs.attr_value("type", "string" if only_strings else "int64")}
    last = {"SparseCross": [[]], "SparseCrossV2": [[of("string", [], [b"-"])]],
            "SparseCrossHashed": [[scalar("int64", buckets), scalar("bool", keyed), vector("int64", [3, -4])]
                                  for buckets, keyed in ((1000, False), (0, False), (1000, True))]}[s.op]
    for i, operands in enumerate(last):
        more = [s.const(f"k{i}_{j}", each) for j, each in enumerate(operands)]
        whole = {**given, "sparse_types": graphs.attr_value("types", types[:2]),
                 "dense_types": graphs.attr_value("types", types[2:])}
        # TensorFlow does not survive keys for columns of numbers.
        is_keyed = i == 2
        if not is_keyed:
            fetch(s, s.node(f"r{i}" if i else "", s.op, *sparse_columns, *dense, *more, **whole), 3)
        one = {**given, "N": g.integer(0), "sparse_types": graphs.attr_value("types", []),
               "dense_types": graphs.attr_value("types", types[3:])}
        if not is_keyed or types[3] == "string":
            fetch(s, s.node(f"d{i}", s.op, dense[1], *more, **one), 3)
    fewer = s.feed("fewer", of(types[2], [2, 1], FEATURES[types[2]][:2]))
    more = [s.const(f"more{j}", each) for j, each in enumerate(last[0])]
    s.step([s.node("rows", s.op, fewer, dense[1], *more, **{
        **one, "dense_types": graphs.attr_value("types", types[2:])})])


BUILDERS = {**dict.fromkeys(("SparseCross", "SparseCrossV2", "SparseCrossHashed"), cross),
    "SparseReshape": reshape, "SparseReorder": reorder, "SparseSplit": split,
    "SparseConcat": concat, "SparseSlice": cut, "SparseSliceGrad": cut_grad,
    "SparseFillEmptyRows": fill_rows, "SparseFillEmptyRowsGrad": fill_rows_grad,
    "SparseAdd": add, "SparseSparseMaximum": extreme, "SparseSparseMinimum": extreme,
    "SparseTensorDenseAdd": add_dense, "SparseTensorDenseMatMul": matmul,
    "SparseSoftmax": softmax, "ComputeAccidentalHits": hits,
    "AllCandidateSampler": all_classes, "RaggedTensorToSparse": ragged,
    "RaggedTensorToTensor": ragged_dense,
    "SparseBincount": bincount, "RaggedBincount": bincount, "SetSize": set_size,
    **{f"SparseDenseCwise{what}": with_dense for what in ("Add", "Mul", "Div")},
    **{f"SparseReduce{what}": reduction for what in ("Sum", "Max")},
    **{f"{what}SetOperation": sets for what in ("DenseToDense", "DenseToSparse",
                                                "SparseToSparse")},
    **{f"SparseSegment{how}{more}": segments for how in ("Sum", "Mean", "SqrtN")
       for more in ("", "WithNumSegments")},
    **{f"SparseSegment{how}Grad{more}": segments_grad for how in ("Sum", "Mean", "SqrtN")
       for more in ("", "V2")}}
