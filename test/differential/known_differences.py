# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Sluice differs from TensorFlow on purpose, or TensorFlow from itself.

Each entry has ops (empty: all), a condition on a case and its operands as numpy arrays, and why.
`docs/rationale/arithmetic.md` has those that a user may notice.
"""

import numpy as np

HALVES = ("half", "bfloat16")


def dtype_of(case):
    return case.attrs.get("T", ("type", ""))[1]


def numbers(operands):
    """The floating operands as f64 or c128."""
    for array in operands:
        if array.dtype.kind in "fcV":
            yield array.astype("complex128" if array.dtype.kind == "c" else "float64")


def has_nan(case, operands):
    return any(np.isnan(array).any() for array in numbers(operands))


def is_extreme_complex(case, operands):
    """Parts that are not finite, or of which a square or an exponential is not."""
    limit = 80 if case.op in ("Expm1", "Log1p", "Tan", "Xlog1py") else 1e15
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
    (["Round"], lambda case, _: dtype_of(case) == "int32",
     "TensorFlow 2.21 gives 0, against its own documentation"),
    (["ArgMax"], lambda case, _: case.attrs["Tidx"][1] == "int16",
     "TensorFlow reads the axis as if it were int32"),
    (["SplitV"], lambda case, _: not case.inputs[2].constant,
     "TensorFlow checks the sizes against another axis while it does not know the axis"),
    (["BiasAdd", "BiasAddGrad"], lambda case, _: case.attrs["data_format"][1] == "NCHW",
     "a matrix is taken too, where TensorFlow wants a third dim"),
]


def reason(case, operands):
    return next((why for ops, holds, why in KNOWN
                 if (not ops or case.op in ops) and holds(case, operands)), None)
