// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primitives whose results are their operands.
#include "compiler/codegen/HandsOn.h"

using namespace mlir;

namespace sluice::codegen {

bool handsOn(Operation *op) {
  return isa<flow::GateOp, flow::SwitchOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp,
             flow::MergeOp>(op);
}

ValueRange handedOn(Operation *op) {
  return isa<flow::MergeOp>(op) ? ValueRange(op->getOperands()) : op->getOperands().take_front();
}

bool isHandedOn(OpOperand &operand) {
  Operation *op = operand.getOwner();
  return handsOn(op) && (isa<flow::MergeOp>(op) || operand.getOperandNumber() == 0);
}

ResultRange receiving(Operation *op) {
  return op->getResults().take_front(isa<flow::SwitchOp>(op) ? 2 : 1);
}

} // namespace sluice::codegen
