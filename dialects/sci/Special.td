// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci ops of the family "special": functions of elements that are no elementary ones.
#ifndef SLUICE_SCI_SPECIAL
#define SLUICE_SCI_SPECIAL

include "dialects/sci/SciBase.td"

defvar Sci_LongFloatTypes = [F32, F64];
def Sci_LongFloat : ND_Tensor<Sci_LongFloatTypes, "f32 or f64">;
def Sci_NoCodeOfSeries : ND_NoCode<"it is a series or a fraction, which its kernel sums up">;

// With code it is a function in runtime/elements/special.def; else it is computed in f64 and rounded once.
class Sci_Function<string mnemonic, Sluice_Gradient gradient, string text, string what, ND_Code how = Sci_NoCodeOfSeries>
    : Sci_Op<mnemonic, how, gradient, [AllElementTypesMatch<["input", "result"]>]> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ".";
  let constraints = "C1. `input` holds floats. C2. `result` has the element type of `input`.";
  let example = "%y = sci." # mnemonic # " %x : (tensor<2x?xf32>) -> tensor<2x?xf32>";
  let arguments = (ins ND_Float:$input);
  let results = (outs ND_Float:$result);
}

// Of two operands that broadcast.
class Sci_FunctionOfTwo<string mnemonic, Sluice_Gradient gradient, ND_Tensor elements, string text, string what,
                        ND_Code how = Sci_NoCodeOfSeries>
    : Sci_Op<mnemonic, how, gradient, [AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = text;
  let semantics = "Each element of the result is " # what # ". Shapes broadcast as in `nd.add`.";
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = "C1. `lhs` and `rhs` hold " # elements.elements # ". C2. `lhs`, `rhs` and `result` have the same element type.";
  let example = "%z = sci." # mnemonic # " %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>";
  let arguments = (ins elements:$lhs, elements:$rhs);
  let results = (outs elements:$result);
}

// ---- The normal distribution

def Sci_ErfOp : Sci_Function<"erf", HasGradient, "error function",
    "2/√π times the integral of exp(-t²) from 0 to the element", ND_OfElements>;

def Sci_ErfcOp : Sci_Function<"erfc", HasGradient, "complement of the error function",
    "1 less the error function of the element, accurate where that is near 1", ND_OfElements>;

def Sci_ErfinvOp : Sci_Function<"erfinv", HasGradient, "inverse of the error function",
    "the number whose error function is the element; NaN outside of -1 to 1", ND_OfElements>;

def Sci_NdtriOp : Sci_Function<"ndtri", HasGradient, "quantile of the normal distribution",
    "the number below which a standard normal one is with the probability that the element is; NaN outside of 0 to 1", ND_OfElements>;

def Sci_DawsnOp : Sci_Function<"dawsn", HasGradient, "Dawson's integral",
    "exp(-x²) times the integral of exp(t²) from 0 to x, for the element x">;

// ---- Integrals of elementary functions

def Sci_FresnelSinOp : Sci_Function<"fresnel_sin", HasGradient, "Fresnel's sine integral",
    "the integral of sin(πt²/2) from 0 to the element">;

def Sci_FresnelCosOp : Sci_Function<"fresnel_cos", HasGradient, "Fresnel's cosine integral",
    "the integral of cos(πt²/2) from 0 to the element">;

def Sci_ExpintOp : Sci_Function<"expint", HasGradient, "exponential integral",
    "the integral of exp(t)/t from minus infinity to the element; NaN below 0">;

def Sci_SpenceOp : Sci_Function<"spence", HasGradient, "dilogarithm",
    "the integral of log(t)/(1-t) from 1 to the element; NaN below 0">;

// ---- The gamma function

def Sci_LgammaOp : Sci_Function<"lgamma", HasGradient, "logarithm of the gamma function",
    "the natural logarithm of the absolute value of the gamma function; infinity at its poles", ND_OfElements>;

def Sci_DigammaOp : Sci_Function<"digamma", HasGradient, "derivative of lgamma",
    "the derivative of the logarithm of the gamma function; NaN at its poles", ND_OfElements>;

// ---- Bessel functions

def Sci_BesselI0Op : Sci_Function<"bessel_i0", HasGradient, "modified Bessel function",
    "the modified Bessel function of the first kind and order 0">;

def Sci_BesselI1Op : Sci_Function<"bessel_i1", HasGradient, "modified Bessel function",
    "the modified Bessel function of the first kind and order 1">;

def Sci_BesselI0eOp : Sci_Function<"bessel_i0e", HasGradient, "scaled modified Bessel function",
    "the modified Bessel function of the first kind and order 0, times exp(-|x|) of the element x">;

def Sci_BesselI1eOp : Sci_Function<"bessel_i1e", HasGradient, "scaled modified Bessel function",
    "the modified Bessel function of the first kind and order 1, times exp(-|x|) of the element x">;

def Sci_BesselK0Op : Sci_Function<"bessel_k0", HasGradient, "modified Bessel function",
    "the modified Bessel function of the second kind and order 0; infinity at 0 and below">;

def Sci_BesselK1Op : Sci_Function<"bessel_k1", HasGradient, "modified Bessel function",
    "the modified Bessel function of the second kind and order 1; infinity at 0 and below">;

def Sci_BesselK0eOp : Sci_Function<"bessel_k0e", HasGradient, "scaled modified Bessel function",
    "the modified Bessel function of the second kind and order 0, times exp(x) of the element x; infinity at 0 and below">;

def Sci_BesselK1eOp : Sci_Function<"bessel_k1e", HasGradient, "scaled modified Bessel function",
    "the modified Bessel function of the second kind and order 1, times exp(x) of the element x; infinity at 0 and below">;

def Sci_BesselJ0Op : Sci_Function<"bessel_j0", HasGradient, "Bessel function",
    "the Bessel function of the first kind and order 0">;

def Sci_BesselJ1Op : Sci_Function<"bessel_j1", HasGradient, "Bessel function",
    "the Bessel function of the first kind and order 1">;

def Sci_BesselY0Op : Sci_Function<"bessel_y0", HasGradient, "Bessel function",
    "the Bessel function of the second kind and order 0; minus infinity at 0 and below">;

def Sci_BesselY1Op : Sci_Function<"bessel_y1", HasGradient, "Bessel function",
    "the Bessel function of the second kind and order 1; minus infinity at 0 and below">;

// ---- Two operands

def Sci_Atan2Op : Sci_FunctionOfTwo<"atan2", HasGradient, ND_Float, "angle of a point",
    "the angle between the first axis and the point whose coordinates are `rhs` and `lhs`, in radians; it has the sign of `lhs`", ND_OfElements>;

def Sci_NextAfterOp : Sci_FunctionOfTwo<"next_after", HasGradient, Sci_LongFloat, "neighbouring number",
    "the number next to `lhs` in the direction of `rhs`, or `rhs` where both are equal; there are no denormals, so the least normal number is next to 0">;

def Sci_ZetaOp : Sci_FunctionOfTwo<"zeta", HasGradient, Sci_LongFloat, "zeta function of Hurwitz",
    "the sum of (`rhs` + k) to the power of -`lhs` over all k from 0 on; infinity where `lhs` is 1, NaN where it is below">;

def Sci_PolygammaOp : Sci_FunctionOfTwo<"polygamma", HasGradient, Sci_LongFloat, "derivatives of digamma",
    "the derivative of order `lhs` of digamma at `rhs`; NaN where `lhs` is no integer or below 0">;

def Sci_IgammaOp : Sci_FunctionOfTwo<"igamma", HasGradient, ND_Float, "lower incomplete gamma function",
    "the integral of t^(a-1) exp(-t) from 0 to `rhs`, divided by the gamma function of a, which is `lhs`; NaN where `lhs` is not above 0 or `rhs` is below 0">;

def Sci_IgammacOp : Sci_FunctionOfTwo<"igammac", HasGradient, ND_Float, "upper incomplete gamma function",
    "the integral of t^(a-1) exp(-t) from `rhs` on, divided by the gamma function of a, which is `lhs`; NaN where `lhs` is not above 0 or `rhs` is below 0">;

def Sci_IgammaGradAOp : Sci_FunctionOfTwo<"igamma_grad_a", NoGradient<"nobody has a formula for it">, Sci_LongFloat, "derivative of igamma by its shape",
    "the derivative of `sci.igamma` with respect to `lhs`">;

def Sci_RandomGammaGradOp : Sci_FunctionOfTwo<"random_gamma_grad", NoGradient<"nobody has a formula for it">, Sci_LongFloat, "derivative of gamma samples by their shape",
    "the derivative of a number `rhs`, drawn from the gamma distribution of shape `lhs`, with respect to that shape">;

// ---- Three operands

def Sci_BetaincOp : Sci_Op<"betainc", Sci_NoCodeOfSeries, HasGradient, [AllElementTypesMatch<["a", "b", "x", "result"]>]> {
  let summary = "incomplete beta function";
  let semantics = [{Each element of the result is the integral of t^(a-1) (1-t)^(b-1) from 0 to `x`, divided by that
from 0 to 1; NaN where `a` or `b` is not above 0, or where `x` is outside of 0 to 1. Shapes broadcast as
in `nd.add`.}];
  let failures = "INVALID_ARGUMENT when the shapes do not broadcast.";
  let constraints = [{C1. `a`, `b` and `x` hold f32 or f64. C2. `a`, `b`, `x` and `result` have the same element type.}];
  let example = "%y = sci.betainc %a, %b, %x : (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>";
  let arguments = (ins Sci_LongFloat:$a, Sci_LongFloat:$b, Sci_LongFloat:$x);
  let results = (outs Sci_LongFloat:$result);
}

#endif
