// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the ops of the family "elementwise": TensorFlow's, in its order of operations.
#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::nd {

using namespace formula;

// ---- One operand --------------------------------------------------------------------------------

void NegOp::buildGradient(Gradient &g) { g.set(0, neg(g, g.ofResult())); }

void AbsOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<SignOp>(getInput())));
}

void SqrtOp::buildGradient(Gradient &g) { g.set(0, sqrtGrad(g, getResult(), g.ofResult())); }

void RsqrtOp::buildGradient(Gradient &g) { g.set(0, rsqrtGrad(g, getResult(), g.ofResult())); }

void ExpOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), conjugate(g, getResult())));
}

void Expm1Op::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<ExpOp>(conjugate(g, getInput()))));
}

void LogOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), reciprocal(g, conjugate(g, getInput()))));
}

void Log1pOp::buildGradient(Gradient &g) {
  Value x = conjugate(g, getInput());
  g.set(0, mul(g, g.ofResult(), reciprocal(g, add(g, numberLike(g, x, 1), x))));
}

void TanhOp::buildGradient(Gradient &g) {
  g.set(0, tanhGrad(g, conjugate(g, getResult()), g.ofResult()));
}

void SigmoidOp::buildGradient(Gradient &g) {
  g.set(0, sigmoidGrad(g, conjugate(g, getResult()), g.ofResult()));
}

void SinOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<CosOp>(conjugate(g, getInput()))));
}

void CosOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, neg(g, g.ofResult()), g.like<SinOp>(conjugate(g, getInput()))));
}

// Integers and bools have no derivatives, on neither side. What of complex numbers became real
// comes back as a real part.
void CastOp::buildGradient(Gradient &g) {
  Type from = Gradient::elementOf(getInput()), to = Gradient::elementOf(getResult());
  if (isa<FloatType, ComplexType>(from) && isa<FloatType, ComplexType>(to))
    g.set(0, g.one<CastOp>(from, g.ofResult()));
}

// ---- Two operands that broadcast ----------------------------------------------------------------

// Hands over what `build` makes, which has the shape of the result, if it is wanted.
static void setSummed(Gradient &g, unsigned operand, llvm::function_ref<Value()> build) {
  if (g.wants(operand))
    g.set(operand, g.sumTo(build(), g.operand(operand)));
}

void AddOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return g.ofResult(); });
  setSummed(g, 1, [&] { return g.ofResult(); });
}

void SubOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return g.ofResult(); });
  setSummed(g, 1, [&] { return neg(g, g.ofResult()); });
}

void MulOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return mul(g, g.ofResult(), conjugate(g, getRhs())); });
  setSummed(g, 1, [&] { return mul(g, conjugate(g, getLhs()), g.ofResult()); });
}

template <typename OpT> static void buildOfQuotient(Gradient &g) {
  Value dy = g.ofResult();
  setSummed(g, 0, [&] { return g.like<OpT>({dy, conjugate(g, g.operand(1))}); });
  setSummed(g, 1, [&] {
    Value y = conjugate(g, g.operand(1));
    Value quotient = g.like<OpT>({neg(g, conjugate(g, g.operand(0))), y});
    return mul(g, dy, g.like<OpT>({quotient, y}));
  });
}

void DivOp::buildGradient(Gradient &g) { buildOfQuotient<DivOp>(g); }

void DivNoNanOp::buildGradient(Gradient &g) { buildOfQuotient<DivNoNanOp>(g); }

void FloorModOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return g.ofResult(); });
  setSummed(g, 1,
            [&] { return mul(g, g.ofResult(), neg(g, g.like<FloorDivOp>({getLhs(), getRhs()}))); });
}

// TensorFlow has no derivative for it. This is that of the definition.
void TruncModOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return g.ofResult(); });
  setSummed(g, 1, [&] {
    Value quotient = div(g, getLhs(), getRhs());
    Value isNegative =
        g.one<LessOp>(g.builder().getI1Type(), {quotient, numberLike(g, quotient, 0)});
    Value truncated = select(g, isNegative, g.like<CeilOp>(quotient), g.like<FloorOp>(quotient));
    return mul(g, g.ofResult(), neg(g, truncated));
  });
}

// log x, but 0 where a power has no derivative with respect to its exponent: at 0, and for reals
// also below. There the logarithm of 1 is taken, so that no NaN comes up on the way back.
static Value logOfBase(Gradient &g, Value x) {
  Type i1 = g.builder().getI1Type();
  Value zero = numberLike(g, x, 0);
  Value isDefined = isa<ComplexType>(Gradient::elementOf(x)) ? g.one<NotEqualOp>(i1, {x, zero})
                                                             : g.one<GreaterOp>(i1, {x, zero});
  Value safe = select(g, isDefined, x, numberLike(g, x, 1));
  return select(g, isDefined, g.like<LogOp>(safe), zero);
}

void PowOp::buildGradient(Gradient &g) {
  Value x = getLhs(), y = getRhs(), dy = g.ofResult();
  setSummed(g, 0, [&] {
    Value exponent = conjugate(g, y);
    Value less = sub(g, exponent, numberLike(g, exponent, 1));
    return mul(g, mul(g, dy, exponent), g.like<PowOp>({conjugate(g, x), less}));
  });
  setSummed(g, 1, [&] {
    return mul(g, mul(g, dy, conjugate(g, getResult())), logOfBase(g, conjugate(g, x)));
  });
}

// Of equal numbers the first counts; of two that cannot be compared, the second.
template <typename ComparisonT> static void buildOfExtremum(Gradient &g) {
  Value dy = g.ofResult(), zero = numberLike(g, dy, 0);
  Value isFirst = g.one<ComparisonT>(g.builder().getI1Type(), {g.operand(0), g.operand(1)});
  setSummed(g, 0, [&] { return select(g, isFirst, dy, zero); });
  setSummed(g, 1, [&] { return select(g, isFirst, zero, dy); });
}

void MaximumOp::buildGradient(Gradient &g) { buildOfExtremum<GreaterEqualOp>(g); }

void MinimumOp::buildGradient(Gradient &g) { buildOfExtremum<LessEqualOp>(g); }

// ---- Selection ----------------------------------------------------------------------------------

void SelectOp::buildGradient(Gradient &g) {
  Value dy = g.ofResult();
  bool leading = getLeading();
  for (unsigned i : {1u, 2u}) {
    if (!g.wants(i))
      continue;
    // With `leading` nothing broadcasts.
    Value zero = leading ? g.zerosLike(dy) : numberLike(g, dy, 0);
    Value part = g.one<SelectOp>(Gradient::elementOf(dy),
                                 {getCondition(), i == 1 ? dy : zero, i == 1 ? zero : dy},
                                 g.flag("leading", leading));
    g.set(i, leading ? part : g.sumTo(part, g.operand(i)));
  }
}

} // namespace sluice::nd
