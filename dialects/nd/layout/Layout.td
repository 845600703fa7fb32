// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "layout": the same elements, joined, cut, moved and repeated.
#ifndef SLUICE_ND_LAYOUT
#define SLUICE_ND_LAYOUT

include "dialects/nd/NdBase.td"

def ND_PackOp : ND_Op<"pack", ND_Moves<"::llvm::to_vector(::llvm::seq<unsigned>(0, getInputs().size()))", "{}">, HasGradient> {
  let summary = "join along a new dim";
  let semantics = [{Stacks equally shaped operands along a new dim at `axis`.}];
  let failures = "INVALID_ARGUMENT when shapes differ or the axis is out of range.";
  let constraints = [{C1. There is at least one operand. C2. All element types are the same.}];
  let example = "%y = nd.pack %a, %b {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>";
  let arguments = (ins Variadic<ND_Any>:$inputs, I64Attr:$axis);
  let results = (outs ND_Any:$result);
  let hasVerifier = 1;
}

def ND_UnpackOp : ND_Op<"unpack", ND_Views<"{}">, HasGradient> {
  let summary = "cut along a dim and drop it";
  let semantics = [{The slices of `input` at each position of the dim `axis`, without that dim.}];
  let failures = "INVALID_ARGUMENT when the dim is not the number of results.";
  let constraints = [{C1. All element types are the same.}];
  let example = "%a, %b = nd.unpack %x {axis = 0 : i64} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)";
  let arguments = (ins ND_Any:$input, I64Attr:$axis);
  let results = (outs Variadic<ND_Any>:$outputs);
  let hasVerifier = 1;
}

def ND_ConcatOp : ND_Op<"concat", ND_Moves<"::llvm::to_vector(::llvm::seq<unsigned>(0, getInputs().size()))", "{static_cast<unsigned>(getInputs().size())}">, HasGradient> {
  let summary = "join along a dim";
  let semantics = [{Joins the operands along the dim `axis`, the last operand, a scalar that may be negative.}];
  let failures = "INVALID_ARGUMENT when other dims differ or the axis is out of range.";
  let constraints = [{C1. There is at least one operand before the axis. C2. All element types but that of `axis` are the same. C3. `axis` holds integers.}];
  let example = "%y = nd.concat %a, %b, %axis : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<3x3xf32>";
  let arguments = (ins Variadic<ND_Any>:$inputs, ND_Index:$axis);
  let results = (outs ND_Any:$result);
  let hasVerifier = 1;
}

def ND_SplitOp : ND_Op<"split", ND_Views<"{1}">, HasGradient> {
  let summary = "cut into equal parts";
  let semantics = [{Cuts `input` along the scalar `axis` into as many equal parts as there are results.}];
  let failures = "INVALID_ARGUMENT when the dim is no multiple of the number of results.";
  let constraints = [{C1. There is at least one result. C2. `input` and the results have the same element type. C3. `axis` holds integers.}];
  let example = "%a, %b = nd.split %x, %axis : (tensor<4x3xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)";
  let arguments = (ins ND_Any:$input, ND_Index:$axis);
  let results = (outs Variadic<ND_Any>:$outputs);
  let hasVerifier = 1;
}

def ND_SplitVOp : ND_Op<"split_v", ND_Views<"{1, 2}">, HasGradient> {
  let summary = "cut into parts of given sizes";
  let semantics = [{Cuts `input` along the scalar `axis` into parts of the `sizes`, of which one may be -1.}];
  let failures = "INVALID_ARGUMENT when the sizes do not sum to the dim.";
  let constraints = [{C1. There is at least one result. C2. `input` and the results have the same element type. C3. `sizes` and `axis` hold integers.}];
  let example = "%a, %b = nd.split_v %x, %sizes, %axis : (tensor<4x3xf32>, tensor<2xi32>, tensor<i32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)";
  let arguments = (ins ND_Any:$input, ND_Index:$sizes, ND_Index:$axis);
  let results = (outs Variadic<ND_Any>:$outputs);
  let hasVerifier = 1;
}

def ND_SliceOp : ND_Op<"slice", ND_Views<"{1, 2}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "a box of a tensor";
  let semantics = [{The box of `size` elements from `begin` on; a size of -1 reaches to the end.}];
  let failures = "INVALID_ARGUMENT when the box leaves the tensor.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `begin` and `size` hold integers.}];
  let example = "%y = nd.slice %x, %b, %s : (tensor<4x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$begin, ND_Index:$size);
  let results = (outs ND_Any:$result);
}

def ND_StridedSliceOp : ND_Op<"strided_slice", ND_Views<"{1, 2, 3}">, HasGradient, [AllElementTypesMatch<["input", "result"]>, AllElementTypesMatch<["begin", "end", "strides"]>]> {
  let summary = "a strided box of a tensor";
  let semantics = [{Elements from `begin` to `end` (exclusive) in steps of `strides`. Bit i of a mask speaks of entry i of the three vectors: ignore its begin, ignore its end, it stands for as many dims as are left, it is a new dim of 1, it is an index whose dim is dropped.}];
  let failures = "INVALID_ARGUMENT when a stride is 0 or a dropped index is out of range.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `begin`, `end` and `strides` have the same integer type. C3. At most one bit of `ellipsis_mask` is set.}];
  let example = "%y = nd.strided_slice %x, %b, %e, %s {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<4x3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x3xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$begin, ND_Index:$end, ND_Index:$strides, I64Attr:$begin_mask, I64Attr:$end_mask,
    I64Attr:$ellipsis_mask, I64Attr:$new_axis_mask, I64Attr:$shrink_axis_mask);
  let results = (outs ND_Any:$result);
  let hasVerifier = 1;
}

def ND_StridedSliceGradOp : ND_Op<"strided_slice_grad", ND_NoCode<"it fills zeros and puts a box into them, which its kernel does at once">, HasGradient, [AllElementTypesMatch<["gradient", "result"]>]> {
  let summary = "put a strided box into zeros";
  let semantics = [{Zeros of the dims `shape`, with `gradient` at the elements that `nd.strided_slice` would take.}];
  let failures = "INVALID_ARGUMENT when the gradient does not have the shape of the box.";
  let constraints = [{C1. `gradient` and `result` have the same element type. C2. `shape`, `begin`, `end` and `strides` hold integers. C3. At most one bit of `ellipsis_mask` is set.}];
  let example = "%y = nd.strided_slice_grad %shape, %b, %e, %s, %dy {begin_mask = 0 : i64, end_mask = 0 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 0 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<2x3xf32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Index:$shape, ND_Index:$begin, ND_Index:$end, ND_Index:$strides, ND_Any:$gradient, I64Attr:$begin_mask, I64Attr:$end_mask,
    I64Attr:$ellipsis_mask, I64Attr:$new_axis_mask, I64Attr:$shrink_axis_mask);
  let results = (outs ND_Any:$result);
  let hasVerifier = 1;
}

def ND_TransposeOp : ND_Op<"transpose", ND_Views<"{1}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "permute dims";
  let semantics = [{Dim i of the result is dim `permutation[i]` of `input`; `conjugate` also conjugates complex elements.}];
  let failures = "INVALID_ARGUMENT when `permutation` is no permutation of the dims.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `permutation` holds integers.}];
  let example = "%y = nd.transpose %x, %p {conjugate = false} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$permutation, BoolAttr:$conjugate);
  let results = (outs ND_Any:$result);
}

def ND_TileOp : ND_Op<"tile", ND_Moves<"{0}", "{1}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "repeat along dims";
  let semantics = [{Repeats `input` as often as `multiples` says for each dim.}];
  let failures = "INVALID_ARGUMENT when a multiple is negative or their number is not the rank.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `multiples` holds integers.}];
  let example = "%y = nd.tile %x, %m : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$multiples);
  let results = (outs ND_Any:$result);
}

def ND_PadOp : ND_Op<"pad", ND_Moves<"{0, 2}", "{1}">, HasGradient, [AllElementTypesMatch<["input", "value", "result"]>]> {
  let summary = "add a border";
  let semantics = [{Adds `paddings[d, 0]` elements before and `paddings[d, 1]` after dim d, each equal to the scalar `value`.}];
  let failures = "INVALID_ARGUMENT when a padding is negative or `paddings` is not of shape [rank, 2].";
  let constraints = [{C1. `input`, `value` and `result` have the same element type. C2. `paddings` holds integers.}];
  let example = "%y = nd.pad %x, %p, %v : (tensor<2xf32>, tensor<1x2xi32>, tensor<f32>) -> tensor<?xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$paddings, ND_Any:$value);
  let results = (outs ND_Any:$result);
}

def ND_FillOp : ND_Op<"fill", ND_Moves<"{1}", "{}", [RepeatsElements], "0">, HasGradient, [AllElementTypesMatch<["value", "result"]>]> {
  let summary = "repeat a scalar";
  let semantics = [{A tensor of the dims `dims` whose elements all equal the scalar `value`.}];
  let failures = "INVALID_ARGUMENT when a dim is negative or `value` is no scalar.";
  let constraints = [{C1. `value` and `result` have the same element type. C2. `dims` holds integers.}];
  let example = "%y = nd.fill %d, %v : (tensor<2xi32>, tensor<f32>) -> tensor<?x?xf32>";
  let arguments = (ins ND_Index:$dims, ND_Any:$value);
  let results = (outs ND_Any:$result);
}

def ND_RangeOp : ND_Op<"range", ND_NoCode<"the size of its result follows from values">, HasGradient, [AllElementTypesMatch<["start", "limit", "delta", "result"]>]> {
  let summary = "numbers in equal steps";
  let semantics = [{start, start + delta, … up to and without `limit`; the three are scalars.}];
  let failures = "INVALID_ARGUMENT when delta is 0 or points away from the limit.";
  let constraints = [{C1. All element types are the same real type.}];
  let example = "%y = nd.range %a, %b, %d : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>";
  let arguments = (ins ND_Real:$start, ND_Real:$limit, ND_Real:$delta);
  let results = (outs ND_Real:$result);
}

def ND_ReverseOp : ND_Op<"reverse", ND_Views<"{1}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "reverse dims";
  let semantics = [{The order of elements reversed along each of the `axes`.}];
  let failures = "INVALID_ARGUMENT when an axis is out of range or occurs twice.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `axes` holds integers.}];
  let example = "%y = nd.reverse %x, %a : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$axes);
  let results = (outs ND_Any:$result);
}

#endif
