// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "elementwise": arithmetic, comparisons, selection, casts.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "compiler/import/tensorflow/Lists.h"

using namespace mlir;

namespace sluice::import {

namespace {

template <typename OpT> void unary(Expansion &e) { e.result(0, e.like<OpT>(e.input(0))); }
template <typename OpT> void binary(Expansion &e) {
  e.result(0, e.like<OpT>({e.input(0), e.input(1)}));
}
template <typename OpT> void comparison(Expansion &e) {
  e.result(0, e.compare<OpT>(e.input(0), e.input(1)));
}
template <typename OpT> void predicate(Expansion &e) {
  e.result(0, e.tensor<OpT>(e.builder().getI1Type(), e.input(0)));
}

// These formulas need the conjugate for complex numbers, for which there is no op yet.
bool isReal(Expansion &e) {
  if (!isa<ComplexType>(e.elementOf(e.input(0))))
    return true;
  e.unsupported("complex numbers are not supported by this op");
  return false;
}

void square(Expansion &e) { e.result(0, mul(e, e.input(0), e.input(0))); }

void reciprocal(Expansion &e) {
  e.result(0, e.like<nd::DivOp>({constantLike(e, e.input(0), 1), e.input(0)}));
}

void squaredDifference(Expansion &e) {
  Value difference = sub(e, e.input(0), e.input(1));
  if (isReal(e))
    e.result(0, mul(e, difference, difference));
}

// x * y, but 0 where y is 0, whatever x is.
void mulNoNan(Expansion &e) {
  Value zero = constantLike(e, e.input(1), 0);
  Value isZero = e.compare<nd::EqualOp>(e.input(1), zero);
  e.result(0, select(e, isZero, zero, mul(e, e.input(0), e.input(1))));
}

// x op f(y), but 0 where x is 0.
template <typename OpT, typename FunctionT> void zeroWins(Expansion &e) {
  Value zero = constantLike(e, e.input(0), 0);
  Value isZero = e.compare<nd::EqualOp>(e.input(0), zero);
  Value y = e.input(1);
  if constexpr (!std::is_void_v<FunctionT>)
    y = e.like<FunctionT>(y);
  e.result(0, select(e, isZero, zero, e.like<OpT>({e.input(0), y})));
}

void sigmoidGrad(Expansion &e) { // inputs: y, dy
  if (!isReal(e))
    return;
  Value one = constantLike(e, e.input(0), 1);
  e.result(0, mul(e, e.input(1), mul(e, e.input(0), sub(e, one, e.input(0)))));
}

void tanhGrad(Expansion &e) {
  if (!isReal(e))
    return;
  Value one = constantLike(e, e.input(0), 1);
  e.result(0, mul(e, e.input(1), sub(e, one, mul(e, e.input(0), e.input(0)))));
}

// Where nothing comes back nothing goes on, also if the derivative is infinite there.
Value zeroIfNoGradient(Expansion &e, Value gradient, Value product) {
  Value zero = constantLike(e, gradient, 0);
  return select(e, e.compare<nd::EqualOp>(gradient, zero), zero, product);
}

void sqrtGrad(Expansion &e) { // inputs of this and the next ones: y, dy
  if (!isReal(e))
    return;
  Value half = constantLike(e, e.input(0), 0.5);
  Value quotient = e.like<nd::DivOp>({mul(e, e.input(1), half), e.input(0)});
  e.result(0, zeroIfNoGradient(e, e.input(1), quotient));
}

void rsqrtGrad(Expansion &e) {
  if (!isReal(e))
    return;
  Value y = e.input(0);
  Value scaled = mul(e, constantLike(e, y, -0.5), mul(e, e.input(1), y));
  Value product = mul(e, scaled, mul(e, y, y));
  e.result(0, zeroIfNoGradient(e, e.input(1), product));
}

void reciprocalGrad(Expansion &e) {
  if (!isReal(e))
    return;
  Value minus = e.like<nd::NegOp>(e.input(0));
  Value product = mul(e, minus, mul(e, e.input(1), e.input(0)));
  e.result(0, zeroIfNoGradient(e, e.input(1), product));
}

// Integers are round already.
void roundHalfToEven(Expansion &e) {
  bool isFloat = isa<FloatType>(e.elementOf(e.input(0)));
  e.result(0, isFloat ? e.like<nd::RoundOp>(e.input(0)) : e.input(0));
}

// Quotients of integers are truncated already.
void truncateDiv(Expansion &e) {
  Value quotient = e.like<nd::DivOp>({e.input(0), e.input(1)});
  if (isa<FloatType>(e.elementOf(e.input(0)))) {
    Value negative = e.compare<nd::LessOp>(quotient, constantLike(e, quotient, 0));
    quotient = select(e, negative, e.like<nd::CeilOp>(quotient), e.like<nd::FloorOp>(quotient));
  }
  e.result(0, quotient);
}

void tangent(Expansion &e) {
  e.result(0, e.like<nd::DivOp>({e.like<nd::SinOp>(e.input(0)), e.like<nd::CosOp>(e.input(0))}));
}

void clipByValue(Expansion &e) {
  Value below = e.like<nd::MinimumOp>({e.input(0), e.input(2)});
  e.result(0, e.like<nd::MaximumOp>({below, e.input(1)}));
}

void approximateEqual(Expansion &e) {
  Value distance = e.like<nd::AbsOp>(sub(e, e.input(0), e.input(1)));
  Value tolerance = constantLike(e, e.input(0), e.floatAttr("tolerance"));
  e.result(0, e.compare<nd::LessEqualOp>(distance, tolerance));
}

// A left fold: the order of additions is that of the inputs.
void addN(Expansion &e) {
  Value sum = e.input(0);
  for (Value next : e.inputs().drop_front())
    sum = e.like<nd::AddOp>({sum, next});
  e.result(0, sum);
}

void selectRows(Expansion &e) {
  e.result(0, e.tensor<nd::SelectOp>(e.elementOf(e.input(1)), e.inputs(), e.flag("leading", true)));
}
void selectBroadcast(Expansion &e) { e.result(0, select(e, e.input(0), e.input(1), e.input(2))); }

void cast(Expansion &e) {
  if (isa<nd::StringType>(e.elementOf(e.input(0))) || e.dataTypeAttr("DstT") == graphdef::DT_STRING)
    return e.unsupported("casts of strings are not supported");
  if (e.boolAttr("Truncate")) // which bits of a float that gives, TensorFlow does not say
    return e.unsupported("attribute 'Truncate': expected false, for casts round, but got true");
  if (Type target = e.typeAttr("DstT"))
    e.result(0, e.tensor<nd::CastOp>(target, e.input(0)));
}

template <int kValue> void constantOfSameShape(Expansion &e) {
  Value shape = e.tensor<nd::ShapeOp>(e.builder().getI64Type(), e.input(0));
  e.result(0, e.tensor<nd::FillOp>(e.elementOf(e.input(0)),
                                   {shape, constantLike(e, e.input(0), kValue)}));
}

constexpr OpExpansion kOps[] = {
    {"Neg", unary<nd::NegOp>},
    {"Abs", unary<nd::AbsOp>},
    {"Sign", unary<nd::SignOp>},
    {"Sqrt", unary<nd::SqrtOp>},
    {"Rsqrt", unary<nd::RsqrtOp>},
    {"Exp", unary<nd::ExpOp>},
    {"Expm1", unary<nd::Expm1Op>},
    {"Log", unary<nd::LogOp>},
    {"Log1p", unary<nd::Log1pOp>},
    {"Tanh", unary<nd::TanhOp>},
    {"Sigmoid", unary<nd::SigmoidOp>},
    {"Sin", unary<nd::SinOp>},
    {"Cos", unary<nd::CosOp>},
    composite({"Tan", tangent}),
    {"Floor", unary<nd::FloorOp>},
    {"Ceil", unary<nd::CeilOp>},
    {"Round", roundHalfToEven},
    {"Rint", unary<nd::RoundOp>},
    {"LogicalNot", unary<nd::LogicalNotOp>},
    {"IsNan", predicate<nd::IsNanOp>},
    {"IsInf", predicate<nd::IsInfOp>},
    {"IsFinite", predicate<nd::IsFiniteOp>},
    composite({"Square", square}),
    composite({"Reciprocal", reciprocal}),
    composite({"Inv", reciprocal}),
    {"Add", binary<nd::AddOp>},
    {"AddV2", binary<nd::AddOp>},
    {"Sub", binary<nd::SubOp>},
    {"Mul", binary<nd::MulOp>},
    composite({"MulNoNan", mulNoNan}),
    {"Div", binary<nd::DivOp>},
    {"RealDiv", binary<nd::DivOp>},
    {"TruncateDiv", truncateDiv},
    {"DivNoNan", binary<nd::DivNoNanOp>},
    {"FloorDiv", binary<nd::FloorDivOp>},
    {"FloorMod", binary<nd::FloorModOp>},
    {"Mod", binary<nd::TruncModOp>},
    {"TruncateMod", binary<nd::TruncModOp>},
    {"Pow", binary<nd::PowOp>},
    {"Maximum", binary<nd::MaximumOp>},
    {"Minimum", binary<nd::MinimumOp>},
    composite({"SquaredDifference", squaredDifference}),
    composite({"Xdivy", zeroWins<nd::DivOp, void>}),
    composite({"Xlogy", zeroWins<nd::MulOp, nd::LogOp>}),
    composite({"Xlog1py", zeroWins<nd::MulOp, nd::Log1pOp>}),
    {"LogicalAnd", binary<nd::LogicalAndOp>},
    {"LogicalOr", binary<nd::LogicalOrOp>},
    {"Less", comparison<nd::LessOp>},
    {"LessEqual", comparison<nd::LessEqualOp>},
    {"Greater", comparison<nd::GreaterOp>},
    {"GreaterEqual", comparison<nd::GreaterEqualOp>},
    {"Equal", comparison<nd::EqualOp>},
    {"NotEqual", comparison<nd::NotEqualOp>},
    {"ApproximateEqual", approximateEqual, Style::kPure, "tolerance"},
    {"Select", selectRows},
    {"SelectV2", selectBroadcast},
    composite({"ClipByValue", clipByValue}),
    {"AddN", listOrTensor<addLists, addN>, Style::kLists},
    {"AccumulateNV2", addN},
    {"Cast", cast, Style::kPure, "Truncate"},
    {"ZerosLike", listOrTensor<zerosLikeList, constantOfSameShape<0>>, Style::kLists},
    {"OnesLike", constantOfSameShape<1>},
    composite({"SigmoidGrad", sigmoidGrad}),
    composite({"TanhGrad", tanhGrad}),
    composite({"SqrtGrad", sqrtGrad}),
    composite({"RsqrtGrad", rsqrtGrad}),
    composite({"ReciprocalGrad", reciprocalGrad}),
    composite({"InvGrad", reciprocalGrad}),
};

} // namespace

ArrayRef<OpExpansion> elementwiseOps() { return kOps; }

} // namespace sluice::import
