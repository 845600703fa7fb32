# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Sluice differs from TensorFlow on purpose, or TensorFlow from itself.

Each entry has ops (empty: all), a condition on a case and its operands as numpy arrays, and why.
`docs/rationale/arithmetic.md` has those that a user may notice.
"""

import numpy as np

SUMS = ["MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Sum", "Mean", "Prod", "Cumsum",
        "Cumprod", "EuclideanNorm", "L2Loss", "BiasAddGrad", "UnsortedSegmentSum",
        "UnsortedSegmentProd", "AddN", "AccumulateNV2", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad",
        "InvGrad", "SigmoidGrad", "SoftmaxCrossEntropyWithLogits", "Conv", "Conv2D",
        "Conv2DBackpropFilter", "Conv2DBackpropInput", "Conv3D", "Conv3DBackpropFilterV2",
        "Conv3DBackpropInputV2", "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropFilter",
        "DepthwiseConv2dNativeBackpropInput", "AvgPool", "AvgPoolGrad", "AvgPool3D",
        "AvgPool3DGrad", "LRN", "LRNGrad", "Einsum"]
FOURIER = [f"{kind}{dims}" for kind in ("FFT", "IFFT", "RFFT", "IRFFT") for dims in ("", "2D", "3D")]
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


def is_dilated(case, _):
    return any(step != 1 for step in case.attrs["dilations"][1])


def has_no_decomposition(case, operands):
    """Matrices of which a lower half, mirrored, is not positive."""
    with np.errstate(all="ignore"):
        lower = np.tril(next(numbers(operands[:1])))
        whole = lower + np.conj(np.swapaxes(np.tril(lower, -1), -1, -2))
        return not np.isfinite(whole).all() or (np.linalg.eigvalsh(whole) <= 0).any()


def has_large(case, operands):
    return any((np.abs(array) >= 1e3).any() for array in numbers(operands))


def is_beyond(case, operands):
    """An index of a sparse tensor that its dims do not have."""
    indices, _, dims = operands[:3]
    return ((indices < 0) | (indices >= dims)).any()


def threshold_of_another_type(case, _):
    parts = {"complex64": "float", "complex128": "double"}
    dtype = dtype_of(case)
    return case.attrs["Treal"][1] != parts.get(dtype, dtype)


KNOWN = [
    (["UnsortedSegmentMax", "UnsortedSegmentMin", "SegmentMax", "SegmentMin", "TopKV2", "ArgMax",
      "ArgMin", "NthElement", "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3",
      "QuantizeAndDequantizeV4", "SparseReduceMax",
      "SparseReduceMaxSparse", "MaxPool3D", "CumulativeLogsumexp"], has_nan,
     "a NaN is the extremum (ArgMax, ArgMin: never); TensorFlow's answer depends on its place"),
    (["Cast"], is_out_of_range, "saturates; TensorFlow's answer is the processor's"),
    ([], is_extreme_complex, "TensorFlow overflows on the way, or makes NaNs of infinities"),
    (["FloorDiv", "FloorMod", "Mod", "TruncateDiv", "TruncateMod"],
     lambda case, _: dtype_of(case) in HALVES,
     "computed in f32 and rounded once; TensorFlow rounds the quotient first"),
    (["ClipByValue"], has_nan, "NaN limits count, too"),
    (SUMS, is_extreme, "where a sum or product overflows depends on the order"),
    (["AddN", "AccumulateNV2", "Cumsum", "Cumprod", "AvgPool", "AvgPoolGrad", "AvgPool3D",
      "AvgPool3DGrad", "LRN", "LRNGrad", "MirrorPadGrad", "LSTMBlockCell", "LSTMBlockCellGrad",
      "BlockLSTM", "BlockLSTMV2", "BlockLSTMGrad", "BlockLSTMGradV2",
      "SoftmaxCrossEntropyWithLogits", "SparseSegmentMean", "SparseSegmentSumGrad", "SparseSegmentMeanGrad",
      "SparseSegmentSqrtNGrad", "Qr"],
     lambda case, _: dtype_of(case) in HALVES,
     "each step is rounded; TensorFlow goes another way"),
    (["AdjustHue"], lambda case, _: True, "TensorFlow rounds places in the circle of hues"),
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
    (FOURIER, is_extreme, "which products of infinite parts are made depends on the algorithm"),
    (["MaxPool", "MaxPoolV2", "MaxPool3D"],
     lambda case, operands: has_large(case, operands) or has_nan(case, operands),
     "a window without a finite number has -inf, not the lowest finite number"),
    (["MaxPoolGradGrad", "MaxPoolGradGradV2", "MaxPool3DGrad", "MaxPool3DGradGrad"],
     lambda *_: True, "the pool's results are found anew, not read; here they are drawn"),
    (["DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"], is_dilated,
     "TensorFlow's derivatives do as if nothing were dilated"),
    (["Conv2DBackpropFilter"],
     lambda case, _: dtype_of(case) == "bfloat16" and case.attrs["padding"][1] == "EXPLICIT",
     "TensorFlow does not find its own room for explicit paddings of bfloat16"),
    (["Cholesky"], has_no_decomposition,
     "what has no decomposition is 0; TensorFlow leaves what was in memory"),
    (["ResizeBilinearGrad"], lambda case, operands: dtype_of(case) == "double" or
     is_extreme(case, operands), "parts that are f32 are summed as f64; TensorFlow sums some as f32"),
    (["Qr"], is_extreme, "in which step a column overflows depends on the algorithm"),
    (["BesselJ0", "BesselJ1", "BesselY0", "BesselY1", "FresnelCos", "FresnelSin",
      "Spence"], has_large,
     "TensorFlow reduces large angles with few digits, and infinite ones to NaN"),
    (["BesselI0", "BesselI1", "BesselK0", "BesselK1", "BesselK1e", "BesselY0", "BesselY1"],
     lambda case, operands: is_extreme(case, operands) or (operands[0] == 0).any(),
     "infinite at the pole and far away, where TensorFlow has NaN"),
    (["Erf"], lambda case, operands: dtype_of(case) == "double" and has_large(case, operands),
     "1 far away, where TensorFlow overflows to NaN"),
    (["Igamma", "Igammac", "IgammaGradA", "RandomGammaGrad", "Zeta", "Polygamma"],
     lambda case, operands: has_large(case, operands) or is_extreme(case, operands),
     "TensorFlow's series end before they have converged, or vanish before the result does"),
    (["Betainc"], lambda case, operands: len({array.shape for array in operands}) > 1,
     "operands broadcast; TensorFlow takes scalars alone"),
    (["ParallelConcat"], lambda *_: True, "TensorFlow wants to know all shapes beforehand"),
    (["QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4"],
     lambda case, operands: case.attrs["range_given"][1] and operands[1].ndim == 1,
     "TensorFlow refuses a range for each number of an axis, which it describes"),
    (["QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3", "QuantizeAndDequantizeV4"],
     lambda case, operands: case.attrs["range_given"][1] and (operands[1] > operands[2]).any(),
     "a range that falls is none, but no error"),
    (["FakeQuantWithMinMaxVarsGradient", "FakeQuantWithMinMaxVarsPerChannelGradient"], is_extreme,
     "a range whose steps are denormal has no steps"),
    (["MatrixDiagV2", "MatrixDiagV3"], lambda *_: True,
     "a diagonal outside of its matrix is an error, also one that nothing is read of; TensorFlow "
     "compares sizes that it does not know yet"),
    (["MatrixSetDiagV2", "MatrixSetDiagV3"],
     lambda case, operands: operands[2].size == 2 and len(case.unknown.get(1, ())) > 1,
     "TensorFlow takes diagonals of unknown sizes for those of another rank"),
    (["LogMatrixDeterminant", "Betainc"], is_extreme,
     "the sign of what overflows has none; TensorFlow gives NaN where operands are huge or tiny"),
    (["RandomGammaGrad"],
     lambda case, operands: case.inputs[0].dims != case.inputs[1].dims or
     (np.abs(operands[0] - operands[1]) > 8 * np.sqrt(np.abs(operands[0]))).any(),
     "TensorFlow's quotient vanishes in the tails"),
    (["MatrixInverse"], has_nan, "the inverse of what is not a number is none, too"),
    (["TensorScatterMin", "TensorScatterMax", "TensorScatterAdd", "TensorScatterSub",
      "TensorScatterUpdate"], lambda case, operands: 0 in operands[1].shape,
     "TensorFlow refuses index vectors of no dims"),
    (["SparseSoftmax"], is_beyond, "TensorFlow does not look at the indices"),
    (["SparseAdd"], threshold_of_another_type,
     "TensorFlow reads the threshold as if it had the type of the values"),
    (["SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad", "SparseSegmentSumGrad"],
     lambda case, operands: operands[1].size == 0,
     "without indices all is 0; TensorFlow leaves what was in memory"),
]


def defined_results(case):
    """How many of the results mean something; norms keep the last ones for derivatives alone."""
    if not case.attrs.get("compute_uv", case.attrs.get("compute_v", ("bool", True)))[1]:
        return 1
    is_norm = case.op.startswith("FusedBatchNorm") and "Grad" not in case.op
    trains = case.attrs.get("is_training", ("bool", True))[1]
    return min(len(case.outputs), 5 if trains else 3) if is_norm else len(case.outputs)


def reason(case, operands):
    return next((why for ops, holds, why in KNOWN
                 if (not ops or case.op in ops) and holds(case, operands)), None)
