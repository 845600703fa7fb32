// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nn ops of the family "pool", and their derivatives.
#include "dialects/nd/Formulas.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/Windows.h"

#define GET_OP_CLASSES
#include "dialects/nn/Pool.cpp.inc"

using namespace mlir;

namespace sluice::nn {

namespace {

template <typename Op> LogicalResult verifyPool(Op op) {
  if (failed(verifyWindows(op, "windows", op.getWindows(), "strides", op.getStrides(),
                           op.getPadding(), op.getPads())))
    return failure();
  for (auto [i, pad] : llvm::enumerate(op.getPads()))
    if (pad >= op.getWindows()[i / 2])
      return op.emitOpError("expected pads below the window ")
             << op.getWindows()[i / 2] << " but got " << pad; // C5
  return success();
}

template <typename Op> LogicalResult verifyTypedPool(Op op, Value from) {
  Type expected = getElementTypeOrSelf(from), type = getElementTypeOrSelf(op.getResult());
  if (type != expected)
    return op.emitOpError("expected one element type but got ")
           << expected << " and " << type; // C1
  return verifyPool(op);
}

} // namespace

LogicalResult AveragePoolOp::verify() { return verifyTypedPool(*this, getInput()); }
LogicalResult AveragePoolInputOp::verify() { return verifyTypedPool(*this, getGradient()); }
LogicalResult MaxPoolOp::verify() { return verifyTypedPool(*this, getInput()); }
LogicalResult MaxPoolIndexOp::verify() { return verifyPool(*this); }

void AveragePoolOp::buildGradient(Gradient &g) {
  g.set(0,
        g.one<AveragePoolInputOp>(Gradient::elementOf(getInput()),
                                  {g.shapeOf(getInput()), g.ofResult()}, windowAttributes(*this)));
}
void AveragePoolInputOp::buildGradient(Gradient &g) {
  g.set(1, g.like<AveragePoolOp>(g.ofResult(), windowAttributes(*this)));
}

// Elements go back to where they were taken from.
void MaxPoolOp::buildGradient(Gradient &g) {
  Type i64 = g.builder().getI64Type();
  Value places = g.one<MaxPoolIndexOp>(i64, getInput(), windowAttributes(*this));
  Value all = g.ints({-1}), count = g.one<nd::SizeOp>(i64, getInput());
  Value rows = g.like<nd::ReshapeOp>({g.ofResult(), all});
  Value sum = g.like<nd::UnsortedSegmentSumOp>({rows, g.like<nd::ReshapeOp>({places, all}), count});
  g.set(0, g.reshapedLike(sum, getInput()));
}

void MirrorPadOp::buildGradient(Gradient &g) {
  g.set(0, g.like<MirrorPadInputOp>({g.ofResult(), getPaddings()}, windowAttributes(*this)));
}
void MirrorPadInputOp::buildGradient(Gradient &g) {
  g.set(0, g.like<MirrorPadOp>({g.ofResult(), getPaddings()}, windowAttributes(*this)));
}

void registerPoolOps(NnDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nn/Pool.cpp.inc"
      >();
}

} // namespace sluice::nn
