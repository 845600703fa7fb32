// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the ops of the family "parts": TensorFlow's, in its order of operations.
#include "dialects/nd/Formulas.h"
#include "dialects/sci/Sci.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace sluice::sci {

using namespace nd::formula;

// ---- Complex numbers ----------------------------------------------------------------------------

static Value complexOf(Gradient &g, Value real, Value imaginary) {
  return g.one<ComplexOp>(ComplexType::get(Gradient::elementOf(real)), {real, imaginary});
}

void ComplexOp::buildGradient(Gradient &g) {
  Type part = Gradient::elementOf(getReal());
  Value dy = g.ofResult();
  if (g.wants(0))
    g.set(0, g.sumTo(g.one<nd::CastOp>(part, dy), getReal()));
  if (g.wants(1))
    g.set(1, g.sumTo(g.one<ImaginaryOp>(part, dy), getImaginary()));
}

void ImaginaryOp::buildGradient(Gradient &g) {
  g.set(0, complexOf(g, numberLike(g, g.ofResult(), 0), g.ofResult()));
}

void MagnitudeOp::buildGradient(Gradient &g) {
  Value dy = g.ofResult(), zero = numberLike(g, dy, 0);
  Value turned = mul(g, complexOf(g, dy, zero), getInput());
  g.set(0, g.like<nd::DivNoNanOp>({turned, complexOf(g, getResult(), zero)}));
}

// ---- Along an axis ------------------------------------------------------------------------------

// The logarithms of positive elements; of all others that of nothing.
static Value logOfPositive(Gradient &g, Value x) {
  auto type = cast<FloatType>(Gradient::elementOf(x));
  double lowest =
      APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true).convertToDouble();
  Value isPositive = g.one<nd::GreaterOp>(g.builder().getI1Type(), {x, numberLike(g, x, 0)});
  Value safe = select(g, isPositive, x, numberLike(g, x, 1));
  return select(g, isPositive, g.like<nd::LogOp>(safe), numberLike(g, x, lowest));
}

void CumulativeLogsumexpOp::buildGradient(Gradient &g) {
  Value x = getInput(), dy = g.ofResult();
  auto backwards = [&](Value log) {
    Value sums = g.like<CumulativeLogsumexpOp>(
        {sub(g, log, getResult()), getAxis()},
        {g.flag("exclusive", getExclusive()), g.flag("reverse", !getReverse())});
    return g.like<nd::ExpOp>(add(g, sums, x));
  };
  Value positive = backwards(logOfPositive(g, dy));
  g.set(0, sub(g, positive, backwards(logOfPositive(g, neg(g, dy)))));
}

// ---- Diagonals ----------------------------------------------------------------------------------

template <typename OpT> static SmallVector<NamedAttribute> placesOf(Gradient &g, OpT op) {
  return {g.flag("right_above", op.getRightAbove()), g.flag("right_below", op.getRightBelow())};
}

// What fills up short diagonals comes from nowhere in the matrix.
void DiagonalsOp::buildGradient(Gradient &g) {
  if (g.wants(0))
    g.set(0, g.like<SetDiagonalsOp>({g.zerosLike(getInput()), g.ofResult(), getK()},
                                    placesOf(g, *this)));
}

void SetDiagonalsOp::buildGradient(Gradient &g) {
  Value dy = g.ofResult();
  if (g.wants(0))
    g.set(0, g.like<SetDiagonalsOp>({dy, g.zerosLike(getDiagonals()), getK()}, placesOf(g, *this)));
  if (g.wants(1))
    g.set(1, g.like<DiagonalsOp>({dy, getK(), numberLike(g, dy, 0)}, placesOf(g, *this)));
}

} // namespace sluice::sci
