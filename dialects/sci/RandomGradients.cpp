// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the sci ops of the family "random".
#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"
#include "dialects/sci/Sci.h"

#include <cmath>

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;
using namespace sluice::nd::formula;

namespace {

// What of a normal distribution is below x. Far below the mean `erfc` is the exact one.
Value normalBelow(Gradient &g, Value x) {
  const double scale = std::sqrt(0.5);
  Value moved = mul(g, x, numberLike(g, x, scale)), size = g.like<nd::AbsOp>(moved);
  Value one = numberLike(g, x, 1), beyond = g.like<ErfcOp>(size);
  Type i1 = g.builder().getI1Type();
  Value isNear = g.one<nd::LessOp>(i1, {size, numberLike(g, x, scale)});
  Value isAbove = g.one<nd::GreaterOp>(i1, {moved, numberLike(g, x, 0)});
  Value far = select(g, isAbove, sub(g, numberLike(g, x, 2), beyond), beyond);
  Value twice = select(g, isNear, add(g, one, g.like<ErfOp>(moved)), far);
  return mul(g, numberLike(g, x, 0.5), twice);
}

} // namespace

// Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients": samples move so that what is
// below them stays as much as it was.
void RandomBoundedNormalOp::buildGradient(Gradient &g) {
  Value dy = g.ofResult(), mean = getMean(), deviation = getDeviation();
  auto moved = [&](Value x) { return div(g, sub(g, x, mean), deviation); };
  Value sample = moved(getResult());
  if (g.wants(2))
    g.set(2, g.sumTo(dy, mean));
  if (g.wants(3))
    g.set(3, g.sumTo(mul(g, dy, sample), deviation));
  if (!g.wants(4) && !g.wants(5))
    return;
  Value low = moved(getLow()), high = moved(getHigh());
  Value belowLow = normalBelow(g, low);
  Value below =
      div(g, sub(g, normalBelow(g, sample), belowLow), sub(g, normalBelow(g, high), belowLow));
  // Logarithms are to be finite.
  const llvm::fltSemantics &kind = cast<FloatType>(Gradient::elementOf(mean)).getFloatSemantics();
  const double least = llvm::APFloat::getSmallestNormalized(kind).convertToDouble();
  const double step =
      std::ldexp(1.0, 1 - static_cast<int>(llvm::APFloat::semanticsPrecision(kind)));
  below = g.like<nd::MaximumOp>({g.like<nd::MinimumOp>({below, numberLike(g, below, 1 - step)}),
                                 numberLike(g, below, least)});
  auto follow = [&](unsigned i, Value bound, Value logarithm, Value operand) {
    if (!g.wants(i))
      return;
    Value apart = sub(g, mul(g, sample, sample), mul(g, bound, bound));
    Value exponent = add(g, mul(g, numberLike(g, apart, 0.5), apart), logarithm);
    g.set(i, g.sumTo(mul(g, dy, g.like<nd::ExpOp>(exponent)), operand));
  };
  follow(4, low, g.like<nd::Log1pOp>(neg(g, below)), getLow());
  follow(5, high, g.like<nd::LogOp>(below), getHigh());
}

// A sample moves with the shape of its distribution. There is a function for f32 and f64 only.
void RandomGammaOp::buildGradient(Gradient &g) {
  Value alpha = getAlpha(), sample = getResult();
  Type type = Gradient::elementOf(alpha), f32 = g.builder().getF32Type();
  const bool isShort = type.getIntOrFloatBitWidth() < 32;
  if (isShort) {
    alpha = g.one<nd::CastOp>(f32, alpha);
    sample = g.one<nd::CastOp>(f32, sample);
  }
  Value slope = g.like<RandomGammaGradOp>({alpha, sample});
  if (isShort)
    slope = g.one<nd::CastOp>(type, slope);
  g.set(2, g.sumTo(mul(g, g.ofResult(), slope), getAlpha()));
}
