// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops of the family "elementwise": one result element from one element of each operand.
#ifndef SLUICE_ND_ELEMENTWISE
#define SLUICE_ND_ELEMENTWISE

include "dialects/nd/NdBase.td"

class ND_Unary<string mnemonic, Sluice_Gradient gradient, ND_Tensor elements, string text, string what, string type = "f32",
               list<Trait> more = []>
    : ND_Op<mnemonic, ND_OfElements, gradient,
            !listconcat([AllElementTypesMatch<["input", "result"]>], more)> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ".";
  let constraints = "C1. `input` holds " # elements.elements # ". C2. `result` has the element type of `input`.";
  let example = "%y = nd." # mnemonic # " %x : (tensor<2x?x" # type # ">) -> tensor<2x?x" # type # ">";
  let arguments = (ins elements:$input);
  let results = (outs elements:$result);
}

class ND_Predicate<string mnemonic, string text, string what>
    : ND_Op<mnemonic, ND_OfElements, ND_NoGradientOfBools> {
  let summary = text;
  let semantics = "Each element of the result tells whether the element of `input` is " # what # ".";
  let constraints = [{C1. `input` holds floats. C2. `result` holds i1.}];
  let example = "%y = nd." # mnemonic # " %x : (tensor<4xf32>) -> tensor<4xi1>";
  let arguments = (ins ND_Float:$input);
  let results = (outs ND_Bool:$result);
}

// Broadcasting follows numpy: shapes are aligned at their last dim, and a dim of 1 repeats.
class ND_Binary<string mnemonic, Sluice_Gradient gradient, ND_Tensor elements, string text, string what, string type = "f32">
    : ND_Op<mnemonic, ND_OfElements, gradient, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ". Shapes broadcast: they are aligned at their last dim, and a dim of 1 repeats.";
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = "C1. `lhs` and `rhs` hold " # elements.elements # ". C2. `lhs`, `rhs` and `result` have the same element type.";
  let example = "%z = nd." # mnemonic # " %x, %y : (tensor<2x3x" # type # ">, tensor<3x" # type # ">) -> tensor<2x3x" # type # ">";
  let arguments = (ins elements:$lhs, elements:$rhs);
  let results = (outs elements:$result);
}

class ND_Compare<string mnemonic, ND_Tensor elements, string text, string what>
    : ND_Op<mnemonic, ND_OfElements, ND_NoGradientOfBools, [AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = text;
  let semantics = "Each element of the result tells whether " # what # ". Shapes broadcast as in `nd.add`; comparisons with NaN are false, except `not_equal`.";
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = "C1. `lhs` and `rhs` hold " # elements.elements # ". C2. `lhs` and `rhs` have the same element type. C3. `result` holds i1.";
  let example = "%z = nd." # mnemonic # " %x, %y : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>";
  let arguments = (ins elements:$lhs, elements:$rhs);
  let results = (outs ND_Bool:$result);
}

def ND_NegOp : ND_Unary<"neg", HasGradient, ND_Number, "negation",
    "minus the element; integers wrap">;

def ND_AbsOp : ND_Unary<"abs", HasGradient, ND_Real, "absolute value",
    "the absolute value of the element; the lowest integer stays as it is">;

def ND_SignOp : ND_Unary<"sign", ND_NoGradientOfSteps, ND_Number, "sign",
    "-1, 0 or 1 by the sign of the element (complex: the element divided by its magnitude); NaN stays NaN, -0 gives 0">;

def ND_SqrtOp : ND_Unary<"sqrt", HasGradient, ND_FloatOrComplex, "square root",
    "the square root of the element">;

def ND_RsqrtOp : ND_Unary<"rsqrt", HasGradient, ND_FloatOrComplex, "reciprocal square root",
    "1 divided by the square root of the element">;

def ND_ExpOp : ND_Unary<"exp", HasGradient, ND_FloatOrComplex, "exponential",
    "e to the power of the element">;

def ND_Expm1Op : ND_Unary<"expm1", HasGradient, ND_FloatOrComplex, "exponential minus one",
    "e to the power of the element, minus 1, accurate near 0">;

def ND_LogOp : ND_Unary<"log", HasGradient, ND_FloatOrComplex, "natural logarithm",
    "the natural logarithm of the element">;

def ND_Log1pOp : ND_Unary<"log1p", HasGradient, ND_FloatOrComplex, "natural logarithm of one plus x",
    "the natural logarithm of 1 plus the element, accurate near 0">;

def ND_TanhOp : ND_Unary<"tanh", HasGradient, ND_FloatOrComplex, "hyperbolic tangent",
    "the hyperbolic tangent of the element">;

def ND_SigmoidOp : ND_Unary<"sigmoid", HasGradient, ND_FloatOrComplex, "logistic function",
    "1 / (1 + exp(-x)) of the element x">;

def ND_SinOp : ND_Unary<"sin", HasGradient, ND_FloatOrComplex, "sine",
    "the sine of the element in radians">;

def ND_CosOp : ND_Unary<"cos", HasGradient, ND_FloatOrComplex, "cosine",
    "the cosine of the element in radians">;

def ND_FloorOp : ND_Unary<"floor", ND_NoGradientOfSteps, ND_Float, "round down",
    "the largest integral value that is not above the element">;

def ND_CeilOp : ND_Unary<"ceil", ND_NoGradientOfSteps, ND_Float, "round up",
    "the smallest integral value that is not below the element">;

def ND_RoundOp : ND_Unary<"round", ND_NoGradientOfSteps, ND_Float, "round half to even",
    "the nearest integral value; halves go to the even one">;

def ND_LogicalNotOp : ND_Unary<"logical_not", ND_NoGradientOfBools, ND_Bool, "logical not",
    "the opposite of the element", "i1", [IsNegation]>;

def ND_IsNanOp : ND_Predicate<"is_nan", "is not a number", "NaN">;

def ND_IsInfOp : ND_Predicate<"is_inf", "is infinite", "plus or minus infinity">;

def ND_IsFiniteOp : ND_Predicate<"is_finite", "is finite", "neither infinite nor NaN">;

def ND_AddOp : ND_Binary<"add", HasGradient, ND_NumberOrString, "sum",
    "`lhs` plus `rhs`; integers wrap, strings are joined">;

def ND_SubOp : ND_Binary<"sub", HasGradient, ND_Number, "difference",
    "`lhs` minus `rhs`; integers wrap">;

def ND_MulOp : ND_Binary<"mul", HasGradient, ND_Number, "product",
    "`lhs` times `rhs`; integers wrap">;

def ND_DivOp : ND_Binary<"div", HasGradient, ND_Number, "quotient",
    "`lhs` divided by `rhs`; integers truncate toward zero"> {
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast, or when an integer divisor is 0.";
}

def ND_DivNoNanOp : ND_Binary<"div_no_nan", HasGradient, ND_FloatOrComplex, "quotient, or zero",
    "`lhs` divided by `rhs`, or 0 where `rhs` is 0">;

def ND_FloorDivOp : ND_Binary<"floor_div", ND_NoGradientOfSteps, ND_Real, "floored quotient",
    "the largest integral value that is not above `lhs` divided by `rhs`; the lowest integer divided by -1 wraps"> {
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast, or when an integer divisor is 0.";
}

def ND_FloorModOp : ND_Binary<"floor_mod", HasGradient, ND_Real, "floored remainder",
    "`lhs` minus `rhs` times the floored quotient; it has the sign of `rhs`"> {
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast, or when an integer divisor is 0.";
}

def ND_TruncModOp : ND_Binary<"trunc_mod", HasGradient, ND_Real, "truncated remainder",
    "`lhs` minus `rhs` times the truncated quotient; it has the sign of `lhs`"> {
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast, or when an integer divisor is 0.";
}

def ND_PowOp : ND_Binary<"pow", HasGradient, ND_Number, "power",
    "`lhs` to the power of `rhs`"> {
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast, or when an integer exponent is negative.";
}

def ND_MaximumOp : ND_Binary<"maximum", HasGradient, ND_Real, "larger of two",
    "the larger of both elements; NaN if either is NaN">;

def ND_MinimumOp : ND_Binary<"minimum", HasGradient, ND_Real, "smaller of two",
    "the smaller of both elements; NaN if either is NaN">;

def ND_LogicalAndOp : ND_Binary<"logical_and", ND_NoGradientOfBools, ND_Bool, "logical and",
    "true when both elements are", "i1">;

def ND_LogicalOrOp : ND_Binary<"logical_or", ND_NoGradientOfBools, ND_Bool, "logical or",
    "true when one of both elements is", "i1">;

def ND_LessOp : ND_Compare<"less", ND_Real, "less", "`lhs` is below `rhs`">;

def ND_LessEqualOp : ND_Compare<"less_equal", ND_Real, "less or equal", "`lhs` is not above `rhs`">;

def ND_GreaterOp : ND_Compare<"greater", ND_Real, "greater", "`lhs` is above `rhs`">;

def ND_GreaterEqualOp : ND_Compare<"greater_equal", ND_Real, "greater or equal", "`lhs` is not below `rhs`">;

def ND_EqualOp : ND_Compare<"equal", ND_Comparable, "equal", "both elements are equal">;

def ND_NotEqualOp : ND_Compare<"not_equal", ND_Comparable, "not equal", "both elements differ">;

def ND_SelectOp : ND_Op<"select", ND_OfElements, HasGradient, [AllElementTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "choose elements by a condition";
  let semantics = [{Each element of the result comes from `on_true` where `condition` holds, else from
`on_false`. Without `leading` the three shapes broadcast as in `nd.add`. With `leading`,
`on_true` and `on_false` have one shape, and the condition has that shape too, is a scalar, or is
a vector that chooses whole rows along the first dim.}];
  let failures = "INVALID_ARGUMENT when the shapes do not fit.";
  let constraints = [{C1. `on_true`, `on_false` and `result` have the same element type. C2. `condition` holds i1.}];
  let example = "%y = nd.select %c, %a, %b {leading = false} : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>";
  let arguments = (ins ND_Bool:$condition, ND_Any:$on_true, ND_Any:$on_false, BoolAttr:$leading);
  let results = (outs ND_Any:$result);
}

def ND_CastOp : ND_Op<"cast", ND_OfElements, HasGradient> {
  let summary = "convert elements to another type";
  let semantics = [{Converts each element to the element type of the result. Floats become integers by
truncation; what does not fit gives the nearest or the lowest value of the target, always the same.
Complex numbers lose their imaginary part. Anything but 0 is true, also NaN.}];
  let constraints = [{C1. `input` and `result` hold numbers or i1.}];
  let example = "%y = nd.cast %x : (tensor<2xi32>) -> tensor<2xf32>";
  let arguments = (ins ND_NumberOrBool:$input);
  let results = (outs ND_NumberOrBool:$result);
}

#endif
