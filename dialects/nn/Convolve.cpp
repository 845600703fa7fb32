// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nn ops of the family "convolve", and their derivatives: each is one of the
// others.
#include "dialects/nn/Nn.h"
#include "dialects/nn/Windows.h"

#define GET_OP_CLASSES
#include "dialects/nn/Convolve.cpp.inc"

using namespace mlir;

namespace sluice::nn {

namespace {

template <typename Op> LogicalResult verifyConvolution(Op op) {
  return verifyWindows(op, "strides", op.getStrides(), "dilations", op.getDilations(),
                       op.getPadding(), op.getPads());
}

template <typename To> Value like(Gradient &g, ValueRange operands) {
  return g.one<To>(Gradient::elementOf(g.op()->getResult(0)), operands, windowAttributes(g.op()));
}

} // namespace

LogicalResult ConvolveOp::verify() { return verifyConvolution(*this); }
LogicalResult ConvolveInputOp::verify() { return verifyConvolution(*this); }
LogicalResult ConvolveFilterOp::verify() { return verifyConvolution(*this); }

void ConvolveOp::buildGradient(Gradient &g) {
  if (g.wants(0))
    g.set(0, like<ConvolveInputOp>(g, {g.shapeOf(getLhs()), getRhs(), g.ofResult()}));
  if (g.wants(1))
    g.set(1, like<ConvolveFilterOp>(g, {getLhs(), g.shapeOf(getRhs()), g.ofResult()}));
}

// The result is linear in the filter, and in what came back.
void ConvolveInputOp::buildGradient(Gradient &g) {
  if (g.wants(1))
    g.set(1, like<ConvolveFilterOp>(g, {g.ofResult(), g.shapeOf(getLhs()), getRhs()}));
  if (g.wants(2))
    g.set(2, like<ConvolveOp>(g, {g.ofResult(), getLhs()}));
}

void ConvolveFilterOp::buildGradient(Gradient &g) {
  if (g.wants(0))
    g.set(0, like<ConvolveInputOp>(g, {g.shapeOf(getLhs()), g.ofResult(), getRhs()}));
  if (g.wants(2))
    g.set(2, like<ConvolveOp>(g, {getLhs(), g.ofResult()}));
}

void registerConvolveOps(NnDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nn/Convolve.cpp.inc"
      >();
}

} // namespace sluice::nn
