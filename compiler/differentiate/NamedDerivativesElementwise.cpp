// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of arithmetic, of derivatives of functions, and of a norm.
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

template <typename OpT> Value compare(Gradient &g, Value a, Value b) {
  return g.one<OpT>(g.builder().getI1Type(), {a, b});
}

// ---- One operand

void square(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value x = conjugate(g, op.input(0));
  op.set(0, mul(g, g.ofResult(), mul(g, x, numberLike(g, x, 2))));
}

// -dy / x², from y = 1 / x.
Value reciprocalGrad(Gradient &g, Value y, Value dy) {
  Value conj = conjugate(g, y);
  Value product = mul(g, neg(g, conj), mul(g, dy, conj));
  return knownAs(g, "tf.ReciprocalGrad", zeroWhereZero(g, dy, product), {y, dy}, {});
}

void reciprocalName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.set(0, reciprocalGrad(g, op.output(), g.ofResult()));
}

void tangent(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value secant = reciprocal(g, g.like<nd::CosOp>(conjugate(g, op.input(0))));
  op.set(0, mul(g, mul(g, secant, secant), g.ofResult()));
}

// ---- Derivatives of functions, of (y, dy)

// dy, times `factor`, times the operand for dy, times that for y: what powers of y give.
Value scaledProduct(Gradient &g, double factor, Value dy, Value b, Value a) {
  return mul(g, mul(g, mul(g, dy, numberLike(g, dy, factor)), b), a);
}

void sigmoidGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value a = conjugate(g, op.input(0)), dy = g.ofResult();
  if (op.wants(0)) {
    Value product = mul(g, dy, conjugate(g, op.input(1)));
    op.set(0, sub(g, product, mul(g, mul(g, numberLike(g, dy, 2), product), a)));
  }
  if (op.wants(1))
    op.set(1, sigmoidGrad(g, a, dy));
}

void tanhGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value a = conjugate(g, op.input(0)), dy = g.ofResult();
  if (op.wants(0))
    op.set(0, scaledProduct(g, -2, dy, conjugate(g, op.input(1)), a));
  if (op.wants(1))
    op.set(1, tanhGrad(g, a, dy));
}

void sqrtGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value quotient = div(g, g.ofResult(), op.input(0));
  if (op.wants(0))
    op.set(0, mul(g, neg(g, conjugate(g, quotient)), op.output()));
  if (op.wants(1))
    op.set(1, mul(g, numberLike(g, quotient, 0.5), quotient));
}

void rsqrtGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value a = conjugate(g, op.input(0)), dy = g.ofResult();
  if (op.wants(0))
    op.set(0, scaledProduct(g, -1.5, conjugate(g, dy), op.input(1), mul(g, a, a)));
  if (op.wants(1))
    op.set(1, rsqrtGrad(g, a, dy));
}

void reciprocalGradName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value a = conjugate(g, op.input(0)), dy = g.ofResult();
  if (op.wants(0))
    op.set(0, scaledProduct(g, -2, conjugate(g, dy), op.input(1), a));
  if (op.wants(1))
    op.set(1, reciprocalGrad(g, a, dy));
}

// ---- Two operands

void squaredDifference(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult();
  Value product = mul(g, mul(g, numberLike(g, dy, 2), dy), sub(g, op.input(0), op.input(1)));
  op.setSummed(0, [&] { return product; });
  op.setSummed(1, [&] { return neg(g, product); });
}

// a * b, but 0 where b is 0, whatever a is.
Value mulNoNan(Gradient &g, Value a, Value b) {
  Value value = select(g, equalsNumber(g, b, 0), numberLike(g, b, 0), mul(g, a, b));
  return knownAs(g, "tf.MulNoNan", value, {a, b}, {});
}

void mulNoNanName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  op.setSummed(0, [&] { return mulNoNan(g, g.ofResult(), op.input(1)); });
  op.setSummed(1, [&] { return mulNoNan(g, op.input(0), g.ofResult()); });
}

// x op f(y), but 0 where x is 0.
Value zeroWins(Gradient &g, StringRef name, Value x, Value y, Value value) {
  Value zero = numberLike(g, x, 0);
  return knownAs(g, name, select(g, equalsNumber(g, x, 0), zero, value), {x, y}, {});
}
Value xdivy(Gradient &g, Value x, Value y) { return zeroWins(g, "tf.Xdivy", x, y, div(g, x, y)); }
Value xlogy(Gradient &g, Value x, Value y) {
  return zeroWins(g, "tf.Xlogy", x, y, mul(g, x, g.like<nd::LogOp>(y)));
}
Value xlog1py(Gradient &g, Value x, Value y) {
  return zeroWins(g, "tf.Xlog1py", x, y, mul(g, x, g.like<nd::Log1pOp>(y)));
}

// 1, but 0 where x is 0: what x is replaced by in the derivative with respect to it.
Value isNotZero(Gradient &g, Value x) {
  return g.one<nd::CastOp>(Gradient::elementOf(x),
                           compare<nd::NotEqualOp>(g, x, numberLike(g, x, 0)));
}

void xdivyName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value x = op.input(0), y = op.input(1), dy = g.ofResult();
  op.setSummed(0, [&] { return mul(g, xdivy(g, isNotZero(g, x), y), dy); });
  op.setSummed(1, [&] {
    Value squared = g.like<nd::PowOp>({y, numberLike(g, y, 2)});
    return mul(g, xdivy(g, neg(g, x), squared), dy);
  });
}

void xlogyName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value x = op.input(0), y = op.input(1), dy = g.ofResult();
  op.setSummed(0, [&] { return mul(g, xlogy(g, isNotZero(g, x), y), dy); });
  op.setSummed(1, [&] { return mul(g, xdivy(g, x, y), dy); });
}

void xlog1pyName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value x = op.input(0), y = op.input(1), dy = g.ofResult();
  op.setSummed(0, [&] { return mul(g, xlog1py(g, isNotZero(g, x), y), dy); });
  op.setSummed(1, [&] { return mul(g, xdivy(g, x, add(g, y, numberLike(g, y, 1))), dy); });
}

// ---- Others

// Inputs: x, lower bound, upper bound. A number that equals a bound counts as x.
void clipByValue(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult(), zero = numberLike(g, dy, 0);
  Value isBelow = compare<nd::LessOp>(g, op.input(0), op.input(1));
  Value isAbove = compare<nd::GreaterOp>(g, op.input(0), op.input(2));
  if (op.wants(0))
    op.set(0, select(g, g.like<nd::LogicalOrOp>({isBelow, isAbove}), zero, dy));
  op.setSummed(1, [&] { return select(g, isBelow, dy, zero); });
  op.setSummed(2, [&] { return select(g, isAbove, dy, zero); });
}

void euclideanNorm(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  auto keepDims = parameters ? parameters.getAs<BoolAttr>("keep_dims") : BoolAttr();
  Value quotient = withKeptDims(g, div(g, op.output(), g.ofResult()), op.input(0), op.input(1),
                                keepDims && keepDims.getValue());
  op.set(0, div(g, op.input(0), quotient));
}

void preventGradient(Gradient &g, DictionaryAttr) {
  emitError(g.loc(), "expected that no derivative goes through 'PreventGradient', but one is asked "
                     "for; put 'StopGradient' in its place where zeros will do");
}

// What is fed in place of a value.
void fed(Gradient &g, DictionaryAttr) { NamedOp(g).set(0, g.ofResult()); }

constexpr NamedLine kLines[] = {
    {"fed", fed},
    {"Square", square},
    {"Reciprocal", reciprocalName},
    {"Inv", reciprocalName},
    {"Tan", tangent},
    {"SigmoidGrad", sigmoidGradName},
    {"TanhGrad", tanhGradName},
    {"SqrtGrad", sqrtGradName},
    {"RsqrtGrad", rsqrtGradName},
    {"ReciprocalGrad", reciprocalGradName},
    {"InvGrad", reciprocalGradName},
    {"SquaredDifference", squaredDifference},
    {"MulNoNan", mulNoNanName},
    {"Xdivy", xdivyName},
    {"Xlogy", xlogyName},
    {"Xlog1py", xlog1pyName},
    {"ClipByValue", clipByValue},
    {"EuclideanNorm", euclideanNorm},
    {"PreventGradient", preventGradient, /*isRefusal=*/true},
};

} // namespace

ArrayRef<NamedLine> namedElementwise() { return kLines; }

} // namespace sluice::differentiate
