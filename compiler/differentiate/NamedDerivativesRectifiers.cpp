// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of rectifiers and their kin, and of those derivatives, which have the inputs
// (gradient, features) or (gradient, outputs).
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

Value isAbove(Gradient &g, Value x, double bound) {
  return g.one<nd::GreaterOp>(g.builder().getI1Type(), {x, numberLike(g, x, bound)});
}
Value isBelow(Gradient &g, Value x, double bound) {
  return g.one<nd::LessOp>(g.builder().getI1Type(), {x, numberLike(g, x, bound)});
}

// ---- What names of derivatives compute. Those without a name of their own need none, for the
// chain rule gives what TensorFlow has.

// The gradient times 1 or 0: one that is infinite or NaN shows, also where it does not count.
Value masked(Gradient &g, Value dy, Value mask) {
  return mul(g, dy, g.one<nd::CastOp>(Gradient::elementOf(dy), mask));
}

Value reluGrad(Gradient &g, Value dy, Value x) { return masked(g, dy, isAbove(g, x, 0)); }

Value relu6Grad(Gradient &g, Value dy, Value x) {
  Value isInside = g.like<nd::LogicalAndOp>({isAbove(g, x, 0), isBelow(g, x, 6)});
  return masked(g, dy, isInside);
}

Value leakyReluGrad(Gradient &g, Value dy, Value x, DictionaryAttr parameters) {
  auto alpha = parameters ? parameters.getAs<FloatAttr>("alpha") : FloatAttr();
  double slope = alpha ? alpha.getValueAsDouble() : 0.2;
  Value scaled = mul(g, dy, numberLike(g, dy, slope));
  return knownAs(g, "tf.LeakyReluGrad", select(g, isAbove(g, x, 0), dy, scaled), {dy, x},
                 parameters);
}

Value eluGrad(Gradient &g, Value dy, Value y) {
  Value scaled = mul(g, add(g, y, numberLike(g, y, 1)), dy);
  return knownAs(g, "tf.EluGrad", select(g, isBelow(g, y, 0), scaled, dy), {dy, y}, {});
}

constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaleAlpha = 1.7580993408473768599402175208123;

Value seluGrad(Gradient &g, Value dy, Value y) {
  Value below = mul(g, dy, add(g, y, numberLike(g, y, kSeluScaleAlpha)));
  Value above = mul(g, dy, numberLike(g, y, kSeluScale));
  return knownAs(g, "tf.SeluGrad", select(g, isBelow(g, y, 0), below, above), {dy, y}, {});
}

Value softplusGrad(Gradient &g, Value dy, Value x) {
  Value divisor = add(g, g.like<nd::ExpOp>(neg(g, x)), numberLike(g, x, 1));
  return knownAs(g, "tf.SoftplusGrad", div(g, dy, divisor), {dy, x}, {});
}

Value softsignScale(Gradient &g, Value x) {
  return add(g, g.like<nd::AbsOp>(x), numberLike(g, x, 1));
}
Value softsignGrad(Gradient &g, Value dy, Value x) {
  Value scale = softsignScale(g, x);
  return div(g, dy, mul(g, scale, scale));
}

// ---- Derivatives of functions

template <Value (*kDerivative)(Gradient &, Value, Value)>
void fromInput(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.set(0, kDerivative(g, g.ofResult(), op.input(0)));
}
template <Value (*kDerivative)(Gradient &, Value, Value)>
void fromOutput(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.set(0, kDerivative(g, g.ofResult(), op.output()));
}

void leakyRelu(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  op.set(0, leakyReluGrad(g, g.ofResult(), op.input(0), parameters));
}

Value softplus(Gradient &g, Value dy, Value x) { return mul(g, dy, g.like<nd::SigmoidOp>(x)); }

// ---- Derivatives of derivatives

// Where the derivative does not change with the features, except in steps.
template <Value (*kDerivative)(Gradient &, Value, Value)>
void ofSteps(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  if (op.wants(0))
    op.set(0, kDerivative(g, g.ofResult(), op.input(1)));
}

void leakyReluGradName(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  if (op.wants(0))
    op.set(0, leakyReluGrad(g, g.ofResult(), op.input(1), parameters));
}

// Where it changes in proportion to outputs below 0.
template <Value (*kDerivative)(Gradient &, Value, Value)>
void ofLinear(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult(), outputs = op.input(1);
  if (op.wants(0))
    op.set(0, kDerivative(g, dy, outputs));
  if (op.wants(1))
    op.set(1, select(g, isBelow(g, outputs, 0), mul(g, dy, op.input(0)), numberLike(g, dy, 0)));
}

void softplusGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult(), x = op.input(1);
  if (op.wants(0))
    op.set(0, softplusGrad(g, dy, x));
  if (!op.wants(1))
    return;
  Value falling = g.like<nd::ExpOp>(neg(g, x)), rising = g.like<nd::ExpOp>(x);
  Value divisor = add(g, add(g, falling, numberLike(g, x, 2)), rising);
  op.set(1, div(g, mul(g, dy, op.input(0)), divisor));
}

// TensorFlow has none. This is that of the formula, dy / (1 + |x|)².
void softsignGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult(), x = op.input(1);
  if (op.wants(0))
    op.set(0, softsignGrad(g, dy, x));
  if (!op.wants(1))
    return;
  Value slope = mul(g, numberLike(g, x, -2), g.like<nd::SignOp>(x));
  Value scaled = div(g, mul(g, dy, slope), softsignScale(g, x));
  op.set(1, mul(g, scaled, softsignGrad(g, op.input(0), x)));
}

constexpr NamedLine kLines[] = {
    {"Relu", fromOutput<reluGrad>},
    {"ReluGrad", ofSteps<reluGrad>},
    {"Relu6", fromOutput<relu6Grad>},
    {"Relu6Grad", ofSteps<relu6Grad>},
    {"LeakyRelu", leakyRelu},
    {"LeakyReluGrad", leakyReluGradName},
    {"Elu", fromOutput<eluGrad>},
    {"EluGrad", ofLinear<eluGrad>},
    {"Selu", fromOutput<seluGrad>},
    {"SeluGrad", ofLinear<seluGrad>},
    {"Softplus", fromInput<softplus>},
    {"SoftplusGrad", softplusGradName},
    {"Softsign", fromInput<softsignGrad>},
    {"SoftsignGrad", softsignGradName},
};

} // namespace

ArrayRef<NamedLine> namedRectifiers() { return kLines; }

} // namespace sluice::differentiate
