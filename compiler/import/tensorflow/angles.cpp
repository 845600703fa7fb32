// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "angle": functions of angles and of hyperbolas that are made of
// others. They are computed in f64 and rounded once, so that no order of steps shows.
#include "compiler/import/tensorflow/Arithmetic.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value one(Expansion &e, Value x) { return constantLike(e, x, 1); }
Value magnitude(Expansion &e, Value x) { return e.like<nd::AbsOp>(x); }
Value root(Expansion &e, Value x) { return e.like<nd::SqrtOp>(x); }
Value log1p(Expansion &e, Value x) { return e.like<nd::Log1pOp>(x); }
Value angle(Expansion &e, Value y, Value x) { return e.like<sci::Atan2Op>({y, x}); }
// An odd function, of what it is for magnitudes.
Value odd(Expansion &e, Value x, Value ofMagnitude) {
  Value isBelow = e.compare<nd::LessOp>(x, constantLike(e, x, 0));
  return select(e, isBelow, neg(e, ofMagnitude), ofMagnitude);
}
Value unlessBeyond(Expansion &e, Value x, double bound, Value inside, Value outside) {
  return select(e, e.compare<nd::GreaterOp>(x, constantLike(e, x, bound)), outside, inside);
}

// The other side of a triangle with the hypotenuse 1; not a number if the side is longer.
Value otherSide(Expansion &e, Value x) {
  return root(e, mul(e, sub(e, one(e, x), x), add(e, one(e, x), x)));
}
Value arcSine(Expansion &e, Value x) { return angle(e, x, otherSide(e, x)); }
Value arcCosine(Expansion &e, Value x) { return angle(e, otherSide(e, x), x); }
Value arcTangent(Expansion &e, Value x) { return angle(e, x, one(e, x)); }

// Squares overflow far from 0, where the root is the number itself.
constexpr double kSquareIsFinite = 1e150, kLog2 = 0.69314718055994530942;
Value farLog(Expansion &e, Value x) {
  return add(e, e.like<nd::LogOp>(x), constantLike(e, x, kLog2));
}
Value areaSine(Expansion &e, Value x) {
  Value m = magnitude(e, x), square = mul(e, m, m);
  Value below = add(e, one(e, x), root(e, add(e, square, one(e, x))));
  Value near = log1p(e, add(e, m, div(e, square, below)));
  return odd(e, x, unlessBeyond(e, m, kSquareIsFinite, near, farLog(e, m)));
}
Value areaCosine(Expansion &e, Value x) {
  Value t = sub(e, x, one(e, x));
  Value near = log1p(e, add(e, t, root(e, mul(e, t, add(e, t, constantLike(e, x, 2))))));
  return unlessBeyond(e, x, kSquareIsFinite, near, farLog(e, x));
}
Value areaTangent(Expansion &e, Value x) {
  Value m = magnitude(e, x);
  Value ratio = div(e, add(e, m, m), sub(e, one(e, x), m));
  return odd(e, x, mul(e, log1p(e, ratio), constantLike(e, x, 0.5)));
}

// Where the other exponential is nothing, two halves of the exponent are multiplied: the whole may
// overflow before the result does.
Value hyperbolicSine(Expansion &e, Value x) {
  constexpr double kOtherIsNothing = 22;
  Value m = magnitude(e, x), grown = e.like<nd::Expm1Op>(m);
  Value near = add(e, grown, div(e, grown, add(e, grown, one(e, x))));
  Value half = e.like<nd::ExpOp>(mul(e, m, constantLike(e, x, 0.5)));
  Value far = mul(e, mul(e, half, constantLike(e, x, 0.5)), half);
  return odd(e, x, unlessBeyond(e, m, kOtherIsNothing, mul(e, near, constantLike(e, x, 0.5)), far));
}

Value hyperbolicCosine(Expansion &e, Value x) {
  Value half = e.like<nd::ExpOp>(mul(e, magnitude(e, x), constantLike(e, x, 0.5)));
  Value grown = mul(e, mul(e, half, constantLike(e, x, 0.5)), half);
  return add(e, grown, div(e, constantLike(e, x, 0.25), grown));
}

template <Value (*function)(Expansion &, Value)> void wide(Expansion &e) {
  Value x = e.input(0);
  Type element = e.elementOf(x);
  if (!isa<FloatType>(element))
    return e.unsupported("types are not supported: expected a tensor of floats");
  Type f64 = e.builder().getF64Type();
  if (element == f64)
    return e.result(0, function(e, x));
  Value result = function(e, e.tensor<nd::CastOp>(f64, x));
  e.result(0, e.tensor<nd::CastOp>(element, result));
}

constexpr OpExpansion kOps[] = {
    composite({"Asin", wide<arcSine>}),        composite({"Acos", wide<arcCosine>}),
    composite({"Atan", wide<arcTangent>}),     composite({"Asinh", wide<areaSine>}),
    composite({"Acosh", wide<areaCosine>}),    composite({"Atanh", wide<areaTangent>}),
    composite({"Sinh", wide<hyperbolicSine>}), composite({"Cosh", wide<hyperbolicCosine>}),
};

} // namespace

ArrayRef<OpExpansion> angleOps() { return kOps; }

} // namespace sluice::import
