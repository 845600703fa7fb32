# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Sluice differs from TensorFlow on purpose, or TensorFlow from itself.

Each entry has ops (empty: all), a condition on a case and its operands as numpy arrays, and why.
`docs/rationale/arithmetic.md` has those that a user may notice.
"""

import numpy as np

SUMS = ["MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Sum", "Mean", "Prod", "Cumsum",
        "Cumprod", "EuclideanNorm", "L2Loss", "BiasAddGrad", "UnsortedSegmentSum",
        "UnsortedSegmentProd", "AddN", "AccumulateNV2", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad",
        "InvGrad", "SigmoidGrad", "SoftmaxCrossEntropyWithLogits"]
HALVES = ("half", "bfloat16")


def dtype_of(case):
    kind, dtype = case.attrs.get("T", ("type", ""))
    return dtype if kind == "type" else ""


def numbers(operands):
    """The floating operands as f64 or c128."""
    for array in operands:
        if array.dtype.kind in "fcV":
            yield array.astype("complex128" if array.dtype.kind == "c" else "float64")


def has_nan(case, operands):
    return any(np.isnan(array).any() for array in numbers(operands))


def is_extreme(case, operands):
    """Numbers so large or small that products of them are not."""
    low = 1e-3 if dtype_of(case) == "half" else 1e-12
    sizes = [np.abs(array[array != 0]) for array in numbers(operands)]
    return any(not ((low <= size) & (size < 1 / low)).all() for size in sizes)


def is_extreme_complex(case, operands):
    """Parts that are not finite, or of which a square or an exponential is not."""
    limit = {"Log1p": 1, "Expm1": 80, "Tan": 80}.get(case.op, 1e15)  # Log1p: also at its pole
    return dtype_of(case).startswith("complex") and any(
        not (np.abs(part)[part != 0] < limit).all() or (np.abs(part)[part != 0] < 1 / limit).any()
        for array in numbers(operands) for part in (array.real, array.imag))


def is_out_of_range(case, operands):
    """A float that the integer type does not have."""
    source, target = (case.attrs[name][1] for name in ("SrcT", "DstT"))
    if source not in ("float", "double", *HALVES, "complex64", "complex128") or "int" not in target:
        return False
    bits = int(target.lstrip("uint"))
    high = 2.0**(bits - (target[0] != "u"))
    low = 0 if target[0] == "u" else -high
    return any(not ((array.real > low - 1) & (array.real < high)).all()
               for array in numbers(operands))


KNOWN = [
    (["UnsortedSegmentMax", "UnsortedSegmentMin", "TopKV2", "ArgMax", "ArgMin"], has_nan,
     "a NaN is the extremum (ArgMax, ArgMin: never); TensorFlow's answer depends on its place"),
    (["Cast"], is_out_of_range, "saturates; TensorFlow's answer is the processor's"),
    ([], is_extreme_complex, "TensorFlow overflows on the way, or makes NaNs of infinities"),
    (["FloorDiv", "FloorMod", "Mod", "TruncateDiv", "TruncateMod"],
     lambda case, _: dtype_of(case) in HALVES,
     "computed in f32 and rounded once; TensorFlow rounds the quotient first"),
    (["ClipByValue"], has_nan, "NaN limits count, too"),
    (SUMS, is_extreme, "where a sum or product overflows depends on the order"),
    (["AddN", "AccumulateNV2", "Cumsum", "Cumprod"], lambda case, _: dtype_of(case) in HALVES,
     "each step is rounded; TensorFlow goes another way"),
    (["Cast"], lambda case, _: case.attrs["Truncate"][1],
     "TensorFlow's rounding to zero, of which complex numbers lose even digits before the point"),
    (["Div", "RealDiv", "Reciprocal", "Inv"],
     lambda case, operands: dtype_of(case).startswith("complex") and (operands[-1] == 0).any(),
     "a complex number by 0 is infinite where TensorFlow's is not a number"),
    (["Gather", "GatherV2"], lambda case, operands: operands[0].size == 0,
     "TensorFlow does not look at indices into nothing"),
    (["Round"], lambda case, _: dtype_of(case).startswith("int"),
     "TensorFlow 2.21 gives 0, against its own documentation"),
    (["ScatterNd"], lambda case, _: case.attrs["Tindices"][1] == "int16" or
     0 in case.inputs[0].dims, "TensorFlow declares int16, and index vectors of no dims, and refuses"),
    (["ArgMax"], lambda case, _: case.attrs["Tidx"][1] == "int16",
     "TensorFlow reads the axis as if it were int32"),
    (["SplitV"], lambda case, _: not case.inputs[2].constant or len(case.outputs) == 1,
     "TensorFlow mistakes the axis while it does not know it, and does not infer a single size"),
    (["BiasAdd", "BiasAddGrad"], lambda case, _: case.attrs["data_format"][1] == "NCHW",
     "a matrix is taken too, where TensorFlow wants a third dim"),
]


def reason(case, operands):
    return next((why for ops, holds, why in KNOWN
                 if (not ops or case.op in ops) and holds(case, operands)), None)
