// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of softmax and cross entropy, which work along the last dim.
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

template <typename OpT> Value reduceLast(Gradient &g, Value x) {
  return g.like<OpT>({x, g.ints({-1})}, g.flag("keep_dims", true));
}

// ---- The functions, for derivatives that compute them again

Value shifted(Gradient &g, Value logits) {
  return sub(g, logits, reduceLast<nd::ReduceMaxOp>(g, logits));
}

// As import expands it: the bfloat16 result of all steps is rounded once.
Value softmax(Gradient &g, Value logits) {
  Type element = Gradient::elementOf(logits);
  Value wide = element.isBF16() ? g.one<nd::CastOp>(g.builder().getF32Type(), logits) : logits;
  Value exponentials = g.like<nd::ExpOp>(shifted(g, wide));
  Value value = div(g, exponentials, reduceLast<nd::ReduceSumOp>(g, exponentials));
  if (element.isBF16())
    value = g.one<nd::CastOp>(element, value);
  return knownAs(g, "tf.Softmax", value, logits, {});
}

Value logSoftmax(Gradient &g, Value logits) {
  Value x = shifted(g, logits);
  Value sum = reduceLast<nd::ReduceSumOp>(g, g.like<nd::ExpOp>(x));
  return knownAs(g, "tf.LogSoftmax", sub(g, x, g.like<nd::LogOp>(sum)), logits, {});
}

// ---- Derivatives

void softmaxName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult(), y = op.output();
  Value sum = reduceLast<nd::ReduceSumOp>(g, mul(g, dy, y));
  op.set(0, mul(g, sub(g, dy, sum), y));
}

void logSoftmaxName(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value dy = g.ofResult();
  Value probabilities = g.like<nd::ExpOp>(op.output());
  op.set(0, sub(g, dy, mul(g, reduceLast<nd::ReduceSumOp>(g, dy), probabilities)));
}

// For each row a loss times a vector.
Value ofLosses(Gradient &g, Value dLoss, Value rows) {
  return mul(g, g.like<nd::ExpandDimsOp>({dLoss, g.int64(-1)}), rows);
}

// The derivative of a softmax along rows. The sum is a product of matrices, as TensorFlow has it.
Value ofSoftmax(Gradient &g, Value dy, Value logits) {
  Value y = softmax(g, logits);
  Value row = g.like<nd::ExpandDimsOp>({dy, g.int64(1)});
  Value column = g.like<nd::ExpandDimsOp>({y, g.int64(2)});
  Value product = g.like<nd::MatmulOp>(
      {row, column}, {g.flag("transpose_lhs", false), g.flag("transpose_rhs", false),
                      g.flag("adjoint_lhs", false), g.flag("adjoint_rhs", false)});
  auto axes = g.builder().getNamedAttr("axes", g.builder().getDenseI64ArrayAttr({1}));
  return mul(g, sub(g, dy, g.like<nd::SqueezeOp>(product, axes)), y);
}

// Results: losses, and their derivatives with respect to the logits. Null if nothing comes back.
Value ofLogits(Gradient &g, NamedOp &op) {
  Value dLoss = g.ofResult(0), dBackprop = g.ofResult(1);
  Value first = dLoss ? ofLosses(g, dLoss, op.output(1)) : Value();
  if (!dBackprop)
    return first;
  Value second = ofSoftmax(g, dBackprop, op.input(0));
  return first ? add(g, first, second) : second;
}

// Logits and labels may broadcast, which TensorFlow does not undo. It is undone where the types do
// not look alike; where they do, they are taken for equal.
Value summedTo(Gradient &g, Value value, Value operand, Value other) {
  return operand.getType() == other.getType() ? value : g.sumTo(value, operand);
}

void softmaxCrossEntropy(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value logits = op.input(0), labels = op.input(1), dLoss = g.ofResult(0);
  if (op.wants(0))
    if (Value value = ofLogits(g, op))
      op.set(0, summedTo(g, value, logits, labels));
  if (op.wants(1) && dLoss)
    op.set(1, summedTo(g, ofLosses(g, dLoss, neg(g, logSoftmax(g, logits))), labels, logits));
}

void sparseSoftmaxCrossEntropy(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  if (Value value = ofLogits(g, op))
    op.set(0, value);
}

constexpr NamedLine kLines[] = {
    {"Softmax", softmaxName},
    {"LogSoftmax", logSoftmaxName},
    {"SoftmaxCrossEntropyWithLogits", softmaxCrossEntropy},
    {"SparseSoftmaxCrossEntropyWithLogits", sparseSoftmaxCrossEntropy},
};

} // namespace

ArrayRef<NamedLine> namedSoftmax() { return kLines; }

} // namespace sluice::differentiate
