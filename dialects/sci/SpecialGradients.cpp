// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the ops of the family "special": TensorFlow's, in its order of operations.
#include "dialects/nd/Formulas.h"
#include "dialects/sci/Sci.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace sluice::sci {

using namespace nd::formula;

constexpr double kPi = std::numbers::pi;

static Value square(Gradient &g, Value x) { return mul(g, x, x); }
static Value exponential(Gradient &g, Value x) { return g.like<nd::ExpOp>(x); }

// ---- The normal distribution --------------------------------------------------------------------

static Value bell(Gradient &g, Value x) { return exponential(g, neg(g, square(g, x))); }

void ErfOp::buildGradient(Gradient &g) {
  Value scaled = mul(g, g.ofResult(), numberLike(g, getInput(), 2 / std::sqrt(kPi)));
  g.set(0, mul(g, scaled, bell(g, getInput())));
}

void ErfcOp::buildGradient(Gradient &g) {
  Value scaled = mul(g, g.ofResult(), numberLike(g, getInput(), -2 / std::sqrt(kPi)));
  g.set(0, mul(g, scaled, bell(g, getInput())));
}

void ErfinvOp::buildGradient(Gradient &g) {
  Value scaled = mul(g, g.ofResult(), numberLike(g, getInput(), std::sqrt(kPi) / 2));
  g.set(0, mul(g, scaled, exponential(g, square(g, getResult()))));
}

void NdtriOp::buildGradient(Gradient &g) {
  Value scaled = mul(g, g.ofResult(), numberLike(g, getInput(), std::sqrt(2 * kPi)));
  Value half = div(g, square(g, getResult()), numberLike(g, getInput(), 2));
  g.set(0, mul(g, scaled, exponential(g, half)));
}

void DawsnOp::buildGradient(Gradient &g) {
  Value product = mul(g, mul(g, numberLike(g, getInput(), 2), getInput()), getResult());
  g.set(0, mul(g, g.ofResult(), sub(g, numberLike(g, product, 1), product)));
}

// ---- Integrals of elementary functions ----------------------------------------------------------

static Value angleOfFresnel(Gradient &g, Value x) {
  return mul(g, numberLike(g, x, kPi / 2), square(g, x));
}

void FresnelSinOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<nd::SinOp>(angleOfFresnel(g, getInput()))));
}

void FresnelCosOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<nd::CosOp>(angleOfFresnel(g, getInput()))));
}

void ExpintOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), div(g, exponential(g, getInput()), getInput())));
}

void SpenceOp::buildGradient(Gradient &g) {
  Value x = getInput(), one = numberLike(g, x, 1);
  Value slope = div(g, g.like<nd::LogOp>(x), sub(g, one, x));
  slope = select(g, equalsNumber(g, x, 1), numberLike(g, x, -1), slope);
  g.set(0, mul(g, g.ofResult(), slope));
}

// ---- The gamma function -------------------------------------------------------------------------

void LgammaOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), g.like<DigammaOp>(getInput())));
}

// There are no higher derivatives of the narrow types.
static Value trigamma(Gradient &g, Value x) {
  Type type = Gradient::elementOf(x);
  bool isNarrow = cast<FloatType>(type).getWidth() < 32;
  Value wide = isNarrow ? g.one<nd::CastOp>(g.builder().getF32Type(), x) : x;
  Value found = g.like<PolygammaOp>({numberLike(g, wide, 1), wide});
  return isNarrow ? g.one<nd::CastOp>(type, found) : found;
}

void DigammaOp::buildGradient(Gradient &g) {
  g.set(0, mul(g, g.ofResult(), trigamma(g, getInput())));
}

// ---- Bessel functions ---------------------------------------------------------------------------

static void setSlope(Gradient &g, Value slope) { g.set(0, mul(g, g.ofResult(), slope)); }
// What the slope is at 0, where its formula is no number.
static Value orAtZero(Gradient &g, Value x, double value, Value slope) {
  return select(g, equalsNumber(g, x, 0), numberLike(g, x, value), slope);
}

void BesselI0Op::buildGradient(Gradient &g) { setSlope(g, g.like<BesselI1Op>(getInput())); }

void BesselI1Op::buildGradient(Gradient &g) {
  Value x = getInput();
  Value slope = sub(g, g.like<BesselI0Op>(x), div(g, getResult(), x));
  setSlope(g, orAtZero(g, x, 1, slope));
}

void BesselI0eOp::buildGradient(Gradient &g) {
  Value x = getInput(), sign = g.like<nd::SignOp>(x);
  setSlope(g, sub(g, g.like<BesselI1eOp>(x), mul(g, sign, getResult())));
}

void BesselI1eOp::buildGradient(Gradient &g) {
  Value x = getInput(), sign = g.like<nd::SignOp>(x);
  Value falling = mul(g, getResult(), add(g, sign, reciprocal(g, x)));
  setSlope(g, orAtZero(g, x, 0.5, sub(g, g.like<BesselI0eOp>(x), falling)));
}

void BesselK0Op::buildGradient(Gradient &g) { setSlope(g, neg(g, g.like<BesselK1Op>(getInput()))); }

void BesselK1Op::buildGradient(Gradient &g) {
  Value x = getInput();
  setSlope(g, sub(g, neg(g, g.like<BesselK0Op>(x)), div(g, getResult(), x)));
}

void BesselK0eOp::buildGradient(Gradient &g) {
  setSlope(g, sub(g, getResult(), g.like<BesselK1eOp>(getInput())));
}

void BesselK1eOp::buildGradient(Gradient &g) {
  Value x = getInput();
  Value growing = mul(g, getResult(), sub(g, numberLike(g, x, 1), reciprocal(g, x)));
  setSlope(g, sub(g, growing, g.like<BesselK0eOp>(x)));
}

void BesselJ0Op::buildGradient(Gradient &g) { setSlope(g, neg(g, g.like<BesselJ1Op>(getInput()))); }

void BesselJ1Op::buildGradient(Gradient &g) {
  Value x = getInput();
  Value slope = sub(g, g.like<BesselJ0Op>(x), div(g, getResult(), x));
  setSlope(g, orAtZero(g, x, 0.5, slope));
}

void BesselY0Op::buildGradient(Gradient &g) { setSlope(g, neg(g, g.like<BesselY1Op>(getInput()))); }

void BesselY1Op::buildGradient(Gradient &g) {
  Value x = getInput();
  setSlope(g, sub(g, g.like<BesselY0Op>(x), div(g, getResult(), x)));
}

// ---- Two operands that broadcast ----------------------------------------------------------------

// Hands over what `build` makes, which has the shape of the result, if it is wanted.
static void setSummed(Gradient &g, unsigned operand, llvm::function_ref<Value()> build) {
  if (g.wants(operand))
    g.set(operand, g.sumTo(build(), g.operand(operand)));
}

void Atan2Op::buildGradient(Gradient &g) {
  Value y = getLhs(), x = getRhs();
  Value scaled = div(g, g.ofResult(), add(g, square(g, x), square(g, y)));
  setSummed(g, 0, [&] { return mul(g, x, scaled); });
  setSummed(g, 1, [&] { return mul(g, neg(g, y), scaled); });
}

void NextAfterOp::buildGradient(Gradient &g) {
  setSummed(g, 0, [&] { return g.ofResult(); });
}

void ZetaOp::buildGradient(Gradient &g) {
  Value x = getLhs();
  setSummed(g, 1, [&] {
    Value next = g.like<ZetaOp>({add(g, x, numberLike(g, x, 1)), getRhs()});
    return mul(g, g.ofResult(), mul(g, neg(g, x), next));
  });
}

void PolygammaOp::buildGradient(Gradient &g) {
  Value order = getLhs();
  setSummed(g, 1, [&] {
    Value next = add(g, order, numberLike(g, order, 1));
    return mul(g, g.ofResult(), g.like<PolygammaOp>({next, getRhs()}));
  });
}

// The derivative of igamma by its second operand: the density of the gamma distribution.
static Value gammaDensity(Gradient &g, Value a, Value x) {
  Value power = mul(g, sub(g, a, numberLike(g, a, 1)), g.like<nd::LogOp>(x));
  return exponential(g, sub(g, add(g, neg(g, x), power), g.like<LgammaOp>(a)));
}

// By its shape there is one for f32 and f64 only.
static Value igammaByShape(Gradient &g, Value a, Value x) {
  Type type = Gradient::elementOf(a), f32 = g.builder().getF32Type();
  if (cast<FloatType>(type).getWidth() >= 32)
    return g.like<IgammaGradAOp>({a, x});
  Value wide = g.like<IgammaGradAOp>({g.one<nd::CastOp>(f32, a), g.one<nd::CastOp>(f32, x)});
  return g.one<nd::CastOp>(type, wide);
}

void IgammaOp::buildGradient(Gradient &g) {
  Value a = getLhs(), x = getRhs(), dy = g.ofResult();
  setSummed(g, 0, [&] { return mul(g, igammaByShape(g, a, x), dy); });
  setSummed(g, 1, [&] { return mul(g, gammaDensity(g, a, x), dy); });
}

void IgammacOp::buildGradient(Gradient &g) {
  Value a = getLhs(), x = getRhs(), dy = g.ofResult();
  setSummed(g, 0, [&] { return neg(g, mul(g, igammaByShape(g, a, x), dy)); });
  setSummed(g, 1, [&] { return neg(g, mul(g, gammaDensity(g, a, x), dy)); });
}

// ---- Three operands that broadcast --------------------------------------------------------------

// x log y, but 0 where x is 0; `name` is that of the product.
static Value productWithLog(Gradient &g, StringRef name, Value x, Value y, Value log) {
  Value zero = numberLike(g, x, 0);
  return knownAs(g, name, select(g, equalsNumber(g, x, 0), zero, mul(g, x, log)), {x, y}, {});
}

void BetaincOp::buildGradient(Gradient &g) {
  setSummed(g, 2, [&] {
    Value a = getA(), b = getB(), x = getX(), one = numberLike(g, x, 1), minus = neg(g, x);
    Value logs =
        sub(g, add(g, g.like<LgammaOp>(a), g.like<LgammaOp>(b)), g.like<LgammaOp>(add(g, a, b)));
    Value above =
        productWithLog(g, "tf.Xlog1py", sub(g, b, one), minus, g.like<nd::Log1pOp>(minus));
    Value below = productWithLog(g, "tf.Xlogy", sub(g, a, one), x, g.like<nd::LogOp>(x));
    return mul(g, exponential(g, sub(g, add(g, above, below), logs)), g.ofResult());
  });
}

} // namespace sluice::sci
