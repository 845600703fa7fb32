// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "shape": constants, sizes, and views of the same elements.
#ifndef SLUICE_ND_SHAPE
#define SLUICE_ND_SHAPE

include "dialects/nd/NdBase.td"

def ND_ConstantOp : ND_Value<"constant", ND_OwnCode<"{}", [IsConstant]>, NoGradient<"it depends on nothing">, [AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let semantics = [{A value that is always there. It belongs to every frame and every iteration and never fires:
whoever uses it simply has it. What must happen once an iteration is gated with `flow.gate`.
Elements above 4 KiB live in a resource blob.}];
  let constraints = [{C1. `value` has the type of `result`, which is ranked with all dims known.}];
  let example = "%c = nd.constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs ND_Any:$result);
}

def ND_ShapeOp : ND_Op<"shape", ND_OwnCode<"{}", [AsksShape]>, ND_NoGradientOfInts> {
  let summary = "dims of a tensor";
  let semantics = [{The dims of `input` as a vector.}];
  let constraints = [{C1. `result` holds integers.}];
  let example = "%s = nd.shape %x : (tensor<2x?xf32>) -> tensor<2xi32>";
  let arguments = (ins ND_Any:$input);
  let results = (outs ND_Int:$result);
}

def ND_RankOp : ND_Op<"rank", ND_OwnCode<"{}", [AsksShape]>, ND_NoGradientOfInts> {
  let summary = "rank of a tensor";
  let semantics = [{The number of dims of `input` as a scalar.}];
  let constraints = [{C1. `result` holds integers.}];
  let example = "%r = nd.rank %x : (tensor<*xf32>) -> tensor<i32>";
  let arguments = (ins ND_Any:$input);
  let results = (outs ND_Int:$result);
}

def ND_SizeOp : ND_Op<"size", ND_OwnCode<"{}", [AsksShape]>, ND_NoGradientOfInts> {
  let summary = "element count of a tensor";
  let semantics = [{The number of elements of `input` as a scalar.}];
  let constraints = [{C1. `result` holds integers.}];
  let example = "%n = nd.size %x : (tensor<2x?xf32>) -> tensor<i32>";
  let arguments = (ins ND_Any:$input);
  let results = (outs ND_Int:$result);
}

def ND_ReshapeOp : ND_Op<"reshape", ND_Views<"{}", [SameElements], "1">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "the same elements under other dims";
  let semantics = [{The elements of `input` in row-major order under the dims `shape`, of which one may be -1 and is then inferred. Elements are shared, not copied.}];
  let failures = "INVALID_ARGUMENT when element counts differ, a size is below -1, or two are -1.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `shape` holds integers.}];
  let example = "%y = nd.reshape %x, %s : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$shape);
  let results = (outs ND_Any:$result);
}

def ND_ExpandDimsOp : ND_Op<"expand_dims", ND_Views<"{1}", [SameElements]>, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "insert a dim of 1";
  let semantics = [{Inserts a dim of size 1 at the scalar `axis`, which may be negative.}];
  let failures = "INVALID_ARGUMENT when the axis is out of range.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `axis` holds integers.}];
  let example = "%y = nd.expand_dims %x, %a : (tensor<3xf32>, tensor<i32>) -> tensor<1x3xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$axis);
  let results = (outs ND_Any:$result);
}

def ND_SqueezeOp : ND_Op<"squeeze", ND_Views<"{}", [SameElements]>, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "remove dims of 1";
  let semantics = [{Removes the dims `axes`, each of size 1, or all dims of size 1 when `axes` is empty.}];
  let failures = "INVALID_ARGUMENT when an axis is out of range or its dim is not 1.";
  let constraints = [{C1. `input` and `result` have the same element type.}];
  let example = "%y = nd.squeeze %x {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>";
  let arguments = (ins ND_Any:$input, DenseI64ArrayAttr:$axes);
  let results = (outs ND_Any:$result);
}

def ND_StopGradientOp : ND_Op<"stop_gradient", ND_Views<"{}", [SameElements]>, NoGradient<"that is what it is for">, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "identity without a gradient";
  let semantics = [{The value of `input`. A marker for differentiation: nothing flows back through it.}];
  let constraints = [{C1. `input` and `result` have the same element type.}];
  let example = "%y = nd.stop_gradient %x : (tensor<3xf32>) -> tensor<3xf32>";
  let arguments = (ins ND_Any:$input);
  let results = (outs ND_Any:$result);
}

def ND_AssumeShapeOp : ND_Op<"assume_shape", ND_Views<"{}", [SameElements]>, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "the same value under another type";
  let semantics = [{The value of `input`, for users that need a certain type. Unlike every other op's, its result type is a claim that inference may use but cannot derive: whoever makes the op knows that it holds. Differentiation sees through it.}];
  let constraints = [{C1. `input` and `result` have the same element type.}];
  let example = "%y = nd.assume_shape %x : (tensor<?xf32>) -> tensor<3xf32>";
  let arguments = (ins ND_Any:$input);
  let results = (outs ND_Any:$result);
}

def ND_MatchShapeOp : ND_Op<"match_shape", ND_Views<"{}", [SameElements]>, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "the same value, if it has the shape of another one";
  let semantics = [{The value of `input`, whose dims must be those of `reference`. The elements of `reference` are not looked at.}];
  let failures = "INVALID_ARGUMENT when the shapes differ.";
  let constraints = [{C1. `input` and `result` have the same element type.}];
  let example = "%y = nd.match_shape %x, %z : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xf32>";
  let arguments = (ins ND_Any:$input, ND_Any:$reference);
  let results = (outs ND_Any:$result);
}

def ND_BroadcastToOp : ND_Op<"broadcast_to", ND_Moves<"{0}", "{}", [RepeatsElements], "1">, HasGradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "repeat to a shape";
  let semantics = [{Repeats `input` to the dims `shape` by the rules of broadcasting.}];
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = [{C1. `input` and `result` have the same element type. C2. `shape` holds integers.}];
  let example = "%y = nd.broadcast_to %x, %s : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>";
  let arguments = (ins ND_Any:$input, ND_Index:$shape);
  let results = (outs ND_Any:$result);
}

def ND_BroadcastArgsOp : ND_Op<"broadcast_args", ND_NoCode<"it computes dims, which are few">, ND_NoGradientOfInts, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "shape of a broadcast";
  let semantics = [{The dims that two shapes broadcast to.}];
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = [{C1. All element types are the same integer type.}];
  let example = "%s = nd.broadcast_args %a, %b : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>";
  let arguments = (ins ND_Index:$lhs, ND_Index:$rhs);
  let results = (outs ND_Int:$result);
}

def ND_BroadcastGradientArgsOp : ND_Op<"broadcast_gradient_args", ND_NoCode<"it computes dims, which are few">, ND_NoGradientOfInts, [AllElementTypesMatch<["lhs", "rhs", "lhs_axes", "rhs_axes"]>]> {
  let summary = "axes over which a broadcast sums its gradients";
  let semantics = [{For two shapes that broadcast, the axes over which the gradient of each operand must be summed.}];
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = [{C1. All element types are the same integer type.}];
  let example = "%p, %q = nd.broadcast_gradient_args %a, %b : (tensor<2xi32>, tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>)";
  let arguments = (ins ND_Index:$lhs, ND_Index:$rhs);
  let results = (outs ND_Int:$lhs_axes, ND_Int:$rhs_axes);
}

def ND_ConcatOffsetOp : ND_Op<"concat_offset", ND_NoCode<"it computes dims, which are few">, ND_NoGradientOfInts> {
  let summary = "where each part of a concatenation starts";
  let semantics = [{For shapes that are joined along the scalar `axis`, the offset vector of each.}];
  let failures = "INVALID_ARGUMENT when shapes differ outside the axis or the axis is out of range.";
  let constraints = [{C1. There are as many results as shapes. C2. `axis`, shapes and results hold integers.}];
  let example = "%p, %q = nd.concat_offset %axis, %a, %b : (tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)";
  let arguments = (ins ND_Index:$axis, Variadic<ND_Index>:$shapes);
  let results = (outs Variadic<ND_Int>:$offsets);
  let hasVerifier = 1;
}

def ND_InvertPermutationOp : ND_Op<"invert_permutation", ND_NoCode<"it computes dims, which are few">, ND_NoGradientOfInts, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = "inverse of a permutation";
  let semantics = [{The permutation that undoes `input`.}];
  let failures = "INVALID_ARGUMENT when `input` is no permutation.";
  let constraints = [{C1. `input` and `result` have the same integer type.}];
  let example = "%q = nd.invert_permutation %p : (tensor<3xi32>) -> tensor<3xi32>";
  let arguments = (ins ND_Index:$input);
  let results = (outs ND_Int:$result);
}

#endif
