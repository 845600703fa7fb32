// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "activation": rectifiers and their kin, softmax, cross entropy.
#include "compiler/import/tensorflow/Arithmetic.h"

#include <cmath>

using namespace mlir;

namespace sluice::import {

namespace {

Value isPositive(Expansion &e, Value x) {
  return e.compare<nd::GreaterOp>(x, constantLike(e, x, 0));
}
Value isNegative(Expansion &e, Value x) { return e.compare<nd::LessOp>(x, constantLike(e, x, 0)); }

// ---- Rectifiers. Gradients have the inputs (gradient, features) or (gradient, outputs).

void relu(Expansion &e) {
  e.result(0, e.like<nd::MaximumOp>({e.input(0), constantLike(e, e.input(0), 0)}));
}

void relu6(Expansion &e) {
  Value rectified = e.like<nd::MaximumOp>({e.input(0), constantLike(e, e.input(0), 0)});
  e.result(0, e.like<nd::MinimumOp>({rectified, constantLike(e, e.input(0), 6)}));
}

// The gradient times 1 or 0: one that is infinite or NaN shows, also where it does not count.
void masked(Expansion &e, Value mask) {
  Value factor = e.tensor<nd::CastOp>(e.elementOf(e.input(0)), mask);
  e.result(0, mul(e, e.input(0), factor));
}

void reluGrad(Expansion &e) { masked(e, isPositive(e, e.input(1))); }

void relu6Grad(Expansion &e) {
  Value below = e.compare<nd::LessOp>(e.input(1), constantLike(e, e.input(1), 6));
  masked(e, e.like<nd::LogicalAndOp>({isPositive(e, e.input(1)), below}));
}

void leakyRelu(Expansion &e) {
  Value scaled = mul(e, e.input(0), constantLike(e, e.input(0), e.floatAttr("alpha")));
  e.result(0, select(e, isPositive(e, e.input(0)), e.input(0), scaled));
}

void leakyReluGrad(Expansion &e) {
  Value scaled = mul(e, e.input(0), constantLike(e, e.input(0), e.floatAttr("alpha")));
  e.result(0, select(e, isPositive(e, e.input(1)), e.input(0), scaled));
}

void elu(Expansion &e) {
  e.result(0, select(e, isNegative(e, e.input(0)), e.like<nd::Expm1Op>(e.input(0)), e.input(0)));
}

void eluGrad(Expansion &e) {
  Value shifted = add(e, e.input(1), constantLike(e, e.input(1), 1));
  e.result(0, select(e, isNegative(e, e.input(1)), mul(e, shifted, e.input(0)), e.input(0)));
}

constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSeluScaleAlpha = 1.7580993408473768599402175208123;

void selu(Expansion &e) {
  Value x = e.input(0);
  Value negative = mul(e, constantLike(e, x, kSeluScaleAlpha), e.like<nd::Expm1Op>(x));
  e.result(0, select(e, isNegative(e, x), negative, mul(e, constantLike(e, x, kSeluScale), x)));
}

void seluGrad(Expansion &e) {
  Value outputs = e.input(1);
  Value shifted = add(e, outputs, constantLike(e, outputs, kSeluScaleAlpha));
  Value scaled = mul(e, e.input(0), constantLike(e, outputs, kSeluScale));
  e.result(0, select(e, isNegative(e, outputs), mul(e, e.input(0), shifted), scaled));
}

// log(1 + exp(x)), which is x for large x and exp(x) for very negative x.
void softplus(Expansion &e) {
  Value x = e.input(0);
  auto type = cast<FloatType>(e.elementOf(x));
  int precision = static_cast<int>(APFloat::semanticsPrecision(type.getFloatSemantics()));
  // The logarithm is rounded as a number of the type.
  APFloat logarithm(std::log(std::ldexp(1.0, 1 - precision)));
  bool isInexact = false;
  logarithm.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  double threshold = logarithm.convertToDouble() + 2;
  Value exponential = e.like<nd::ExpOp>(x);
  Value isLarge = e.compare<nd::GreaterOp>(x, constantLike(e, x, -threshold));
  Value isSmall = e.compare<nd::LessOp>(x, constantLike(e, x, threshold));
  Value middle = select(e, isSmall, exponential, e.like<nd::Log1pOp>(exponential));
  e.result(0, select(e, isLarge, x, middle));
}

// The gradient over 1 + exp(-x). Not its product with the sigmoid, which is 0 for x so far below 0
// that the quotient is still a number.
void softplusGrad(Expansion &e) {
  Value exponential = e.like<nd::ExpOp>(e.like<nd::NegOp>(e.input(1)));
  Value divisor = add(e, exponential, constantLike(e, e.input(1), 1));
  e.result(0, e.like<nd::DivOp>({e.input(0), divisor}));
}

void softsign(Expansion &e) {
  Value scale = add(e, e.like<nd::AbsOp>(e.input(0)), constantLike(e, e.input(0), 1));
  e.result(0, e.like<nd::DivOp>({e.input(0), scale}));
}

void softsignGrad(Expansion &e) {
  Value scale = add(e, e.like<nd::AbsOp>(e.input(1)), constantLike(e, e.input(1), 1));
  e.result(0, e.like<nd::DivOp>({e.input(0), mul(e, scale, scale)}));
}

// ---- Softmax and cross entropy, along the last dim

template <typename OpT> Value reduceLast(Expansion &e, Value x, bool keepDims) {
  return e.like<OpT>({x, e.ints({-1})}, e.flag("keep_dims", keepDims));
}

// The input minus its largest element, so that exponentials cannot overflow.
Value shiftedLogits(Expansion &e, Value x) {
  return sub(e, x, reduceLast<nd::ReduceMaxOp>(e, x, true));
}

Value normalized(Expansion &e, Value shifted) {
  Value exponentials = e.like<nd::ExpOp>(shifted);
  return e.like<nd::DivOp>({exponentials, reduceLast<nd::ReduceSumOp>(e, exponentials, true)});
}

Value logOfSum(Expansion &e, Value shifted, bool keepDims) {
  Value exponentials = e.like<nd::ExpOp>(shifted);
  return e.like<nd::LogOp>(reduceLast<nd::ReduceSumOp>(e, exponentials, keepDims));
}

// TensorFlow rounds the bfloat16 result of all steps once, but those of half step by step.
void softmax(Expansion &e) {
  Value logits = e.input(0);
  Type element = e.elementOf(logits);
  if (!element.isBF16())
    return e.result(0, normalized(e, shiftedLogits(e, logits)));
  Value wide = e.tensor<nd::CastOp>(e.builder().getF32Type(), logits);
  e.result(0, e.tensor<nd::CastOp>(element, normalized(e, shiftedLogits(e, wide))));
}

void logSoftmax(Expansion &e) {
  Value shifted = shiftedLogits(e, e.input(0));
  e.result(0, sub(e, shifted, logOfSum(e, shifted, true)));
}

// Inputs: features, labels (a distribution in each row). Outputs: loss, gradient of the features.
void softmaxCrossEntropy(Expansion &e) {
  Value shifted = shiftedLogits(e, e.input(0));
  Value surprise = sub(e, logOfSum(e, shifted, true), shifted);
  Value weighted = mul(e, e.input(1), surprise);
  e.result(0, reduceLast<nd::ReduceSumOp>(e, weighted, false));
  e.result(1, sub(e, normalized(e, shifted), e.input(1)));
}

// The same with one label, a position, for each row. A label out of range fails in the gather.
void sparseSoftmaxCrossEntropy(Expansion &e) {
  Value shifted = shiftedLogits(e, e.input(0));
  Value picked = e.like<nd::GatherOp>({shifted, e.input(1), e.int32(1)}, e.number("batch_dims", 1));
  e.result(0, sub(e, logOfSum(e, shifted, false), picked));
  Type i32 = e.builder().getI32Type();
  Value dims = e.tensor<nd::ShapeOp>(i32, e.input(0));
  Value classes = e.like<nd::GatherOp>({dims, e.int32(1), e.int32(0)}, e.number("batch_dims", 0));
  Type element = e.elementOf(shifted);
  Value expected = e.tensor<nd::OneHotOp>(
      element, {e.input(1), classes, e.scalar(element, 1), e.scalar(element, 0)},
      e.number("axis", -1));
  e.result(1, sub(e, normalized(e, shifted), expected));
}

constexpr OpExpansion kOps[] = {
    composite({"Relu", relu}),
    composite({"ReluGrad", reluGrad}),
    composite({"Relu6", relu6}),
    composite({"Relu6Grad", relu6Grad}),
    composite({"LeakyRelu", leakyRelu, Style::kPure, "alpha"}),
    composite({"LeakyReluGrad", leakyReluGrad, Style::kPure, "alpha"}),
    composite({"Elu", elu}),
    composite({"EluGrad", eluGrad}),
    composite({"Selu", selu}),
    composite({"SeluGrad", seluGrad}),
    composite({"Softplus", softplus}),
    composite({"SoftplusGrad", softplusGrad}),
    composite({"Softsign", softsign}),
    composite({"SoftsignGrad", softsignGrad}),
    composite({"Softmax", softmax}),
    composite({"LogSoftmax", logSoftmax}),
    composite({"SoftmaxCrossEntropyWithLogits", softmaxCrossEntropy}),
    composite({"SparseSoftmaxCrossEntropyWithLogits", sparseSoftmaxCrossEntropy}),
};

} // namespace

ArrayRef<OpExpansion> activationOps() { return kOps; }

} // namespace sluice::import
