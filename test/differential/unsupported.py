# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases that the compiler refuses as not supported, and may. Any other refusal is a failure."""

EXIT_CODE = 4
COMPLEX = ("complex64", "complex128")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")

# (ops, attribute, values of it with which they are not supported)
TABLE = [
    (["ApproximateEqual", "ClipByValue", "FloorDiv"], "T", COMPLEX),  # which have no order
    (["EuclideanNorm"], "T", INTEGERS),
    (["InvGrad", "ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "SquaredDifference",
      "TanhGrad"], "T", COMPLEX),  # they conjugate
    (["ArgMax", "ArgMin", "ScatterNd"], "T", ("bool",)),
    (["MirrorPadGrad", "SparseFillEmptyRowsGrad", "SparseTensorDenseMatMul"], "T", ("bool",)),  # sums
    (["SparseAdd", "SparseSparseMaximum", "SparseSparseMinimum"], "T", COMPLEX),
    (["Cast"], "Truncate", (True,)),
    (["Bitcast"], "T", ("bool",)), (["Bitcast"], "type", ("bool",)),
    (["LowerBound", "UpperBound"], "T", ("bool", *COMPLEX)),  # no order either
    (["Einsum"], "T", ("bool",)),  # products
    (["Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cosh", "Sinh"], "T", COMPLEX),  # real angles
    (["MaxPool", "MaxPoolV2"], "data_format", ("NCHW_VECT_C",)),
    (["StatelessMultinomial"], "T", INTEGERS),  # which TensorFlow declares, and has no kernels for
    (["StatelessRandomBinomial"], "T", INTEGERS),
    (["TridiagonalSolve"], "perturb_singular", (True,)),  # by random numbers
    (["DepthToSpace", "SpaceToDepth"], "data_format", ("NCHW", "NCHW_VECT_C")),
]


def reason(case):
    """The attribute that makes the case unsupported, as text, or None."""
    for ops, name, values in TABLE:
        if case.op in ops and case.attrs[name][1] in values:
            return f"{name} is {case.attrs[name][1]}"
    return None
