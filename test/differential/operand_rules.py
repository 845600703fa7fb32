# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops ask of their operands, beyond types: axes in range, dims that fit, sensible indices.

A rule takes a `cases.Draw`, sets the attributes that it wants otherwise, and returns the operands.
A few operands do not fit, so that errors are compared too.
"""

import math

import operand_rules_of_boxes
import operand_rules_of_images
import operand_rules_of_indices
import operand_rules_of_linear
import operand_rules_of_matrices
import operand_rules_of_moves
import operand_rules_of_parts
import operand_rules_of_rows
import operand_rules_of_sparse
import operand_rules_of_windows


def same_dims(d):
    dims = d.dims()
    return [d.tensor(arg.dtype, dims) for arg in d.signature.inputs]


def counted(d):
    d.set("N", "int", d.rng.randint(1, 4))
    dims = d.dims()
    if "shape" in d.attrs:
        d.set("shape", "shape", dims)
    return [d.tensor("T", dims) for _ in range(d.attrs["N"][1])]


# ---- Elementwise


def select(d):
    dims = d.dims()
    leading = [] if d.chance(0.3) else dims[:1] if d.chance(0.3) else dims
    return [d.tensor("bool", leading), d.tensor("T", dims), d.tensor("T", dims)]


def clip(d):
    dims = d.dims()
    limits = dims if d.chance(0.3) else []
    return [d.tensor("T", dims), d.tensor("T", limits), d.tensor("T", limits)]


def identities(d):
    dtypes = [d.rng.choice(["float", "int64", "bool"]) for _ in range(d.rng.randint(1, 3))]
    d.set("T", "types", dtypes)
    return [d.tensor(dtype, d.dims()) for dtype in dtypes]


# ---- Reductions


def reduction(d):
    x = d.dims()
    axes = d.axes(len(x))
    if d.chance(0.03):
        axes.append(d.rng.choice([len(x), *axes]))
    dims = [] if len(axes) == 1 and d.chance(0.5) else None
    return [d.tensor(d.signature.inputs[0].dtype, x), d.ints("Tidx", axes, dims)]


def along_axis(d):
    x = d.dims(1)
    return [d.tensor("T", x), d.ints("Tidx", [d.axis(len(x))], [])]


def top_k(d):
    x = d.dims(1)
    d.set("sorted", "bool", True)  # without, the order is left open
    k = d.rng.randint(0, x[-1]) + (1 if d.chance(0.02) else 0)
    if d.signature.name == "TopK":
        d.set("k", "int", k)
        return [d.tensor("T", x)]
    return [d.tensor("T", x), d.ints("Tk", [k], [])]


def cumulative(d):
    x = d.dims(0 if d.chance(0.1) else 1)
    return [d.tensor("T", x), d.ints("Tidx", [d.axis(len(x))], [])]


# ---- Products


def matrices(d, batch_a, batch_b, turned, dtypes):
    m, k, n = d.sizes(3)
    inner = k + (1 if d.chance(0.02) else 0)
    a = [k, m] if turned[0] else [m, k]
    b = [n, inner] if turned[1] else [inner, n]
    return [d.tensor(dtypes[0], [*batch_a, *a]), d.tensor(dtypes[1], [*batch_b, *b])]


def matmul(d):
    turned = [d.attrs[f"transpose_{side}"][1] for side in "ab"]
    return matrices(d, [], [], turned, ["T", "T"])


def batch_matmul(d):
    batch = d.dims(0, 2)
    batch = batch if math.prod(batch) < 20 else []
    other = batch
    if d.signature.name != "BatchMatMul" and d.chance(0.5):
        other = [1 if d.chance(0.3) else dim for dim in batch[d.rng.randint(0, len(batch)):]]
    dtypes = ["T", "T"]
    if d.signature.name == "BatchMatMulV3":
        dtypes = ["Ta", "Tb"]
        common = [t for t in d.signature.attrs["Ta"].allowed
                  if t in d.signature.attrs["Tout"].allowed]
        chosen = d.dtype("Ta") if d.dtype("Ta") in common else d.rng.choice(common)
        for name in ("Ta", "Tb", "Tout"):
            d.set(name, "type", chosen)
    return matrices(d, batch, other, [d.attrs["adj_x"][1], d.attrs["adj_y"][1]], dtypes)


def bias_add(d):
    x = d.dims(2)
    channels = 1 if d.attrs.get("data_format", (0, 0))[1] == "NCHW" else -1
    return [d.tensor("T", x), d.tensor("T", [x[channels]])]


def bias_add_grad(d):
    return [d.tensor("T", d.dims(2))]


def matrix(d):
    return [d.tensor("T", d.dims(2, 2) if d.chance(0.9) else d.dims(1))]


def cross_entropy(d):
    dims = d.sizes(2)
    return [d.tensor("T", dims), d.tensor("T", [1, dims[1]] if d.chance(0.1) else dims)]


def sparse_cross_entropy(d):
    rows, classes = d.sizes(2)
    high = max(classes - 1, 0) if d.chance(0.9) else classes
    labels = [d.rng.randint(0, high) for _ in range(rows)]
    return [d.tensor("T", [rows, classes]), d.ints("Tlabels", labels)]


RULES = {
    **dict.fromkeys(["AddN", "AccumulateNV2"], counted),
    **dict.fromkeys(["ReluGrad", "Relu6Grad", "LeakyReluGrad", "EluGrad", "SeluGrad",
                     "SoftplusGrad", "SoftsignGrad", "SigmoidGrad", "TanhGrad", "SqrtGrad",
                     "RsqrtGrad", "ReciprocalGrad", "InvGrad", "ApproximateEqual"], same_dims),
    "Select": select, "ClipByValue": clip, "IdentityN": identities,
    **dict.fromkeys(["Sum", "Mean", "Prod", "Max", "Min", "All", "Any", "EuclideanNorm"],
                    reduction),
    **dict.fromkeys(["ArgMax", "ArgMin"], along_axis),
    **dict.fromkeys(["Cumsum", "Cumprod", "CumulativeLogsumexp"], cumulative),
    "TopK": top_k, "TopKV2": top_k,
    "MatMul": matmul,
    **dict.fromkeys(["BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"], batch_matmul),
    "BiasAdd": bias_add, "BiasAddV1": bias_add, "BiasAddGrad": bias_add_grad,
    "Softmax": matrix, "LogSoftmax": matrix,
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": sparse_cross_entropy,
    **operand_rules_of_indices.RULES, **operand_rules_of_linear.RULES,
    **operand_rules_of_matrices.RULES,
    **operand_rules_of_sparse.RULES,
    **operand_rules_of_parts.RULES, **operand_rules_of_moves.RULES, **operand_rules_of_windows.RULES,
    **operand_rules_of_boxes.RULES, **operand_rules_of_images.RULES, **operand_rules_of_rows.RULES,
}
