// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of lowerings.
#include "compiler/codegen/cpu/Lowerings.h"

#include "compiler/codegen/cpu/Moves.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

static LoweringTable makeRegisterTable() {
  LoweringTable table;
  addConstantLowerings(table);
  addElementwiseLowerings(table);
  addMoveLowerings(table);
  addReductionLowerings(table);
  return table;
}
static LoweringTable makeBufferTable() {
  LoweringTable table;
  addBufferLowerings(table);
  return table;
}

// Registers are shuffled by constant masks. What moves elements by numbers that are not known
// before does so in memory.
static bool movesAreConstant(Operation *op) {
  SmallVector<unsigned> data = dataOperands(op);
  return data.empty() || llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return llvm::is_contained(data, operand.getOperandNumber()) ||
                  operand.get().getDefiningOp<nd::ConstantOp>();
         });
}

LowerFn findLowering(Operation *op) {
  static const LoweringTable registers = makeRegisterTable(), buffers = makeBufferTable();
  StringRef name = op->getName().getStringRef();
  auto inRegister = [](Value value) { return isInRegister(value); };
  if (llvm::all_of(op->getOperands(), inRegister) && llvm::all_of(op->getResults(), inRegister))
    if (LowerFn lower = registers.lookup(name); lower && movesAreConstant(op))
      return lower;
  return buffers.lookup(name);
}

} // namespace sluice::codegen
