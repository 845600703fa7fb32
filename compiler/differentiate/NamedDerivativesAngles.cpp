// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of functions of angles and of hyperbolas.
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

Value square(Gradient &g, Value x) { return mul(g, x, x); }
Value one(Gradient &g, Value x) { return numberLike(g, x, 1); }
Value grown(Gradient &g, Value x) { return g.like<nd::ExpOp>(x); }
Value half(Gradient &g, Value x) { return mul(g, x, numberLike(g, x, 0.5)); }
// Exact near 0.
Value hyperbolicSine(Gradient &g, Value x) {
  return half(g, sub(g, g.like<nd::Expm1Op>(x), g.like<nd::Expm1Op>(neg(g, x))));
}
Value hyperbolicCosine(Gradient &g, Value x) {
  return half(g, add(g, grown(g, x), grown(g, neg(g, x))));
}

// 1 / √(1 - x²)
Value overOtherSide(Gradient &g, Value x) {
  return reciprocal(g, g.like<nd::SqrtOp>(sub(g, one(g, x), square(g, x))));
}

// The derivative is the product of the slope with what comes back.
template <Value (*slope)(Gradient &, NamedOp &)> void scaled(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.set(0, mul(g, g.ofResult(), slope(g, op)));
}
template <Value (*slope)(Gradient &, NamedOp &)> void divided(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.set(0, div(g, g.ofResult(), slope(g, op)));
}

Value ofArcSine(Gradient &g, NamedOp &op) { return overOtherSide(g, op.input(0)); }
Value ofArcCosine(Gradient &g, NamedOp &op) { return neg(g, overOtherSide(g, op.input(0))); }
Value ofArcTangent(Gradient &g, NamedOp &op) {
  return reciprocal(g, add(g, one(g, op.input(0)), square(g, op.input(0))));
}
Value ofAreaTangent(Gradient &g, NamedOp &op) {
  return reciprocal(g, sub(g, one(g, op.input(0)), square(g, op.input(0))));
}
Value ofSine(Gradient &g, NamedOp &op) { return hyperbolicCosine(g, op.input(0)); }
Value ofCosine(Gradient &g, NamedOp &op) { return hyperbolicSine(g, op.input(0)); }
Value belowAreaSine(Gradient &g, NamedOp &op) { return hyperbolicCosine(g, op.output()); }
Value belowAreaCosine(Gradient &g, NamedOp &op) { return hyperbolicSine(g, op.output()); }

constexpr NamedLine kLines[] = {
    {"Asin", scaled<ofArcSine>},
    {"Acos", scaled<ofArcCosine>},
    {"Atan", scaled<ofArcTangent>},
    {"Asinh", divided<belowAreaSine>},
    {"Acosh", divided<belowAreaCosine>},
    {"Atanh", scaled<ofAreaTangent>},
    {"Sinh", scaled<ofSine>},
    {"Cosh", scaled<ofCosine>},
};

} // namespace

ArrayRef<NamedLine> namedAngles() { return kLines; }

} // namespace sluice::differentiate
