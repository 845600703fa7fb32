// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "index": elements chosen or placed by indices.
#ifndef SLUICE_ND_INDEX
#define SLUICE_ND_INDEX

include "dialects/nd/NdBase.td"

def ND_GatherOp : ND_Op<"gather", ND_Moves<"{0}", "{2}", [LooksAtIndices, NeedsStraightLine]>, HasGradient, [AllElementTypesMatch<["params", "result"]>]> {
  let summary = "rows chosen by indices";
  let semantics = [{The slices of `params` along the scalar `axis` at `indices`; the first `batch_dims` dims of both run in step.}];
  let failures = "INVALID_ARGUMENT when an index or the axis is out of range.";
  let constraints = [{C1. `params` and `result` have the same element type. C2. `indices` and `axis` hold integers.}];
  let example = "%y = nd.gather %p, %i, %a {batch_dims = 0 : i64} : (tensor<5x3xf32>, tensor<2xi32>, tensor<i32>) -> tensor<2x3xf32>";
  let arguments = (ins ND_Any:$params, ND_Index:$indices, ND_Index:$axis, I64Attr:$batch_dims);
  let results = (outs ND_Any:$result);
}

def ND_GatherNdOp : ND_Op<"gather_nd", ND_CardCode<"its kernel checks index vectors while it moves slices", "{}", "std::nullopt", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["params", "result"]>]> {
  let summary = "slices chosen by index vectors";
  let semantics = [{The slices of `params` at the index vectors in the last dim of `indices`.}];
  let failures = "INVALID_ARGUMENT when an index is out of range.";
  let constraints = [{C1. `params` and `result` have the same element type. C2. `indices` holds integers.}];
  let example = "%y = nd.gather_nd %p, %i : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>";
  let arguments = (ins ND_Any:$params, ND_Index:$indices);
  let results = (outs ND_Any:$result);
}

def ND_RowOp : ND_Op<"row", ND_OwnCode<"{}", [ViewsOperand, LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["rows", "result"]>]> {
  let summary = "one row";
  let semantics = [{The slice of `rows` at the scalar `index` of its first dim. Reads of an array that is a value.}];
  let failures = "INVALID_ARGUMENT when the index is out of range.";
  let constraints = [{C1. `rows` and `result` have the same element type. C2. `index` holds integers.}];
  let example = "%y = nd.row %a, %i : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>";
  let arguments = (ins ND_Any:$rows, ND_Index:$index);
  let results = (outs ND_Any:$result);
}

def ND_SetRowOp : ND_Op<"set_row", ND_OwnCode<"{}", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["rows", "row", "result"]>]> {
  let summary = "replace one row";
  let semantics = [{`rows` with `row` in place of the slice at the scalar `index` of its first dim. Writes to an
array that is a value; nothing is copied when nobody else holds `rows`.}];
  let failures = "INVALID_ARGUMENT when the index is out of range or `row` has other dims than the slice.";
  let constraints = [{C1. `rows`, `row` and `result` have the same element type. C2. `index` holds integers.}];
  let example = "%b = nd.set_row %a, %i, %y : (tensor<5x3xf32>, tensor<i32>, tensor<3xf32>) -> tensor<5x3xf32>";
  let arguments = (ins ND_Any:$rows, ND_Index:$index, ND_Any:$row);
  let results = (outs ND_Any:$result);
}

def ND_ScatterNdOp : ND_Op<"scatter_nd", ND_CardCode<"its kernel checks index vectors while it moves slices", "{}", "2", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["updates", "result"]>]> {
  let summary = "slices placed by index vectors";
  let semantics = [{Zeros of the dims `shape`, to which the `updates` are added at the index vectors in the last dim of `indices`, in order.}];
  let failures = "INVALID_ARGUMENT when an index is out of range or the shapes do not fit.";
  let constraints = [{C1. `updates` and `result` have the same number type. C2. `indices` and `shape` hold integers.}];
  let example = "%y = nd.scatter_nd %i, %u, %s : (tensor<2x1xi32>, tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>";
  let arguments = (ins ND_Index:$indices, ND_Number:$updates, ND_Index:$shape);
  let results = (outs ND_Number:$result);
}

def ND_UpdatePointsOp : ND_Op<"update_points", ND_CardCode<"its kernel checks index vectors while it moves slices", "{}", "std::nullopt", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["input", "updates", "result"]>]> {
  let summary = "elements of a tensor, or slices of it, changed";
  let semantics = [{`input` with changes at what the vectors of `indices`, along its last dim, point to, one after the other: with `how` "update" it is replaced by a slice of `updates`, with "add" and "sub" this is added or subtracted, with "max" and "min" each element becomes the larger or smaller one of both. With `ignore_bad_indices` vectors that are out of range change nothing.}];
  let failures = "INVALID_ARGUMENT when a vector of indices is out of range and `ignore_bad_indices` is not set, or the shapes do not fit, or elements of this type cannot be changed so.";
  let constraints = [{C1. `input`, `updates` and `result` have the same element type. C2. `indices` holds integers. C3. `how` is one of "update", "add", "sub", "max", "min".}];
  let example = [{%y = nd.update_points %x, %i, %u {how = "add", ignore_bad_indices = false} : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>}];
  let arguments = (ins ND_Any:$input, ND_Index:$indices, ND_Any:$updates, StrAttr:$how, BoolAttr:$ignore_bad_indices);
  let results = (outs ND_Any:$result);
  let hasVerifier = 1;
}

def ND_UniqueOp : ND_Op<"unique", ND_NoCode<"the size of its result follows from values">, HasGradient, [AllElementTypesMatch<["input", "values"]>, AllElementTypesMatch<["positions", "counts"]>]> {
  let summary = "each value once";
  let semantics = [{The slices of `input` along an axis, each once, in the order in which they first occur; for each slice of `input` its position among them; and how often each occurs. `axis` is a vector of one axis, or empty if `input` is a vector.}];
  let failures = "INVALID_ARGUMENT when the axis is out of range, or not given for what is no vector.";
  let constraints = [{C1. `input` and `values` have the same element type, and so have `positions` and `counts`. C2. `axis`, `positions` and `counts` hold integers.}];
  let example = "%v, %p, %n = nd.unique %x, %a : (tensor<5xf32>, tensor<0xi32>) -> (tensor<?xf32>, tensor<5xi32>, tensor<?xi32>)";
  let arguments = (ins ND_Any:$input, ND_Index:$axis);
  let results = (outs ND_Any:$values, ND_Int:$positions, ND_Int:$counts);
}

def ND_ListDiffOp : ND_Op<"list_diff", ND_NoCode<"the size of its result follows from values">, HasGradient, [AllElementTypesMatch<["input", "without", "values"]>]> {
  let summary = "what is in one vector but not in another";
  let semantics = [{The elements of the vector `input` that the vector `without` does not have, in order, and their positions in `input`.}];
  let failures = "INVALID_ARGUMENT when an operand is no vector.";
  let constraints = [{C1. `input`, `without` and `values` have the same element type. C2. `positions` holds integers.}];
  let example = "%v, %p = nd.list_diff %x, %y : (tensor<5xf32>, tensor<2xf32>) -> (tensor<?xf32>, tensor<?xi32>)";
  let arguments = (ins ND_Any:$input, ND_Any:$without);
  let results = (outs ND_Any:$values, ND_Int:$positions);
}

def ND_OneHotOp : ND_Op<"one_hot", ND_OwnCode<"{1}">, HasGradient, [AllElementTypesMatch<["on_value", "off_value", "result"]>]> {
  let summary = "indices as unit vectors";
  let semantics = [{A new dim of size `depth` at `axis` (-1: last) that is `on_value` at the index and `off_value` elsewhere; an index out of range gives only `off_value`.}];
  let failures = "INVALID_ARGUMENT when the depth is negative or the axis is out of range.";
  let constraints = [{C1. `on_value`, `off_value` and `result` have the same element type. C2. `indices` and `depth` hold integers.}];
  let example = "%y = nd.one_hot %i, %d, %on, %off {axis = -1 : i64} : (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x?xf32>";
  let arguments = (ins ND_Index:$indices, ND_Index:$depth, ND_Any:$on_value, ND_Any:$off_value, I64Attr:$axis);
  let results = (outs ND_Any:$result);
}

def ND_RandomUniformOp : ND_Op<"random_uniform", ND_CardCode<"its kernel makes numbers as fast as code would", "{}", "1">, ND_NoGradientOfSteps> {
  let summary = "uniform random numbers from a position on";
  let semantics = [{Numbers in [0, 1) of the dims `shape`: those of the Philox stream at `position`, a vector of three: the key, the upper half of the counter, and the lower one (`state.random_position`).}];
  let failures = "INVALID_ARGUMENT when a dim is negative, or `position` is no vector of three.";
  let constraints = [{C1. `position` holds i64. C2. `shape` holds integers. C3. `result` holds floats.}];
  let example = "%y = nd.random_uniform %p, %s : (tensor<3xi64>, tensor<1xi32>) -> tensor<?xf32>";
  let arguments = (ins ND_I64:$position, ND_Index:$shape);
  let results = (outs ND_Float:$result);
}

def ND_WhereOp : ND_Op<"where", ND_NoCode<"the size of its result follows from values">, ND_NoGradientOfInts> {
  let summary = "coordinates of true elements";
  let semantics = [{One row of coordinates for each element that is not zero, in row-major order.}];
  let constraints = [{C1. `condition` holds numbers or i1. C2. `result` holds i64.}];
  let example = "%i = nd.where %c : (tensor<2x3xi1>) -> tensor<?x2xi64>";
  let arguments = (ins ND_NumberOrBool:$condition);
  let results = (outs ND_I64:$result);
}

def ND_UnsortedSegmentSumOp : ND_Op<"unsorted_segment_sum", ND_CardCode<"which row an element goes to follows from values", "{}", "2", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["data", "result"]>]> {
  let summary = "sum by segment";
  let semantics = [{Row i of the result combines (sum) the rows of `data` whose entry in `ids` is i; negative ids are dropped; a row without data holds 0.}];
  let failures = "INVALID_ARGUMENT when an id is not below `count`.";
  let constraints = [{C1. `data` and `result` have the same number type. C2. `ids` and `count` hold integers.}];
  let example = "%y = nd.unsorted_segment_sum %x, %i, %n : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>";
  let arguments = (ins ND_Number:$data, ND_Index:$ids, ND_Index:$count);
  let results = (outs ND_Number:$result);
}

def ND_UnsortedSegmentProdOp : ND_Op<"unsorted_segment_prod", ND_CardCode<"which row an element goes to follows from values", "{}", "2", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["data", "result"]>]> {
  let summary = "prod by segment";
  let semantics = [{Row i of the result combines (prod) the rows of `data` whose entry in `ids` is i; negative ids are dropped; a row without data holds 1.}];
  let failures = "INVALID_ARGUMENT when an id is not below `count`.";
  let constraints = [{C1. `data` and `result` have the same number type. C2. `ids` and `count` hold integers.}];
  let example = "%y = nd.unsorted_segment_prod %x, %i, %n : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>";
  let arguments = (ins ND_Number:$data, ND_Index:$ids, ND_Index:$count);
  let results = (outs ND_Number:$result);
}

def ND_UnsortedSegmentMaxOp : ND_Op<"unsorted_segment_max", ND_CardCode<"which row an element goes to follows from values", "{}", "2", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["data", "result"]>]> {
  let summary = "max by segment";
  let semantics = [{Row i of the result combines (max) the rows of `data` whose entry in `ids` is i; negative ids are dropped; a row without data holds the lowest finite value.}];
  let failures = "INVALID_ARGUMENT when an id is not below `count`.";
  let constraints = [{C1. `data` and `result` have the same real type. C2. `ids` and `count` hold integers.}];
  let example = "%y = nd.unsorted_segment_max %x, %i, %n : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>";
  let arguments = (ins ND_Real:$data, ND_Index:$ids, ND_Index:$count);
  let results = (outs ND_Real:$result);
}

def ND_UnsortedSegmentMinOp : ND_Op<"unsorted_segment_min", ND_CardCode<"which row an element goes to follows from values", "{}", "2", [LooksAtIndices]>, HasGradient, [AllElementTypesMatch<["data", "result"]>]> {
  let summary = "min by segment";
  let semantics = [{Row i of the result combines (min) the rows of `data` whose entry in `ids` is i; negative ids are dropped; a row without data holds the highest finite value.}];
  let failures = "INVALID_ARGUMENT when an id is not below `count`.";
  let constraints = [{C1. `data` and `result` have the same real type. C2. `ids` and `count` hold integers.}];
  let example = "%y = nd.unsorted_segment_min %x, %i, %n : (tensor<4x3xf32>, tensor<4xi32>, tensor<i32>) -> tensor<?x3xf32>";
  let arguments = (ins ND_Real:$data, ND_Index:$ids, ND_Index:$count);
  let results = (outs ND_Real:$result);
}

#endif
