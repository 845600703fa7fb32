// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "reduce": reductions and scans along axes.
#ifndef SLUICE_ND_REDUCE
#define SLUICE_ND_REDUCE

include "dialects/nd/NdBase.td"

class ND_Reduce<string mnemonic, Sluice_Gradient gradient, ND_Tensor elements, string text, string what, string type = "f32">
    : ND_Op<mnemonic, ND_OfReduction, gradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = text;
  let semantics = "Reduces `input` along `axes` to " # what # [{. `axes` is a scalar or a vector; negative axes
count from the end; an empty vector copies. Reduced dims vanish, or stay as 1 with `keep_dims`.
Elements are combined in an order that depends on the shape alone.}];
  let failures = "INVALID_ARGUMENT when an axis is out of range or occurs twice.";
  let constraints = "C1. `input` holds " # elements.elements # ". C2. `result` has the element type of `input`. C3. `axes` holds integers.";
  let example = "%y = nd." # mnemonic # " %x, %axes {keep_dims = false} : (tensor<2x3x" # type # ">, tensor<1xi32>) -> tensor<2x" # type # ">";
  let arguments = (ins elements:$input, ND_Index:$axes, BoolAttr:$keep_dims);
  let results = (outs elements:$result);
}

def ND_ReduceSumOp : ND_Reduce<"reduce_sum", HasGradient, ND_Number, "sum along axes", "the sum; 0 when empty">;

def ND_ReduceMeanOp : ND_Reduce<"reduce_mean", HasGradient, ND_Number, "mean along axes", "the mean; NaN when empty">;

def ND_ReduceProdOp : ND_Reduce<"reduce_prod", HasGradient, ND_Number, "product along axes", "the product; 1 when empty">;

def ND_ReduceMaxOp : ND_Reduce<"reduce_max", HasGradient, ND_Real, "maximum along axes", "the largest element (NaN wins); the lowest value when empty">;

def ND_ReduceMinOp : ND_Reduce<"reduce_min", HasGradient, ND_Real, "minimum along axes", "the smallest element (NaN wins); the highest value when empty">;

def ND_ReduceAllOp : ND_Reduce<"reduce_all", ND_NoGradientOfBools, ND_Bool, "logical and along axes", "whether all elements hold", "i1">;

def ND_ReduceAnyOp : ND_Reduce<"reduce_any", ND_NoGradientOfBools, ND_Bool, "logical or along axes", "whether any element holds", "i1">;

def ND_ArgMaxOp : ND_Op<"arg_max", ND_CardCode<"its kernel searches rows as fast as code would", "{1}">, ND_NoGradientOfInts> {
  let summary = "index of the maximum";
  let semantics = "The position along the scalar `axis` of the largest element; the first of equals, and NaN is skipped.";
  let failures = "INVALID_ARGUMENT when the axis is out of range or its dim is 0.";
  let constraints = [{C1. `input` holds real numbers. C2. `axis` and `result` hold integers.}];
  let example = "%y = nd.arg_max %x, %axis : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>";
  let arguments = (ins ND_Real:$input, ND_Index:$axis);
  let results = (outs ND_Int:$result);
}

def ND_ArgMinOp : ND_Op<"arg_min", ND_CardCode<"its kernel searches rows as fast as code would", "{1}">, ND_NoGradientOfInts> {
  let summary = "index of the minimum";
  let semantics = "The position along the scalar `axis` of the smallest element; the first of equals, and NaN is skipped.";
  let failures = "INVALID_ARGUMENT when the axis is out of range or its dim is 0.";
  let constraints = [{C1. `input` holds real numbers. C2. `axis` and `result` hold integers.}];
  let example = "%y = nd.arg_min %x, %axis : (tensor<2x3xf32>, tensor<i32>) -> tensor<2xi64>";
  let arguments = (ins ND_Real:$input, ND_Index:$axis);
  let results = (outs ND_Int:$result);
}

def ND_CumsumOp : ND_Op<"cumsum", ND_CardCode<"each element needs the one before it", "{1}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "running sum along an axis";
  let semantics = "The sum of the elements up to each position along the scalar `axis`; `exclusive` leaves the position itself out, `reverse` starts at the end.";
  let failures = "INVALID_ARGUMENT when the axis is out of range.";
  let constraints = [{C1. `input` and `result` have the same number type. C2. `axis` holds integers.}];
  let example = "%y = nd.cumsum %x, %axis {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>";
  let arguments = (ins ND_Number:$input, ND_Index:$axis, BoolAttr:$exclusive, BoolAttr:$reverse);
  let results = (outs ND_Number:$result);
}

def ND_CumprodOp : ND_Op<"cumprod", ND_CardCode<"each element needs the one before it", "{1}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "running product along an axis";
  let semantics = "The product of the elements up to each position along the scalar `axis`; `exclusive` leaves the position itself out, `reverse` starts at the end.";
  let failures = "INVALID_ARGUMENT when the axis is out of range.";
  let constraints = [{C1. `input` and `result` have the same number type. C2. `axis` holds integers.}];
  let example = "%y = nd.cumprod %x, %axis {exclusive = false, reverse = false} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>";
  let arguments = (ins ND_Number:$input, ND_Index:$axis, BoolAttr:$exclusive, BoolAttr:$reverse);
  let results = (outs ND_Number:$result);
}

def ND_L2LossOp : ND_Op<"l2_loss", ND_CardCode<"it is a reduction of squares, which its kernel makes at once", "{}">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "half the sum of squares";
  let semantics = "The scalar sum of x * x / 2 over all elements x.";
  let constraints = [{C1. `input` and `result` have the same float type.}];
  let example = "%y = nd.l2_loss %x : (tensor<2x3xf32>) -> tensor<f32>";
  let arguments = (ins ND_Float:$input);
  let results = (outs ND_Float:$result);
}

def ND_TopKOp : ND_Op<"top_k", ND_CardCode<"it sorts, which its kernel does", "{1}">, HasGradient, [AllElementTypesMatch<["input", "values"]>]> {
  let summary = "largest elements of the last dim";
  let semantics = "The `k` largest elements of each row in falling order, with their positions; of equals the lower position comes first.";
  let failures = "INVALID_ARGUMENT when `k` is negative or above the size of the last dim.";
  let constraints = [{C1. `input` and `values` have the same real type. C2. `k` holds integers. C3. `indices` holds i32.}];
  let example = "%v, %i = nd.top_k %x, %k : (tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)";
  let arguments = (ins ND_Real:$input, ND_Index:$k);
  let results = (outs ND_Real:$values, ND_I32:$indices);
}

#endif
