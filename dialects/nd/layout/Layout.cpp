// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "layout".
#include "dialects/nd/Nd.h"
#include "dialects/nd/Verify.h"

#define GET_OP_CLASSES
#include "dialects/nd/Layout.cpp.inc"

using namespace mlir;
using namespace sluice::nd;

LogicalResult PackOp::verify() {
  if (getInputs().empty()) // C1
    return emitOpError("expected at least one operand");
  return verifySameElementType(*this, getInputs(), getResult()); // C2
}

LogicalResult UnpackOp::verify() {
  return verifySameElementType(*this, getInput(), getOutputs()); // C1
}

LogicalResult ConcatOp::verify() {
  if (getInputs().empty()) // C1
    return emitOpError("expected at least one operand before the axis");
  return verifySameElementType(*this, getInputs(), getResult()); // C2
}

LogicalResult SplitOp::verify() {
  if (getOutputs().empty()) // C1
    return emitOpError("expected at least one result");
  return verifySameElementType(*this, getInput(), getOutputs()); // C2
}

LogicalResult SplitVOp::verify() {
  if (getOutputs().empty()) // C1
    return emitOpError("expected at least one result");
  return verifySameElementType(*this, getInput(), getOutputs()); // C2
}

// C3 of both strided slices.
static LogicalResult verifyOneEllipsis(Operation *op, int64_t mask) {
  if (llvm::popcount(static_cast<uint64_t>(mask)) > 1)
    return op->emitOpError("expected at most one bit in ellipsis_mask but got ") << mask;
  return success();
}

LogicalResult StridedSliceOp::verify() { return verifyOneEllipsis(*this, getEllipsisMask()); }
LogicalResult StridedSliceGradOp::verify() { return verifyOneEllipsis(*this, getEllipsisMask()); }

void sluice::nd::registerLayoutOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Layout.cpp.inc"
      >();
}
